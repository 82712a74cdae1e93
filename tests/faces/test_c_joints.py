"""The C names of joints."""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as ode

close = np.testing.assert_allclose


@pytest.fixture
def world():
    return ode.dWorldCreate()


@pytest.fixture
def pair(world):
    """Bodies at (0, 0, 0) and (2, 0, 0)."""
    bodies = ode.dBodyCreate(world), ode.dBodyCreate(world)
    ode.dBodySetPosition(bodies[1], 2, 0, 0)
    return bodies


def attached(create, world, body1, body2):
    joint = create(world, 0)
    ode.dJointAttach(joint, body1, body2)
    return joint


def contact_at(depth=0.0, mode=0, mu=0.0, **numbers):
    contact = ode.dContact()
    contact.geom.normal = [0, 0, 1]
    contact.geom.depth = depth
    contact.surface.mode, contact.surface.mu = mode, mu
    for name, value in numbers.items():
        setattr(contact.surface, name, value)
    return contact


def test_what_all_joints_have(world, pair):
    for create, kind in (
        (ode.dJointCreateBall, ode.dJointTypeBall),
        (ode.dJointCreateHinge, ode.dJointTypeHinge),
        (ode.dJointCreateSlider, ode.dJointTypeSlider),
        (ode.dJointCreateFixed, ode.dJointTypeFixed),
        (lambda w, group: ode.dJointCreateContact(w, group, ode.dContact()), ode.dJointTypeContact),
    ):
        joint = create(world, 0)
        assert ode.dJointGetType(joint) == kind
        assert ode.dJointGetNumBodies(joint) == 0 and ode.dJointGetBody(joint, 0) is None
        for body1, body2 in (pair, (pair[0], 0), (None, pair[1])):
            ode.dJointAttach(joint, body1, body2)
            assert ode.dJointGetNumBodies(joint) == bool(body1) + bool(body2)
            assert [ode.dJointGetBody(joint, k) for k in (0, 1, 2)] == [body1 or None, body2 or None, None]
        ode.dJointSetData(joint, "mine")
        assert ode.dJointGetData(joint) == "mine"
        assert ode.dJointIsEnabled(joint) == 1
        ode.dJointDisable(joint)
        assert ode.dJointIsEnabled(joint) == 0
        ode.dJointEnable(joint)
        assert ode.dJointIsEnabled(joint) == 1
        ode.dJointDestroy(joint)
        with pytest.raises(ReferenceError):
            ode.dJointGetNumBodies(joint)
    with pytest.raises(TypeError, match=r"dJoint\w+: \w+ must be the ID of a Hinge, from dJointCreateHinge"):
        ode.dJointSetHingeAxis(ode.dJointCreateSlider(world, 0), 1, 0, 0)


def test_disabled_joints_do_not_act(world, pair):
    ode.dWorldSetGravity(world, 0, 0, -10)
    joint = attached(ode.dJointCreateFixed, world, pair[0], 0)
    ode.dJointDisable(joint)
    ode.dWorldStep(world, 0.1)
    close(ode.dBodyGetLinearVel(pair[0]), [0, 0, -1])
    ode.dJointEnable(joint)
    ode.dWorldStep(world, 0.1)
    assert abs(ode.dBodyGetLinearVel(pair[0])[2]) < 0.3


def test_groups(world, pair):
    group = ode.dJointGroupCreate(1000)
    joints = [ode.dJointCreateBall(world, group), ode.dJointCreateHinge(world, group)]
    ode.dJointAttach(joints[0], *pair)
    ode.dJointDestroy(joints[0])
    assert ode.dJointGetNumBodies(joints[0]) == 2  # a group's joint is not destroyed by itself
    ode.dJointGroupEmpty(group)
    assert ode.dBodyGetNumJoints(pair[0]) == 0
    with pytest.raises(ReferenceError):
        ode.dJointGetType(joints[1])
    joint = ode.dJointCreateFixed(world, group)
    ode.dJointGroupDestroy(group)
    with pytest.raises(ReferenceError):
        ode.dJointGetType(joint)


