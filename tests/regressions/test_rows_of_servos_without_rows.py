"""Servos that have no row, as their joint is disabled or their torque 0, wrote one nevertheless: beyond the end of the table, if
they were last and it was full.
"""

from __future__ import annotations

import pytest

import opendynamics as od
from opendynamics.core.arrays.rows import ROWS


@pytest.mark.parametrize(
    ("solver", "integrator"),
    [
        ("exact", "energy-momentum"),
        ("pgs", "energy-momentum"),
        ("soft", "energy-momentum"),
        ("exact", "verlet"),
        ("pgs", "verlet"),
    ],
)
@pytest.mark.parametrize("idle", ["joint", "servo"])
def test_a_servo_without_a_row_writes_none(solver, integrator, idle):
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    world.integrator = integrator
    arm = world.add_body(od.Box((0.1, 0.2, 1)), position=(0, 0, 1))
    hinge = world.add_hinge(arm, None, anchor=(0, 0, 1.5), axis=(0, 1, 0))
    servo = hinge.servo(0.5, stiffness=50.0, damping=5.0)
    if idle == "joint":
        hinge.enabled = False
    else:
        servo.max_torque = 0.0
    world.advance(0.01, steps=2)
    rows = 0 if idle == "joint" else 5 * (2 if integrator == "verlet" else 1)
    rows *= 2 if solver == "soft" else 1  # those of the sub-steps are beyond those of the step
    assert not world._store[ROWS]["cfm"][rows:].any()
