"""The generated mistakes, the tests selected for them, and the results of runs."""

from __future__ import annotations

import ast
import json
import random
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mutation import choice
from tests.mutation.__main__ import EQUIVALENT, Results, changed_line, equivalent
from tests.mutation.budget import Compiling
from tests.mutation.choice import FOLDERS, LEFT_OUT, PACKAGE, ROOT, words_in
from tests.mutation.copy import Copy, Outcome
from tests.mutation.mutants import mutants_of
from tests.mutation.sample import draw

FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / PACKAGE).rglob("*.py"))


def mistakes(text):
    source = text.encode()
    return [(mutant.kind, mutant.apply(source).decode()) for mutant in mutants_of(source)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", {("compare", "a <= b")}),
        ("a is not b", {("compare", "a is b")}),
        ("(a) + (b)", {("sign", "(a) - (b)")}),
        ("a * b / c", {("factor", "a / b / c"), ("factor", "a * b * c")}),
        ("not (a and b)", {("logic", "(a and b)"), ("logic", "not (a or b)")}),
        ("(-a)", {("sign", "(a)")}),
        ("a[1]", {("constant", "a[2]")}),
        ("a = 0.5, 0.0, True", {("constant", f"a = {one}") for one in ("0.75, 0.0, True", "0.5, 1.0, True")}
         | {("constant", "a = 0.5, 0.0, False")}),
        ("for k in range(n): pass", {("off by one", "for k in range(n - 1): pass")}),
        ("a = f(é, b, c)", {("swap", "a = f(b, é, c)")}),
        ("f()", {("drop", "pass")}),
        ("a.b = c", {("drop", "pass")}),
        ("a += b", {("drop", "pass"), ("sign", "a -= b")}),
        ("a = b", set()),
        ("raise ValueError(f'{a + b}')", set()),
        ("def f(a: int = None) -> list[1]: pass", set()),
        ("T = Table('t', [], room=16)", {("swap", "T = Table([], 't', room=16)")}),
        ("a = zip(b, b, strict=True)", set()),
        ("a = math.hypot(b, c)", set()),
        ("a = 1e-9", set()),
    ],
)  # fmt: skip
def test_mistakes_in_a_line(text, expected):
    assert set(mistakes(text)) == expected


def test_every_mistake_is_another_program():
    for file, mutant in draw(ROOT, 40, 5):
        source = (ROOT / file).read_bytes()
        assert ast.dump(ast.parse(mutant.apply(source))) != ast.dump(ast.parse(source))
        before, after = changed_line(ROOT / file, mutant)
        assert before != after


def test_a_draw_is_spread_over_all_folders_and_the_same_for_the_same_seed():
    drawn = draw(ROOT, 100, 1)
    assert drawn == draw(ROOT, 100, 1) != draw(ROOT, 100, 2)
    assert len(drawn) == 100 == len(set(drawn))
    folders = {file.rpartition("/")[0] for file in FILES if mutants_of((ROOT / file).read_bytes())}
    assert {file.rpartition("/")[0] for file, _ in drawn} == folders
    assert {mutant.kind for _, mutant in drawn} >= {"compare", "sign", "factor", "logic", "constant", "swap", "drop"}
    assert all("/joints/" in file for file, _ in draw(ROOT, 5, 1, "/joints/"))


def test_there_are_tests_for_every_file():
    for places in FOLDERS.values():
        for place in places:
            assert (ROOT / place).exists(), place
    for folder in FOLDERS:
        assert (ROOT / PACKAGE / folder).is_dir(), folder
    for file in random.Random(1).sample(FILES, 60):
        tests = choice.tests_for(file)
        assert tests
        assert all((ROOT / test).is_file() and not test.startswith(LEFT_OUT) for test in tests)


@pytest.mark.parametrize(
    ("file", "inside", "expected"),
    [
        ("core/update/damping.py", "_damp", "tests/laws/test_damping.py"),
        ("core/solve/pgs/shuffling.py", "shuffle", "tests/families/test_quickstep.py"),
        ("core/constrain/joints/transmission.py", "fill", "tests/families/test_rods_and_gears.py"),
        ("io/recording/frame.py", "frame_at", "tests/recording/test_recording.py"),
        ("viewer/live/pulling.py", "Pulls", "tests/viewer/test_pulling.py"),
        ("api/mass.py", "translate", "tests/unit/test_mass.py"),
        ("c_api/mass.py", "dMassSetSphere", "tests/faces/test_c_masses_and_rotations.py"),
        ("c_api/collision/trimesh.py", "dGeomTriMeshDataGet2", "tests/faces/test_c_outputs_by_hand.py"),
        ("api/saving/validation.py", "require_valid_rows", "tests/saving/test_bad_input.py"),
        ("viewer/pictures/tracing/surfaces.py", "_side", "tests/viewer/test_patterns_of_surfaces.py"),
        ("__main__.py", "", "tests/unit/test_cli.py"),
        ("robot/sensors/force.py", "Reading", "tests/robot/test_sensors.py"),
        ("robot/loaders/assembly.py", "_places", "tests/robot/test_body_files.py"),
        ("__init__.py", "", "tests/unit/test_names_on_demand.py"),
    ],
)
def test_the_tests_that_speak_of_it_come_first(file, inside, expected):
    assert expected in choice.tests_for(f"{PACKAGE}/{file}", [inside])[:4]


def test_words_of_names():
    assert words_in("set_dampingDefaults(JOINTS)") == {"set", "damping", "default", "joint"}


