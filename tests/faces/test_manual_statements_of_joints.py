"""Statements of ODE's manual about joints, in its order, that no other test of the C names covers."""

import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
STEP = 0.01

# Joints with an anchor and axes: how they are made, and the axes' setters and getters with their defaults.
AXES = {
    "Hinge": {"Axis": (1, 0, 0)},
    "Slider": {"Axis": (1, 0, 0)},
    "Universal": {"Axis1": (1, 0, 0), "Axis2": (0, 1, 0)},
    "Hinge2": {"Axis1": (1, 0, 0), "Axis2": (0, 1, 0)},
    "PR": {"Axis1": (0, 1, 0), "Axis2": (1, 0, 0)},
    "PU": {"Axis1": (0, 1, 0), "Axis2": (0, 0, 1), "Axis3": (1, 0, 0)},
    "Piston": {"Axis": (1, 0, 0)},
}
ANCHORED = ("Ball", "Hinge", "Universal", "Hinge2", "PR", "PU", "Piston")
GROUPS = {"Hinge": 1, "Slider": 1, "Universal": 2, "AMotor": 3, "LMotor": 3, "PU": 3, "Hinge2": 2, "Piston": 2, "PR": 2}


@pytest.fixture
def world():
    return ode.dWorldCreate()


def call(function, kind, what, *arguments):
    """dJoint + Set or Get + the joint + what."""
    return getattr(ode, f"dJoint{function}{kind}{what}")(*arguments)


def two_bodies(world):
    """At (0, 0, 0) and (2, 0, 0)."""
    bodies = ode.dBodyCreate(world), ode.dBodyCreate(world)
    ode.dBodySetPosition(bodies[1], 2, 0, 0)
    return bodies


def attached(kind, world, one, other, group=0):
    joint = getattr(ode, f"dJointCreate{kind}")(world, group)
    ode.dJointAttach(joint, one, other)
    return joint


# All joints


def test_a_joint_that_is_attached_again_leaves_its_old_bodies(world):
    one, other = two_bodies(world)
    third = ode.dBodyCreate(world)
    joint = attached("Ball", world, one, other)
    ode.dJointAttach(joint, other, third)
    assert ode.dAreConnected(one, other) == 0 and ode.dAreConnected(third, other) == 1
    assert [ode.dBodyGetNumJoints(body) for body in (one, other, third)] == [0, 1, 1]
    ode.dJointAttach(joint, 0, 0)
    assert [ode.dBodyGetNumJoints(body) for body in (one, other, third)] == [0, 0, 0]
    ode.dBodySetLinearVel(other, 1, 0, 0)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(other)[:3], [1, 0, 0])


def test_disabled_joints_keep_anchors_and_axes(world):
    one, other = two_bodies(world)
    joint = attached("Hinge", world, one, other)
    ode.dJointSetHingeAnchor(joint, 1, 2, 3)
    ode.dJointSetHingeAxis(joint, 0, 0, 1)
    ode.dJointDisable(joint)
    ode.dWorldStep(world, STEP)
    close(ode.dJointGetHingeAnchor(joint)[:3], [1, 2, 3])
    close(ode.dJointGetHingeAxis(joint)[:3], [0, 0, 1])


def test_feedback_has_what_the_joint_did_to_both_bodies(world):
    """The default is null; the structure that was set is returned, and null again after a null pointer."""
    one, other = two_bodies(world)
    joint = attached("Fixed", world, one, other)
    ode.dJointSetFixed(joint)
    assert not ode.dJointGetFeedback(joint)
    feedback = ode.dJointFeedback()
    ode.dJointSetFeedback(joint, feedback)
    assert ode.dJointGetFeedback(joint) is feedback
    ode.dBodyAddForce(one, 0, 0, 10)
    ode.dWorldStep(world, STEP)
    for body, force, torque in ((one, feedback.f1, feedback.t1), (other, feedback.f2, feedback.t2)):
        pushed = 10 if body is one or body == one else 0
        close(ode.dBodyGetLinearVel(body)[2], STEP * (force[2] + pushed), atol=1e-9)
        close(ode.dBodyGetAngularVel(body)[1], STEP * torque[1], atol=1e-9)
    close(np.array(feedback.f1[:3]) + feedback.f2[:3], 0, atol=1e-9)
    ode.dJointSetFeedback(joint, None)
    assert not ode.dJointGetFeedback(joint)