def test_connections(world, pair):
    a, b = pair
    assert ode.dAreConnected(a, b) == 0 and ode.dConnectingJoint(a, b) is None
    assert ode.dConnectingJointList(a, b) == []
    ball = attached(ode.dJointCreateBall, world, a, b)
    hinge = attached(ode.dJointCreateHinge, world, b, a)
    fixed = attached(ode.dJointCreateFixed, world, 0, a)
    assert ode.dAreConnected(a, b) == ode.dAreConnected(b, a) == 1
    assert ode.dConnectingJoint(a, b) is hinge
    assert ode.dConnectingJointList(b, a) == [hinge, ball]
    assert ode.dAreConnectedExcluding(a, b, ode.dJointTypeBall) == 1
    ode.dJointDestroy(hinge)
    assert ode.dAreConnectedExcluding(a, b, ode.dJointTypeBall) == 0
    assert ode.dAreConnectedExcluding(a, b, ode.dJointTypeContact) == 1
    assert ode.dAreConnected(a, 0) == ode.dAreConnected(None, a) == 1 and ode.dAreConnected(b, 0) == 0
    assert ode.dConnectingJoint(0, a) is fixed


def test_ball(world, pair):
    joint = attached(ode.dJointCreateBall, world, *pair)
    ode.dJointSetBallAnchor(joint, 1, 0, 0)
    close(ode.dJointGetBallAnchor(joint), [1, 0, 0])
    ode.dBodySetPosition(pair[0], 0, 0, 1)
    close(ode.dJointGetBallAnchor(joint), [1, 0, 1])
    close(ode.dJointGetBallAnchor2(joint), [1, 0, 0])
    ode.dBodySetPosition(pair[1], 2, 0, 0)
    ode.dBodySetRotation(pair[1], ode.dRFromAxisAndAngle(0, 0, 1, math.pi / 2))
    ode.dJointSetBallAnchor2(joint, 1, 0, 1)  # in the frame of body 2
    close(ode.dJointGetBallAnchor2(joint), [2, 1, 1])
    close(ode.dJointGetBallAnchor(joint), [1, 0, 1])
    for bodies, ground in (((pair[0], 0), ode.dJointGetBallAnchor2), ((0, pair[0]), ode.dJointGetBallAnchor)):
        ode.dJointAttach(joint, *bodies)
        ode.dJointSetBallAnchor2(joint, 1, 2, 3)
        close(ground(joint), [1, 2, 3])
    check_softness(joint, ode.dJointSetBallParam, ode.dJointGetBallParam)


def test_fixed(world, pair):
    joint = attached(ode.dJointCreateFixed, world, *pair)
    ode.dBodySetPosition(pair[1], 5, 0, 0)
    ode.dJointSetFixed(joint)
    ode.dBodySetLinearVel(pair[0], 0, 0, 1)
    ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(pair[0])[0], 0, atol=1e-9)  # it does not pull towards where they were
    close(ode.dBodyGetAngularVel(pair[0]), ode.dBodyGetAngularVel(pair[1]), atol=1e-9)
    check_softness(joint, ode.dJointSetFixedParam, ode.dJointGetFixedParam)


def check_softness(joint, setter, getter):
    assert getter(joint, ode.dParamERP) == 0.2 and getter(joint, ode.dParamCFM) == 1e-10
    setter(joint, ode.dParamERP, 0.6)
    setter(joint, ode.dParamCFM, 1e-4)
    setter(joint, ode.dParamVel, 3)
    assert (getter(joint, ode.dParamERP), getter(joint, ode.dParamCFM), getter(joint, ode.dParamVel)) == (0.6, 1e-4, 0)


def check_params(joint, setter, getter):
    defaults = {
        ode.dParamLoStop: -np.inf,
        ode.dParamHiStop: np.inf,
        ode.dParamVel: 0,
        ode.dParamFMax: 0,
        ode.dParamFudgeFactor: 1,
        ode.dParamBounce: 0,
        ode.dParamCFM: 1e-10,
        ode.dParamStopERP: 0.2,
        ode.dParamStopCFM: 1e-10,
    }
    for parameter, value in defaults.items():
        assert getter(joint, parameter) == value
        setter(joint, parameter, 0.25)
        assert getter(joint, parameter) == 0.25
    ode_ignores = (ode.dParamLoVel, ode.dParamHiVel, ode.dParamSuspensionERP, ode.dParamERP, ode.dParamLoStop2)
    for parameter in ode_ignores:
        setter(joint, parameter, 0.5)
        assert getter(joint, parameter) == 0
    for parameter, value in ((ode.dParamFMax, -1), (ode.dParamFudgeFactor, 1.5), (ode.dParamFudgeFactor, -0.5)):
        setter(joint, parameter, value)
        assert getter(joint, parameter) == 0.25
    setter(joint, ode.dParamLoStop1, 2)  # stops may cross while they are being set
    setter(joint, ode.dParamHiStop1, 3)
    assert (getter(joint, ode.dParamLoStop), getter(joint, ode.dParamHiStop)) == (2, 3)
    for wrong in (77, 0x300, 0x10F):
        with pytest.raises(ValueError, match="no joint parameter"):
            setter(joint, wrong, 1)
    with pytest.raises(ValueError, match="nan"):
        setter(joint, ode.dParamVel, np.nan)


