"""Known defects of Choreonoid's ODE plugin: each of them is absent here. Expected values follow from statics and kinematics."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import load_text

MODELS = Path(__file__).parents[1] / "data" / "models"
G = 9.80665


def load(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        return od.load_robot(MODELS / file)


ARM = """
links:
  - { name: A }
  - name: B
    parent: A
    joint_type: revolute
    joint_axis: [0, 1, 0]
    joint_id: 0
    mass: 1
    inertia: [0.1, 0, 0, 0.1, 0, 0.1]
    center_of_mass: [0.5, 0, 0]
    elements:
      - { type: AccelerationSensor, name: Acc, translation: [0.8, 0, 0] }
      - { type: ForceSensor, name: Force }
"""


def test_accelerometers_show_acceleration_and_not_gravity_alone(tmp_path):
    """A point at radius r on an arm that turns at w feels r w² towards the axis; in free fall it feels nothing."""
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact", time_step=1e-4)
    model = load_text(tmp_path, ARM)
    state = model.state()
    state.dq = (3.0,)
    arm = sim.add_robot(model, state)
    sim.run(0.01)
    assert arm.sensors["Acc"].values == pytest.approx((-0.8 * 9.0, 0, 0), abs=0.02)
    falling = robot.Simulator(step_mode="exact")
    body = falling.add_robot(load("SR1/SR1.body"))
    falling.run(0.005)
    assert abs(body.sensors["WaistAccelSensor"].values).max() < 1e-6


def test_torques_of_force_sensors_are_about_the_sensor(tmp_path):
    """1 kg at 0.5 m, held level: 4.903 N m about the joint, wherever the parent's centre of mass is."""
    text = ARM.replace("{ name: A }", "{ name: A, mass: 3, center_of_mass: [-0.6, 0, 0.2] }")
    sim = robot.Simulator(step_mode="exact")
    arm = sim.add_robot(load_text(tmp_path, text), controller=lambda io: io.u.__setitem__(0, -0.5 * G))
    sim.step()
    reading = arm.sensors["Force"]
    assert reading.force == pytest.approx((0, 0, -G), abs=1e-6) and reading.torque == pytest.approx(
        (0, 0.5 * G, 0), abs=1e-6
    )


@pytest.mark.parametrize("track_first", [False, True])
def test_tracks_drive_the_same_way_in_both_orders_of_a_contact(track_first):
    """On something that moves, too: the track is the one geom of the contact or the other."""
    world = od.World(gravity=(0, 0, -G))
    made = {}
    for name in ("track", "slab") if track_first else ("slab", "track"):
        if name == "slab":
            made[name] = world.add_body(od.Box((6, 2, 0.2)), position=(0, 0, -0.1), mass=1000)
            made[name].gravity_mode = False
        else:
            made[name] = world.add_body(od.Box((0.5, 0.2, 0.1)), position=(0, 0, 0.05), mass=1)
    made["track"].geoms[0].track = od.Track(axis=(0, 1, 0), speed=0.5)
    world.advance(0.002, steps=200)
    against = made["track"].linear_velocity - made["slab"].linear_velocity
    assert against[0] == pytest.approx(0.5, abs=5e-3)
    assert {contact.geom1.body is made["track"] for contact in world.contacts} == {not track_first}


def test_two_dimensions_leave_static_shapes_where_they_are(tmp_path):
    """A floor of several shapes with offsets has its top where it is in three dimensions."""
    text = """
links:
  - name: Floor
    translation: [0, 0, 0.3]
    elements:
      Transform:
        translation: [0, 0, -0.1]
        elements: { Shape: { geometry: { type: Box, size: [4, 4, 0.2] } } }
"""
    floor, box = load_text(tmp_path, text), load("misc/box1.body")
    heights = []
    for flat in (False, True):
        sim = robot.Simulator(use_2d_mode=flat, step_mode="exact", time_step=0.002)
        sim.add_robot(floor)
        one = sim.add_robot(box, box.state(position=(0, 0, 0.6)))
        sim.run(1.0)
        heights.append(one.read().position[2])
    assert heights == pytest.approx([0.4, 0.4], abs=1e-3)


