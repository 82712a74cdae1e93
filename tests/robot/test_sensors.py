"""Sensors against statics and circular motion: signs, frames, points and timing."""

import math
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import load_text

MODELS = Path(__file__).parents[1] / "data" / "models"
G = 9.80665

# A hand of 2 kg, 0.5 m beyond a hinge at the height of 1 m; sensors on it 0.2 m beyond the hinge, turned about x.
ARM = """
links:
  - { name: Base, joint_type: fixed, translation: [0, 0, 1] }
  - name: Hand
    parent: Base
    joint_type: %s
    joint_axis: Y
    %s
    mass: 2
    center_of_mass: [0.5, 0, 0]
    inertia: [0.1, 0, 0, 0.1, 0, 0.1]
    elements:
      Transform:
        translation: [0.2, 0, 0]
        rotation: [1, 0, 0, 90]
        elements:
          - { ForceSensor: { name: Force } }
          - { AccelerationSensor: { name: Acceleration } }
          - { RateGyroSensor: { name: Gyro } }
          - { IMU: { name: Imu } }
"""
TURN = od.rotation.from_axis_angle((1, 0, 0), math.pi / 2)


def arm(tmp_path, kind="revolute", turn=0):
    """The arm, the whole turned about z by so many degrees."""
    text = ARM % (kind, "joint_id: 0" if kind != "fixed" else "")
    text = text.replace("translation: [0, 0, 1] }", f"translation: [0, 0, 1], rotation: [0, 0, 1, {turn}] }}")
    if kind == "fixed":  # a model in which nothing moves has no bodies
        text += "  - { name: Other, parent: Base, joint_type: prismatic, joint_axis: X, joint_id: 0, mass: 1 }\n"
    world = od.World(gravity=(0, 0, -G))
    return world, od.Robot(world, load_text(tmp_path, text))


def run(world, machine, steps, h=1e-3, u=None):
    for _ in range(steps):
        if u is not None:
            machine.drive(u)
        world.step(h)
        machine.sense(h)


@pytest.mark.parametrize("turn", [0, 50])
@pytest.mark.parametrize("kind", ["fixed", "revolute", "prismatic"])
def test_a_hand_held_out_level(tmp_path, kind, turn):
    """The hand's weight, and its moment about the sensor: 0.3 m from the sensor to the centre of mass."""
    world, machine = arm(tmp_path, kind, turn)
    # What holds it: about -y at the hinge for the weight at 0.5 m; nothing along y for the slider.
    run(world, machine, 3, u={"fixed": (0.0,), "revolute": (-2 * G * 0.5,), "prismatic": (0.0,)}[kind])
    sensor = machine.sensors["Force"]
    assert np.allclose(TURN @ sensor.force, (0, 0, -2 * G), atol=1e-6)
    assert np.allclose(TURN @ sensor.torque, (0, 2 * G * 0.3, 0), atol=1e-4)
    assert np.array_equal(sensor.values, [*sensor.force, *sensor.torque])


def test_a_hand_that_is_driven_along_what_holds_it(tmp_path):
    """A slider's force acts at the link's origin; it holds the weight, and the slider's bearing holds the moment alone."""
    text = (ARM % ("prismatic", "joint_id: 0")).replace("joint_axis: Y", "joint_axis: Z")
    world = od.World(gravity=(0, 0, -G))
    machine = od.Robot(world, load_text(tmp_path, text))
    run(world, machine, 3, u=(2 * G,))
    sensor = machine.sensors["Force"]
    assert np.allclose(TURN @ sensor.force, (0, 0, -2 * G), atol=1e-6)
    assert np.allclose(TURN @ sensor.torque, (0, 2 * G * 0.3, 0), atol=1e-4)


def test_efforts_of_one_step_add_up(tmp_path):
    """As those of a controller and of springs do: together they hold the arm, and the sensor knows."""
    world, machine = arm(tmp_path)
    for part in (0.25, 0.75):
        machine.drive((-2 * G * 0.5 * part,))
    world.step(1e-3)
    machine.sense(1e-3)
    sensor = machine.sensors["Force"]
    assert np.allclose(TURN @ sensor.force, (0, 0, -2 * G), atol=1e-6)
    assert np.allclose(TURN @ sensor.torque, (0, 2 * G * 0.3, 0), atol=1e-4)


def test_at_rest_the_accelerometer_shows_g_upward(tmp_path):
    world, machine = arm(tmp_path, "fixed")
    run(world, machine, 3)
    assert np.allclose(TURN @ machine.sensors["Acceleration"].acceleration, (0, 0, G), atol=1e-6)
    assert np.allclose(machine.sensors["Gyro"].angular_velocity, 0.0, atol=1e-9)


