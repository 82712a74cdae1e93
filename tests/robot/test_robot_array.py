"""Robot arrays: the same bits as robots that are read and driven one by one, in one world and in many."""

import dataclasses

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot as robots_of
from opendynamics.robot import Joint, Link, Model
from tests.robot.models import random_model, random_state

H = 0.002
FOOT = robots_of.Shape(robots_of.Sphere(0.2), np.eye(4), robots_of.Appearance())


def lengthened(model, factor):
    """The model with other lengths and masses."""
    links = [
        dataclasses.replace(link, translation=factor * link.translation, mass=factor * link.mass)
        for link in model.links
    ]
    return Model(model.name, links)


def with_limits(model):
    """One with efforts, and a hinge that may turn one and a half times each way."""
    links = [
        dataclasses.replace(link, joint=dataclasses.replace(link.joint, lower=-9.0, upper=9.0, max_effort=30.0))
        if link.joint.type == "revolute"
        else link
        for link in model.links
    ]
    return Model(model.name, links)


def crowd(free=True, shared=False):
    """Robots of equal structure in a world each, or all in one."""
    models = [with_limits(lengthened(random_model(3, free=free), 1.0 + 0.1 * k)) for k in range(3)]
    one = od.World(gravity=(0, 0, -9.81))
    states = [random_state(model, seed) for seed, model in enumerate(models)]
    for state in states:
        state.q *= 6.0 / abs(state.q).max()
    return [od.Robot(one if shared else od.World(gravity=(0, 0, -9.81)), state.model, state) for state in states]


@pytest.mark.parametrize("free", [True, False], ids=["free", "fixed"])
@pytest.mark.parametrize("shared", [True, False], ids=["one world", "many worlds"])
def test_an_array_reads_and_drives_as_its_robots_by_themselves(free, shared):
    array, alone = od.robot.RobotArray(crowd(free, shared)), crowd(free, shared)
    worlds = list(dict.fromkeys(each.world for each in alone))
    batch, furthest = od.Batch(array.worlds), 0.0
    for _ in range(60):
        states = array.read()
        for k, each in enumerate(alone):
            state = each.read()
            for found, expected in (
                (states.q, state.q),
                (states.dq, state.dq),
                (states.positions, state.position),
                (states.quaternions, state.quaternion),
                (states.linear_velocities, state.linear_velocity),
                (states.angular_velocities, state.angular_velocity),
                *zip(states.links, each.links(), strict=True),
            ):
                np.testing.assert_array_equal(found[k], expected)
            each.drive(40.0 * np.sign(state.dq))  # beyond the limits of efforts
            furthest = max(furthest, abs(state.q).max())
        array.drive(40.0 * np.sign(states.dq))
        np.testing.assert_array_equal([each.driven for each in array], [each.driven for each in alone])
        batch.advance(H, 4)
        for world in worlds:
            world.advance(H, 4)
    assert furthest > 1.5 * np.pi  # turns were counted
    assert [world.state_hash() for world in array.worlds] == [world.state_hash() for world in worlds]


def test_one_row_of_efforts_is_for_all_robots():
    array, alone = od.robot.RobotArray(crowd()), crowd()
    efforts = np.linspace(-5.0, 5.0, len(array.model.joints))
    array.drive(efforts)
    for each in alone:
        each.drive(efforts)
    for one, other in zip(array, alone, strict=True):
        one.world.advance(H)
        other.world.advance(H)
        assert one.world.state_hash() == other.world.state_hash()


def test_snapshots_have_what_an_array_did():
    array = od.robot.RobotArray(crowd())
    world = array[0].world
    world.advance(H)
    world.save()  # whose list of attributes the next one would share if nothing had changed
    array.drive(np.ones(len(array.model.joints)))
    array.read()
    snapshot, driven = world.save(), array[0].driven.copy()
    array.drive(np.ones(len(array.model.joints)))
    world.restore(snapshot)
    assert driven.any()
    np.testing.assert_array_equal(array[0].driven, driven)


def hopper(z=0.2, **options):
    """A trunk with a foot below, on a slider, on the ground."""
    root = Joint("BASE", "free", 0, None, None, np.array([0, 0, 1.0]))
    leg = Joint("LEG", "prismatic", 1, 0, 0, np.array([0, 0, 1.0]), lower=-0.1, upper=0.1)
    still, inertia = np.eye(3), 0.1 * np.eye(3)
    links = [
        Link("TRUNK", 0, -1, root, np.zeros(3), still, 3.0, np.zeros(3), inertia),
        Link("FOOT", 1, 0, leg, np.zeros(3), still, 1.0, np.zeros(3), inertia, collision=[FOOT]),
    ]
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    model = Model("hopper", links)
    return od.Robot(world, model, model.state(position=(0, 0, z)), **options)


def test_contact_forces_are_those_of_each_link():
    standing, falling = hopper(), hopper(z=1.0)
    pushed = hopper()
    array = od.robot.RobotArray([standing, falling, pushed])
    box = pushed.world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.5), mass=2.0)
    od.Batch(array.worlds).advance(H, 150)
    forces = array.contact_forces()
    assert forces.shape == (3, 2, 3)
    assert forces[0, 1] == pytest.approx([0, 0, 4 * 9.81], abs=0.1) and not forces[0, 0].any()
    assert not forces[1].any()
    total = pushed.world.contact_force(pushed.geoms["FOOT"][0])
    assert forces[2, 1] == pytest.approx(total, abs=1e-12) and box.contacts
    np.testing.assert_array_equal(array.contact_forces(["FOOT"]), forces[:, [1]])


