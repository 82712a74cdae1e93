"""Scripts that import `ode` and `xode`: by the runner, and by the distribution in compat/ode."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHIM = ROOT / "compat" / "ode"

SCRIPT = """
import sys
import ode, xode.parser
from ode import World, Body
from xode import body, errors, geom, joint, node, parser, transform

import neighbour

world = World()
world.setGravity((0, 0, -10))
falling = Body(world)
world.step(0.1)
root = parser.Parser().parseString("<xode><world name='w'/></xode>")
same = isinstance(root.namedChild("w").getODEObject(), ode.World) and xode.parser is parser
print(sys.argv[1:], __name__, falling.getLinearVel(), same, neighbour.ANSWER)
space = ode.Space()
geoms = [ode.GeomSphere(space, 1), ode.GeomSphere(space, 1)]
space.collide(None, None)
print("to the end")
"""


@pytest.fixture
def script(tmp_path):
    (tmp_path / "neighbour.py").write_text("ANSWER = 42\n")
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def run(*command, path=()):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, *path)))}
    return subprocess.run(
        [sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, check=False
    )


def test_the_runner(script):
    done = run("-m", "opendynamics.pyode", script, "--raise", "more")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["['--raise', 'more'] __main__ (0.0, 0.0, -1.0) True 42", "to the end"]
    assert "Exception ignored in: 'ode.collide_callback'" in done.stderr


def test_the_runner_lets_exceptions_out(script):
    done = run("-m", "opendynamics.pyode", "--raise", script)
    assert done.returncode == 1
    assert "TypeError" in done.stderr
    assert "to the end" not in done.stdout


def test_the_runner_without_a_script(tmp_path):
    done = run("-m", "opendynamics.pyode", tmp_path / "nowhere.py")
    assert done.returncode == 2
    assert "nowhere.py" in done.stderr


def test_the_distribution(script):
    done = run(script, "one", path=[SHIM])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["['one'] __main__ (0.0, 0.0, -1.0) True 42", "to the end"]


def test_the_distribution_has_every_name():
    script = (
        "import ode; from opendynamics import pyode; "
        "assert all(getattr(ode, n) is getattr(pyode, n) for n in pyode.__all__); print(ode.__version__)"
    )
    done = run("-c", script, path=[SHIM])
    assert (done.returncode, done.stdout.strip()) == (0, "0.1.0"), done.stderr
