"""The C names of motors, rods, gears, the plane joint and the null joint."""

import numpy as np
import pytest

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


def check_softness(joint, setter, getter):
    assert (getter(joint, ode.dParamERP), getter(joint, ode.dParamCFM)) == (0.2, 1e-10)
    for parameter, value in ((ode.dParamERP, 0.6), (ode.dParamCFM, 1e-4), (ode.dParamVel, 3)):
        setter(joint, parameter, value)
    assert [getter(joint, p) for p in (ode.dParamERP, ode.dParamCFM, ode.dParamVel)] == [0.6, 1e-4, 0]


def check_three_groups(joint, setter, getter):
    for group in (ode.dParamGroup1, ode.dParamGroup2, ode.dParamGroup3):
        setter(joint, ode.dParamHiStop + group, 0.1 + group)
    for group in (ode.dParamGroup1, ode.dParamGroup2, ode.dParamGroup3):
        assert getter(joint, ode.dParamHiStop + group) == 0.1 + group
        assert getter(joint, ode.dParamLoStop + group) == -np.inf


def test_types(world):
    for create, kind in (
        (ode.dJointCreateNull, ode.dJointTypeNull),
        (ode.dJointCreateAMotor, ode.dJointTypeAMotor),
        (ode.dJointCreateLMotor, ode.dJointTypeLMotor),
        (ode.dJointCreatePlane2D, ode.dJointTypePlane2D),
        (ode.dJointCreateDBall, ode.dJointTypeDBall),
        (ode.dJointCreateDHinge, ode.dJointTypeDHinge),
        (ode.dJointCreateTransmission, ode.dJointTypeTransmission),
    ):
        assert ode.dJointGetType(create(world, 0)) == kind


def test_angular_motor_in_user_mode(world, pair):
    joint = attached(ode.dJointCreateAMotor, world, *pair)
    assert ode.dJointGetAMotorMode(joint) == ode.dAMotorUser
    assert ode.dJointGetAMotorNumAxes(joint) == 0
    ode.dJointSetAMotorNumAxes(joint, 2)
    ode.dJointSetAMotorAxis(joint, 0, 0, 0, 0, 2)
    ode.dJointSetAMotorAxis(joint, 1, 2, 0, 3, 0)
    ode.dJointSetAMotorAxis(joint, 2, 1, 5, 0, 0)
    assert ode.dJointGetAMotorNumAxes(joint) == 2
    assert [ode.dJointGetAMotorAxisRel(joint, k) for k in range(3)] == [0, 2, 1]
    ode.dBodySetQuaternion(pair[1], ode.dQFromAxisAndAngle(1, 0, 0, np.pi / 2))
    close([ode.dJointGetAMotorAxis(joint, k) for k in range(3)], [[0, 0, 1], [0, 0, 1], [1, 0, 0]], atol=1e-12)
    ode.dJointSetAMotorAngle(joint, 0, 0.25)
    assert [ode.dJointGetAMotorAngle(joint, k) for k in range(3)] == [0.25, 0, 0]
    ode.dBodySetAngularVel(pair[0], 0.5, 0, 0.7)
    close([ode.dJointGetAMotorAngleRate(joint, k) for k in range(3)], [0.7, 0.7, 0.5])
    ode.dJointAddAMotorTorques(joint, 1, 2, 4)
    close([ode.dBodyGetTorque(body) for body in pair], [[0, 0, 3], [0, 0, -3]], atol=1e-12)
    check_three_groups(joint, ode.dJointSetAMotorParam, ode.dJointGetAMotorParam)


