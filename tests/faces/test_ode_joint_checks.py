"""Expectations of ODE's unit tests of joints: rows, stops, positions, angles and rates, from both sides and reversed."""

import math

import numpy as np
import pytest

from opendynamics import c_api as ode
from opendynamics.api import reading

close = np.testing.assert_allclose
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
OFFSET = 3.1  # m, by which ODE's tests move bodies along axes


@pytest.fixture
def world():
    return ode.dWorldCreate()


def two_bodies(world, at1=(0, 0, 0), at2=(0, 0, 0)):
    bodies = ode.dBodyCreate(world), ode.dBodyCreate(world)
    for body, at in zip(bodies, (at1, at2), strict=True):
        ode.dBodySetPosition(body, *at)
    return bodies


def joined(world, kind, *bodies):
    joint = getattr(ode, f"dJointCreate{kind}")(world, 0)
    ode.dJointAttach(joint, *bodies)
    return joint


def call(kind, joint, verb, what, *arguments):
    """dJointSetHingeAxis(joint, ...) and its kind."""
    return getattr(ode, f"dJoint{verb}{kind}{what}")(joint, *arguments)


def turn(body, axis, angle):
    ode.dBodySetRotation(body, ode.dRFromAxisAndAngle(*axis, angle))


# -- rows and stops ----------------------------------------------------------------------------------------------------


def rows_and_states(world, joint, h=1e-9):
    """How many rows the joint has in a step, and which stops its axes are at: 0 none, 1 the low one, 2 the high one."""
    ode.dWorldStep(world, h)
    record = reading.record_of(joint)
    return int(record["row_count"]), record["limits"]["state"].tolist()


BASE_ROWS = {"Ball": 3, "Hinge": 5, "Slider": 5, "Universal": 4, "Hinge2": 4, "PR": 4, "PU": 3, "Piston": 4, "Fixed": 6}
BASE_ROWS |= {"DBall": 1, "DHinge": 4}


@pytest.mark.parametrize("kind", BASE_ROWS)
def test_rows_of_a_free_joint(world, kind):
    joint = joined(world, kind, *two_bodies(world, (0, -1, 0), (0, 1, 0)))
    assert rows_and_states(world, joint)[0] == BASE_ROWS[kind]


MOTORS = {"Hinge": 1, "Slider": 1, "Universal": 2, "Hinge2": 2, "PR": 2, "PU": 3, "Piston": 2}


@pytest.mark.parametrize(("kind", "count"), MOTORS.items())
def test_each_motor_adds_a_row(world, kind, count):
    joint = joined(world, kind, *two_bodies(world, (0, -1, 0), (0, 1, 0)))
    forces = ode.dParamFMax1, ode.dParamFMax2, ode.dParamFMax3
    for number in range(count):
        call(kind, joint, "Set", "Param", forces[number], 5)
        assert rows_and_states(world, joint)[0] == BASE_ROWS[kind] + number + 1


@pytest.mark.parametrize(("y", "state"), [(-100, 2), (100, 1), (0, 0)])
@pytest.mark.parametrize(
    ("kind", "axis", "group"), [("PR", "Axis1", 0), ("PU", "AxisP", 2), ("Piston", "Axis", 0), ("Slider", "Axis", 0)]
)
def test_a_slider_beyond_its_stops(world, kind, axis, group, y, state):
    """Stops at -10 and 10 m along y; the second body is moved, so that the first is beyond the other stop."""
    one, two = two_bodies(world, (0, -1, 0), (0, 1, 0))
    joint = joined(world, kind, one, two)
    call(kind, joint, "Set", axis, *Y)
    low, high = (ode.dParamLoStop, ode.dParamHiStop) if group == 0 else (ode.dParamLoStop3, ode.dParamHiStop3)
    call(kind, joint, "Set", "Param", low, -10)
    call(kind, joint, "Set", "Param", high, 10)
    ode.dBodySetPosition(two, 0, y, 0)
    rows, states = rows_and_states(world, joint)
    assert (rows, states[group]) == (BASE_ROWS[kind] + (state > 0), state)