def test_excluding_a_kind_of_joint(world):
    one, other = two_bodies(world)
    contact = ode.dContact()
    contact.geom.normal[:3] = [1, 0, 0]
    ode.dJointAttach(ode.dJointCreateContact(world, 0, contact), one, other)
    assert ode.dAreConnected(one, other) == 1
    assert ode.dAreConnectedExcluding(one, other, ode.dJointTypeContact) == 0
    attached("Ball", world, one, other)
    assert ode.dAreConnectedExcluding(one, other, ode.dJointTypeContact) == 1


# Anchors and axes


@pytest.mark.parametrize("kind", ANCHORED)
def test_anchors_are_in_world_coordinates_and_move_with_body_1(world, kind):
    """The point on body 1; the one on body 2 agrees until the joint comes apart."""
    one, other = two_bodies(world)
    joint = attached(kind, world, one, other)
    call("Set", kind, "Anchor", joint, 0.5, 0.25, 0)
    close(call("Get", kind, "Anchor", joint)[:3], [0.5, 0.25, 0], atol=1e-15)
    if kind in ("PR", "PU"):
        return
    close(call("Get", kind, "Anchor2", joint)[:3], [0.5, 0.25, 0], atol=1e-15)
    ode.dBodySetPosition(one, 0, 0, 1)
    close(call("Get", kind, "Anchor", joint)[:3], [0.5, 0.25, 1], atol=1e-15)
    close(call("Get", kind, "Anchor2", joint)[:3], [0.5, 0.25, 0], atol=1e-15)


@pytest.mark.parametrize(("kind", "axis"), [(kind, axis) for kind, axes in AXES.items() for axis in axes])
def test_default_axes(world, kind, axis):
    joint = attached(kind, world, *two_bodies(world))
    close(call("Get", kind, axis, joint)[:3], AXES[kind][axis], atol=1e-15)


@pytest.mark.parametrize(("kind", "axis"), [(kind, axis) for kind, axes in AXES.items() for axis in axes])
def test_axes_are_normalized(world, kind, axis):
    joint = attached(kind, world, *two_bodies(world))
    given = np.array([0.3, 0.4, 1.2])
    call("Set", kind, axis, joint, *given)
    close(call("Get", kind, axis, joint)[:3], given / 1.3, atol=1e-15)


@pytest.mark.parametrize("kind", [*ANCHORED, "Slider"])
def test_settings_of_a_joint_in_limbo_have_no_effect_and_are_refused(world, kind):
    """\"If there is no body attached to the joint this function has not effect.\""""
    joint = getattr(ode, f"dJointCreate{kind}")(world, 0)
    what = "Axis" if kind == "Slider" else "Anchor"
    with pytest.raises(ValueError, match="attach"):
        call("Set", kind, what, joint, 1, 2, 3)


def test_anchors_on_the_body_and_in_the_static_world(world):
    one, _ = two_bodies(world)
    for bodies in ((one, 0), (0, one)):
        joint = attached("Hinge", world, *bodies)
        ode.dJointSetHingeAnchor(joint, 1, 0, 0)
        ode.dBodySetPosition(one, 0, 3, 0)
        moved, still = ode.dJointGetHingeAnchor, ode.dJointGetHingeAnchor2
        if bodies[1] is one:
            moved, still = still, moved
        close([*moved(joint)[:3], *still(joint)[:3]], [1, 3, 0, 1, 0, 0])
        ode.dBodySetPosition(one, 0, 0, 0)


# Angles and positions


