"""Bodies driven by a servo slower than the idle thresholds fell asleep after ten steps, and stayed where they were.

Those driven by a motor as slow did not: the rule looked at the velocities of motors and surfaces alone.
"""

from __future__ import annotations

import pytest

import opendynamics as od


@pytest.mark.parametrize("drive", ["motor", "servo"])
def test_an_arm_driven_slowly_stays_awake(drive):
    world = od.World()
    world.auto_disable = True
    arm = world.add_body(od.Box((1, 0.1, 0.1)), mass=1)
    hinge = world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 0, 1))
    if drive == "motor":
        hinge.motor(velocity=0.005, max_torque=10)
    else:
        hinge.servo(0.0, stiffness=0.0, damping=10.0, velocity=0.005)
    world.advance(1 / 60, steps=120)
    assert arm.enabled
    assert hinge.angle == pytest.approx(0.005 * 2, rel=0.1)


def test_an_arm_that_a_servo_holds_falls_asleep():
    world = od.World()
    world.auto_disable = True
    arm = world.add_body(od.Box((1, 0.1, 0.1)), mass=1)
    hinge = world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 0, 1))
    hinge.servo(0.0, stiffness=10.0, damping=1.0)
    world.advance(1 / 60, steps=20)
    assert not arm.enabled
