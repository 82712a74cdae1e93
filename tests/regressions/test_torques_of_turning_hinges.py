"""The torques of a joint array had a part of what holds hinges that turn: up to 2 N m of a pendulum of 1 kg without a motor.

Forces were projected on the axis, about the anchor, where the step had moved them to, and not where they had acted.
"""

from __future__ import annotations

import pytest

import opendynamics as od


def pendulum(substeps, integrator="energy-momentum", solver="auto"):
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    world.substeps, world.integrator = substeps, integrator
    rod = world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 0, 0), mass=1)
    hinge = world.add_hinge(rod, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    rod.angular_velocity, rod.linear_velocity = (0, -8, 0), (0, 0, 4)
    return world, hinge


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize(
    ("integrator", "solver"),
    [("energy-momentum", "exact"), ("energy-momentum", "pgs"), ("euler", "soft"), ("verlet", "exact")],
)
def test_a_free_pendulum_has_no_torque(integrator, solver, substeps):
    world, hinge = pendulum(substeps, integrator, solver)
    joints = od.JointArray([hinge])
    for _ in range(20):
        world.advance(1 / 60)
        assert joints.torques[0] == 0.0


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("against", [False, True])
def test_a_motor_that_slips_has_its_largest_torque(against, substeps):
    world, hinge = pendulum(substeps)
    if against:
        rod = hinge.bodies[0]
        hinge.destroy()
        hinge = world.add_hinge(None, rod, anchor=(0, 0, 0), axis=(0, 1, 0))
    joints, sign = od.JointArray([hinge]), -1.0 if against else 1.0
    hinge.motor(100.0, max_torque=3.0)
    for _ in range(10):
        world.advance(1 / 60)
        assert joints.torques[0] == pytest.approx(3.0 * sign, rel=1e-12)