@pytest.mark.parametrize(("angle", "state"), [(90, 1), (-90, 2), (0, 0)])
def test_a_universal_joint_beyond_its_stops(world, angle, state):
    """Stops at 45 degrees about both axes. The body that turns is the second: the angle of the first goes the other way."""
    for group, axis in enumerate((X, Y)):
        one, two = two_bodies(world)
        joint = joined(world, "Universal", one, two)
        ode.dJointSetUniversalAxis1(joint, *X)
        ode.dJointSetUniversalAxis2(joint, *Y)
        for low, high in ((ode.dParamLoStop, ode.dParamHiStop), (ode.dParamLoStop2, ode.dParamHiStop2)):
            ode.dJointSetUniversalParam(joint, low, -math.pi / 4)
            ode.dJointSetUniversalParam(joint, high, math.pi / 4)
        turn(two, axis, math.radians(angle))
        rows, states = rows_and_states(world, joint)
        assert (rows, states[group], states[1 - group]) == (4 + (state > 0), state, 0)


@pytest.mark.parametrize(("angle", "state"), [(90, 1), (-90, 2), (0, 0)])
def test_a_hinge2_beyond_its_stops(world, angle, state):
    one, two = two_bodies(world)
    joint = joined(world, "Hinge2", one, two)
    ode.dJointSetHinge2Axes(joint, X, Y)
    ode.dJointSetHinge2Param(joint, ode.dParamLoStop, -math.pi / 4)
    ode.dJointSetHinge2Param(joint, ode.dParamHiStop, math.pi / 4)
    turn(two, X, math.radians(angle))
    rows, states = rows_and_states(world, joint)
    assert (rows, states[0]) == (4 + (state > 0), state)


@pytest.mark.parametrize(("angle", "state"), [(90, 1), (-90, 2), (0, 0)])
@pytest.mark.parametrize(
    ("kind", "axis_name", "axis", "group"),
    [
        ("PR", "Axis2", X, 1),
        ("PU", "Axis1", X, 0),
        ("PU", "Axis2", Y, 1),
        ("Piston", "Axis", X, 1),
        ("Hinge", "Axis", X, 0),
    ],
)
def test_an_angle_beyond_its_stops(world, kind, axis_name, axis, group, angle, state):
    one, two = two_bodies(world)
    joint = joined(world, kind, one, two)
    if kind == "PR":
        ode.dJointSetPRAxis1(joint, *Y)
    call(kind, joint, "Set", axis_name, *axis)
    stops = ((ode.dParamLoStop, ode.dParamHiStop), (ode.dParamLoStop2, ode.dParamHiStop2))[group]
    for parameter, value in zip(stops, (-math.pi / 4, math.pi / 4), strict=True):
        call(kind, joint, "Set", "Param", parameter, value)
    turn(two, axis, math.radians(angle))
    rows, states = rows_and_states(world, joint)
    assert (rows, states[group]) == (BASE_ROWS[kind] + (state > 0), state)


@pytest.mark.parametrize(
    "kind", ["Ball", "Universal", "PR", "PU", "Piston", "AMotor", "LMotor", "DBall", "DHinge", "Null"]
)
def test_joints_of_one_body_or_none_can_be_stepped(world, kind):
    one, two = two_bodies(world)
    for bodies in ((one, 0), (0, two), (0, 0)):
        joint = joined(world, kind, *bodies)
        assert ode.dWorldStep(world, 0.01) == 1
        ode.dJointDestroy(joint)
    for body in (one, two):
        close(ode.dBodyGetPosition(body), (0, 0, 0), atol=1e-12)


@pytest.mark.parametrize("kind", ["PR", "PU", "Piston", "Universal", "Hinge2"])
def test_parameters_are_given_back(world, kind):
    joint = joined(world, kind, *two_bodies(world))
    values = {ode.dParamHiStop: 5, ode.dParamVel: 7, ode.dParamCFM2: 9, ode.dParamStopERP2: 0.11}
    if kind == "PU":
        values |= {ode.dParamHiStop3: 5, ode.dParamVel3: 7, ode.dParamCFM3: 9}
    for parameter, value in values.items():
        call(kind, joint, "Set", "Param", parameter, value)
    assert {parameter: call(kind, joint, "Get", "Param", parameter) for parameter in values} == values


# -- rates -------------------------------------------------------------------------------------------------------------

PISTONS = [("PR", "Axis1", Y), ("PU", "AxisP", X), ("Piston", "Axis", X)]