def turned(body, axis, angle):
    ode.dBodySetQuaternion(body, ode.dQFromAxisAndAngle(*axis, angle))


@pytest.mark.parametrize("angle", [-3.0, -1.0, 0.5, 3.0])
def test_hinge_angles_are_between_minus_pi_and_pi_and_zero_where_anchor_or_axis_was_set(world, angle):
    one, other = two_bodies(world)
    turned(one, (0, 0, 1), 0.7)
    joint = attached("Hinge", world, one, other)
    ode.dJointSetHingeAxis(joint, 0, 0, 1)
    close(ode.dJointGetHingeAngle(joint), 0, atol=1e-12)
    turned(one, (0, 0, 1), 0.7 + angle)
    close(ode.dJointGetHingeAngle(joint), angle, atol=1e-12)
    turned(one, (0, 0, 1), 0.7 + angle + 2 * math.pi)
    close(ode.dJointGetHingeAngle(joint), angle, atol=1e-12)
    ode.dJointSetHingeAnchor(joint, 0, 0, 0)
    close(ode.dJointGetHingeAngle(joint), 0, atol=1e-12)
    ode.dBodySetAngularVel(one, 0, 0, 2)
    ode.dBodySetAngularVel(other, 0, 0, 0.5)
    close(ode.dJointGetHingeAngleRate(joint), 1.5)


def test_a_slider_s_position_grows_along_the_axis_from_body_2_to_body_1(world):
    one, other = two_bodies(world)
    joint = attached("Slider", world, one, other)
    ode.dJointSetSliderAxis(joint, -1, 0, 0)
    assert ode.dJointGetSliderPosition(joint) == 0
    ode.dBodySetPosition(one, -1, 0, 0)
    close(ode.dJointGetSliderPosition(joint), 1)
    ode.dBodySetLinearVel(one, -3, 0, 0)
    ode.dBodySetLinearVel(other, 1, 0, 0)
    close(ode.dJointGetSliderPositionRate(joint), 4)


def test_angles_of_universal_joints_are_zero_where_anchor_or_axes_were_set(world):
    one, other = two_bodies(world)
    joint = attached("Universal", world, one, other)
    turned(one, (1, 0, 0), 0.4)
    for again in (
        lambda: ode.dJointSetUniversalAnchor(joint, 1, 0, 0),
        lambda: ode.dJointSetUniversalAxis1(joint, 1, 0, 0),
        lambda: ode.dJointSetUniversalAxis2(joint, 0, 1, 0),
    ):
        turned(one, (1, 0, 0), 0.4)
        again()
        close(ode.dJointGetUniversalAngle1(joint), 0, atol=1e-7)
        turned(one, (1, 0, 0), 0.9)
        close(np.abs(ode.dJointGetUniversalAngles(joint)), [0.5, 0], atol=1e-7)


def test_the_position_of_a_pu_joint_and_of_a_piston_is_zero_where_the_anchor_was_set(world):
    for kind in ("PU", "Piston"):
        one, other = two_bodies(world)
        joint = attached(kind, world, one, other)
        call("Set", kind, "Anchor", joint, 1, 0, 0)
        close(call("Get", kind, "Position", joint), 0, atol=1e-15)
        ode.dBodySetPosition(one, 0.75, 0, 0)
        close(call("Get", kind, "Position", joint), 0.75)
        ode.dBodySetLinearVel(one, 2, 0, 0)
        close(call("Get", kind, "PositionRate", joint), 2)


def test_the_delta_of_a_pu_joint_is_its_position_with_the_other_sign(world):
    """By the manual with the same sign, by ODE with the other one."""
    one, other = two_bodies(world)
    joint = attached("PU", world, one, other)
    ode.dJointSetPUAnchorDelta(joint, 1, 0, 0, 0.5, 0, 0)
    close(ode.dJointGetPUPosition(joint), -0.5)