def test_in_free_fall_it_shows_nothing(tmp_path):
    text = (ARM % ("revolute", "joint_id: 0")).replace("joint_type: fixed", "joint_type: free, mass: 1")
    world = od.World(gravity=(0, 0, -G))
    machine = od.Robot(world, load_text(tmp_path, text))
    run(world, machine, 100)
    assert np.allclose(machine.sensors["Acceleration"].acceleration, 0.0, atol=1e-6)
    assert np.allclose(machine.sensors["Force"].values, 0.0, atol=1e-6)


def test_on_a_rotating_arm(tmp_path):
    """w = 3 rad/s without gravity: centripetal acceleration w² r of the sensor, and the force that holds the hand."""
    world, machine = arm(tmp_path)
    world.gravity = (0, 0, 0)
    state = machine.read()
    state.dq = (3.0,)
    machine.place(state)
    run(world, machine, 200, h=1e-4)
    assert np.allclose(machine.sensors["Acceleration"].acceleration, (-9.0 * 0.2, 0, 0), atol=5e-3)
    # About y, which the sensor, turned by a quarter about x, has as its -z.
    assert np.allclose(machine.sensors["Gyro"].angular_velocity, (0, 0, -3), atol=1e-3)
    assert np.allclose(machine.sensors["Imu"].values, [-1.8, 0, 0, 0, 0, -3], atol=5e-3)
    # Hand to parent: outward.
    assert np.allclose(machine.sensors["Force"].force, (2 * 9.0 * 0.5, 0, 0), atol=2e-2)


def test_a_lever_arm_turns_angular_into_linear_acceleration(tmp_path):
    world, machine = arm(tmp_path)
    world.gravity = (0, 0, 0)
    inertia = 0.1 + 2 * 0.5**2
    run(world, machine, 1, h=1e-5, u=(6.0,))
    # About y: the sensor at +x goes down.
    assert np.allclose(TURN @ machine.sensors["Acceleration"].acceleration, (0, 0, -6.0 / inertia * 0.2), atol=1e-4)
    # The torque that moves the hand passes the sensor, less what the force at the hinge has about it.
    force, alpha = 2 * 6.0 / inertia * 0.5, 6.0 / inertia
    assert np.allclose(TURN @ machine.sensors["Force"].force, (0, 0, force), atol=1e-3)
    assert np.allclose(TURN @ machine.sensors["Force"].torque, (0, -0.1 * alpha - force * 0.3, 0), atol=1e-3)


def test_soles_carry_the_weight():
    model = od.load_robot(MODELS / "SR1/SR1.body")
    world = od.World(gravity=(0, 0, -G))
    world.add_plane()
    machine = od.Robot(world, model)
    pose = machine.read().q
    total = np.zeros(3)
    for step in range(600):
        now = machine.read()
        machine.drive(8000.0 * (pose - now.q) - 100.0 * now.dq)
        world.advance(0.002)
        machine.sense(0.002)
        if step >= 400:
            kinematics = robot.forward_kinematics(machine.read())
            for device in model.devices_of("ForceSensor"):
                turn = kinematics.rotations[device.link] @ device.rotation
                total += turn @ machine.sensors[device.name].force / 200
    feet = sum(model.links[name].mass for name in ("LLEG_ANKLE_R", "RLEG_ANKLE_R"))
    assert np.allclose(total, (0, 0, (model.mass - feet) * G), atol=0.02 * model.mass * G)
    touching = machine.contacts
    with pytest.raises(TypeError, match="leave out the parentheses"):
        machine.contacts()
    assert set(touching) == {"LLEG_ANKLE_R", "RLEG_ANKLE_R"} and all(len(points) >= 3 for points in touching.values())
    assert np.allclose(machine.sensors["WaistAccelSensor"].acceleration, (0, 0, G), atol=0.5)


def test_any_number_of_sensors_on_a_joint_and_none_on_a_root(tmp_path):
    text = """
links:
  - { name: Root, joint_type: free, mass: 1, elements: { ForceSensor: { name: R } } }
  - name: Hand
    parent: Root
    joint_type: revolute
    joint_id: 0
    mass: 1
    elements: [{ ForceSensor: { name: A } }, { ForceSensor: { name: B, translation: [1, 0, 0] } }, { Camera: { name: C } }]
"""
    world = od.World()
    machine = od.Robot(world, load_text(tmp_path, text))
    machine.bodies["Hand"].add_force((0, 0, 5))
    world.step(0.01)
    machine.sense(0.01)
    a, b = machine.sensors["A"], machine.sensors["B"]
    assert np.allclose(a.force, b.force) and a.force[2] == pytest.approx(2.5)
    assert np.allclose(a.torque - b.torque, np.cross((1, 0, 0), a.force))
    assert not machine.sensors["R"].values.any() and "C" not in machine.sensors


def test_placing_a_robot_is_no_acceleration(tmp_path):
    world, machine = arm(tmp_path)
    world.gravity = (0, 0, 0)
    state = machine.read()
    state.dq = (3.0,)
    machine.place(state)
    run(world, machine, 1, h=1e-4)
    assert abs(machine.sensors["Acceleration"].acceleration).max() < 20.0