def test_hinge(world, pair):
    joint = attached(ode.dJointCreateHinge, world, *pair)
    ode.dJointSetHingeAnchor(joint, 1, 0, 0)
    ode.dJointSetHingeAxis(joint, 0, 0, 2)
    close(ode.dJointGetHingeAxis(joint), [0, 0, 1])
    ode.dBodySetPosition(pair[1], 2, 0, 0.5)
    close(ode.dJointGetHingeAnchor(joint), [1, 0, 0])
    close(ode.dJointGetHingeAnchor2(joint), [1, 0, 0.5])
    ode.dBodySetQuaternion(pair[0], ode.dQFromAxisAndAngle(0, 0, 1, 0.3))
    ode.dBodySetAngularVel(pair[0], 0, 0, 0.7)
    close(ode.dJointGetHingeAngle(joint), 0.3)
    close(ode.dJointGetHingeAngleRate(joint), 0.7)
    ode.dJointSetHingeAxisOffset(joint, 0, 0, 1, 0.5)
    close(ode.dJointGetHingeAngle(joint), 0.5)
    ode.dJointAddHingeTorque(joint, 3)
    close([ode.dBodyGetTorque(body) for body in pair], [[0, 0, 3], [0, 0, -3]])
    ode.dJointAttach(joint, pair[0], 0)
    ode.dJointSetHingeAnchorDelta(joint, 1, 2, 3, 0.1, 0.2, 0.3)
    close(ode.dJointGetHingeAnchor(joint), [1, 2, 3])
    close(ode.dJointGetHingeAnchor2(joint), [1.1, 2.2, 3.3])
    check_params(joint, ode.dJointSetHingeParam, ode.dJointGetHingeParam)


def test_slider(world, pair):
    joint = attached(ode.dJointCreateSlider, world, *pair)
    ode.dJointSetSliderAxis(joint, 0, 3, 0)
    close(ode.dJointGetSliderAxis(joint), [0, 1, 0])
    ode.dBodySetPosition(pair[0], 0, 0.4, 0)
    ode.dBodySetLinearVel(pair[0], 0, 0.7, 0)
    close(ode.dJointGetSliderPosition(joint), 0.4)
    close(ode.dJointGetSliderPositionRate(joint), 0.7)
    ode.dJointAddSliderForce(joint, 3)
    close([ode.dBodyGetForce(body) for body in pair], [[0, 3, 0], [0, -3, 0]])
    close([ode.dBodyGetTorque(body) for body in pair], [[0, 0, 3]] * 2)
    ode.dJointAttach(joint, pair[0], 0)
    ode.dJointSetSliderAxisDelta(joint, 0, 1, 0, 0, 0.25, 0)
    close(ode.dJointGetSliderPosition(joint), -0.25)
    check_params(joint, ode.dJointSetSliderParam, ode.dJointGetSliderParam)


def test_motor_and_stop_act(world, pair):
    joint = attached(ode.dJointCreateSlider, world, pair[0], 0)
    ode.dJointSetSliderParam(joint, ode.dParamVel, 1)
    ode.dJointSetSliderParam(joint, ode.dParamFMax, 4)
    ode.dWorldStep(world, 0.1)
    close(ode.dBodyGetLinearVel(pair[0]), [0.4, 0, 0], atol=1e-9)
    ode.dJointSetSliderParam(joint, ode.dParamHiStop, 0.1)
    for _ in range(20):
        ode.dWorldStep(world, 0.1)
    close(ode.dJointGetSliderPosition(joint), 0.1, atol=0.01)