def test_axis_p_of_a_pu_joint_is_axis_3(world):
    joint = attached("PU", world, *two_bodies(world))
    ode.dJointSetPUAxisP(joint, 0, 0.6, 0.8)
    close(ode.dJointGetPUAxis3(joint)[:3], [0, 0.6, 0.8])
    ode.dJointSetPUAxis3(joint, 0.6, 0, 0.8)
    close(ode.dJointGetPUAxisP(joint)[:3], [0.6, 0, 0.8])


def test_the_position_of_a_pr_joint(world):
    """Zero where the anchor was set, then how far body 1 is along the prismatic axis."""
    one, other = two_bodies(world)
    joint = attached("PR", world, one, other)
    ode.dJointSetPRAnchor(joint, 2, 0, 0)
    ode.dJointSetPRAxis1(joint, 1, 0, 0)
    ode.dJointSetPRAxis2(joint, 0, 0, 1)
    start = ode.dJointGetPRPosition(joint)
    ode.dBodySetPosition(one, 0.5, 0, 0)
    close([start, ode.dJointGetPRPosition(joint)], [0, 0.5], atol=1e-15)


# Contact


def one_step_of(world, contact, velocity, force=(0, 0, 0)):
    body = ode.dBodyCreate(world)
    ode.dBodySetLinearVel(body, *velocity)
    ode.dBodyAddForce(body, *force)
    ode.dJointAttach(ode.dJointCreateContact(world, 0, contact), body, 0)
    ode.dWorldStep(world, STEP)
    return np.array(ode.dBodyGetLinearVel(body)[:3])


def contact_of(mode, **settings):
    contact = ode.dContact()
    contact.surface.mode = mode
    contact.geom.normal[:3] = [0, 0, 1]
    for name, value in settings.items():
        setattr(contact.surface, name, value)
    return contact


def test_settings_of_a_surface_without_their_flag_are_not_used(world):
    still = contact_of(0, mu=0, mu2=9, bounce=1, soft_erp=1, soft_cfm=1, motion1=5, motion2=5, motionN=5, slip1=9)
    close(one_step_of(world, still, (3, 2, -1)), [3, 2, 0], atol=1e-7)


def test_bounce_counts_above_its_velocity(world):
    bouncy = contact_of(ode.dContactBounce, bounce=0.5, bounce_vel=1)
    close(one_step_of(world, bouncy, (0, 0, -2))[2], 1, atol=1e-7)
    close(one_step_of(world, bouncy, (0, 0, -0.9))[2], 0, atol=1e-7)


def test_outgoing_velocity_is_let_go(world):
    close(one_step_of(world, contact_of(0), (0, 0, 2))[2], 2)


def test_force_dependent_slip_is_a_velocity_proportional_to_the_force(world):
    """Steady velocity k f, at a coefficient of friction without bounds."""
    body = ode.dBodyCreate(world)
    for _ in range(200):
        contact = contact_of(ode.dContactFDir1 | ode.dContactSlip1, mu=math.inf, slip1=0.3)
        contact.fdir1[:3] = [1, 0, 0]
        contact.geom.pos[:3] = ode.dBodyGetPosition(body)[:3]
        joint = ode.dJointCreateContact(world, 0, contact)
        ode.dJointAttach(joint, body, 0)
        ode.dBodyAddForce(body, 2, 2, 0)
        ode.dWorldStep(world, 0.05)
        ode.dJointDestroy(joint)
    close(ode.dBodyGetLinearVel(body)[:2], [0.6, 0], atol=1e-6)


def test_soft_contacts_give_way_in_proportion_to_the_force(world):
    soft = contact_of(ode.dContactSoftCFM, soft_cfm=0.02)
    close(one_step_of(world, soft, (0, 0, 0), (0, 0, -10))[2], -0.02 * 10 / (1 + 0.02 / STEP), rtol=1e-9)


