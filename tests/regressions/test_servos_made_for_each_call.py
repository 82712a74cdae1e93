"""`joint.servo(...)` made and destroyed a joint in each call, so that a batch prepared all its worlds again in every step."""

from __future__ import annotations

import pytest

import opendynamics as od
from opendynamics.api.member import EDITION


@pytest.fixture
def hinge():
    world = od.World()
    return world.add_hinge(world.add_body(od.Sphere(1)), None, anchor=(0, 0, 2))


def test_another_call_changes_nothing_but_the_numbers(hinge):
    servo = hinge.servo(0.1, stiffness=10.0)
    before = EDITION.steps, servo.damping
    assert hinge.servo(0.2, stiffness=40.0, velocity=1.0, max_torque=5.0) is servo
    assert (servo.target, servo.stiffness, servo.target_rate, servo.max_torque) == (0.2, 40.0, 1.0, 5.0)
    assert (EDITION.steps, 2.0 * before[1]) == (before[0], pytest.approx(servo.damping))


@pytest.mark.parametrize("made", [False, True])
def test_a_refused_number_changes_none(hinge, made):
    servo = hinge.servo(0.1, stiffness=10.0, damping=1.0) if made else None
    with pytest.raises(ValueError, match="the max torque of a servo must be at least 0, not -1"):
        hinge.servo(0.2, stiffness=40.0, damping=2.0, max_torque=-1.0)
    assert hinge.world.joints == ((hinge, servo) if made else (hinge,))
    if servo is not None:
        assert (servo.target, servo.stiffness, servo.damping) == (0.1, 10.0, 1.0)
