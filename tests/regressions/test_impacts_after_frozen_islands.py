"""Sequential impacts passed over an island that stood where a frozen one had been in the step before.

They come before the solver, which clears the mark of a frozen island. The first ball of a cradle then struck all others at once,
as with simultaneous impacts. A frozen island has no part in later steps, and its mark is not read any more.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

RADIUS = 0.05


@pytest.mark.filterwarnings("ignore::opendynamics.FaultWarning")
def test_impacts_come_one_after_another_where_an_island_was_frozen():
    world = od.World(surface=od.Surface(mu=0.0, bounce=1.0))
    world.impacts = "sequential"
    places = [((2 * RADIUS - 1e-6) * k, 0, 0) for k in range(5)]
    balls = world.add_bodies(od.Sphere(RADIUS), places, density=1000)
    stray = world.add_body(od.Sphere(RADIUS), position=(0, 0, 5), mass=1e-3)  # the newest body's island is the first
    world.add_ball(stray, None, anchor=(0, 0, 5.1))
    stray.force = (1e308, 0, 0)
    world.advance(0.01)
    assert world.faults == (stray,)
    balls[0].linear_velocity = (1, 0, 0)
    world.advance(0.01)
    assert np.allclose([ball.linear_velocity[0] for ball in balls], [0, 0, 0, 0, 1], atol=1e-9)
