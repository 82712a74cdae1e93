"""Statements of ODE's manual about meshes, heightfields and joints in a step that no other test of the C names covers."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
CORNERS = np.array([(0, 0, 0, 0), (2, 0, 0, 0), (0, 2, 0, 0)], float)  # of dVector3


def a_mesh(*place, ray=None):
    data = ode.dGeomTriMeshDataCreate()
    ode.dGeomTriMeshDataBuildSimple(data, CORNERS, 3, np.array([0, 1, 2], np.int32), 3)
    mesh = ode.dCreateTriMesh(0, data, None, None, ray)
    if place:
        ode.dGeomSetPosition(mesh, *place)
    return mesh


def a_ray(start, direction, length=10.0):
    ray = ode.dCreateRay(0, length)
    ode.dGeomRaySet(ray, *start, *direction)
    return ray


def a_field(placeable, heights=None, wrap=0):
    data = ode.dGeomHeightfieldDataCreate()
    samples = np.array([[0, 1], [2, 3]] if heights is None else heights, float)
    ode.dGeomHeightfieldDataBuildDouble(data, samples.reshape(-1), 1, 4.0, 2.0, 2, 2, 0.5, 0.25, 1.0, wrap)
    return ode.dCreateHeightfield(0, data, placeable)


def test_triangles_and_points_are_in_the_world_and_points_are_barycentric():
    mesh = a_mesh(1, 2, 3)
    close(np.array(ode.dGeomTriMeshGetTriangle(mesh, 0))[:, :3], CORNERS[:, :3] + (1, 2, 3))
    close(ode.dGeomTriMeshGetPoint(mesh, 0, 0.25, 0.5)[:3], (1.5, 3, 3))


@pytest.mark.parametrize("up", [1, -1])
def test_back_faces_are_met_unless_culled(up):
    mesh, ray = a_mesh(), a_ray((0.5, 0.5, up), (0, 0, -up))
    (contact,) = ode.dCollide(ray, mesh, 4)
    close([*contact.pos[:3], contact.depth], [0.5, 0.5, 0, 1], atol=1e-6)
    close(contact.normal[:3], [0, 0, 1], atol=1e-6)  # of the front, whichever side is met
    ode.dGeomRaySetParams(ray, 0, 1)
    assert len(ode.dCollide(ray, mesh, 4)) == (up == 1)


def test_the_box_of_a_field_reaches_below_by_its_thickness():
    """Heights are scale x sample + offset, over y; x is along the width and z along the depth."""
    field = a_field(1)
    ode.dGeomHeightfieldDataSetBounds(ode.dGeomHeightfieldGetHeightfieldData(field), 0, 3)
    box = ode.dGeomGetAABB(field)
    close([box[0], box[1], box[4], box[5]], [-2, 2, -1, 1])
    close(box[2:4], [0.25 - 1, 3 * 0.5 + 0.25])


def test_heights_are_scaled_and_offset():
    field = a_field(1, [[2, 2], [2, 2]])
    (contact,) = ode.dCollide(a_ray((0.5, 5, 0.25), (0, -1, 0)), field, 1)
    close([*contact.pos[:3], contact.depth], [0.5, 1.25, 0.25, 3.75], atol=1e-6)


def test_samples_run_along_the_width_first():
    field = a_field(1, [[0, 2], [0, 2]])  # higher towards +x
    found = [ode.dCollide(a_ray((x, 5, 0.1), (0, -1, 0)), field, 1)[0].pos[1] for x in (-1, 1)]
    close(found, [0.25 + 0.25, 0.25 + 0.75], atol=1e-6)


def test_a_field_that_wraps_is_everywhere():
    ray = a_ray((41, 5, 10.1), (0, -1, 0))
    assert len(ode.dCollide(ray, a_field(1, [[2, 2], [2, 2]], 1), 1)) == 1
    assert len(ode.dCollide(ray, a_field(1, [[2, 2], [2, 2]], 0), 1)) == 0


def test_a_sphere_rests_on_a_field():
    field, ball = a_field(1, [[2, 2], [2, 2]]), ode.dCreateSphere(0, 0.5)
    ode.dGeomSetPosition(ball, 0.3, 1.65, 0.2)
    (contact, *_) = ode.dCollide(ball, field, 4)
    close([*contact.normal[:3], contact.depth], [0, 1, 0, 0.1], atol=1e-6)


def test_a_convex_polyhedron_takes_planes_points_and_faces():
    points = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = np.array(
        [4, 0, 1, 3, 2, 4, 4, 6, 7, 5, 4, 0, 4, 5, 1, 4, 2, 3, 7, 6, 4, 0, 2, 6, 4, 4, 1, 5, 7, 3], np.uint32
    )
    planes = np.array([(-1, 0, 0, 1), (1, 0, 0, 1), (0, -1, 0, 1), (0, 1, 0, 1), (0, 0, -1, 1), (0, 0, 1, 1)], float)
    convex = ode.dCreateConvex(0, planes.reshape(-1), 6, points.reshape(-1), 8, faces)
    assert ode.dGeomGetClass(convex) == ode.dConvexClass
    close(ode.dGeomGetAABB(convex), [-1, 1] * 3)
    ball = ode.dCreateSphere(0, 0.5)
    ode.dGeomSetPosition(ball, 0.1, 0.2, 1.4)
    (contact,) = ode.dCollide(ball, convex, 1)
    close([*contact.normal[:3], contact.depth], [0, 0, 1, 0.1], atol=1e-5)


# What joints do in a step


@pytest.mark.parametrize("kind", ["Hinge", "Slider"])
def test_a_stop_holds_against_a_motor(kind):
    world = ode.dWorldCreate()
    body = ode.dBodyCreate(world)
    joint = getattr(ode, f"dJointCreate{kind}")(world, 0)
    ode.dJointAttach(joint, body, 0)
    setter = getattr(ode, f"dJointSet{kind}Param")
    for parameter, value in ((ode.dParamHiStop, 0.1), (ode.dParamVel, 1), (ode.dParamFMax, 5)):
        setter(joint, parameter, value)
    for _ in range(400):
        ode.dWorldStep(world, 0.01)
    reached = (ode.dJointGetHingeAngle if kind == "Hinge" else ode.dJointGetSliderPosition)(joint)
    close(reached, 0.1, atol=2e-3)


def test_a_motor_at_velocity_0_is_dry_friction():
    world = ode.dWorldCreate()
    body = ode.dBodyCreate(world)
    joint = ode.dJointCreateSlider(world, 0)
    ode.dJointAttach(joint, body, 0)
    ode.dJointSetSliderParam(joint, ode.dParamFMax, 2)
    ode.dBodySetLinearVel(body, 1, 0, 0)
    for _ in range(10):
        ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(body)[0], 1 - 2 * 0.1, rtol=1e-9)
    ode.dBodySetLinearVel(body, 0, 0, 0)
    ode.dBodyAddForce(body, 1.9, 0, 0)
    ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(body)[0], 0, atol=1e-9)


def test_soft_stops_give_way_as_springs():
    """ERP = h k / (h k + c), CFM = 1 / (h k + c) of the stop: m g / k beyond it at rest."""
    world, h, k, c = ode.dWorldCreate(), 0.01, 200.0, 20.0
    ode.dWorldSetGravity(world, -10, 0, 0)
    body = ode.dBodyCreate(world)
    joint = ode.dJointCreateSlider(world, 0)
    ode.dJointAttach(joint, body, 0)
    for parameter, value in (
        (ode.dParamLoStop, 0),
        (ode.dParamStopERP, h * k / (h * k + c)),
        (ode.dParamStopCFM, 1 / (h * k + c)),
    ):
        ode.dJointSetSliderParam(joint, parameter, value)
    for _ in range(1000):
        ode.dWorldStep(world, h)
    close(ode.dJointGetSliderPosition(joint), -10 / k, rtol=1e-6)


def test_torques_of_universal_and_hinge2_joints_are_about_both_axes():
    for kind in ("Universal", "Hinge2"):
        world = ode.dWorldCreate()
        one, other = ode.dBodyCreate(world), ode.dBodyCreate(world)
        joint = getattr(ode, f"dJointCreate{kind}")(world, 0)
        ode.dJointAttach(joint, one, other)
        getattr(ode, f"dJointAdd{kind}Torques")(joint, 2, 3)
        close(ode.dBodyGetTorque(one)[:3], [2, 3, 0], atol=1e-12)
        close(ode.dBodyGetTorque(other)[:3], [-2, -3, 0], atol=1e-12)


def test_both_wheels_of_a_transmission_turn_by_the_ratio():
    world = ode.dWorldCreate()
    wheels = []
    for x in (0, 3):
        body = ode.dBodyCreate(world)
        ode.dBodySetPosition(body, x, 0, 0)
        hinge = ode.dJointCreateHinge(world, 0)
        ode.dJointAttach(hinge, body, 0)
        ode.dJointSetHingeAnchor(hinge, x, 0, 0)
        ode.dJointSetHingeAxis(hinge, 0, 0, 1)
        wheels.append((body, hinge))
    joint = ode.dJointCreateTransmission(world, 0)
    ode.dJointAttach(joint, wheels[0][0], wheels[1][0])
    ode.dJointSetTransmissionMode(joint, ode.dTransmissionParallelAxes)
    ode.dJointSetTransmissionAxis(joint, 0, 0, 1)
    ode.dJointSetTransmissionAnchor1(joint, 0, 0, 0)
    ode.dJointSetTransmissionAnchor2(joint, 3, 0, 0)
    ode.dJointSetTransmissionRatio(joint, 2)
    ode.dJointSetHingeParam(wheels[0][1], ode.dParamVel, 1)
    ode.dJointSetHingeParam(wheels[0][1], ode.dParamFMax, 100)
    for _ in range(50):
        ode.dWorldStep(world, 0.01)
    rates = [ode.dJointGetHingeAngleRate(hinge) for _, hinge in wheels]
    close(np.abs(rates), [1, 2], rtol=1e-3)
    assert rates[0] * rates[1] < 0
    close([ode.dJointGetTransmissionRadius1(joint), ode.dJointGetTransmissionRadius2(joint)], [2, 1], rtol=1e-3)


def test_a_double_ball_holds_its_distance():
    world = ode.dWorldCreate()
    one, other = ode.dBodyCreate(world), ode.dBodyCreate(world)
    ode.dBodySetPosition(other, 2, 0, 0)
    joint = ode.dJointCreateDBall(world, 0)
    ode.dJointAttach(joint, one, other)
    ode.dBodySetLinearVel(other, 1, 0, 1)
    ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(one)[0], ode.dBodyGetLinearVel(other)[0], atol=1e-6)
    close(ode.dBodyGetLinearVel(other)[2], 1, atol=1e-6)


def test_euler_angles_of_a_motor_are_zero_at_first_and_follow_the_bodies():
    world = ode.dWorldCreate()
    one, other = ode.dBodyCreate(world), ode.dBodyCreate(world)
    motor = ode.dJointCreateAMotor(world, 0)
    ode.dJointAttach(motor, one, other)
    ode.dJointSetAMotorMode(motor, ode.dAMotorEuler)
    ode.dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0)
    ode.dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1)
    close(ode.dJointGetAMotorAxis(motor, 1)[:3], [0, 1, 0], atol=1e-12)
    ode.dWorldStep(world, 0.001)
    close([ode.dJointGetAMotorAngle(motor, k) for k in range(3)], 0, atol=1e-12)
    ode.dBodySetQuaternion(other, ode.dQFromAxisAndAngle(1, 0, 0, 0.3))
    ode.dWorldStep(world, 0.001)
    angles = [float(ode.dJointGetAMotorAngle(motor, k)) for k in range(3)]
    close(np.abs(angles), [0.3, 0, 0], atol=1e-9)
