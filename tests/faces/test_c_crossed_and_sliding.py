"""The C names of universal joints, hinge-2s, PR and PU joints and pistons."""

import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
X, Y, Z = np.eye(3)


@pytest.fixture
def world():
    return ode.dWorldCreate()


def attached(create, world, reach=2.0):
    """A joint between bodies at the origin and at (reach, 0, 0), and the bodies."""
    bodies = ode.dBodyCreate(world), ode.dBodyCreate(world)
    ode.dBodySetPosition(bodies[1], reach, 0, 0)
    joint = create(world, 0)
    ode.dJointAttach(joint, *bodies)
    return joint, *bodies


def turn(body, axis, angle):
    q = ode.dQMultiply0(ode.dQFromAxisAndAngle(*axis, angle), ode.dBodyGetQuaternion(body))
    ode.dBodySetQuaternion(body, q)


def params_round_trip(set_param, get_param, joint, groups):
    """Every group has its own numbers; a parameter that the joint does not have reads as 0."""
    names = ("LoStop", "HiStop", "Vel", "FMax", "FudgeFactor", "Bounce", "CFM", "StopERP", "StopCFM")
    codes = [getattr(ode, f"dParam{name}") + k * ode.dParamGroup for k in range(groups) for name in names]
    for k, code in enumerate(codes):
        set_param(joint, code, 0.01 * (k + 1))
    close([get_param(joint, code) for code in codes], 0.01 * np.arange(1, len(codes) + 1))
    if groups < 3:
        set_param(joint, ode.dParamVel + groups * ode.dParamGroup, 1)
        assert get_param(joint, ode.dParamVel + groups * ode.dParamGroup) == 0


def test_universal(world):
    j, one, two = attached(ode.dJointCreateUniversal, world)
    assert ode.dJointGetType(j) == ode.dJointTypeUniversal
    close(ode.dJointGetUniversalAxis1(j), X)
    close(ode.dJointGetUniversalAxis2(j), Y)
    ode.dJointSetUniversalAnchor(j, 1, 0, 0)
    ode.dBodySetPosition(two, 2, 0, 0.25)
    close(ode.dJointGetUniversalAnchor(j), (1, 0, 0))
    close(ode.dJointGetUniversalAnchor2(j), (1, 0, 0.25))
    ode.dJointSetUniversalAxis1(j, 0, 0, 2)
    ode.dJointSetUniversalAxis2(j, 2, 0, 0)
    close(ode.dJointGetUniversalAxis1(j), Z)
    close(ode.dJointGetUniversalAxis2(j), X)
    turn(one, Z, math.radians(23))
    turn(two, X, math.radians(17))
    close(ode.dJointGetUniversalAngles(j), np.radians((23, -17)), atol=1e-12)
    close(ode.dJointGetUniversalAngle1(j), math.radians(23))
    close(ode.dJointGetUniversalAngle2(j), math.radians(-17))
    ode.dBodySetAngularVel(one, 0.3, 0, 0.5)
    close(ode.dJointGetUniversalAngle1Rate(j), 0.5)
    close(ode.dJointGetUniversalAngle2Rate(j), 0.3)
    ode.dJointAddUniversalTorques(j, 2, 3)
    close(ode.dBodyGetTorque(one), (3, 0, 2))
    close(ode.dBodyGetTorque(two), (-3, 0, -2))
    params_round_trip(ode.dJointSetUniversalParam, ode.dJointGetUniversalParam, j, 2)


@pytest.mark.parametrize("angles", [(math.pi / 2, 0), (0.23, 0.37), (-1, 2)])
def test_universal_offsets(world, angles):
    """After the call the angles have the requested values, and 0 when both bodies are turned back."""
    for number in (1, 2):
        j, one, two = attached(ode.dJointCreateUniversal, world)
        if number == 1:
            ode.dJointSetUniversalAxis1Offset(j, 1, 0, 0, *angles)
        else:
            ode.dJointSetUniversalAxis2Offset(j, 0, 1, 0, *angles)
        close(ode.dJointGetUniversalAngles(j), angles, atol=1e-12)
        turn(one, X, -angles[0])
        turn(two, Y, angles[1])
        close(ode.dJointGetUniversalAngles(j), (0, 0), atol=1e-12)


