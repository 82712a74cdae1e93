"""Type checkers in strict mode find mistakes of programs that use the package, and accept correct ones."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROGRAMS = {name: HERE / f"{name}.py" for name in ("good", "bad")}
WRONG = [k for k, line in enumerate(PROGRAMS["bad"].read_text().splitlines(), 1) if line.endswith("# wrong")]


def mypy_lines(path, cache):
    """Lines that mypy finds fault with, by its messages."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--follow-imports=silent",
        "--no-error-summary",
    ]
    command += ["--ignore-missing-imports", "--cache-dir", str(cache), str(path)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {int(line): text for line, text in re.findall(rf"{path.name}:(\d+): error: (.*)", output)}


def pyright_lines(path, folder):
    """Lines that pyright, or basedpyright in its place, finds fault with."""
    program = shutil.which("pyright", path=Path(sys.executable).parent) or shutil.which(
        "basedpyright", path=Path(sys.executable).parent
    )
    if program is None:
        pytest.skip("neither pyright nor basedpyright is installed")
    project = {
        "include": [str(path)],
        "typeCheckingMode": "strict",
        "extraPaths": [str(ROOT)],
        "useLibraryCodeForTypes": True,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(project))
    command = [program, "--project", str(folder), "--pythonpath", sys.executable, "--outputjson"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    return {
        one["range"]["start"]["line"] + 1: one["message"]
        for one in found["generalDiagnostics"]
        if one["severity"] == "error"
    }


CHECKERS = {"mypy": mypy_lines, "pyright": pyright_lines}


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_right_programs_pass_and_mistakes_are_found(checker, tmp_path):
    if checker == "mypy" and importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    assert CHECKERS[checker](PROGRAMS["good"], tmp_path) == {}
    found = CHECKERS[checker](PROGRAMS["bad"], tmp_path)
    assert sorted(found) == WRONG, found


def test_every_mistake_is_one_at_run_time_too():
    """Or else the type checkers would be too strict."""
    source = PROGRAMS["bad"].read_text().splitlines()
    names = {}
    exec("\n".join(source[: WRONG[0] - 1]), names)
    for number in WRONG:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            exec(source[number - 1], names)
            pytest.fail(f"line {number} passes: {source[number - 1]}")
