"""A new member of a family is one file; no other file changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

PACKAGE = Path(__file__).parents[2] / "opendynamics"

TETHER_KERNELS = '''
"""Tether: the centres of two bodies stay at the height difference they have. One row."""

from math import nan

from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.row import point_row
from opendynamics.core.kernels import entry

KIND = 30


@entry(COUNT)
def count(tables, index):
    return 1


@entry(FILL)
def fill(tables, index, first, h):
    zero = (0.0, 0.0, 0.0)
    point_row(ROWS.rows(tables)[first], (0.0, 0.0, 1.0), zero, zero, 0.0)


@entry(MEASURE)
def measure(tables, index, what):
    return nan
'''

TETHER = '''
"""Tether."""

from opendynamics.api.joints.joint import Joint


class Tether(Joint):
    """The centres of two bodies stay at the height difference they have."""

    __slots__ = ()

    kind = "tether"
'''

PAIR = '''
"""Plane and plane: one contact at the origin, for the test."""

from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    set_point(points_at(points, limit)[0], (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.25)
    return 1
'''

BROADPHASE = '''
"""Finds nothing."""

from opendynamics.core.collide.broadphase import FIND_PAIRS, end_pairs
from opendynamics.core.kernels import entry


@entry(FIND_PAIRS)
def find_pairs(tables):
    return end_pairs(tables, 0)
'''

SOLVER = '''
"""Every row has the force -2 N."""

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE


@entry(SOLVE)
def solve(tables, island):
    record = ISLANDS.rows(tables)[island]
    for r in range(record.first_row, record.first_row + record.rows):
        FORCES.rows(tables)[r] = -2.0
    return 1
'''

SCRIPT = """
import opendynamics as od

print("pair", od.collide(od.Plane(), od.Plane())[0].depth)

world = od.World(gravity=(0, 0, -10))
free, held = od.Body(world), od.Body(world)
held.kinematic = True
world.add_tether(free, held)
world.step(0.1)
print("joint", abs(float(free.linear_velocity[2])) < 1e-6)

world = od.World(gravity=(0, 0, -10), broadphase="blind", solver="steady")
world.add_plane()
ball = world.add_body(od.Sphere(1.0), mass=1.0)
world.add_ball(ball, None)
world.advance(0.5)
print("broadphase", world.statistics.pairs)
print("solver", [round(float(x), 9) for x in ball.linear_velocity])
"""


@pytest.fixture
def copy(tmp_path):
    """The package, to be changed, and its own cache."""
    shutil.copytree(PACKAGE, tmp_path / "opendynamics", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(folder: Path, script: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(folder), "OPENDYNAMICS_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", dedent(script)], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_member_is_one_file(copy):
    core = copy / "opendynamics" / "core"
    (core / "constrain" / "joints" / "tether.py").write_text(TETHER_KERNELS)
    (copy / "opendynamics" / "api" / "joints" / "tether.py").write_text(TETHER)
    (core / "collide" / "narrowphase" / "pairs" / "plane_plane.py").write_text(PAIR)
    (core / "collide" / "broadphase" / "blind.py").write_text(BROADPHASE)
    (core / "solve" / "steady").mkdir()
    (core / "solve" / "steady" / "__init__.py").write_text(SOLVER)
    assert run(copy, SCRIPT).splitlines() == [
        "pair 0.25",
        "joint True",
        "broadphase 0",
        "solver [-1.0, -1.0, -6.0]",
    ]
