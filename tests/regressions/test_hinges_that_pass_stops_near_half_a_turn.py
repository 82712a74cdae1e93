"""Hinges with stops near half a turn passed them.

With (-3.14, 3.14) a step led from before one stop to behind the other, and with (0, 3.14) a hinge that overshot its stop was
thrown round by the other one.
"""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import load_text

H = 0.01
LINK = """
links:
  - { name: Base, joint_type: fixed }
  - { name: Wrist, parent: Base, joint_type: revolute, joint_axis: Z, joint_id: 0, mass: 1, center_of_mass: [0.3, 0, 0],
      inertia: [0.1, 0, 0, 0.1, 0, 0.1], joint_range: [-179.9, 179.9] }
"""


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("stops", [(-3.14, 3.14), (-math.pi, math.pi), (-3.0, 3.0), (0.0, 3.14), (-3.1, 0.5)])
@pytest.mark.parametrize("speed", [2.0, -2.0, 40.0, -40.0])
def test_a_hinge_stops_there(solver, stops, speed):
    world = od.World(solver=solver)
    arm = world.add_body(od.Box((1, 0.1, 0.1)), mass=1, position=(0.5, 0, 0))
    hinge = world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 0, 1), stops=stops)
    hinge.motor(speed, 50.0)
    angles = []
    for _ in range(300):
        world.advance(H)
        angles.append(hinge.angle)
    assert angles[-1] == pytest.approx(stops[1] if speed > 0 else stops[0], abs=0.02)
    assert stops[0] - abs(speed) * H < min(angles) and max(angles) < stops[1] + abs(speed) * H
    assert math.atan2(arm.position[1], arm.position[0]) == pytest.approx(math.remainder(angles[-1], math.tau), abs=1e-6)


@pytest.mark.parametrize("effort", [5.0, -5.0])
def test_the_wrist_of_a_robot_stops_there(tmp_path, effort):
    machine = od.Robot(od.World(), load_text(tmp_path, LINK))
    array = robot.RobotArray([machine])
    for _ in range(300):
        machine.drive((effort,))
        machine.world.advance(H)
    limit = math.copysign(math.radians(179.9), effort)
    assert machine.read().q[0] == array.read().q[0, 0] == pytest.approx(limit, abs=0.02)
    machine.place(machine.model.state(q=(-limit,)))
    machine.world.advance(H)
    assert np.isclose(machine.read().q[0], -limit, atol=0.02)
