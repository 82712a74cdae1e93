"""An angular motor of unlimited torque about an axis that a joint of the same bodies holds made the soft step gain energy without
end: only the CFM limited its impulses, and no sub-step could balance those of the one before."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

SOLVERS = ["exact", "auto", "pgs", "soft"]


def two_bodies(solver):
    world = od.World(solver=solver)
    one, other = (
        world.add_body(mass=od.Mass(1.0, np.diag([0.02, 0.03, 0.025])), position=(x, x / 4, 0)) for x in (0, 0.4)
    )
    one.angular_velocity, other.linear_velocity = (1, 6, 0.5), (0, 0.5, 0.3)
    return world, one, other


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("kind", "places"), [("fixed", {}), ("slider", {"axis": (1, 0, 0)}), ("hinge", {"axis": (1, 0, 0)})]
)
def test_a_motor_against_what_a_joint_holds_gives_no_energy(kind, places, solver):
    world, one, other = two_bodies(solver)
    getattr(world, f"add_{kind}")(one, other, **places)
    world.add_amotor(one, other, axes=[(0, 1, 0.2)], relative_to=1).motor(0, 3.0, math.inf)
    world.add_fixed(world.add_body(mass=od.Mass(1.5, 0.03 * np.eye(3)), position=(-0.4, 0.1, 0.2)), one)
    start = world.kinetic_energy
    with pytest.warns(od.ConflictWarning, match="contradict each other"):
        for _ in range(60):
            world.advance(0.01)
            assert world.kinetic_energy < 1.05 * start


def test_a_motor_of_unlimited_torque_turns_what_a_joint_leaves_free():
    world, one, other = two_bodies("soft")
    world.add_hinge(one, other, axis=(1, 0, 0))
    motor = world.add_amotor(one, other, axes=[(1, 0, 0)], relative_to=1)
    motor.motor(0, 3.0, math.inf)
    world.advance(0.01, steps=30)
    assert motor.angle_rates[0] == pytest.approx(3.0, abs=1e-3)