@pytest.mark.parametrize(("kind", "axis_name", "axis"), PISTONS)
def test_rates_of_positions(world, kind, axis_name, axis):
    """The rate is that along the axis of the first body, against the second; across it and turning in place give none."""
    for velocity in (axis, *(v for v in (X, Y, Z) if v != axis)):
        for which, sign in ((0, 1), (1, -1)):
            bodies = two_bodies(world, at2=(0, 0, 1) if kind != "Piston" else (0, 0, 0))
            joint = joined(world, kind, *bodies)
            call(kind, joint, "Set", axis_name, *axis)
            ode.dBodySetLinearVel(bodies[which], *(3.33 * np.array(velocity)))
            wanted = sign * 3.33 if velocity == axis else 0.0
            close(call(kind, joint, "Get", "PositionRate"), wanted, atol=1e-12)
    if kind == "Piston":
        ode.dBodySetLinearVel(bodies[1], 0, 0, 0)
        ode.dBodySetAngularVel(bodies[1], 1, 2, 3)
        close(call(kind, joint, "Get", "PositionRate"), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("kind", "axis_name", "axis", "spin", "rate"),
    [("PR", "Axis1", Y, X, -1.22), ("PU", "AxisP", X, Y, -2.33)],
)
def test_a_spin_carries_the_anchor_along(world, kind, axis_name, axis, spin, rate):
    """The second body is a metre above the anchor: turning about the third axis moves the anchor; nothing else does."""
    one, two = two_bodies(world, at2=(0, 0, 1))
    joint = joined(world, kind, one, two)
    call(kind, joint, "Set", axis_name, *axis)
    call(kind, joint, "Set", "Anchor", 0, 0, 0)
    for about in (X, Y, Z):
        ode.dBodySetAngularVel(two, *(abs(rate) * np.array(about)))
        close(call(kind, joint, "Get", "PositionRate"), rate if about == spin else 0, atol=1e-12)


@pytest.mark.parametrize(("kind", "axis_name", "axis"), [*PISTONS, ("Slider", "Axis", X)])
def test_a_unit_force_on_a_unit_mass_for_a_second(world, kind, axis_name, axis):
    one = ode.dBodyCreate(world)
    for bodies, sign in (((one, 0), 1), ((0, one), -1)):
        joint = joined(world, kind, *bodies)
        call(kind, joint, "Set", axis_name, *axis)
        ode.dBodySetLinearVel(one, 0, 0, 0)
        ode.dBodyAddForce(one, *axis)
        ode.dWorldQuickStep(world, 1.0)
        close(call(kind, joint, "Get", "PositionRate"), sign, atol=1e-6)
        ode.dJointDestroy(joint)


# -- positions and angles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(("kind", "axis_name", "axis"), [*PISTONS, ("Slider", "Axis", X)])
def test_positions_of_either_body_and_of_one_alone(world, kind, axis_name, axis, direction):
    along = direction * np.array(axis)
    for moved, sign, names in ((0, 1, (0, 1)), (1, -1, (0, 1)), (0, 1, (0, None)), (1, -1, (None, 1))):
        bodies = two_bodies(world)
        joint = joined(world, kind, *(None if name is None else bodies[name] for name in names))
        call(kind, joint, "Set", axis_name, *along)
        ode.dBodySetPosition(bodies[moved], *(OFFSET * np.array(axis)))
        close(call(kind, joint, "Get", "Position"), sign * direction * OFFSET, atol=1e-12)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("shift", [OFFSET, -OFFSET])
@pytest.mark.parametrize(("kind", "axis_name"), [("Piston", "Axis"), ("PU", "AxisP")])
def test_an_offset_of_the_anchor_is_the_position_here(world, kind, axis_name, shift, direction):
    for moved, sign, names in ((0, 1, (0, 1)), (1, -1, (0, 1)), (0, 1, (0, None)), (1, -1, (None, 1))):
        bodies = two_bodies(world)
        ode.dBodySetPosition(bodies[moved], shift, 0, 0)
        joint = joined(world, kind, *(None if name is None else bodies[name] for name in names))
        call(kind, joint, "Set", axis_name, direction, 0, 0)
        call(kind, joint, "Set", "AnchorOffset", 0, 0, 0, sign * shift, 0, 0)
        close(call(kind, joint, "Get", "Position"), sign * direction * shift, atol=1e-12)
        ode.dBodySetPosition(bodies[moved], 0, 0, 0)
        close(call(kind, joint, "Get", "Position"), 0, atol=1e-12)