def test_motion_of_a_surface_carries_what_lies_on_it(world):
    belt = contact_of(ode.dContactFDir1 | ode.dContactMotion1 | ode.dContactMotion2, mu=math.inf, motion1=1, motion2=2)
    belt.fdir1[:3] = [1, 0, 0]
    close(one_step_of(world, belt, (0, 0, 0)), [1, 2, 0], atol=1e-5)


# Angular and linear motors


def test_angular_motors(world):
    """User mode is the default, Euler mode has three axes and zero angles where it was set."""
    one, other = two_bodies(world)
    joint = attached("AMotor", world, one, other)
    assert ode.dJointGetAMotorMode(joint) == ode.dAMotorUser and ode.dJointGetAMotorNumAxes(joint) == 0
    turned(one, (0, 0, 1), 0.5)
    ode.dJointSetAMotorNumAxes(joint, 2)
    ode.dJointSetAMotorAxis(joint, 1, 1, 0, 2, 0)
    close(ode.dJointGetAMotorAxis(joint, 1)[:3], [0, 1, 0], atol=1e-15)
    assert ode.dJointGetAMotorAxisRel(joint, 1) == 1
    turned(one, (0, 0, 1), 0.5 + math.pi / 2)
    close(ode.dJointGetAMotorAxis(joint, 1)[:3], [-1, 0, 0], atol=1e-12)
    ode.dJointSetAMotorAngle(joint, 0, 0.25)
    assert ode.dJointGetAMotorAngle(joint, 0) == 0.25
    ode.dBodySetAngularVel(one, 1, 1, 1)
    close(ode.dJointGetAMotorAngleRate(joint, 1), -1)  # by the manual 0 in user mode, by ODE the rate
    ode.dJointSetAMotorMode(joint, ode.dAMotorEuler)
    assert ode.dJointGetAMotorNumAxes(joint) == 3


def test_an_angular_motor_in_euler_mode_has_three_axes_of_which_the_middle_one_follows(world):
    """ODE ignores other numbers of axes and an axis 1 of the program's."""
    joint = attached("AMotor", world, *two_bodies(world))
    ode.dJointSetAMotorMode(joint, ode.dAMotorEuler)
    ode.dJointSetAMotorNumAxes(joint, 1)
    assert ode.dJointGetAMotorNumAxes(joint) == 3
    ode.dJointSetAMotorAxis(joint, 0, 1, 1, 0, 0)
    ode.dJointSetAMotorAxis(joint, 2, 2, 0, 0, 1)
    ode.dJointSetAMotorAxis(joint, 1, 0, 0, 0.6, 0.8)
    close(ode.dJointGetAMotorAxis(joint, 1)[:3], [0, 1, 0], atol=1e-15)
    assert ode.dJointGetAMotorAxisRel(joint, 1) == 0
    for wrong in (lambda: ode.dJointSetAMotorNumAxes(joint, 4), lambda: ode.dJointSetAMotorAxis(joint, 1, 0, 0, 0, 0)):
        with pytest.raises(ValueError, match=r"dJointSetAMotor\w+"):
            wrong()


def test_a_linear_motor_has_no_axes_and_does_nothing(world):
    one, other = two_bodies(world)
    joint = attached("LMotor", world, one, other)
    assert ode.dJointGetLMotorNumAxes(joint) == 0
    ode.dJointSetLMotorParam(joint, ode.dParamFMax, 100)
    ode.dJointSetLMotorParam(joint, ode.dParamVel, 1)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(one)[:3], [0, 0, 0])
    ode.dJointSetLMotorNumAxes(joint, 1)
    ode.dJointSetLMotorAxis(joint, 0, 0, 5, 0, 0)
    close(ode.dJointGetLMotorAxis(joint, 0)[:3], [1, 0, 0])
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(one)[0] - ode.dBodyGetLinearVel(other)[0], 1, rtol=1e-7)


