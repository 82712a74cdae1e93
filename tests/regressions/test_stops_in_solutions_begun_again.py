"""A soft solution that was begun again found joints at the stops where its sub-steps had left them.

In a step with callbacks, which runs stage by stage, a solution that lacks memory is begun again by itself. Hinges with motors
that had left a stop in the sub-steps were then solved in other lanes. The sub-steps restore the stops now, as they do poses.
"""

from __future__ import annotations

import numpy as np

import opendynamics as od
from opendynamics.core import step as stages
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import FORCES, REACTIONS

H = 0.01


def arms():
    """Two islands, which are solved together: arms with motors that leave their stop in the step."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    for x in (0.0, 5.0):
        base, arm = (world.add_body(od.Box((0.5, 0.3, 0.2)), position=(x + k, 0, 2)) for k in (0, 1))
        hinge = world.add_hinge(base, arm, anchor=(x + 0.5, 0, 2), axis=(0, 1, 0), stops=(0.0, 1.0))
        hinge.motor(velocity=0.0, max_torque=1.0)
        base.angular_velocity = (0.1, 2.0, 0.2)
    return world


def solve(world):
    """Solve the rows, without moving the bodies. Returns forces, reactions and stops."""
    store = world._store
    while not stages.solve_rows.call(store.tables):
        world._help(store)
    return store[FORCES].copy(), store[REACTIONS].copy(), store[JOINTS]["limits"]["state"].copy()


def test_a_solution_that_is_begun_again_is_the_same():
    world = arms()
    world._store.allocate()
    world._load_to_advance()
    world._begin()
    world._collide(H)
    world._constrain(H)
    assert np.count_nonzero(world._store[JOINTS]["limits"]["state"]) == 2
    solve(world)  # the kernels and memory that it lacks
    world._constrain(H)
    first, again = solve(world), solve(world)
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one, other)