def test_feedback(world, pair):
    ode.dWorldSetGravity(world, 0, 0, -10)
    joint, feedback = attached(ode.dJointCreateFixed, world, pair[0], 0), ode.dJointFeedback()
    assert ode.dJointGetFeedback(joint) is None
    ode.dJointSetFeedback(joint, feedback)
    assert ode.dJointGetFeedback(joint) is feedback
    ode.dWorldStep(world, 0.01)
    close(feedback.f1, [0, 0, 10], atol=1e-6)
    close([feedback.t1, feedback.f2, feedback.t2], 0, atol=1e-6)
    ode.dJointSetFeedback(joint, 0)
    assert ode.dJointGetFeedback(joint) is None
    ode.dJointAttach(joint, *pair)
    ode.dJointSetFeedback(joint, feedback)
    ode.dBodyAddForce(pair[0], 0, 0, 8)
    ode.dBodyAddForce(pair[1], 0, 0, -8)
    ode.dWorldStep(world, 0.01)
    close(feedback.f1, -feedback.f2)
    assert feedback.f1[2] < -4  # the joint holds them together
    kept = feedback.f1
    ode.dJointDestroy(joint)
    ode.dWorldStep(world, 0.01)
    assert feedback.f1 is kept and not world._feedbacks


def test_feedback_of_contacts_in_a_group(world, pair):
    ode.dWorldSetGravity(world, 0, 0, -10)
    group, feedbacks = ode.dJointGroupCreate(0), []
    for _ in range(5):
        joint, feedback = ode.dJointCreateContact(world, group, contact_at(mu=1)), ode.dJointFeedback()
        ode.dJointAttach(joint, pair[0], None)
        ode.dJointSetFeedback(joint, feedback)
        feedbacks.append(feedback)
        ode.dWorldStep(world, 0.01)
        ode.dJointGroupEmpty(group)
    close([feedback.f1 for feedback in feedbacks], [[0, 0, 10]] * 5, atol=1e-6)


def one_contact(contact, velocity, attach=lambda body: (body, None), steps=1):
    """Velocity of a body of 1 kg after steps of 0.1 s at this contact under its centre, with gravity of 10."""
    world = ode.dWorldCreate()
    ode.dWorldSetGravity(world, 0, 0, -10)
    body = ode.dBodyCreate(world)
    ode.dBodySetLinearVel(body, *velocity)
    ode.dBodySetGravityMode(body, 1)
    for _ in range(steps):
        ode.dJointAttach(ode.dJointCreateContact(world, 0, contact), *attach(body))
        ode.dWorldStep(world, 0.1)
    return ode.dBodyGetLinearVel(body)


@pytest.mark.parametrize(
    ("contact", "before", "after"),
    [
        (contact_at(), (1, 0, 0), (1, 0, 0)),
        (contact_at(mu=4), (1, 0, 0), (0.6, 0, 0)),  # mu is a force
        (contact_at(mu=0.4, mode=ode.dContactApprox1), (1, 0, 0), (0.6, 0, 0)),  # and a coefficient
        (contact_at(mu=np.inf), (1, 1, 0), (0, 0, 0)),
        (contact_at(mu=-3), (1, 0, 0), (1, 0, 0)),
        (contact_at(mode=ode.dContactBounce, bounce=0.5), (0, 0, -2), (0, 0, 1)),
        (contact_at(mode=ode.dContactBounce, bounce=0.5, bounce_vel=3), (0, 0, -2), (0, 0, 0)),
        (contact_at(0.1, ode.dContactSoftERP, soft_erp=0.5), (0, 0, 0), (0, 0, 0.5)),
        (contact_at(mode=ode.dContactSoftCFM, soft_cfm=0.1), (0, 0, 0), (0, 0, -0.5)),
        (contact_at(mode=ode.dContactMotionN, motionN=0.3), (0, 0, 0), (0, 0, 0.3)),
        (contact_at(mu=np.inf, mode=ode.dContactMotion1, motion1=0.3), (0, 0, 0), (0, 0.3, 0)),
        (contact_at(mu=np.inf, mode=ode.dContactMotion2, motion2=0.3), (0, 0, 0), (-0.3, 0, 0)),
        (contact_at(mu=np.inf, mode=ode.dContactSlip1, slip1=0.1), (0, 1, 0), (0, 0.5, 0)),
        (contact_at(mu=np.inf, mode=ode.dContactSlip2, slip2=0.1), (1, 0, 0), (0.5, 0, 0)),
        (contact_at(mu=4, mode=ode.dContactMu2, mu2=2), (1, 1, 0), (0.8, 0.6, 0)),
    ],
)
def test_surfaces(contact, before, after):
    """The first friction direction of a contact with the normal z is -y, the second x: signs of motion follow."""
    sign = np.array([1, 1, 1])
    if contact.surface.mode & (ode.dContactMotion1 | ode.dContactMotion2):
        sign = np.array([-1, -1, 1])
    got = one_contact(contact, before)
    close(got, after * sign, atol=1e-7)