def test_a_plane_joint_keeps_a_body_in_the_plane_z_0(world):
    ode.dWorldSetGravity(world, 1, 0, -10)
    body = ode.dBodyCreate(world)
    attached("Plane2D", world, body, 0)
    ode.dBodySetAngularVel(body, 1, 2, 3)
    for _ in range(10):
        ode.dWorldStep(world, STEP)
    close(ode.dBodyGetPosition(body)[2], 0, atol=1e-6)
    close(ode.dBodyGetLinearVel(body)[0], 0.1, rtol=1e-6)
    close(ode.dBodyGetAngularVel(body)[:2], [0, 0], atol=1e-6)


# Double joints and transmission


def test_a_double_ball_keeps_the_distance_that_its_bodies_had_or_that_was_set(world):
    joint = attached("DBall", world, *two_bodies(world))
    close(ode.dJointGetDBallDistance(joint), 2)
    ode.dJointSetDBallAnchor1(joint, 0, 1, 0)
    ode.dJointSetDBallAnchor2(joint, 2, 2, 0)
    close(ode.dJointGetDBallAnchor1(joint)[:3], [0, 1, 0])
    close(ode.dJointGetDBallAnchor2(joint)[:3], [2, 2, 0])
    close(ode.dJointGetDBallDistance(joint), math.sqrt(5))
    ode.dJointSetDBallDistance(joint, 3)
    assert ode.dJointGetDBallDistance(joint) == 3


def test_a_double_hinge_has_one_axis_and_the_distance_of_its_anchors(world):
    joint = attached("DHinge", world, *two_bodies(world))
    ode.dJointSetDHingeAxis(joint, 0, 0, 2)
    ode.dJointSetDHingeAnchor1(joint, 0, 1, 0)
    ode.dJointSetDHingeAnchor2(joint, 2, 1, 0)
    close(ode.dJointGetDHingeAxis(joint)[:3], [0, 0, 1])
    close(ode.dJointGetDHingeAnchor1(joint)[:3], [0, 1, 0])
    close(ode.dJointGetDHingeAnchor2(joint)[:3], [2, 1, 0])
    close(ode.dJointGetDHingeDistance(joint), 2)


def test_settings_of_a_transmission(world):
    joint = attached("Transmission", world, *two_bodies(world))
    assert (
        ode.dJointGetTransmissionMode(joint)
        == ode.dTransmissionParallelAxes
        == ode.dJointGetTransmissionBacklash(joint)
    )
    ode.dJointSetTransmissionMode(joint, ode.dTransmissionParallelAxes)
    ode.dJointSetTransmissionAxis(joint, 0, 0, 3)
    ode.dJointSetTransmissionRatio(joint, 2.5)
    close(ode.dJointGetTransmissionAxis(joint)[:3], [0, 0, 1])
    assert ode.dJointGetTransmissionRatio(joint) == 2.5
    ode.dJointSetTransmissionMode(joint, ode.dTransmissionChainDrive)
    ode.dJointSetTransmissionRadius1(joint, 0.5)
    ode.dJointSetTransmissionRadius2(joint, 0.25)
    assert (ode.dJointGetTransmissionRadius1(joint), ode.dJointGetTransmissionRadius2(joint)) == (0.5, 0.25)
    ode.dJointSetTransmissionBacklash(joint, 0.01)
    assert ode.dJointGetTransmissionBacklash(joint) == 0.01


# Stops and motors


def test_groups_of_parameters_are_apart_by_the_constant():
    for name in ("LoStop", "HiStop", "Vel", "FMax", "FudgeFactor", "Bounce", "CFM", "StopERP", "StopCFM"):
        first = getattr(ode, f"dParam{name}")
        assert getattr(ode, f"dParam{name}1") == first
        assert getattr(ode, f"dParam{name}2") == first + ode.dParamGroup
        assert getattr(ode, f"dParam{name}3") == first + 2 * ode.dParamGroup