def test_contact_forces_with_sub_steps_and_after_restoring():
    robot = hopper()
    array = od.robot.RobotArray([robot])
    robot.world.substeps = 3
    robot.world.advance(H, 100)
    foot = robot.geoms["FOOT"][0]
    assert array.contact_forces()[0, 1] == pytest.approx(robot.world.contact_force(foot), abs=1e-12)
    robot.world.restore(robot.world.save())
    forces = array.contact_forces()
    assert np.isnan(forces[0, 1]).all() and not forces[0, 0].any()


def test_geoms_that_come_later_are_not_taken_for_links():
    robot = hopper()
    array = od.robot.RobotArray([robot])
    robot.world.advance(H, 100)
    array.contact_forces()
    robot.geoms["FOOT"][0].destroy()
    robot.world.add_body(od.Sphere(0.1), position=(1, 0, 0.1), mass=1.0)  # takes the row of the foot
    robot.world.advance(H, 20)
    assert robot.world.contacts and not array.contact_forces().any()


def test_contacts_of_a_destroyed_geom_are_not_those_of_a_robot_in_its_row():
    robot = hopper()
    box = robot.world.add_body(od.Box((0.2, 0.2, 0.2)), position=(3, 0, 0.1), mass=2.0)
    robot.world.advance(H, 50)
    assert box.contacts
    box.destroy()
    later = od.Robot(robot.world, robot.model, robot.model.state(position=(3, 0, 0.2)))
    assert not od.robot.RobotArray([later]).contact_forces().any()


def test_driving_wakes_a_sleeping_robot():
    robot = hopper()
    body = robot.bodies["FOOT"]
    for each in robot.world.bodies:
        each.auto_disable = True
    robot.world.advance(H, 2000)
    assert not body.enabled
    od.robot.RobotArray([robot]).drive([[50.0]])
    assert body.enabled


def test_chosen_robots_are_placed():
    array = od.robot.RobotArray([hopper(z=0.2 + k) for k in range(3)])
    od.Batch(array.worlds).advance(H, 50)
    before = array.read()
    array.place([False, True, True], q=[[0.01], [0.02]], positions=(0, 0, 3), linear_velocities=[(1, 0, 0), (2, 0, 0)])
    states = array.read()
    np.testing.assert_array_equal(states.q[0], before.q[0])
    assert states.q.ravel()[1:] == pytest.approx([0.01, 0.02])
    assert states.positions[1:] == pytest.approx(np.array([(0, 0, 3), (0, 0, 3)]))
    assert states.linear_velocities[1:] == pytest.approx(np.array([(1, 0, 0), (2, 0, 0)]))
    array.place()
    assert array.read().positions[:, 2] == pytest.approx([0.2, 1.2, 2.2])
    array.place(1, positions=(0, 0, 9))
    assert array.read().positions[:, 2] == pytest.approx([0.2, 9, 2.2])


def test_what_is_wrong_is_refused_before_anything_changes():
    array = od.robot.RobotArray([hopper(), hopper()])
    before = [robot.world.state_hash() for robot in array]
    with pytest.raises(ValueError, match=r"must have the shape \(2, 1\) or \(1,\), not \(2,\)"):
        array.drive([1.0, 2.0])
    with pytest.raises(ValueError, match="must be finite"):
        array.drive([[np.nan], [0.0]])
    with pytest.raises(TypeError, match=r"must be an array, not by name; model\.vector\("):
        array.drive({"knee": 1.0})
    with pytest.raises(TypeError, match=r"must be an array, not by name; model\.vector\("):
        array.place(q={"knee": 0.1})
    with pytest.raises(ValueError, match=r"the shape \(2, 3\) or \(3,\), not \(1, 3\)"):
        array.place(positions=[(0, 0, 1)])
    with pytest.raises(ValueError, match=r"a mask of 2 robots must have the shape \(2,\), not \(3,\)"):
        array.place([True, False, True])
    with pytest.raises(IndexError, match="none with the index 2"):
        array.place([2])
    with pytest.raises(TypeError, match="indices or a mask"):
        array.place([0.5])
    with pytest.raises(ValueError, match="above 0"):
        array.place(quaternions=[(1, 0, 0, 0), (0, 0, 0, 0)])
    assert [robot.world.state_hash() for robot in array] == before
    with pytest.raises(KeyError, match="no link is called 'FEET'"):
        array.contact_forces(["FEET"])
    with pytest.raises(TypeError, match="given as a list"):
        array.contact_forces("FOOT")


def test_only_different_robots_of_one_structure_are_an_array():
    robot, other = hopper(), od.Robot(od.World(), random_model(3))
    with pytest.raises(ValueError, match="must have the same links and joints"):
        od.robot.RobotArray([robot, other])
    with pytest.raises(ValueError, match="twice"):
        od.robot.RobotArray([robot, robot])
    with pytest.raises(ValueError, match="at least one"):
        od.robot.RobotArray([])
    with pytest.raises(TypeError, match="consists of robots"):
        od.robot.RobotArray([robot.world])
    robot.destroy()
    with pytest.raises(od.DestroyedError):
        od.robot.RobotArray([robot]).read()