def test_first_direction_and_reversal():
    contact = contact_at(mu=4, mu2=1, mode=ode.dContactMu2 | ode.dContactFDir1)
    contact.fdir1[:] = [1, 0, 0]
    close(one_contact(contact, (1, 1, 0)), [0.6, 0.9, 0], atol=1e-7)
    turned = contact_at()
    turned.geom.normal = [0, 0, -1]  # into the static world, the first body
    close(one_contact(turned, (0, 0, -1), lambda body: (0, body)), [0, 0, 0], atol=1e-7)


def test_rolling_friction(world):
    body = ode.dBodyCreate(world)
    ode.dWorldSetGravity(world, 0, 0, -10)
    ode.dBodySetAngularVel(body, 0, 0, 1)
    contact = contact_at(0, ode.dContactRolling | ode.dContactApprox1, rho=0.2)
    ode.dJointAttach(ode.dJointCreateContact(world, 0, contact), body, 0)
    ode.dWorldStep(world, 0.1)
    close(ode.dBodyGetAngularVel(body), [0, 0, 0.8], atol=1e-7)


def test_a_contact_is_read_at_once_and_checked(world, pair):
    contact = contact_at()
    joint = ode.dJointCreateContact(world, 0, contact)
    contact.geom.normal = [0, 0, -1]
    ode.dJointAttach(joint, pair[0], 0)
    ode.dBodySetLinearVel(pair[0], 0, 0, -1)
    ode.dWorldStep(world, 0.1)
    close(ode.dBodyGetLinearVel(pair[0]), [0, 0, 0], atol=1e-7)
    for wrong in ({"mu": np.nan}, {"mode": 0.5}, {"bounce": np.inf}):
        bad = contact_at(**wrong)
        with pytest.raises((ValueError, TypeError), match="surface"):
            ode.dJointCreateContact(world, 0, bad)
    contact.geom.pos[0] = np.inf
    with pytest.raises(ValueError, match="pos of a contact"):
        ode.dJointCreateContact(world, 0, contact)


def test_a_hinge_whose_stops_are_removed_at_one_moves_freely():
    world = ode.dWorldCreate()
    bodies = [ode.dBodyCreate(world) for _ in range(2)]
    joint = ode.dJointCreateHinge(world, 0)
    ode.dJointAttach(joint, *bodies)
    ode.dJointSetHingeParam(joint, ode.dParamHiStop, -0.5)
    ode.dWorldStep(world, 0.1)
    before = [ode.dBodyGetAngularVel(body) for body in bodies]
    assert before[0][0] == pytest.approx(-0.5)
    ode.dJointSetHingeParam(joint, ode.dParamHiStop, ode.dInfinity)
    ode.dWorldStep(world, 0.1)
    for body, spin in zip(bodies, before, strict=True):
        assert ode.dBodyGetAngularVel(body) == pytest.approx(spin)
        assert ode.dBodyGetLinearVel(body) == pytest.approx([0, 0, 0])


@pytest.mark.parametrize(("make_world", "angle"), [(ode.dWorldCreate, 8.840044012359272e-07), (od.World, 0.098)])
def test_a_motor_drives_a_hinge_through_removed_stops_only_where_it_is_not_odes(make_world, angle):
    """The first number is libode's."""
    world = make_world()
    ode.dWorldSetCFM(world, 1e-6)
    joint = ode.dJointCreateHinge(world, 0)
    ode.dJointAttach(joint, ode.dBodyCreate(world), None)
    for parameter, value in ((ode.dParamHiStop, 0.0), (ode.dParamFMax, 5.0), (ode.dParamVel, 0.7)):
        ode.dJointSetHingeParam(joint, parameter, value)
    for step in range(13):
        if step == 3:
            ode.dJointSetHingeParam(joint, ode.dParamHiStop, ode.dInfinity)
        ode.dWorldStep(world, 0.02)
    assert ode.dJointGetHingeAngle(joint) == pytest.approx(angle, rel=1e-4)
