"""C names of joints other than ball, hinge, slider and fixed: getters return what was set, and it acts on the bodies."""

import numpy as np
import pytest

from opendynamics import c_api as ode
from opendynamics.c_api import (
    dBodyCreate,
    dBodyGetForce,
    dBodyGetTorque,
    dBodySetAngularVel,
    dBodySetLinearVel,
    dBodySetPosition,
    dJointAttach,
    dJointCreateAMotor,
    dJointCreateDBall,
    dJointCreateDHinge,
    dJointCreateHinge2,
    dJointCreateLMotor,
    dJointCreateNull,
    dJointCreatePiston,
    dJointCreatePlane2D,
    dJointCreatePR,
    dJointCreatePU,
    dJointCreateTransmission,
    dJointCreateUniversal,
    dWorldCreate,
    dWorldStep,
)

PIVOT = (0.5, 0.0, 0.25)


def pair():
    """Two bodies 1 m apart along x, at rest, in a world without gravity."""
    world = dWorldCreate()
    bodies = [dBodyCreate(world), dBodyCreate(world)]
    dBodySetPosition(bodies[1], 1, 0, 0)
    return world, *bodies


def near(*numbers):
    return pytest.approx(np.array(numbers, float), abs=1e-12)


def round_trips(setter, getter, joint, *parameters):
    """Parameters of the first axis, and of the others by their group."""
    for k, parameter in enumerate(parameters):
        setter(joint, parameter, 0.25 + 0.125 * k)
        assert getter(joint, parameter) == 0.25 + 0.125 * k


def pushes(one, two):
    """The effect of a helper: opposite forces, opposite torques."""
    assert dBodyGetForce(one) == near(*-np.array(dBodyGetForce(two)))
    return np.array(dBodyGetForce(one)), np.array(dBodyGetTorque(one))