def test_angular_motor_in_euler_mode(world, pair):
    joint = attached(ode.dJointCreateAMotor, world, *pair)
    ode.dJointSetAMotorMode(joint, ode.dAMotorEuler)
    assert (ode.dJointGetAMotorMode(joint), ode.dJointGetAMotorNumAxes(joint)) == (ode.dAMotorEuler, 3)
    ode.dJointSetAMotorAxis(joint, 0, 1, 1, 0, 0)
    ode.dJointSetAMotorAxis(joint, 2, 2, 0, 0, 1)
    close([ode.dJointGetAMotorAxis(joint, k) for k in range(3)], np.eye(3), atol=1e-12)
    ode.dBodySetQuaternion(pair[0], ode.dQFromAxisAndAngle(1, 0, 0, 0.3))
    ode.dWorldStep(world, 0.01)
    close([ode.dJointGetAMotorAngle(joint, k) for k in range(3)], [0.3, 0, 0], atol=1e-12)
    with pytest.raises(ValueError, match="at most 1, not 2"):
        ode.dJointSetAMotorMode(joint, 2)


def test_linear_motor(world, pair):
    joint = attached(ode.dJointCreateLMotor, world, *pair)
    ode.dJointSetLMotorNumAxes(joint, 3)
    assert ode.dJointGetLMotorNumAxes(joint) == 3
    ode.dJointSetLMotorAxis(joint, 1, 2, 0, 5, 0)
    ode.dBodySetQuaternion(pair[1], ode.dQFromAxisAndAngle(1, 0, 0, np.pi / 2))
    close(ode.dJointGetLMotorAxis(joint, 1), [0, 0, 1], atol=1e-12)
    check_three_groups(joint, ode.dJointSetLMotorParam, ode.dJointGetLMotorParam)
    ode.dJointAttach(joint, pair[0], 0)
    ode.dJointSetLMotorAxis(joint, 0, 0, 1, 0, 0)
    ode.dJointSetLMotorParam(joint, ode.dParamVel, 0.7)
    ode.dJointSetLMotorParam(joint, ode.dParamFMax, 100)
    ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(pair[0]), [0.7, 0, 0], atol=1e-6)


def test_plane_joint(world, pair):
    ode.dWorldSetGravity(world, 0, 0, -10)
    joint = attached(ode.dJointCreatePlane2D, world, pair[0], 0)
    for number, setter in enumerate(
        (ode.dJointSetPlane2DXParam, ode.dJointSetPlane2DYParam, ode.dJointSetPlane2DAngleParam)
    ):
        setter(joint, ode.dParamVel, 1.0 + number)
        setter(joint, ode.dParamFMax, 1000)
    for _ in range(10):
        ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(pair[0]), [1, 2, 0], atol=1e-6)
    close(ode.dBodyGetAngularVel(pair[0]), [0, 0, 3], atol=1e-6)


def test_double_ball(world, pair):
    joint = attached(ode.dJointCreateDBall, world, *pair)
    assert ode.dJointGetDBallDistance(joint) == 2
    ode.dJointSetDBallAnchor1(joint, 1, 0, 0)
    ode.dJointSetDBallAnchor2(joint, 1, 3, 4)
    close(ode.dJointGetDBallAnchor1(joint), [1, 0, 0])
    close(ode.dJointGetDBallAnchor2(joint), [1, 3, 4])
    assert ode.dJointGetDBallDistance(joint) == 5
    ode.dBodySetPosition(pair[0], 7, 0, 0)
    assert ode.dJointGetDBallDistance(joint) == 5
    ode.dJointSetDBallDistance(joint, 6)
    assert ode.dJointGetDBallDistance(joint) == 6
    with pytest.raises(ValueError, match="at least 0, not -1"):
        ode.dJointSetDBallDistance(joint, -1)
    check_softness(joint, ode.dJointSetDBallParam, ode.dJointGetDBallParam)


def test_double_hinge(world, pair):
    joint = attached(ode.dJointCreateDHinge, world, *pair)
    ode.dJointSetDHingeAxis(joint, 0, 0, 2)
    close(ode.dJointGetDHingeAxis(joint), [0, 0, 1])
    ode.dJointSetDHingeAnchor1(joint, 0.5, 0, 0)
    ode.dJointSetDHingeAnchor2(joint, 1.5, 0, 0)
    close(ode.dJointGetDHingeAnchor1(joint), [0.5, 0, 0])
    close(ode.dJointGetDHingeAnchor2(joint), [1.5, 0, 0])
    assert ode.dJointGetDHingeDistance(joint) == 1
    check_softness(joint, ode.dJointSetDHingeParam, ode.dJointGetDHingeParam)