def test_hinge2(world):
    j, one, two = attached(ode.dJointCreateHinge2, world)
    assert ode.dJointGetType(j) == ode.dJointTypeHinge2
    ode.dJointSetHinge2Anchor(j, 2, 0, 0)
    ode.dBodySetPosition(two, 2, 0, 0.5)
    close(ode.dJointGetHinge2Anchor(j), (2, 0, 0))
    close(ode.dJointGetHinge2Anchor2(j), (2, 0, 0.5))
    ode.dJointSetHinge2Axes(j, (0, 0, 3), (0, 2, 0))
    close(ode.dJointGetHinge2Axis1(j), Z)
    close(ode.dJointGetHinge2Axis2(j), Y)
    ode.dJointSetHinge2Axes(j, None, (1, 0, 0))
    ode.dJointSetHinge2Axes(j, (0, 1, 0), 0)
    close((ode.dJointGetHinge2Axis1(j), ode.dJointGetHinge2Axis2(j)), (Y, X))
    ode.dJointSetHinge2Axis1(j, 0, 0, 1)
    ode.dJointSetHinge2Axis2(j, 0, 1, 0)
    turn(one, Z, 0.2)
    turn(two, Y, 0.3)
    close(ode.dJointGetHinge2Angle1(j), 0.2)
    close(ode.dJointGetHinge2Angle2(j), 0.3)
    ode.dBodySetAngularVel(one, 0, 0.7, 0.5)
    close(ode.dJointGetHinge2Angle1Rate(j), 0.5)
    close(ode.dJointGetHinge2Angle2Rate(j), 0.7)
    ode.dJointAddHinge2Torques(j, 2, 3)
    close(ode.dBodyGetTorque(one), (0, 3, 2))
    close(ode.dBodyGetTorque(two), (0, -3, -2))
    params_round_trip(ode.dJointSetHinge2Param, ode.dJointGetHinge2Param, j, 2)
    for code in (ode.dParamSuspensionERP, ode.dParamSuspensionCFM):
        ode.dJointSetHinge2Param(j, code, 0.125)
        assert ode.dJointGetHinge2Param(j, code) == 0.125


def rates(get, j, bodies):
    """The rate for each component of each body's velocity and angular velocity in turn, at 3.33."""
    found = []
    for body in bodies:
        for setter in (ode.dBodySetLinearVel, ode.dBodySetAngularVel):
            for axis in np.eye(3):
                setter(body, *(3.33 * axis))
                found.append(get(j))
                setter(body, 0, 0, 0)
    return np.round(found, 9).tolist()


def test_pr(world):
    j, one, two = attached(ode.dJointCreatePR, world, 0.0)
    assert ode.dJointGetType(j) == ode.dJointTypePR
    close(ode.dJointGetPRAxis1(j), Y)
    close(ode.dJointGetPRAxis2(j), X)
    assert rates(ode.dJointGetPRPositionRate, j, (one, two)) == [0, 3.33, 0, 0, 0, 0, 0, -3.33, 0, 0, 0, 0]
    ode.dJointSetPRAnchor(j, 0, 0, 1)
    close(ode.dJointGetPRAnchor(j), (0, 0, 1))
    ode.dJointSetPRAxis1(j, 1, 0, 0)
    ode.dJointSetPRAxis2(j, 0, 0, 5)
    close((ode.dJointGetPRAxis1(j), ode.dJointGetPRAxis2(j)), (X, Z))
    ode.dBodySetPosition(one, 3.1, 0, 0)
    turn(two, Z, -0.4)
    close(ode.dJointGetPRPosition(j), 3.1)
    close(ode.dJointGetPRAngle(j), 0.4)
    ode.dBodySetAngularVel(one, 0, 0, 0.5)
    close(ode.dJointGetPRAngleRate(j), 0.5)
    ode.dJointAddPRTorque(j, 2)
    close(ode.dBodyGetTorque(one), (0, 0, 2))
    close(ode.dBodyGetTorque(two), (0, 0, -2))
    params_round_trip(ode.dJointSetPRParam, ode.dJointGetPRParam, j, 2)


def test_pr_rate_leaves_out_what_the_hinge_does(world):
    j, _, two = attached(ode.dJointCreatePR, world, 0.0)
    ode.dBodySetPosition(two, 0, 0, 1)
    turn(two, X, -math.pi / 2)
    ode.dJointSetPRAnchor(j, 0, 0, 0)
    ode.dBodySetAngularVel(two, 1.22, 0, 0)
    close(ode.dJointGetPRPositionRate(j), -1.22)