def test_universal():
    world, one, two = pair()
    j = dJointCreateUniversal(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetUniversalAnchor(j, *PIVOT)
    ode.dJointSetUniversalAxis1(j, 0, 0, 2)
    ode.dJointSetUniversalAxis2(j, 0, 3, 0)
    assert ode.dJointGetUniversalAnchor(j) == near(*PIVOT)
    assert ode.dJointGetUniversalAnchor2(j) == near(*PIVOT)
    assert ode.dJointGetUniversalAxis1(j) == near(0, 0, 1)
    assert ode.dJointGetUniversalAxis2(j) == near(0, 1, 0)
    assert ode.dJointGetUniversalAngles(j) == pytest.approx((0, 0))
    round_trips(ode.dJointSetUniversalParam, ode.dJointGetUniversalParam, j, ode.dParamHiStop, ode.dParamHiStop2)
    dBodySetAngularVel(one, 0, 2, 3)
    assert ode.dJointGetUniversalAngle1Rate(j) == pytest.approx(3)
    assert ode.dJointGetUniversalAngle2Rate(j) == pytest.approx(2)
    ode.dJointAddUniversalTorques(j, 5, 7)
    assert dBodyGetTorque(one) == near(0, 7, 5)
    assert dBodyGetTorque(two) == near(0, -7, -5)
    ode.dJointSetUniversalAxis1Offset(j, 0, 0, 1, 0.2, 0.1)
    assert ode.dJointGetUniversalAngle1(j) == pytest.approx(0.2)
    ode.dJointSetUniversalAxis2Offset(j, 0, 1, 0, 0.2, 0.1)
    assert ode.dJointGetUniversalAngle2(j) == pytest.approx(0.1)


def test_hinge2():
    world, one, two = pair()
    j = dJointCreateHinge2(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetHinge2Anchor(j, *PIVOT)
    ode.dJointSetHinge2Axes(j, (0, 0, 1), (0, 1, 0))
    ode.dJointSetHinge2Axis1(j, 0, 0, 1)
    ode.dJointSetHinge2Axis2(j, 0, 1, 0)
    assert ode.dJointGetHinge2Anchor(j) == near(*PIVOT)
    assert ode.dJointGetHinge2Anchor2(j) == near(*PIVOT)
    assert ode.dJointGetHinge2Axis1(j) == near(0, 0, 1)
    assert ode.dJointGetHinge2Axis2(j) == near(0, 1, 0)
    assert ode.dJointGetHinge2Angle1(j) == pytest.approx(0)
    assert ode.dJointGetHinge2Angle2(j) == pytest.approx(0)
    suspension = ode.dParamSuspensionERP, ode.dParamSuspensionCFM
    round_trips(ode.dJointSetHinge2Param, ode.dJointGetHinge2Param, j, ode.dParamVel, ode.dParamVel2, *suspension)
    dBodySetAngularVel(one, 0, 2, 3)
    assert ode.dJointGetHinge2Angle1Rate(j) == pytest.approx(3)
    assert ode.dJointGetHinge2Angle2Rate(j) == pytest.approx(2)
    ode.dJointAddHinge2Torques(j, 5, 7)
    assert dBodyGetTorque(one) == near(0, 7, 5)
    assert dBodyGetTorque(two) == near(0, -7, -5)


def test_pr():
    world, one, two = pair()
    j = dJointCreatePR(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetPRAnchor(j, *PIVOT)
    ode.dJointSetPRAxis1(j, 1, 0, 0)
    ode.dJointSetPRAxis2(j, 0, 0, 1)
    assert ode.dJointGetPRAnchor(j) == near(*PIVOT)
    assert ode.dJointGetPRAxis1(j) == near(1, 0, 0)
    assert ode.dJointGetPRAxis2(j) == near(0, 0, 1)
    assert ode.dJointGetPRPosition(j) == pytest.approx(0)
    assert ode.dJointGetPRAngle(j) == pytest.approx(0)
    round_trips(ode.dJointSetPRParam, ode.dJointGetPRParam, j, ode.dParamVel, ode.dParamVel2)
    dBodySetLinearVel(one, 3, 0, 0)
    assert ode.dJointGetPRPositionRate(j) == pytest.approx(3)
    dBodySetAngularVel(one, 0, 0, 2)
    assert ode.dJointGetPRAngleRate(j) == pytest.approx(2)
    ode.dJointAddPRTorque(j, 5)
    assert abs(np.array(dBodyGetTorque(one))) == near(0, 0, 5)
    assert dBodyGetTorque(two) == near(*-np.array(dBodyGetTorque(one)))


def test_pu():
    world, one, two = pair()
    j = dJointCreatePU(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetPUAnchor(j, *PIVOT)
    ode.dJointSetPUAxis1(j, 0, 1, 0)
    ode.dJointSetPUAxis2(j, 0, 0, 1)
    ode.dJointSetPUAxisP(j, 1, 0, 0)
    assert ode.dJointGetPUAnchor(j) == near(*PIVOT)
    assert ode.dJointGetPUAxis1(j) == near(0, 1, 0)
    assert ode.dJointGetPUAxis2(j) == near(0, 0, 1)
    assert ode.dJointGetPUAxisP(j) == near(1, 0, 0)
    ode.dJointSetPUAxis3(j, 1, 0, 0)
    assert ode.dJointGetPUAxis3(j) == near(1, 0, 0)
    assert ode.dJointGetPUAngles(j) == pytest.approx((0, 0))
    assert (ode.dJointGetPUAngle1(j), ode.dJointGetPUAngle2(j)) == pytest.approx((0, 0))
    round_trips(ode.dJointSetPUParam, ode.dJointGetPUParam, j, ode.dParamVel, ode.dParamVel2, ode.dParamVel3)
    dBodySetLinearVel(one, 3, 0, 0)
    assert ode.dJointGetPUPositionRate(j) == pytest.approx(3)
    dBodySetAngularVel(one, 0, 2, 4)
    assert ode.dJointGetPUAngle1Rate(j) == pytest.approx(2)
    assert ode.dJointGetPUAngle2Rate(j) == pytest.approx(4)
    ode.dJointAddPUTorque(j, 5)
    assert dBodyGetTorque(two) == near(*-np.array(dBodyGetTorque(one)))
    ode.dJointSetPUAnchorOffset(j, *PIVOT, 0.5, 0, 0)
    assert abs(ode.dJointGetPUPosition(j)) == pytest.approx(0.5)
    ode.dJointSetPUAnchorDelta(j, *PIVOT, 0.25, 0, 0)
    assert abs(ode.dJointGetPUPosition(j)) == pytest.approx(0.25)


def test_piston():
    world, one, two = pair()
    j = dJointCreatePiston(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetPistonAnchor(j, *PIVOT)
    ode.dJointSetPistonAxis(j, 2, 0, 0)
    assert ode.dJointGetPistonAnchor(j) == near(*PIVOT)
    assert ode.dJointGetPistonAnchor2(j) == near(*PIVOT)
    assert ode.dJointGetPistonAxis(j) == near(1, 0, 0)
    assert ode.dJointGetPistonAngle(j) == pytest.approx(0)
    round_trips(ode.dJointSetPistonParam, ode.dJointGetPistonParam, j, ode.dParamVel, ode.dParamVel2)
    dBodySetLinearVel(one, 3, 0, 0)
    dBodySetAngularVel(one, 2, 0, 0)
    assert ode.dJointGetPistonPositionRate(j) == pytest.approx(3)
    assert ode.dJointGetPistonAngleRate(j) == pytest.approx(2)
    ode.dJointAddPistonForce(j, 5)
    force, _ = pushes(one, two)
    assert force == near(5, 0, 0)
    ode.dJointSetPistonAxisDelta(j, 1, 0, 0, 0.5, 0, 0)
    assert ode.dJointGetPistonAxis(j) == near(1, 0, 0)
    ode.dJointSetPistonAnchorOffset(j, *PIVOT, 0.5, 0, 0)
    assert abs(ode.dJointGetPistonPosition(j)) == pytest.approx(0.5)


def test_angular_motor():
    world, one, two = pair()
    j = dJointCreateAMotor(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetAMotorMode(j, ode.dAMotorUser)
    ode.dJointSetAMotorNumAxes(j, 1)
    ode.dJointSetAMotorAxis(j, 0, 1, 0, 0, 2)
    ode.dJointSetAMotorAngle(j, 0, 0.5)
    assert ode.dJointGetAMotorMode(j) == ode.dAMotorUser
    assert ode.dJointGetAMotorNumAxes(j) == 1
    assert ode.dJointGetAMotorAxis(j, 0) == near(0, 0, 1)
    assert ode.dJointGetAMotorAxisRel(j, 0) == 1
    assert ode.dJointGetAMotorAngle(j, 0) == 0.5
    ode.dJointSetAMotorParam(j, ode.dParamVel, 3)
    ode.dJointSetAMotorParam(j, ode.dParamFMax, ode.dInfinity)
    assert ode.dJointGetAMotorParam(j, ode.dParamVel) == 3
    dWorldStep(world, 0.01)
    assert ode.dJointGetAMotorAngleRate(j, 0) == pytest.approx(3)
    ode.dJointAddAMotorTorques(j, 5, 0, 0)
    assert dBodyGetTorque(one) == near(0, 0, 5)
    assert dBodyGetTorque(two) == near(0, 0, -5)


def test_linear_motor():
    world, one, two = pair()
    j = dJointCreateLMotor(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetLMotorNumAxes(j, 1)
    ode.dJointSetLMotorAxis(j, 0, 0, 1, 0, 0)
    assert ode.dJointGetLMotorNumAxes(j) == 1
    assert ode.dJointGetLMotorAxis(j, 0) == near(1, 0, 0)
    ode.dJointSetLMotorParam(j, ode.dParamVel, 3)
    ode.dJointSetLMotorParam(j, ode.dParamFMax, ode.dInfinity)
    assert ode.dJointGetLMotorParam(j, ode.dParamVel) == 3
    dWorldStep(world, 0.01)
    assert ode.dBodyGetLinearVel(one)[0] - ode.dBodyGetLinearVel(two)[0] == pytest.approx(3)


def test_plane2d():
    world, one, _ = pair()
    j = dJointCreatePlane2D(world, 0)
    dJointAttach(j, one, 0)
    for setter, velocity in (
        (ode.dJointSetPlane2DXParam, 1),
        (ode.dJointSetPlane2DYParam, 2),
        (ode.dJointSetPlane2DAngleParam, 3),
    ):
        setter(j, ode.dParamVel, velocity)
        setter(j, ode.dParamFMax, ode.dInfinity)
    dBodySetLinearVel(one, 0, 0, 5)
    dWorldStep(world, 0.01)
    assert ode.dBodyGetLinearVel(one) == pytest.approx(np.array([1, 2, 0]), abs=1e-6)
    assert ode.dBodyGetAngularVel(one) == pytest.approx(np.array([0, 0, 3]), abs=1e-6)


def test_null():
    world, one, two = pair()
    j = dJointCreateNull(world, 0)
    dJointAttach(j, one, two)
    dBodySetLinearVel(one, 1, 0, 0)
    dWorldStep(world, 0.01)
    assert ode.dBodyGetLinearVel(one) == near(1, 0, 0)
    assert ode.dBodyGetLinearVel(two) == near(0, 0, 0)


def test_double_ball():
    world, one, two = pair()
    j = dJointCreateDBall(world, 0)
    dJointAttach(j, one, two)
    assert ode.dJointGetDBallDistance(j) == pytest.approx(1)
    ode.dJointSetDBallAnchor1(j, 0, 0, 1)
    ode.dJointSetDBallAnchor2(j, 1, 0, 1)
    assert ode.dJointGetDBallAnchor1(j) == near(0, 0, 1)
    assert ode.dJointGetDBallAnchor2(j) == near(1, 0, 1)
    ode.dJointSetDBallDistance(j, 3)
    assert ode.dJointGetDBallDistance(j) == 3
    round_trips(ode.dJointSetDBallParam, ode.dJointGetDBallParam, j, ode.dParamERP, ode.dParamCFM)


def test_double_hinge():
    world, one, two = pair()
    j = dJointCreateDHinge(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetDHingeAxis(j, 0, 0, 2)
    ode.dJointSetDHingeAnchor1(j, 0, 0.5, 0)
    ode.dJointSetDHingeAnchor2(j, 1, 0.5, 0)
    assert ode.dJointGetDHingeAxis(j) == near(0, 0, 1)
    assert ode.dJointGetDHingeAnchor1(j) == near(0, 0.5, 0)
    assert ode.dJointGetDHingeAnchor2(j) == near(1, 0.5, 0)
    assert ode.dJointGetDHingeDistance(j) == pytest.approx(1)
    round_trips(ode.dJointSetDHingeParam, ode.dJointGetDHingeParam, j, ode.dParamERP, ode.dParamCFM)


def test_transmission():
    world, one, two = pair()
    j = dJointCreateTransmission(world, 0)
    dJointAttach(j, one, two)
    ode.dJointSetTransmissionMode(j, ode.dTransmissionParallelAxes)
    ode.dJointSetTransmissionRatio(j, 2)
    ode.dJointSetTransmissionAnchor1(j, 0, 0, 0)
    ode.dJointSetTransmissionAnchor2(j, 1, 0, 0)
    ode.dJointSetTransmissionAxis(j, 0, 0, 1)
    assert ode.dJointGetTransmissionMode(j) == ode.dTransmissionParallelAxes
    assert ode.dJointGetTransmissionRatio(j) == 2
    assert ode.dJointGetTransmissionAnchor1(j) == near(0, 0, 0)
    assert ode.dJointGetTransmissionAnchor2(j) == near(1, 0, 0)
    assert ode.dJointGetTransmissionAxis(j) == near(0, 0, 1)
    round_trips(ode.dJointSetTransmissionParam, ode.dJointGetTransmissionParam, j, ode.dParamERP, ode.dParamCFM)
    ode.dJointSetTransmissionBacklash(j, 0.125)
    assert ode.dJointGetTransmissionBacklash(j) == 0.125
    # The wheels touch where the line of centres is divided by the ratio: radii 2/3 and 1/3.
    for point in (ode.dJointGetTransmissionContactPoint1(j), ode.dJointGetTransmissionContactPoint2(j)):
        assert point == near(2 / 3, 0, 0)
    assert ode.dJointGetTransmissionRadius1(j) == pytest.approx(2 / 3)
    assert ode.dJointGetTransmissionRadius2(j) == pytest.approx(1 / 3)
    assert (ode.dJointGetTransmissionAngle1(j), ode.dJointGetTransmissionAngle2(j)) == pytest.approx((0, 0))
    ode.dJointSetTransmissionMode(j, ode.dTransmissionChainDrive)
    ode.dJointSetTransmissionRadius1(j, 0.5)
    ode.dJointSetTransmissionRadius2(j, 0.25)
    assert (ode.dJointGetTransmissionRadius1(j), ode.dJointGetTransmissionRadius2(j)) == (0.5, 0.25)
    ode.dJointSetTransmissionMode(j, ode.dTransmissionIntersectingAxes)
    ode.dJointSetTransmissionAxis1(j, 1, 0, 1)
    ode.dJointSetTransmissionAxis2(j, -1, 0, 1)
    assert ode.dJointGetTransmissionAxis1(j) == near(0.5**0.5, 0, 0.5**0.5)
    assert ode.dJointGetTransmissionAxis2(j) == near(-(0.5**0.5), 0, 0.5**0.5)