def test_static_shapes_do_not_move_with_a_center_of_mass(tmp_path):
    text = """
links:
  - name: Wall
    center_of_mass: [1, 2, 3]
    mass: 5
    rotation: [0, 0, 1, 90]
    elements: { Shape: { translation: [1, 0, 0], geometry: { type: Box, size: [1, 2, 3] } } }
"""
    machine = od.Robot(od.World(), load_text(tmp_path, text))
    (wall,) = machine.geoms["Wall"]
    assert np.allclose(wall.position, (0, 1, 0)) and np.allclose(wall.rotation[:, 0], (0, 1, 0))


def test_customizers_act_without_an_actuation_mode_and_know_the_step():
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact", time_step=0.004)
    spring = load("misc/CustomizedSpringModel.body")
    state = spring.state(q=[-0.05])
    one = sim.add_robot(spring, state)
    steps = []
    sim.customize(one, lambda robot, state, h: steps.append(h) or np.zeros(1))
    sim.io(one).actuate(None, "none")
    sim.step()
    # 100 N on two masses of 10 kg.
    assert one.read().dq[0] == pytest.approx(2 * 100 / 10 * 0.004, rel=1e-6) and steps == [0.004]


def test_the_customized_spring_is_damped():
    """u = -5 dq: 10 N at 2 m/s, on two masses of 10 kg."""
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact", time_step=0.004)
    spring = load("misc/CustomizedSpringModel.body")
    state = spring.state(q=[0.0])
    state.dq = [2.0]
    one = sim.add_robot(spring, state)
    sim.step()
    assert one.read().dq[0] == pytest.approx(2.0 - 2 * 10 / 10 * 0.004, rel=1e-6)


def test_velocity_actuation_keeps_to_effort_limits(tmp_path):
    text = ARM.replace("joint_id: 0", "joint_id: 0\n    max_joint_effort: 2")
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact")
    arm = sim.add_robot(load_text(tmp_path, text))
    sim.io(arm).actuate("B", "velocity")
    sim.io(arm).dq_target[0] = 100.0
    sim.run(0.1)
    assert arm.read().dq[0] == pytest.approx(0.1 * 2 / 0.35, rel=1e-3)


def test_force_sensors_on_roots_show_nothing(tmp_path):
    text = "links:\n  - { name: A, joint_type: free, mass: 1, elements: { ForceSensor: { name: F } } }\n"
    sim = robot.Simulator()
    one = sim.add_robot(load_text(tmp_path, text))
    sim.run(0.005)
    assert not one.sensors["F"].values.any()


def test_links_without_mass_are_remarked(tmp_path):
    text = "links:\n  - { name: A, joint_type: free }\n"
    with pytest.warns(robot.ModelWarning, match=r"model.body:5: A has no mass: 1 kg and a unit inertia are assumed"):
        load_text(tmp_path, text)
    with pytest.raises(robot.ModelError, match="A has no mass"):
        load_text(tmp_path, text, strict=True)


def test_efforts_act_by_default_and_what_cannot_act_is_refused(tmp_path):
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact")
    arm = sim.add_robot(load_text(tmp_path, ARM))
    sim.io(arm).u[0] = 0.35
    sim.step()
    assert arm.read().dq[0] == pytest.approx(0.001)
    sim.io(arm).actuate("B", "displacement")
    with pytest.raises(ValueError, match="u asks B of Test for an effort, but its actuation is displacement"):
        sim.step()


def test_the_friction_of_the_settings_counts_where_there_is_no_table():
    distances = []
    for friction in (0.1, 0.5):
        sim = robot.Simulator(friction=friction, step_mode="exact")
        floor, box = load("misc/floor.body"), load("misc/box1.body")
        sim.add_robot(floor, floor.state(position=(0, 0, -0.1)))
        state = box.state(position=(0, 0, 0.1))
        state.linear_velocity = (1.0, 0, 0)
        one = sim.add_robot(box, state)
        sim.run(1.5)
        distances.append(one.read().position[0])
    expected = [1.0 / (2 * friction * G) for friction in (0.1, 0.5)]
    assert distances == pytest.approx(expected, rel=0.03)


def test_angles_beyond_half_a_turn_are_counted(tmp_path):
    """ODE's hinge jumps at pi: wheels would jump in q."""
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact")
    model = load_text(tmp_path, ARM)
    state = model.state()
    state.dq = (40.0,)
    arm = sim.add_robot(model, state)
    sim.run(0.5)
    assert arm.read().q[0] == pytest.approx(20.0, rel=5e-3) and arm.read().q[0] > 3 * math.pi