@pytest.mark.parametrize("angle", [math.pi / 2, 0.23, -0.37])
@pytest.mark.parametrize("axis", [X, (-1, 0, 0), Z])
def test_the_offset_of_a_hinge(world, axis, angle):
    """The pose at which it is set reads the angle, the pose turned back reads 0."""
    for bodies in ("both", "first", "second"):
        one, two = two_bodies(world)
        if bodies != "second":
            turn(one, axis, angle)
        else:
            turn(two, axis, angle)
        joint = joined(world, "Hinge", None if bodies == "second" else one, None if bodies == "first" else two)
        sign = -1 if bodies == "second" else 1
        ode.dJointSetHingeAxisOffset(joint, *axis, sign * angle)
        close(ode.dJointGetHingeAngle(joint), sign * angle, atol=1e-12)
        for body in (one, two):
            ode.dBodySetQuaternion(body, (1, 0, 0, 0))
        close(ode.dJointGetHingeAngle(joint), 0, atol=1e-12)


@pytest.mark.parametrize(("about1", "about2"), [(23, 17), (-23, 17), (0.23, -40), (90, 0), (0, 60)])
def test_angles_of_a_universal_joint(world, about1, about2):
    """The first body turned about axis 1, the second about axis 2, each read what it turned; the second with a minus."""
    one, two = two_bodies(world)
    joint = joined(world, "Universal", one, two)
    ode.dJointSetUniversalAxis1(joint, *X)
    ode.dJointSetUniversalAxis2(joint, *Y)
    first, second = math.radians(about1), math.radians(about2)
    turn(one, X, first)
    turn(two, Y, second)
    close(ode.dJointGetUniversalAngle1(joint), first, atol=1e-12)
    close(ode.dJointGetUniversalAngle2(joint), -second, atol=1e-12)
    close(ode.dJointGetUniversalAngles(joint), (first, -second), atol=1e-12)


@pytest.mark.parametrize("angles", [(math.pi / 2, 0), (0, 0.23), (0.23, -0.37), (-0.37, 0.4)])
@pytest.mark.parametrize("setter", ["Axis1Offset", "Axis2Offset"])
def test_offsets_of_a_universal_joint(world, setter, angles):
    one, two = two_bodies(world)
    joint = joined(world, "Universal", one, two)
    ode.dJointSetUniversalAxis1(joint, *X)
    ode.dJointSetUniversalAxis2(joint, *Y)
    turn(one, X, angles[0])
    turn(two, Y, -angles[1])
    # Setting an axis again makes this the pose in which the angles have the given values.
    axis = ode.dJointGetUniversalAxis1(joint) if setter == "Axis1Offset" else ode.dJointGetUniversalAxis2(joint)
    call("Universal", joint, "Set", setter, *axis[:3], *angles)
    close(ode.dJointGetUniversalAngles(joint), angles, atol=1e-9)
    for body in (one, two):
        ode.dBodySetQuaternion(body, (1, 0, 0, 0))
    close(ode.dJointGetUniversalAngles(joint), (0, 0), atol=1e-9)


# -- stops that hold, motors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high", "steps", "off"), [(-1, 0.25, 50, 1e-2), (0, 0, 500, 1e-4)])
@pytest.mark.parametrize(("kind", "axis_name", "axis"), [*PISTONS, ("Slider", "Axis", X)])
def test_stops_hold_one_body_as_two(kind, axis_name, axis, low, high, steps, off):
    """A push of 4 N, then steps of a second: the body stays between its stops, with and without a second body."""
    found = []
    for second in (False, True):
        world = ode.dWorldCreate()
        one, two = two_bodies(world)
        if second:
            ode.dJointSetFixed(joined(world, "Fixed", two, 0))
        joint = joined(world, kind, one, two if second else 0)
        call(kind, joint, "Set", axis_name, *axis)
        stops = (ode.dParamLoStop3, ode.dParamHiStop3) if kind == "PU" else (ode.dParamLoStop, ode.dParamHiStop)
        for parameter, value in zip(stops, (low, high), strict=True):
            call(kind, joint, "Set", "Param", parameter, value)
        ode.dBodyAddForce(one, *(4 * np.array(axis)))
        for _ in range(steps):
            ode.dWorldStep(world, 1.0)
        found.append(call(kind, joint, "Get", "Position"))
        close(ode.dBodyGetQuaternion(one), (1, 0, 0, 0), atol=1e-4)
    close(found[0], found[1], atol=off)
    assert all(low - 1e-6 <= position <= high + 1e-6 for position in found)


