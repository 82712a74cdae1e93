"""A wall of 100 bricks stands for 20 s under the exact step."""

from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics.io import build_scene, read_bench_scene

SCENE = Path(__file__).parents[2] / "benchmarks" / "scenes" / "wall10.txt.gz"


@pytest.mark.parametrize("like", ["opendynamics", "ode"])
def test_wall10_stands(like):
    scene = read_bench_scene(SCENE)
    assert scene.name == "wall10"
    world = od.World(like=like, solver="exact")
    bodies = build_scene(world, scene)
    before = world.positions
    world.advance(scene.timestep, steps=round(20.0 / scene.timestep))
    moved = np.linalg.norm(world.positions - before, axis=1)
    # The last brick of the top row has its centre beyond the end of the only brick below it: it has to fall.
    last, below = before[99], before[89]
    assert last[0] - below[0] > 0.5
    assert bodies[99].position[2] < 0.6
    assert moved[:99].max() < 0.01
    assert np.abs(world.linear_velocities).max() < 1e-6
    assert world.statistics.residual < 1e-12
