"""Common properties of all kinds of joints. Kinds are found by their files; a new one is included automatically."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od
from tests.unit.joint_kinds import JOINT_KINDS, TWO_BODIES, make_joint, usual_bodies

KINDS = sorted(JOINT_KINDS)


@pytest.fixture
def world():
    return od.World(gravity=(0, 0, -10))


def pair(world):
    return world.add_body(position=(0, 0, 1)), world.add_body(position=(1, 0, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_attach_and_limbo(world, kind):
    a, b = pair(world)
    joint = make_joint(world, kind)
    assert joint.bodies == (None, None)
    assert not joint.reversed
    world.step(0.01)  # in limbo it does nothing
    assert a.linear_velocity.tolist() == [0, 0, -0.1]
    bodies = usual_bodies(kind, a, b)
    joint.attach(*bodies)
    assert joint.bodies == bodies
    assert a.joints == (joint,)
    joint.attach(None, None)
    assert joint.bodies == (None, None)
    assert a.joints == b.joints == ()
    assert joint in world.joints
    world.step(0.01)
    assert a.linear_velocity == pytest.approx([0, 0, -0.2], abs=1e-15)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - TWO_BODIES))
def test_reversed_means_that_only_the_second_is_a_body(world, kind):
    a, _ = pair(world)
    joint = make_joint(world, kind, a, None)
    assert not joint.reversed
    joint.attach(None, a)
    assert joint.bodies == (None, a)
    assert joint.reversed
    joint.attach(a, None)
    assert not joint.reversed


@pytest.mark.parametrize("kind", KINDS)
def test_a_disabled_joint_does_nothing(world, kind):
    a, b = pair(world)
    joint = make_joint(world, kind, *usual_bodies(kind, a, b))
    assert joint.enabled
    a.linear_velocity, b.angular_velocity = (0, 0, -1), (1, 2, 3)
    joint.enabled = False
    assert not joint.enabled
    world.step(0.01)
    assert a.linear_velocity == pytest.approx([0, 0, -1.1], abs=1e-15)
    assert b.angular_velocity == pytest.approx([1, 2, 3], abs=1e-15)
    feedback = joint.feedback
    assert not any(v.any() for v in (feedback.force1, feedback.torque1, feedback.force2, feedback.torque2))


@pytest.mark.parametrize("kind", KINDS)
def test_destroying_a_joint(world, kind):
    a, b = pair(world)
    joint = make_joint(world, kind, *usual_bodies(kind, a, b))
    joint.destroy()
    assert not joint.alive
    assert a.joints == world.joints == ()
    world.step(0.01)
    assert a.linear_velocity.tolist() == [0, 0, -0.1]


@pytest.mark.parametrize("kind", KINDS)
def test_destroying_one_of_its_bodies_detaches_a_joint(world, kind):
    a, b = pair(world)
    joint = make_joint(world, kind, *usual_bodies(kind, a, b))
    a.destroy()
    assert joint.alive
    assert joint.bodies == (None, None)
    assert b.joints == ()
    world.step(0.01)
    assert b.linear_velocity.tolist() == [0, 0, -0.1]


@pytest.mark.parametrize("kind", KINDS)
def test_groups(world, kind):
    a, b = pair(world)
    group = od.JointGroup()
    bodies = usual_bodies(kind, a, b)
    joints = [make_joint(world, kind, *bodies, group=group) for _ in range(3)]
    lone = make_joint(world, kind, *bodies)
    assert list(group) == joints
    assert len(group) == 3
    joints[1].destroy()
    assert list(group) == [joints[0], joints[2]]
    group.empty()
    assert len(group) == 0
    assert world.joints == a.joints == (lone,)
    make_joint(world, kind, *bodies, group=group)  # it can be filled again
    group.destroy()
    assert world.joints == (lone,)


@pytest.mark.parametrize("kind", KINDS)
def test_makers_know_their_kind(world, kind):
    a, b = pair(world)
    joint = make_joint(world, kind, *usual_bodies(kind, a, b), name="tie")
    assert type(joint) is JOINT_KINDS[kind]
    assert joint.kind == kind
    assert joint.name == "tie" and "tie" in repr(joint)
    assert joint.world is world
    assert JOINT_KINDS[kind].__name__ in getattr(od.World, f"add_{kind}").__doc__


def test_what_cannot_be_read_in_limbo_says_so(world):
    for joint, names in (
        (world.add_hinge(), ("angle", "rate", "anchor", "axis")),
        (world.add_slider(), ("position", "axis")),
    ):
        for name in names:
            with pytest.raises(ValueError, match="joins nothing"):
                getattr(joint, name)


def test_joints_whose_bodies_are_all_kinematic_do_nothing(world):
    a, b = (world.add_body(kinematic=True, position=(x, 0, 0)) for x in (0, 1))
    world.add_ball(a, b)
    a.linear_velocity = (1, 0, 0)
    world.step(0.01)
    assert b.position.tolist() == [1, 0, 0]
    assert world.statistics.rows == 0


# -- hinge and slider --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("axis", "sign"), [((1, 0, 0), 1), ((-2, 0, 0), -1)])
@pytest.mark.parametrize("who", ["both", "first", "second"])
def test_hinge_angles(axis, sign, who):
    # body1 turned by +φ about the axis reads +φ, body2 reads -φ; and so does the only body, first or second.
    for phi in (0.23, -1.2, math.pi / 2, 3.0):
        world = od.World()
        a, b = world.add_body(), world.add_body()
        bodies = {"both": (a, b), "first": (a, None), "second": (None, b)}[who]
        hinge = world.add_hinge(*bodies, axis=axis)
        assert hinge.angle == 0.0
        turn = od.rotation.quaternion_from_axis_angle((1, 0, 0), phi)
        if who != "second":
            a.quaternion = turn
            assert hinge.angle == pytest.approx(sign * phi, abs=1e-12)
            a.quaternion = (1, 0, 0, 0)
        if who != "first":
            b.quaternion = turn
            assert hinge.angle == pytest.approx(-sign * phi, abs=1e-12)
        if who == "both":
            a.angular_velocity, b.angular_velocity = (3, 1, 0), (1, 0, 1)
            assert hinge.rate == pytest.approx(sign * 2.0)


def test_hinge_axis_offset():
    # ODE's own tests: after set_axis_offset(axis, angle) the present pose reads the angle, and the first pose 0.
    for bodies in ("both", "first", "second"):
        world = od.World()
        a, b = world.add_body(), world.add_body()
        hinge = world.add_hinge(*{"both": (a, b), "first": (a, None), "second": (None, b)}[bodies], axis=(1, 0, 0))
        turned = b if bodies == "second" else a
        turned.quaternion = od.rotation.quaternion_from_axis_angle((1, 0, 0), 0.4)
        angle = hinge.angle
        hinge.set_axis_offset((1, 0, 0), angle)
        assert hinge.angle == pytest.approx(angle, abs=1e-12)
        turned.quaternion = (1, 0, 0, 0)
        assert hinge.angle == pytest.approx(0, abs=1e-12)


def test_hinge_frames():
    world = od.World()
    a, b = world.add_body(position=(0, 0, 1)), world.add_body(position=(1, 0, 1))
    hinge = world.add_hinge(a, b, anchor=(0.5, 0, 1), axis=(0, 3, 4))
    assert hinge.anchor == pytest.approx([0.5, 0, 1])
    assert hinge.anchor2 == pytest.approx([0.5, 0, 1])
    assert hinge.axis == pytest.approx([0, 0.6, 0.8])
    a.position = (0, 1, 1)
    assert hinge.anchor == pytest.approx([0.5, 1, 1])
    assert hinge.anchor2 == pytest.approx([0.5, 0, 1])
    hinge.attach(b, a)
    assert hinge.bodies == (b, a)


def test_hinge_torque_is_equal_and_opposite():
    world = od.World()
    a, b = world.add_body(), world.add_body()
    world.add_hinge(a, b, axis=(0, 0, 2)).add_torque(3)
    assert (a.torque.tolist(), b.torque.tolist()) == ([0, 0, 3], [0, 0, -3])
    c = world.add_body()
    world.add_hinge(None, c, axis=(0, 0, 2)).add_torque(3)
    assert c.torque.tolist() == [0, 0, -3]  # on the second body


@pytest.mark.parametrize(("axis", "sign"), [((1, 0, 0), 1), ((-1, 0, 0), -1)])
def test_slider_positions(axis, sign):
    # axis · (x1 - x2), counted from where the axis was set.
    world = od.World()
    a, b = world.add_body(), world.add_body()
    for bodies, moved, factor in (((a, b), a, 1), ((a, b), b, -1), ((a, None), a, 1), ((None, b), b, -1)):
        slider = world.add_slider(*bodies, axis=axis)
        assert slider.position == 0.0
        moved.position, moved.linear_velocity = (3.1, 0, 0), (2, 5, 0)
        assert slider.position == pytest.approx(sign * factor * 3.1)
        assert slider.rate == pytest.approx(sign * factor * 2)
        moved.position = moved.linear_velocity = (0, 0, 0)
        slider.destroy()


def test_slider_force_does_not_turn_the_pair():
    world = od.World()
    a, b = world.add_body(), world.add_body(position=(1, 2, 0))
    slider = world.add_slider(a, b, axis=(1, 0, 0))
    slider.add_force(6)
    assert (a.force.tolist(), b.force.tolist()) == ([6, 0, 0], [-6, 0, 0])
    torque = np.cross(a.position, a.force) + np.cross(b.position, b.force) + a.torque + b.torque
    assert torque == pytest.approx([0, 0, 0])
    c = world.add_body()
    world.add_slider(None, c, axis=(1, 0, 0)).add_force(6)
    assert c.force.tolist() == [-6, 0, 0]


def test_deltas_move_the_rest_position_on_the_static_world():
    world = od.World()
    a, b = world.add_body(), world.add_body()
    hinge, slider = world.add_hinge(a), world.add_slider(a)
    hinge.set_anchor_delta((1, 0, 0), (0, 0.5, 0))
    assert hinge.anchor2 - hinge.anchor == pytest.approx([0, 0.5, 0])
    slider.set_axis_delta((1, 0, 0), (0.25, 0, 0))
    assert slider.position == pytest.approx(-0.25)
    both = world.add_hinge(a, b)
    both.set_anchor_delta((1, 0, 0), (0, 0.5, 0))
    assert both.anchor2 == pytest.approx(both.anchor)


def test_limit_motor_numbers_keep_what_they_are_given():
    world = od.World(erp=0.3, cfm=1e-4)
    hinge = world.add_hinge(world.add_body(), None, stops=(-1, 2))
    limits = hinge.limit_motor
    assert hinge.stops == limits.stops == (-1, 2)
    assert (limits.velocity, limits.max_force, limits.fudge, limits.bounce) == (0, 0, 1, 0)
    assert (limits.cfm, limits.stop_erp, limits.stop_cfm) == (1e-4, 0.3, 1e-4)
    values = {
        "low": -2,
        "high": 1,
        "velocity": 3,
        "max_force": 4,
        "fudge": 0.5,
        "bounce": 0.6,
        "cfm": 7,
        "stop_erp": 0.8,
        "stop_cfm": 9,
    }
    for name, value in values.items():
        setattr(limits, name, value)
    assert {name: getattr(limits, name) for name in values} == values
    hinge.motor(5)
    assert (limits.velocity, limits.max_force) == (5, math.inf)
    assert str(5.0) in repr(limits)


def test_softness_is_the_worlds_at_the_time_of_making():
    world = od.World(erp=0.3, cfm=1e-4)
    joints = world.add_ball(world.add_body()), world.add_fixed(world.add_body())
    world.erp, world.cfm = 0.9, 1e-2
    for joint in joints:
        assert (joint.erp, joint.cfm) == (0.3, 1e-4)
        joint.erp, joint.cfm = 0.5, 0
        assert (joint.erp, joint.cfm) == (0.5, 0)


# -- contacts ----------------------------------------------------------------------------------------------------------


def test_a_contact_joins_the_bodies_of_its_geoms():
    world = od.World()
    a, b = world.add_body(od.Sphere(1)), world.add_body(od.Sphere(1), position=(1.5, 0, 0))
    ground = world.add_plane()
    (contact,) = od.collide(a.geoms[0], b.geoms[0])
    assert world.add_contact(contact).bodies == (a, b)
    (contact,) = od.collide(ground, a.geoms[0])
    joint = world.add_contact(contact)
    assert joint.bodies == (None, a) and joint.reversed
    assert world.add_contact(contact, attach=False).bodies == (None, None)
    (contact,) = od.collide(ground, od.Sphere(1))
    assert world.add_contact(contact).bodies == (None, None)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_contact_pushes_apart_in_either_order(order):
    world = od.World(like="ode")  # overlap is corrected by velocity
    bodies = [world.add_body(od.Sphere(1), mass=1, position=(x, 0, 0)) for x in (0, 1.5)]
    geoms = [bodies[k].geoms[0] for k in order]
    for contact in od.collide(*geoms):
        world.add_contact(contact)
    world.step(0.01)
    # ERP 0.2 of the depth 0.5 in 0.01 s: 10 m/s, half by each.
    assert bodies[1].linear_velocity == pytest.approx([5, 0, 0], rel=1e-6)
    assert bodies[0].linear_velocity == pytest.approx([-5, 0, 0], rel=1e-6)


def test_correcting_velocity_and_surface_layer():
    for settings, speed in (
        ({}, 2.0),
        ({"contact_max_correcting_velocity": 0.3}, 0.3),
        ({"contact_surface_layer": 0.06}, 0.8),
    ):
        world = od.World(like="ode")
        for name, value in settings.items():
            setattr(world, name, value)
        body = world.add_body()
        world.add_contact(od.Contact(depth=0.1), body1=body)
        world.step(0.01)
        assert body.linear_velocity[2] == pytest.approx(speed, rel=1e-6)  # erp/h (depth - layer)


def test_contacts_are_taken_from_the_end_again_and_keep_their_order():
    world = od.World()
    body = world.add_body()
    contacts = [world.add_contact(od.Contact(), body1=body) for _ in range(4)]
    contacts[1].destroy()
    contacts[3].destroy()
    new = world.add_contact(od.Contact(), body1=body)
    assert world.joints == (contacts[0], contacts[2], new)
    assert all(joint.alive for joint in world.joints)
    assert not contacts[3].alive


def test_contact_takes_its_surface_from_the_materials_of_its_geoms():
    world = od.World()
    world.surfaces["ice"] = od.Surface(mu=0.02)
    world.surfaces["ice", "rubber"] = od.Surface(mu=0.15)
    floor = world.add_plane(normal=(0, 0, 1), material="ice")
    balls = [
        world.add_body(od.Sphere(1, material=material), position=(3.0 * k, 0, 0.9))
        for k, material in enumerate(("rubber", None))
    ]
    found = [od.collide(ball.geoms[0], floor)[0] for ball in balls]
    assert [world.add_contact(contact)._record["surface"]["mu"] for contact in found] == [0.15, 0.02]
    assert world.add_contact(found[0], surface=od.Surface(mu=3))._record["surface"]["mu"] == 3
