"""Soft sub-steps followed the phases of wheels that mesh, and left them as they were in the last sub-step.

The next step expected another whole turn of the step from there, so that the phases of fast wheels slipped; and a solution that
was begun again found other phases. The sub-steps restore the phases now, as they do poses.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core import step as stages
from opendynamics.core.arrays.joints import JOINTS

H = 0.01


def wheels(speed):
    """Two wheels with radii of 1 m that mesh."""
    world = od.World(solver="soft")
    bodies = [world.add_body(position=(2 * k, 0, 0), mass=od.Mass(1.0, np.diag([1.0, 1.0, 2.0]))) for k in range(2)]
    for k, body in enumerate(bodies):
        world.add_hinge(body, None, anchor=body.position, axis=(0, 0, 1))
        body.angular_velocity = (0, 0, speed if k == 0 else -speed)
    gears = world.add_transmission(*bodies, axis=(0, 0, 1), anchor1=(0, 0, 0), anchor2=(2, 0, 0), ratio=1.0)
    return world, gears


def test_a_solution_leaves_phases_as_it_found_them():
    world, _ = wheels(3.0)
    world.advance(H, steps=3)
    world._begin()
    world._collide(H)
    world._constrain(H)
    store = world._store
    before = store[JOINTS]["numbers"].copy()
    while not stages.solve_rows.call(store.tables):
        world._help(store)
    assert np.array_equal(store[JOINTS]["numbers"], before)


@pytest.mark.parametrize("speed", [3.0, 500.0])
def test_phases_are_followed_over_full_turns(speed):
    world, gears = wheels(speed)
    world.advance(H, steps=21)
    assert abs(gears.angle1) == pytest.approx(20 * H * speed, rel=1e-6)
    assert abs(gears.angle2) == pytest.approx(20 * H * speed, rel=1e-6)