def test_transmission_with_parallel_axes(world, pair):
    joint = attached(ode.dJointCreateTransmission, world, *pair)
    assert ode.dJointGetTransmissionMode(joint) == ode.dTransmissionParallelAxes
    ode.dJointSetTransmissionAnchor1(joint, 0, 0, 1)
    ode.dJointSetTransmissionAnchor2(joint, 2, 0, 1)
    ode.dJointSetTransmissionAxis(joint, 0, 0, 3)
    ode.dJointSetTransmissionRatio(joint, 3)
    ode.dJointSetTransmissionBacklash(joint, 0.25)
    close(ode.dJointGetTransmissionAnchor1(joint), [0, 0, 1])
    close(ode.dJointGetTransmissionAnchor2(joint), [2, 0, 1])
    close(ode.dJointGetTransmissionAxis(joint), [0, 0, 1])
    close(ode.dJointGetTransmissionContactPoint1(joint), [1.5, 0, 1])
    close(ode.dJointGetTransmissionContactPoint2(joint), [1.5, 0, 1])
    close((ode.dJointGetTransmissionRadius1(joint), ode.dJointGetTransmissionRadius2(joint)), (1.5, 0.5))
    assert ode.dJointGetTransmissionRatio(joint) == 3
    assert ode.dJointGetTransmissionBacklash(joint) == 0.25
    ode.dBodySetAngularVel(pair[0], 0, 0, 2)
    for _ in range(3):
        ode.dWorldStep(world, 0.01)
    close(ode.dJointGetTransmissionAngle1(joint), -0.04, rtol=1e-4)
    close(ode.dJointGetTransmissionAngle2(joint), 0)
    check_softness(joint, ode.dJointSetTransmissionParam, ode.dJointGetTransmissionParam)


def test_transmission_in_other_modes(world, pair):
    joint = attached(ode.dJointCreateTransmission, world, *pair)
    ode.dJointSetTransmissionMode(joint, ode.dTransmissionIntersectingAxes)
    ode.dJointSetTransmissionAxis1(joint, 0, 0, 1)
    ode.dJointSetTransmissionAxis2(joint, 1, 0, 0)
    close(ode.dJointGetTransmissionAxis1(joint), [0, 0, 1])
    close(ode.dJointGetTransmissionAxis2(joint), [1, 0, 0])
    with pytest.raises(ValueError, match="parallel mode only"):
        ode.dJointSetTransmissionRatio(joint, 2)
    ode.dJointSetTransmissionMode(joint, ode.dTransmissionChainDrive)
    assert ode.dJointGetTransmissionMode(joint) == ode.dTransmissionChainDrive
    ode.dJointSetTransmissionRadius1(joint, 0.5)
    ode.dJointSetTransmissionRadius2(joint, 0.25)
    assert ode.dJointGetTransmissionRatio(joint) == 2
    with pytest.raises(ValueError, match="at most 2, not 3"):
        ode.dJointSetTransmissionMode(joint, 3)


@pytest.mark.parametrize(("low", "high", "angle", "error"), [(0.5, 0.2, 0.0, -0.5), (-7, 7, 8, 1), (-0.1, -1, 0, 1)])
def test_stops_of_an_angular_motor_act_whatever_they_are(low, high, angle, error):
    """Crossed, or beyond a turn, as those of other joints do not."""
    world = ode.dWorldCreate()
    body, joint = ode.dBodyCreate(world), ode.dJointCreateAMotor(world, 0)
    ode.dJointAttach(joint, body, 0)
    ode.dJointSetAMotorNumAxes(joint, 1)
    ode.dJointSetAMotorAxis(joint, 0, 1, 1, 0, 0)
    ode.dJointSetAMotorParam(joint, ode.dParamLoStop, low)
    ode.dJointSetAMotorParam(joint, ode.dParamHiStop, high)
    ode.dJointSetAMotorAngle(joint, 0, angle)
    ode.dWorldStep(world, 0.1)
    assert ode.dBodyGetAngularVel(body)[0] == pytest.approx(-0.2 * error / 0.1)
