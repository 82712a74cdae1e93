"""Contradictory joints of a soft step were compared with right-hand sides that an earlier exact step had left in their rows."""

from __future__ import annotations

import math
import warnings

import opendynamics as od


def test_a_conflict_is_found_after_an_exact_step_with_large_forces():
    world = od.World(gravity=(0, 0, -9.81), solver="exact")
    body = world.add_body(od.Box((0.2, 0.3, 0.4)), position=(0, 0, 1))
    joints = [world.add_hinge(body, None, anchor=(0, 0, 1), axis=(0, 0, 1)) for _ in range(2)]
    for joint, velocity in zip(joints, (1.0, -1.0), strict=True):
        joint.motor(velocity, max_torque=math.inf)
    body.add_force((1e7, 0, 0))
    body.add_torque((0, 0, 1e9))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", od.ConflictWarning)
        world.advance(0.01)
        body.linear_velocity = body.angular_velocity = (0, 0, 0)
        world.solver = "soft"
        world.advance(0.01)
    assert world.conflicts == tuple(joints)
