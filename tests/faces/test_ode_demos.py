"""ODE's forty demo programs, rewritten with C names and drawstuff, run without a window; each checks its outcome."""

import ast
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "ode_demos"
DEMOS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "ode_demo")
ALL = [
    *("I", "basket", "boxstack", "buggy", "cards", "chain1", "chain2"),
    *("collision", "convex", "crash", "cyl", "cylvssphere", "dball", "dhinge"),
    *("feedback", "friction", "gyro2", "gyroscopic", "heightfield", "hinge", "jointPR"),
    *("jointPU", "joints", "kinematic", "motion", "motor", "moving_convex", "moving_trimesh"),
    *("ode", "piston", "plane2d", "rfriction", "slider", "space", "space_stress"),
    *("step", "tracks", "transmission", "trimesh", "trimesh_collision"),
]
MAX_LINES = 60


def test_there_is_a_demo_for_each_of_odes():
    assert sorted(ALL) == DEMOS and len(ALL) == 40


@pytest.mark.parametrize("name", DEMOS)
def test_demo(name, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(sys, "argv", [f"{name}.py"])
    demo = runpy.run_path(str(FOLDER / f"{name}.py"))
    frames = demo["stage"].play(demo["FRAMES"], demo.get("KEYS"))
    assert len(frames) == demo["FRAMES"]
    demo["check"]()


@pytest.mark.parametrize("name", DEMOS)
def test_demos_are_short_and_check_something(name):
    text = (FOLDER / f"{name}.py").read_text()
    tree = ast.parse(text)
    (check,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    assert any(isinstance(node, ast.Assert) for node in ast.walk(check))
    assert len(text.splitlines()) <= MAX_LINES and ast.get_docstring(tree).startswith("ODE's demo_")
