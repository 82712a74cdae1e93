"""The command line: output and exit status."""

import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import opendynamics
from opendynamics.api.progress import progress
from opendynamics.cli import main
from opendynamics.cli.commands import demo, warmup
from opendynamics.cli.report import number
from tests.unit.command_line import ask, refused

ROOT = Path(__file__).parents[2]
RECORDINGS = ROOT / "tests" / "data" / "trajectories"


def write(path, text):
    path.write_text(text)
    return path


# -- demo -----------------------------------------------------------------------------------------------------------


def test_demo_sums_up(capsys):
    status, out, err = ask(capsys, "demo", "falling_ball", "--steps", 20)
    assert (status, err) == (0, "")
    for words in (
        "1 body, 0 joints, 2 geoms",
        "20 steps of 0.005 s",
        "real-time factor",
        "ms: collide",
        "maximum",
        "penetration",
        "potential",
    ):
        assert words in out


def test_a_profile_has_the_smaller_stages(capsys):
    status, out, _ = ask(capsys, "demo", "pendulum", "--steps", 5, "--profile")
    assert status == 0 and "\n5 steps, " in out and "  broad phase " in out and "  rows " in out
    found = json.loads(ask(capsys, "demo", "pendulum", "--steps", 5, "--profile", "--json")[1])
    assert found["profile"]["steps"] == 5 and found["profile"]["totals"]["rows"] > 0
    assert set(found["ms_per_step"]) == set(found["profile"]["seconds"])


def test_demo_as_json(capsys):
    status, out, _ = ask(capsys, "demo", "pendulum", "--seconds", 0.1, "--json")
    found = json.loads(out)
    assert status == 0
    assert (found["scene"], found["steps"], found["joints"]) == ("pendulum", 20, 12)
    assert set(found["ms_per_step"]) == {"collide", "constrain", "solve", "move"}
    assert found["energy_at_start"]["total"] == pytest.approx(found["energy_at_end"]["total"], rel=1e-3)
    assert found["deepest"] == 0.0 and found["faults"] == [] and found["speed"] > 0


def test_demo_has_a_default_scene(capsys):
    status, out, _ = ask(capsys, "demo", "--steps", 2)
    assert status == 0 and out.startswith(demo.DEFAULT)


def test_demo_lists_scenes(capsys):
    status, out, _ = ask(capsys, "demo", "--list")
    assert status == 0
    for name in ("car", "chain", "falling_ball", "pendulum", "pit", "slope", "wall"):
        assert f"\n{name} " in f"\n{out}"
    listed = json.loads(ask(capsys, "demo", "--list", "--json")[1])
    assert {"rows": 6, "columns": 6, "ball": False} in [scene["options"] for scene in listed]


def test_demo_varies_a_scene(capsys):
    found = json.loads(ask(capsys, "demo", "wall", "--set", "rows=2", "columns=3", "--steps", 2, "--json")[1])
    assert found["bodies"] == 3 + 4


def test_demo_refuses(capsys):
    assert "did you mean wall?" in refused(capsys, "demo", "wal")
    assert "there are: bridge, car, chain" in refused(capsys, "demo", "zzz")
    assert "rows=6" in refused(capsys, "demo", "wall", "--set", "row=3")
    assert "must be at least 1" in refused(capsys, "demo", "wall", "--set", "rows=0")
    assert "rows" in refused(capsys, "demo", "wall", "--set", "rows=many")


@pytest.mark.parametrize(
    "words",
    [
        ["--steps", "0"],
        ["--steps", "1.5"],
        ["--seconds", "-1"],
        ["--seconds", "inf"],
        ["--steps", "1", "--seconds", "1"],
    ],
)
def test_durations_are_checked(capsys, words):
    with pytest.raises(SystemExit) as exit:
        main(["demo", "falling_ball", *words])
    assert exit.value.code == 2
    assert words[0] in capsys.readouterr().err


# -- SCENE: a name or a file ----------------------------------------------------------------------------------------

SIZED = """
import opendynamics as od


def build(*, count=2, height):
    world = od.World()
    for k in range(count):
        world.add_body(od.Sphere(0.5), position=(k, 0, height))
    return world
"""


