"""Targets of PD control in degrees are warned of, once for each joint."""

import math
import warnings

import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import load_text

ARM = """
links:
  - { name: Base, joint_type: fixed }
  - { name: Elbow, parent: Base, joint_type: revolute, joint_axis: Y, joint_id: 0, mass: 1, inertia: [1, 0, 0, 1, 0, 1]%s }
"""
LIMITS = ", joint_range: [-120, 120]"


def control(tmp_path, limits):
    machine = od.Robot(od.World(), load_text(tmp_path, ARM % limits))
    return robot.PDControl(machine, stiffness=10, damping=1)


def test_a_target_in_degrees(tmp_path):
    arm = control(tmp_path, LIMITS)
    with pytest.warns(
        od.UnitsWarning, match="the target of Elbow: 90 rad is 14.3 turns; convert degrees by math.radians"
    ):
        arm.drive({"Elbow": 90})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arm.drive([90.0])


@pytest.mark.parametrize(("limits", "angle"), [(LIMITS, math.pi), (LIMITS, -12.0), ("", 90.0)])
def test_targets_that_are_meant(tmp_path, limits, angle):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        control(tmp_path, limits).drive([angle])
