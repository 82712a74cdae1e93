"""Directions across a joint's axis followed ODE's rule, which depends on the world's axes and jumps where the axis passes 45
degrees to z. Impulses kept along them from sub-step to sub-step and from step to step then pointed elsewhere: feedback of the
soft step was wrong by half, and the motion depended on how a world was turned."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

H = 1 / 100


def spinning_pair(kind, tilt, **options):
    """Two bodies that spin about x, and with them the axis of their joint, which begins `tilt` rad from z."""
    world = od.World(**options)
    spin = np.array([4.0, 0, 0])
    along = np.array([0, -np.sin(tilt), np.cos(tilt)])
    bodies = []
    for place in ((0.0, 0.0, 0.0), 0.5 * along + (0.3, 0, 0)):
        mass = od.Mass(1.0 + len(bodies), np.diag([0.02, 0.03, 0.025]))
        velocity = np.cross(spin, place) - np.cross(spin, (0.2, 0, 0))
        bodies.append(world.add_body(mass=mass, position=place, linear_velocity=velocity, angular_velocity=spin))
    side = np.cross(along, (1, 0, 0))
    places = {"slider": {}, "pu": {"axis1": (1, 0, 0), "axis2": side, "prismatic_axis": along}}
    axes = {"hinge2": {"axis1": along, "axis2": side}, "piston": {"axis": along}, "slider": {"axis": along}}
    anchor = {} if kind == "slider" else {"anchor": 0.25 * along}
    joint = getattr(world, f"add_{kind}")(*bodies, **anchor, **axes.get(kind, places.get(kind)))
    return world, joint


@pytest.mark.parametrize("kind", ["slider", "piston", "hinge2", "pu"])
def test_feedback_of_the_soft_step_is_the_change_of_momentum(kind):
    world, joint = spinning_pair(kind, np.pi / 4 - 0.3, gravity=(0, 0, 0), solver="soft")
    body = world.bodies[0]
    for _ in range(16):
        before = body.mass * body.linear_velocity
        world.advance(H)
        force = (body.mass * body.linear_velocity - before) / H
        assert np.linalg.norm(joint.feedback.force1 - force) < 0.03 * np.linalg.norm(force)
