"""Sensors that were not read after every step summed the efforts of all steps, and divided their changes by one step.

A force-torque sensor read after 500 steps of PD control showed 4034 N m instead of 8.
"""

import numpy as np

import opendynamics as od
from opendynamics import robot
from tests.robot.models import load_text

G = 9.80665
H = 0.001

# A hand of 2 kg, 0.5 m beyond what holds it, with its sensors at its origin.
ARM = """
links:
  - { name: Base, joint_type: fixed, translation: [0, 0, 1] }
  - name: Hand
    parent: Base
    joint_type: %s
    joint_axis: %s
    joint_id: 0
    mass: 2
    center_of_mass: [0.5, 0, 0]
    inertia: [0.1, 0, 0, 0.1, 0, 0.1]
    elements:
      - { ForceSensor: { name: Force } }
      - { AccelerationSensor: { name: Acceleration } }
"""


def arm(tmp_path, kind, axis):
    world = od.World(gravity=(0, 0, -G))
    return world, od.Robot(world, load_text(tmp_path, ARM % (kind, axis)))


def test_the_torque_that_holds_an_arm_is_that_of_the_last_step(tmp_path):
    world, machine = arm(tmp_path, "revolute", "Y")
    for _ in range(20):
        machine.drive((-2 * G * 0.5,))
        world.advance(H)
    assert np.isclose(machine.driven[0], -2 * G * 0.5)
    machine.sense(H)
    assert np.allclose(machine.sensors["Force"].force, (0, 0, -2 * G), atol=1e-3)
    assert np.allclose(machine.sensors["Force"].torque, (0, 2 * G * 0.5, 0), atol=1e-3)


def test_an_effort_acts_in_the_first_of_several_steps_only(tmp_path):
    world, machine = arm(tmp_path, "prismatic", "Z")
    machine.drive((2 * G,))
    world.advance(H, steps=5)
    assert not machine.driven.any()
    machine.sense(H)
    assert np.allclose(machine.sensors["Force"].force, 0.0, atol=1e-6)


def test_a_falling_hand_feels_nothing_however_often_it_is_asked(tmp_path):
    world, machine = arm(tmp_path, "prismatic", "Z")
    for steps in (1, 10, 3):
        world.advance(H, steps=steps)
        machine.sense(H)
        assert np.allclose(machine.sensors["Acceleration"].acceleration, 0.0, atol=1e-6)


def test_efforts_of_the_next_step_are_not_in_a_reading(tmp_path):
    world, machine = arm(tmp_path, "revolute", "Y")
    machine.drive((-2 * G * 0.5,))
    world.advance(H)
    machine.drive((-5.0,))
    machine.sense(H)
    assert machine.driven[0] == -5.0
    assert np.allclose(machine.sensors["Force"].torque, (0, 2 * G * 0.5, 0), atol=1e-3)
    machine.clear_forces()
    assert not machine.driven.any()


def test_efforts_of_robots_in_a_batch_are_those_of_the_last_step(tmp_path):
    machines = [arm(tmp_path, "revolute", "Y")[1] for _ in range(2)]
    array = robot.RobotArray(machines)
    batch = od.Batch(array.worlds)
    for _ in range(7):
        array.drive([[-3.0], [-4.0]])
        batch.advance(H)
    assert [machine.driven.tolist() for machine in machines] == [[-3.0], [-4.0]]