def test_a_finite_rotation_of_a_second_is_a_radian(world):
    """Motors with infinite force hold y and z; a body with finite rotation turns about x by exactly its angular velocity."""
    body = ode.dBodyCreate(world)
    ode.dBodySetFiniteRotationMode(body, 1)
    joint = joined(world, "AMotor", body, 0)
    ode.dJointSetAMotorNumAxes(joint, 2)
    for number, axis in enumerate((Y, Z)):
        ode.dJointSetAMotorAxis(joint, number, 2, *axis)
        force, rate = ((ode.dParamFMax, ode.dParamVel), (ode.dParamFMax2, ode.dParamVel2))[number]
        ode.dJointSetAMotorParam(joint, rate, 0)
        ode.dJointSetAMotorParam(joint, force, ode.dInfinity)
    ode.dBodySetAngularVel(body, 1, 0, 0)
    ode.dWorldQuickStep(world, 1.0)
    close(ode.dBodyGetRotation(body), ode.dRFromAxisAndAngle(*X, 1), atol=1e-5)
    before = ode.dBodyGetQuaternion(body).copy()
    ode.dBodySetAngularVel(body, *(ode.dBodyVectorToWorld(body, 0, 1, 1)[:3]))
    ode.dJointSetAMotorAxis(joint, 0, 1, *ode.dBodyVectorToWorld(body, *Y)[:3])
    ode.dJointSetAMotorAxis(joint, 1, 1, *ode.dBodyVectorToWorld(body, *Z)[:3])
    ode.dWorldStep(world, 1.0)
    close(ode.dBodyGetQuaternion(body), before, atol=1e-5)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("frame", [0, 1, 2])
def test_axes_of_an_angular_motor_are_given_back(world, frame, reverse):
    one, two = two_bodies(world)
    turn(one, Z, 0.4)
    turn(two, X, 0.7)
    joint = joined(world, "AMotor", *((two, one) if reverse else (one, two)))
    ode.dJointSetAMotorNumAxes(joint, 1)
    ode.dJointSetAMotorAxis(joint, 0, frame, 0.6, 0, 0.8)
    close(ode.dJointGetAMotorAxis(joint, 0)[:3], (0.6, 0, 0.8), atol=1e-12)
    assert ode.dJointGetAMotorAxisRel(joint, 0) == frame


@pytest.mark.parametrize("bodies", [("one", 0), (0, "one")])
@pytest.mark.parametrize("frame", [0, 1, 2])
def test_axes_of_an_angular_motor_on_one_body_are_given_back(world, frame, bodies):
    one = ode.dBodyCreate(world)
    turn(one, Z, 0.4)
    joint = joined(world, "AMotor", *(one if body else 0 for body in bodies))
    ode.dJointSetAMotorNumAxes(joint, 1)
    ode.dJointSetAMotorAxis(joint, 0, frame, 0.6, 0, 0.8)
    close(ode.dJointGetAMotorAxis(joint, 0)[:3], (0.6, 0, 0.8), atol=1e-12)
    assert ode.dJointGetAMotorAxisRel(joint, 0) == frame


def test_euler_axes_of_a_motor_on_the_second_body(world):
    body = ode.dBodyCreate(world)
    joint = joined(world, "AMotor", 0, body)
    ode.dJointSetAMotorMode(joint, ode.dAMotorEuler)
    ode.dJointSetAMotorAxis(joint, 0, 1, *X)
    ode.dJointSetAMotorAxis(joint, 2, 2, *Z)
    close([ode.dJointGetAMotorAxis(joint, k)[:3] for k in range(3)], np.eye(3), atol=1e-12)