def test_commands_take_names_and_files_alike(capsys, tmp_path):
    assert json.loads(ask(capsys, "run", "falling_ball", "--steps", 2, "--json")[1])["scene"] == "falling_ball"
    sized = write(tmp_path / "sized.py", SIZED)
    for command in ("demo", "run"):
        words = (command, sized, "--set", "count=3", "height=2.5", "--steps", 1, "--json")
        found = json.loads(ask(capsys, *words)[1])
        assert (found["scene"], found["bodies"]) == ("sized", 3)


def test_what_can_be_set_is_told(capsys, tmp_path):
    sized = write(tmp_path / "sized.py", SIZED)
    message = refused(capsys, "run", sized, "--set", "cont=3")
    assert "sized.py" in message and "did you mean count?" in message and "count=2, height=" in message
    assert "cannot be built with count=3: " in refused(capsys, "run", sized, "--set", "count=3")
    assert "write --set count=VALUE" in refused(capsys, "run", sized, "--set", "count")
    needy = write(tmp_path / "needy.py", "def build(n, m=1, *more, **others):\n    return None\n")
    assert "built with nothing set: it needs n; write --set n=VALUE" in refused(capsys, "run", needy)
    assert "one of: n=, m=1" in refused(capsys, "run", needy, "--set", "others=2")
    bench = write(tmp_path / "a.txt", "plane 0 0 1 0\n")
    assert "leave out --set k=1" in refused(capsys, "run", bench, "--set", "k=1")
    assert "leave out" in refused(capsys, "run", RECORDINGS / "free_fall.json.gz", "--set", "k=1")


def test_files_that_are_no_scene_for_other_commands(capsys, tmp_path):
    plain = write(tmp_path / "plain.py", "if __name__ == '__main__':\n    raise RuntimeError('executed')\n")
    assert "defines no build()" in refused(capsys, "demo", plain)
    assert "`opendynamics run " in refused(capsys, "demo", RECORDINGS / "free_fall.json.gz")
    assert "does not exist" in refused(capsys, "demo", "nosuch.py")


# -- run: scripts ---------------------------------------------------------------------------------------------------

SCRIPT = """
import opendynamics as od
from opendynamics.scenes import Scene
import beside


def build():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_body(od.Sphere(beside.RADIUS), position=(0, 0, 2))
    return {result}


if __name__ == "__main__":
    raise RuntimeError("executed by itself")
"""


def script(folder, result):
    write(folder / "beside.py", "RADIUS = 0.5\n")
    return write(folder / "mine.py", SCRIPT.format(result=result))


def test_run_plays_what_build_returns(capsys, tmp_path):
    path = list(sys.path)
    status, out, _ = ask(capsys, "run", script(tmp_path, "Scene(world, h=0.02, seconds=0.1)"), "--json")
    found = json.loads(out)
    assert (status, found["scene"], found["steps"], found["bodies"]) == (0, "mine", 5, 1)
    found = json.loads(ask(capsys, "run", script(tmp_path, "world"), "--steps", 3, "--json")[1])
    assert (found["h"], found["steps"]) == (0.01, 3)
    assert sys.path == path