@pytest.mark.parametrize("kind", GROUPS)
def test_how_many_groups_of_parameters_joints_have(world, kind):
    """Setting one that a joint does not have has no effect, and it reads as 0; a PR joint has two, by the manual none."""
    joint = attached(kind, world, *two_bodies(world))
    held = []
    for group in range(3):
        call("Set", kind, "Param", joint, ode.dParamHiStop + group * ode.dParamGroup, 0.5)
        held.append(call("Get", kind, "Param", joint, ode.dParamHiStop + group * ode.dParamGroup))
    assert held == [0.5 if group < GROUPS[kind] else 0 for group in range(3)]


def test_a_high_stop_below_the_low_one_makes_both_ineffective_about_an_axis(world):
    one, _ = two_bodies(world)
    joint = attached("Hinge", world, one, 0)
    ode.dJointSetHingeParam(joint, ode.dParamLoStop, 0.5)
    ode.dJointSetHingeParam(joint, ode.dParamHiStop, -0.5)
    ode.dBodySetAngularVel(one, 1, 0, 0)
    for _ in range(10):
        ode.dWorldStep(world, 0.5)
        close(ode.dBodyGetAngularVel(one)[0], 1, rtol=1e-9)


def test_a_high_stop_below_the_low_one_makes_both_ineffective_along_an_axis(world):
    one, _ = two_bodies(world)
    joint = attached("Slider", world, one, 0)
    ode.dJointSetSliderParam(joint, ode.dParamLoStop, 0.5)
    ode.dJointSetSliderParam(joint, ode.dParamHiStop, -0.5)
    ode.dBodySetPosition(one, 0.6, 0, 0)
    ode.dBodySetLinearVel(one, 0.1, 0, 0)
    ode.dWorldStep(world, 0.5)
    close(ode.dBodyGetLinearVel(one)[0], 0.1, rtol=1e-6)


def test_a_motor_reaches_its_speed_in_one_step_unless_that_takes_more_than_its_force(world):
    one, _ = two_bodies(world)
    joint = attached("Slider", world, one, 0)
    ode.dJointSetSliderParam(joint, ode.dParamVel, 2)
    ode.dJointSetSliderParam(joint, ode.dParamFMax, 50)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(one)[0], 0.5, rtol=1e-6)
    ode.dJointSetSliderParam(joint, ode.dParamFMax, 1000)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(one)[0], 2, rtol=1e-6)


@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
def test_stops_bounce(world, bounce):
    one, _ = two_bodies(world)
    joint = attached("Slider", world, one, 0)
    ode.dJointSetSliderParam(joint, ode.dParamHiStop, 0)
    ode.dJointSetSliderParam(joint, ode.dParamBounce, bounce)
    ode.dBodySetPosition(one, 1e-9, 0, 0)
    ode.dBodySetLinearVel(one, 2, 0, 0)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(one)[0], -2 * bounce, atol=1e-6)


def test_forces_at_joints_are_added_to_both_bodies(world):
    one, other = two_bodies(world)
    hinge = attached("Hinge", world, one, other)
    ode.dJointSetHingeAxis(hinge, 0, 0, 1)
    ode.dJointAddHingeTorque(hinge, 5)
    close(ode.dBodyGetTorque(one)[:3], [0, 0, 5])
    close(ode.dBodyGetTorque(other)[:3], [0, 0, -5])
    slider = attached("Slider", world, one, other)
    ode.dJointAddSliderForce(slider, 3)
    close(ode.dBodyGetForce(one)[:3], [3, 0, 0])
    close(ode.dBodyGetForce(other)[:3], [-3, 0, 0])


def test_torques_of_axes_that_a_motor_does_not_have_are_ignored(world):
    one, other = two_bodies(world)
    motor = attached("AMotor", world, one, other)
    ode.dJointSetAMotorNumAxes(motor, 1)
    ode.dJointSetAMotorAxis(motor, 0, 0, 0, 0, 1)
    ode.dJointAddAMotorTorques(motor, 1, 2, 3)
    close(ode.dBodyGetTorque(one)[:3], [0, 0, 1])
    close(ode.dBodyGetTorque(other)[:3], [0, 0, -1])