def test_every_mistake_that_is_none_is_still_there():
    for entry in json.loads(EQUIVALENT.read_text()):
        assert len(entry["reason"]) > 20
        assert equivalent(entry["file"], entry["before"], entry["after"]) == entry["reason"]
        source = (ROOT / entry["file"]).read_bytes()
        lines = {changed_line(ROOT / entry["file"], mutant) for mutant in mutants_of(source)}
        assert (entry["before"], entry["after"]) in lines, entry


@pytest.fixture
def small(tmp_path):
    """A repository of one module and its test."""
    copy = Copy(tmp_path)
    copy.folder.mkdir()
    (copy.folder / "counting.py").write_text(
        "def count(n):\n    k = 0\n    while k < n:\n        k += 1\n    return k\n"
    )
    (copy.folder / "test_counting.py").write_text(
        "from counting import count\n\ndef test_ten():\n    assert count(10) == 10\n"
        "def test_again():\n    assert count(3) == 3\n"
    )
    return copy


def test_how_a_run_ends(small, monkeypatch):
    monkeypatch.setattr("tests.mutation.copy.IMPORTING", 2.0)
    path, tests = small.folder / "counting.py", ["test_counting.py"]
    assert small.run(tests, 20.0).passed
    source = path.read_bytes()
    mutants = {(mutant.kind, mutant.line): mutant for mutant in mutants_of(source)}
    ends = {}
    for which in (("compare", 3), ("drop", 4)):
        outcome = small.run_with("counting.py", mutants[which], tests, 0.5)
        ends[which] = outcome.passed, outcome.by
        assert path.read_bytes() == source
    assert ends == {("compare", 3): (False, "test_counting.py::test_ten"), ("drop", 4): (False, "time")}


def test_no_mistake_is_killed_where_pytest_does_not_start(small, tmp_path, monkeypatch):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho No module named pytest >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr("tests.mutation.copy.sys.executable", str(python))
    with pytest.raises(RuntimeError, match="pytest does not start: No module named pytest"):
        small.run(["test_counting.py"], 20.0)


def test_a_run_that_was_killed_leaves_no_mistake(small, monkeypatch):
    path = small.folder / "counting.py"
    source = path.read_bytes()

    class KilledError(BaseException):
        pass

    def killed(tests, budget):
        assert path.read_bytes() != source
        shutil.copytree(small.folder, small.folder.parent / "left" / "tree")
        raise KilledError

    monkeypatch.setattr(small, "run", killed)
    with pytest.raises(KilledError):
        small.run_with("counting.py", mutants_of(source)[0], [], 1.0)
    left = Copy(small.folder.parent / "left")
    assert (left.folder / "counting.py").read_bytes() != source
    left.restore()
    assert (left.folder / "counting.py").read_bytes() == source
    assert sorted(file.name for file in left.folder.iterdir()) == ["counting.py", "test_counting.py"]


def test_a_run_ends_with_its_budget(small):
    (small.folder / "test_counting.py").write_text("def test_one(): pass\ndef test_two(): assert False\n")
    assert small.run(["test_counting.py"], -1.0).passed
    assert small.run(["test_counting.py"], 60.0).by == "test_counting.py::test_two"


def test_equal_mistakes_in_a_file_are_told_apart(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("f(1)\ng()\nf(1)\n")
    copy = Copy(tmp_path)
    monkeypatch.setattr(copy, "folder", tmp_path)
    monkeypatch.setattr(copy, "run_with", lambda *rest: Outcome(True, "", 1.0))
    drops = [mutant for mutant in mutants_of((tmp_path / "a.py").read_bytes()) if mutant.kind == "drop"]
    results = Results(tmp_path / "results.json")
    for mutant in (drops[0], drops[2]):
        results.add("a.py", mutant, copy, 8, 30.0)
    assert len(results.found) == 2
    assert results.survivors(tmp_path) == [("a.py", drops[0]), ("a.py", drops[2])]


def test_what_only_unsound_tests_notice_has_survived(tmp_path, capsys):
    class Tests:
        def run(self, tests, budget):
            failing = [test for test in tests if "unsound" in test]
            return Outcome(not failing, failing[0] if failing else "", 1.0)

    results = Results(tmp_path / "results.json")
    for name, by in (("a", "t.py::sound"), ("b", "t.py::unsound"), ("c", "t.py::unsound_too"), ("d", "time")):
        results.found[name] = {"file": name, "line": 1, "kind": "sign", "before": name, "after": "x", "by": by}
        results.found[name]["outcome"] = "killed"
    assert results.print_table(Tests()) == 1
    assert "4 mistakes: 2 killed, 2 survived, 0 equivalent" in capsys.readouterr().out
    kept = json.loads((tmp_path / "results.json").read_text())
    assert [kept[name]["outcome"] for name in "abcd"] == ["killed", "survived", "survived", "killed"]


def test_compiling_is_no_part_of_the_time_that_tests_have(monkeypatch):
    clock = iter([2.0, 9.5])
    monkeypatch.setattr("tests.mutation.budget.time.process_time", lambda: next(clock))
    before = _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = 100_000
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        compiling = Compiling()
        compiling.on_start(None)
        compiling.on_start(None)
        assert resource.getrlimit(resource.RLIMIT_CPU) == (hard, hard)
        compiling.on_end(None)
        compiling.on_end(None)
        assert compiling.seconds == 7.5
        assert resource.getrlimit(resource.RLIMIT_CPU) == (soft + 8, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)


def test_a_copy_has_what_git_knows_of(tmp_path):
    copy = Copy(tmp_path)
    copy.kernels.mkdir()
    copy.make()
    names = {path.relative_to(copy.folder).as_posix() for path in copy.folder.rglob("*") if path.is_file()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    present = {name for name in listed.splitlines() if (ROOT / name).is_file()}
    assert present <= names
    assert not any(Path(name).parts[0] in (".git", ".venv") for name in names)
