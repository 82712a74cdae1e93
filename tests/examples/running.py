"""Executes the examples, each once for all tests: `run(name)` returns the names a program defines and its output."""

import io
import json
import re
import runpy
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(FOLDER.glob("*.py"))
# Packages of the extras that examples need.
NEEDS = {
    "arm_inverse_kinematics": ("yaml",),
    "force_and_inertial_sensors": ("yaml",),
    "mesh_on_terrain": ("trimesh",),
    "notebook": ("viser", "matplotlib"),
    "recording": ("matplotlib", "PIL"),
}


@cache
def _run(name):
    with redirect_stdout(io.StringIO()) as out:
        if (FOLDER / f"{name}.ipynb").exists():
            scope = {}
            for cell in json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), name, "exec"), scope)
        else:
            scope = runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    return scope, out.getvalue()


def run(name):
    """The names the example defines and its output; skips if it needs a package that is not installed."""
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package)
    return _run(name)


def numbers(text):
    """All numbers in a text."""
    return [float(word) for word in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]