@pytest.mark.parametrize("act", ["os.chdir(os.sep)", "sys.path.pop(0)"])
def test_scripts_may_change_folders_and_paths(act, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = f"import os, sys\nimport opendynamics as od\n\ndef build():\n    {act}\n    return od.World()\n"
    write(tmp_path / "mine.py", code)
    path = list(sys.path)
    assert ask(capsys, "run", "mine.py", "--steps", 1)[0] == 0 and sys.path == path


def test_run_executes_other_scripts(capsys, tmp_path):
    plain = write(tmp_path / "plain.py", "if __name__ == '__main__':\n    print('it ran')\n")
    assert ask(capsys, "run", plain) == (0, "it ran\n", "")


def test_run_names_the_options_that_a_script_without_build_ignores(capsys, tmp_path):
    plain = write(tmp_path / "plain.py", "print('it ran')\n")
    status, out, err = ask(capsys, "run", plain, "--seconds", 2, "--set", "count=3")
    assert (status, out) == (0, "it ran\n")
    assert err.count("\n") == 1 and "defines no build()" in err and "without --seconds, --set" in err


def test_run_shows_where_a_script_failed(capsys, tmp_path):
    failing = write(tmp_path / "failing.py", "def build():\n    return 1 / 0\n")
    with pytest.raises(SystemExit) as exit:
        main(["run", str(failing)])
    err = capsys.readouterr().err
    assert exit.value.code == 1
    assert "ZeroDivisionError" in err and "failing.py" in err and "runpy" not in err and "scene_files" not in err


def test_run_refuses_scripts(capsys, tmp_path):
    assert "must return an opendynamics.scenes.Scene or a World, not int" in refused(
        capsys, "run", script(tmp_path, "3")
    )
    assert "line 1" in refused(capsys, "run", write(tmp_path / "wrong.py", "def build(:\n"))


def test_run_reports_bodies_that_were_frozen(capsys, tmp_path):
    text = "import opendynamics as od\ndef build():\n    world = od.World(gravity=(0, 0, 1e308))\n"
    text += "    world.add_body(linear_velocity=(0, 0, 1.7e308), name='rocket')\n    return world\n"
    status, out, _ = ask(capsys, "run", write(tmp_path / "rocket.py", text), "--steps", 150)
    assert status == 1 and "1 body frozen" in out and "rocket" in out
    found = json.loads(ask(capsys, "run", tmp_path / "rocket.py", "--steps", 150, "--json")[1])
    assert found["faults"] == ["rocket"] and found["energy_at_end"]["kinetic"] is None


# -- run: benchmark scenes ------------------------------------------------------------------------------------------


def test_run_plays_benchmark_scenes(capsys, tmp_path):
    text = "plane 0 0 1 0\nbody box 0 0 0.5 1 0 0 0 10 1 1 1\nnogeom_body 0 0 3 1 0 0 0 1 0.1\nball 1 -1 0 0 4\n"
    status, out, _ = ask(capsys, "run", write(tmp_path / "two.txt", text), "--steps", 5, "--json")
    found = json.loads(out)
    assert (status, found["scene"], found["bodies"], found["geoms"], found["joints"]) == (0, "two", 2, 2, 1)
    packed = tmp_path / "packed.txt.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert json.loads(ask(capsys, "run", packed, "--steps", 1, "--json")[1])["scene"] == "packed"


def test_run_refuses_malformed_benchmark_scenes(capsys, tmp_path):
    assert "line 1" in refused(capsys, "run", write(tmp_path / "a.txt", "body cone 1 2 3\n"))
    assert "no body 7" in refused(capsys, "run", write(tmp_path / "b.txt", "ball 7 -1 0 0 0\n"))
    assert "hfield" in refused(capsys, "run", write(tmp_path / "c.txt", "hfield 1 1\n"))
    damaged = tmp_path / "d.txt.gz"
    damaged.write_bytes(gzip.compress(b"plane 0 0 1 0\n")[:-6])
    assert "cannot be read" in refused(capsys, "run", damaged)
    damaged.write_bytes(b"plane 0 0 1 0\n")
    assert "gzip" in refused(capsys, "run", damaged)
    (tmp_path / "e.txt").write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in refused(capsys, "run", tmp_path / "e.txt")


def test_run_refuses_what_is_no_scene(capsys, tmp_path):
    assert "does not exist" in refused(capsys, "run", tmp_path / "nosuch.py")
    assert "(.py)" in refused(capsys, "run", write(tmp_path / "scene.xml", "<scene/>"))
    (tmp_path / "folder.py").mkdir()
    assert "is a folder" in refused(capsys, "run", tmp_path / "folder.py")
    assert "for recorded scenes" in refused(capsys, "run", write(tmp_path / "a.txt", ""), "--tolerance", 1)


# -- run: recorded scenes -------------------------------------------------------------------------------------------


def test_run_compares_with_a_recording(capsys):
    status, out, _ = ask(capsys, "run", RECORDINGS / "hinge_world.json.gz")
    assert status == 0
    for words in ("step 10 ", "step 50 ", "step 100", "step 200", "overall", "agrees"):
        assert words in out
    found = json.loads(ask(capsys, "run", RECORDINGS / "hinge_world.json.gz", "--json")[1])
    assert found["agrees"] and set(found["deviations"]) == {"10", "50", "100", "200"}
    assert found["allowed"]["10"] == 1e-9 and found["allowed"]["200"] >= 1e-9
    assert max(found["deviations"].values()) <= found["overall"] < 1e-9


def test_run_tells_when_a_recording_is_not_met(capsys, tmp_path):
    recording = json.loads(gzip.decompress((RECORDINGS / "free_fall.json.gz").read_bytes()))
    recording["trajectory"]["bodies"][0]["pos"][10][2] += 1e-7
    status, out, _ = ask(capsys, "run", write(tmp_path / "off.json", json.dumps(recording)))
    assert status == 1 and "does NOT agree" in out
    assert ask(capsys, "run", tmp_path / "off.json", "--tolerance", "1e-6")[0] == 0
    recording["trajectory"]["bodies"][0]["pos"][50][2] = float("nan")
    assert ask(capsys, "run", write(tmp_path / "nan.json", json.dumps(recording)))[0] == 1


def test_run_refuses_foreign_recordings(capsys, tmp_path):
    assert "not a recorded scene" in refused(capsys, "run", write(tmp_path / "a.json", '{"version": 3}'))
    assert "not a recorded scene" in refused(capsys, "run", write(tmp_path / "b.json", "[1, 2"))
    text = json.dumps({"scene": {"schema": "other/7"}})
    assert "other/7" in refused(capsys, "run", write(tmp_path / "c.json", text))
    text = json.dumps({"scene": {"schema": "ode-golden/1", "world": {}}})
    assert "not a complete recorded scene" in refused(capsys, "run", write(tmp_path / "d.json", text))
    damaged = tmp_path / "e.json.gz"
    damaged.write_bytes((RECORDINGS / "free_fall.json.gz").read_bytes()[:-50])
    assert "cannot be read" in refused(capsys, "run", damaged)
    assert "leave out" in refused(capsys, "run", RECORDINGS / "free_fall.json.gz", "--steps", 3)


# -- warmup, info, the rest -----------------------------------------------------------------------------------------


def test_warmup_knows_every_kernel_and_compiles_once(capsys, monkeypatch):
    entries = warmup.find_entries()
    names = {f"{entry.py_func.__module__}.{entry.py_func.__name__}" for entry in entries}
    assert "opendynamics.core.collide.narrowphase.pairs.box_box.collide" in names
    assert "opendynamics.core.step.advance" in names
    assert "opendynamics.viewer.pictures.tracing.rows.trace_rows" in names
    monkeypatch.setattr(warmup, "find_entries", lambda: entries[:3])
    ask(capsys, "warmup")
    status, out, _ = ask(capsys, "warmup")
    assert status == 0
    assert out.startswith("3 kernels are ready, 0 of them newly compiled")


def test_warmup_knows_every_module_with_kernels():
    """In a new process, where no test has imported any."""
    package = Path(opendynamics.__file__).parent
    modules = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in package.rglob("*.py")
        if re.search(r"^@entry\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    program = (
        "from opendynamics.cli.kernels import find_entries; print(*{entry.__module__ for entry in find_entries()})"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert len(modules) > 50 and modules <= set(found)


def test_info(capsys):
    status, out, _ = ask(capsys, "info")
    assert status == 0
    found = json.loads(ask(capsys, "info", "--json")[1])
    for key in ("version", "python", "numba", "processor", "cache_folder"):
        assert found[key] in out
    assert Path(found["cache_folder"]).is_dir() and found["cache_bytes"] > 0


def test_no_command_and_help(capsys):
    with pytest.raises(SystemExit) as exit:
        main([])
    assert exit.value.code == 2
    for words in (["--help"], ["demo", "--help"], ["run", "--help"], ["warmup", "--help"], ["info", "--help"]):
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit:
            main(words)
        assert exit.value.code == 0
        assert "opendynamics" in capsys.readouterr().out


def test_interrupt(capsys, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "play_recorded", interrupted)
    status, out, err = ask(capsys, "demo", "falling_ball")
    assert (status, out) == (130, "") and "interrupted" in err and "Traceback" not in err


def test_as_a_process():
    words = [sys.executable, "-m", "opendynamics", "--version"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["opendynamics", opendynamics.__version__]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("rich_is_there", [False, True])
def test_bars_show_on_terminals_only(monkeypatch, rich_is_there):
    if rich_is_there:
        pytest.importorskip("rich")
    else:
        monkeypatch.setattr("opendynamics.api.progress._rich", lambda: None)
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress(4, "falling") as update:
            for done in range(1, 5):
                update(done, "")
        shown = stream.getvalue()
        assert ("falling" in shown and "100" in shown) if stream.isatty() else shown == ""


def test_numbers():
    values = [0.0, 1.0, 12345.6, 0.00123456, 1.23456e-7, -9.876e12, np.inf]
    assert [number(value) for value in values] == ["0", "1", "12346", "0.00123", "1.23e-07", "-9.88e+12", "inf"]