def test_the_distance_of_a_double_ball(world):
    one, two = two_bodies(world, (-1, -2, -3), (3, 5, 7))
    joint = joined(world, "DBall", one, two)
    close(ode.dJointGetDBallDistance(joint), math.sqrt(165))
    ode.dBodySetPosition(one, 9, 9, 9)
    close(ode.dJointGetDBallDistance(joint), math.sqrt(165))
    ode.dJointSetDBallDistance(joint, 6)
    assert ode.dJointGetDBallDistance(joint) == 6


# -- collision ---------------------------------------------------------------------------------------------------------


def test_a_sphere_touches_two_triangles_along_their_edge():
    data = ode.dGeomTriMeshDataCreate()
    points = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    ode.dGeomTriMeshDataBuildSimple(data, points, 4, [(0, 1, 2), (0, 2, 3)], 6)
    mesh, sphere = ode.dCreateTriMesh(0, data, 0, 0, 0), ode.dCreateSphere(0, 4)
    quarter = ode.dRFromAxisAndAngle(*X, math.pi / 2)
    for shift, rotation, at, normal in (
        ((0, 0, 0), None, (0, 0, 4), (0, 0, -1)),
        ((10, 30, 40), None, (10, 30, 44), (0, 0, -1)),
        ((10, 30, 40), quarter, (10, 26, 40), (0, 1, 0)),
    ):
        ode.dGeomSetPosition(mesh, *shift)
        if rotation is not None:
            ode.dGeomSetRotation(mesh, rotation)
        ode.dGeomSetPosition(sphere, *at)
        contacts = ode.dCollide(mesh, sphere, 4)
        assert contacts, "they touch"  # ODE reports the point once for each of the triangles that share it
        for contact in contacts:
            close(contact.normal, normal, atol=1e-9)
            close(contact.depth, 0, atol=1e-9)
            close(contact.pos, shift, atol=1e-6)


def test_a_ray_beside_a_heightfield_meets_nothing():
    heights = np.frombuffer(b"1234567890123456", np.uint8)
    data = ode.dGeomHeightfieldDataCreate()
    ode.dGeomHeightfieldDataBuildByte(data, heights, 0, 4, 4, 4, 4, 1, 0, 0, 0)
    ode.dGeomHeightfieldDataSetBounds(data, ord("0"), ord("9"))
    field, ray = ode.dCreateHeightfield(0, data, 1), ode.dCreateRay(0, 20)
    ode.dGeomRaySet(ray, 5, 10, 1, 0, -1, 0)
    assert ode.dCollide(field, ray, 1) == []


def test_rays_at_a_prism():
    corners = [(x, y, z) for z in (-1, 1) for x, y in ((-10, -1), (10, -1), (10, 1), (-10, 1))]
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    planes = [(0, 0, -1, 1), (0, 0, 1, 1), (0, -1, 0, 1), (1, 0, 0, 10), (0, 1, 0, 1), (-1, 0, 0, 10)]
    polygons = [number for face in faces for number in (4, *face)]
    prism, ray = ode.dCreateConvex(0, np.ravel(planes), 6, np.ravel(corners), 8, polygons), ode.dCreateRay(0, 20)
    for start, direction, hit, normal in (
        ((0, -10, 0), Y, (0, -1, 0), (0, -1, 0)),
        ((5, -10, 0), Y, (5, -1, 0), (0, -1, 0)),
    ):
        ode.dGeomRaySet(ray, *start, *direction)
        (contact,) = ode.dCollide(ray, prism, 1)
        close((*contact.pos, *contact.normal, contact.depth), (*hit, *normal, 9), atol=1e-12)
    ode.dGeomSetRotation(prism, ode.dRFromAxisAndAngle(*Z, math.pi / 2))
    assert ode.dCollide(ray, prism, 1) == []
    ode.dGeomRaySet(ray, 10, 0, 0, -1, 0, 0)
    (contact,) = ode.dCollide(ray, prism, 1)
    close((*contact.pos, *contact.normal, contact.depth), (1, 0, 0, *X, 9), atol=1e-9)
    ode.dGeomSetPosition(prism, 0, 1000, 1000)
    ode.dGeomRaySet(ray, 10, 1000, 1000, -1, 0, 0)
    (contact,) = ode.dCollide(ray, prism, 1)
    close((*contact.pos, contact.depth), (1, 1000, 1000, 9), atol=1e-9)