def test_pu(world):
    j, one, two = attached(ode.dJointCreatePU, world, 0.0)
    assert ode.dJointGetType(j) == ode.dJointTypePU
    close((ode.dJointGetPUAxis1(j), ode.dJointGetPUAxis2(j)), (Y, Z))
    close((ode.dJointGetPUAxis3(j), ode.dJointGetPUAxisP(j)), (X, X))
    assert rates(ode.dJointGetPUPositionRate, j, (one, two)) == [3.33, 0, 0, 0, 0, 0, -3.33, 0, 0, 0, 0, 0]
    for set_slider in (ode.dJointSetPUAxis3, ode.dJointSetPUAxisP):
        set_slider(j, 0, 1, 0)
        close(ode.dJointGetPUAxisP(j), Y)
        set_slider(j, 1, 0, 0)
    ode.dJointSetPUAxis1(j, 0, 0, 1)
    ode.dJointSetPUAxis2(j, 0, 1, 0)
    close((ode.dJointGetPUAxis1(j), ode.dJointGetPUAxis2(j)), (Z, Y))
    ode.dJointSetPUAnchor(j, 0, 0, 1)
    close(ode.dJointGetPUAnchor(j), (0, 0, 1))
    ode.dBodySetPosition(one, 3.1, 0, 0)
    close(ode.dJointGetPUPosition(j), 3.1)
    ode.dJointSetPUAnchorOffset(j, 0, 0, 0, 0.5, 2, 3)
    close(ode.dJointGetPUPosition(j), 0.5)
    ode.dJointSetPUAnchorDelta(j, 0, 0, 0, 0.5, 2, 3)
    close(ode.dJointGetPUPosition(j), -0.5)
    turn(two, Y, -0.3)
    close(ode.dJointGetPUAngles(j), (0, 0.3), atol=1e-12)
    turn(one, Z, 0.2)
    close((ode.dJointGetPUAngle1(j), ode.dJointGetPUAngle2(j)), (0.2, 0.3))
    ode.dBodySetAngularVel(one, 0, 0.7, 0.5)
    close((ode.dJointGetPUAngle1Rate(j), ode.dJointGetPUAngle2Rate(j)), (0.5, 0.7))
    ode.dJointAddPUTorque(j, 2)
    close(ode.dBodyGetTorque(one), (0, 0, 2))
    close(ode.dBodyGetTorque(two), (0, 0, -2))
    params_round_trip(ode.dJointSetPUParam, ode.dJointGetPUParam, j, 3)


def test_pu_rate_counts_the_second_body_as_ode_does(world):
    j, _, two = attached(ode.dJointCreatePU, world, 0.0)
    ode.dBodySetPosition(two, 0, 0, 1)
    ode.dJointSetPUAnchor(j, 0, 0, 0)
    ode.dBodySetAngularVel(two, 0, 2.33, 0)
    close(ode.dJointGetPUPositionRate(j), -2.33)


def test_piston(world):
    j, one, two = attached(ode.dJointCreatePiston, world, 0.0)
    assert ode.dJointGetType(j) == ode.dJointTypePiston
    close(ode.dJointGetPistonAxis(j), X)
    ode.dJointSetPistonAnchor(j, 0, 0, 1)
    assert rates(ode.dJointGetPistonPositionRate, j, (one, two)) == [3.33, 0, 0, 0, 0, 0, -3.33, 0, 0, 0, 0, 0]
    ode.dJointSetPistonAxis(j, 0, 0, 2)
    close(ode.dJointGetPistonAxis(j), Z)
    ode.dBodySetPosition(one, 0, 0, 3.1)
    turn(two, Z, -0.4)
    close(ode.dJointGetPistonPosition(j), 3.1)
    close(ode.dJointGetPistonAngle(j), 0.4)
    close(ode.dJointGetPistonAnchor(j), (0, 0, 4.1))
    close(ode.dJointGetPistonAnchor2(j), (0, 0, 1))
    ode.dBodySetAngularVel(one, 0, 0, 0.5)
    close(ode.dJointGetPistonAngleRate(j), 0.5)
    ode.dJointSetPistonAnchorOffset(j, 0, 0, 0, 2, 3, 0.5)
    close(ode.dJointGetPistonPosition(j), 0.5)
    ode.dJointSetPistonAxisDelta(j, 1, 0, 0, 2, 3, 0.5)
    close(ode.dJointGetPistonPosition(j), 2)
    ode.dJointAddPistonForce(j, 3)
    close(ode.dBodyGetForce(one), (3, 0, 0))
    close(ode.dBodyGetForce(two), (-3, 0, 0))
    params_round_trip(ode.dJointSetPistonParam, ode.dJointGetPistonParam, j, 2)
