"""The C names of user-defined geom classes and of collider overrides. A process has room for four classes."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
ended = []


def box_of(geom):
    (x, y, z), (r,) = ode.dGeomGetPosition(geom), np.frombuffer(ode.dGeomGetClassData(geom), count=1)
    return [x - r, x + r, y - r, y + r, z - r, z + r]


def against_planes(o1, o2, flags):
    a, b, c, d = ode.dGeomPlaneGetParams(o2)
    position, r = ode.dGeomGetPosition(o1), np.frombuffer(ode.dGeomGetClassData(o1), count=1)[0]
    depth = d - np.dot(position, (a, b, c)) + r
    return [ode.dContactGeom(position - r * np.array([a, b, c]), (a, b, c), depth, o1, o2)] if depth >= 0 else []


@pytest.fixture(scope="module")
def ball_class():
    return ode.dCreateGeomClass(
        ode.dGeomClass(
            bytes=8,
            collider=lambda num: against_planes if num == ode.dPlaneClass else None,
            aabb=box_of,
            aabb_test=lambda o1, o2, aabb2: 1,
            dtor=ended.append,
        )
    )


def ball(number, radius):
    geom = ode.dCreateGeom(number)
    np.frombuffer(ode.dGeomGetClassData(geom), count=1)[0] = radius
    return geom


def test_a_class_has_a_number_data_and_a_box(ball_class):
    assert ode.dFirstUserClass <= ball_class <= ode.dLastUserClass
    geom = ode.dCreateGeom(ball_class)
    assert ode.dGeomGetClass(geom) == ball_class and ode.dGeomGetClassData(geom) == bytearray(8)
    geom = ball(ball_class, 0.5)
    ode.dGeomSetPosition(geom, 1, 2, 3)
    close(ode.dGeomGetAABB(geom), [0.5, 1.5, 1.5, 2.5, 2.5, 3.5])
    ode.dGeomSetData(geom, "mine")
    assert ode.dGeomGetData(geom) == "mine" and len(ode.dGeomGetClassData(geom)) == 8
    ode.dGeomDestroy(geom)
    assert ended == [geom]


def test_it_falls_on_a_plane_in_odes_loop(ball_class):
    world, space, group = ode.dWorldCreate(), ode.dHashSpaceCreate(0), ode.dJointGroupCreate(0)
    ode.dWorldSetGravity(world, 0, 0, -9.81)
    plane, body, mass = ode.dCreatePlane(space, 0, 0, 1, 0), ode.dBodyCreate(world), ode.dMass()
    ode.dMassSetSphere(mass, 1000, 0.5)
    ode.dBodySetMass(body, mass)
    ode.dBodySetPosition(body, 0, 0, 0.6)
    geom = ball(ball_class, 0.5)
    ode.dSpaceAdd(space, geom)
    ode.dGeomSetBody(geom, body)

    def near(data, o1, o2):
        for found in ode.dCollide(o1, o2, 4):
            assert found.normal[2] == (1 if found.g1 is geom else -1) and {found.g1, found.g2} == {geom, plane}
            contact = ode.dContact(geom=found)
            contact.surface.mode, contact.surface.mu = ode.dContactApprox1, 0.5
            ode.dJointAttach(ode.dJointCreateContact(world, group, contact), ode.dGeomGetBody(o1), ode.dGeomGetBody(o2))

    for _ in range(200):
        ode.dSpaceCollide(space, None, near)
        ode.dWorldStep(world, 0.01)
        ode.dJointGroupEmpty(group)
    assert ode.dBodyGetPosition(body)[2] == pytest.approx(0.5, abs=1e-3)
    assert ode.dCollide(geom, ode.dCreateSphere(0, 5), 4) == []


def test_a_class_may_be_everywhere_and_make_its_data(ball_class):
    number = ode.dCreateGeomClass(ode.dGeomClass(dict, lambda num: lambda o1, o2, flags: 7, ode.dInfiniteAABB))
    geom = ode.dCreateGeom(number)
    assert number == ball_class + 1 and ode.dGeomGetClassData(geom) == {}
    close(ode.dGeomGetAABB(geom), [-np.inf, np.inf] * 3)
    with pytest.raises(TypeError, match="must return a list of contacts"):
        ode.dCollide(geom, ode.dCreateSphere(0, 1), 4)


def test_overrides(ball_class):
    sphere, geom = ode.dCreateSphere(0, 1), ball(ball_class, 0.5)
    touch = ode.dContactGeom((0, 0, 0), (0, 0, 1), 0.25)
    before = [c.depth for c in ode.dCollide(sphere, ode.dCreateSphere(0, 0.5), 4)]
    ode.dSetColliderOverride(ode.dSphereClass, ode.dSphereClass, lambda o1, o2, flags: [touch])
    ode.dSetColliderOverride(ball_class, ode.dSphereClass, lambda o1, o2, flags: [touch, touch])
    assert [c.depth for c in ode.dCollide(sphere, ode.dCreateSphere(0, 0.5), 4)] == [0.25]
    assert [c.normal[2] for c in ode.dCollide(sphere, geom, 4)] == [-1, -1]
    ode.dSetColliderOverride(ode.dSphereClass, ode.dSphereClass, None)
    ode.dSetColliderOverride(ball_class, ode.dSphereClass, 0)
    assert [c.depth for c in ode.dCollide(sphere, ode.dCreateSphere(0, 0.5), 4)] == before
    assert ode.dCollide(sphere, geom, 4) == []
    with pytest.raises(ValueError, match="has no colliders"):
        ode.dSetColliderOverride(ode.dHashSpaceClass, ode.dSphereClass, None)


def test_there_is_room_for_four():
    described = ode.dGeomClass(0, lambda num: None, ode.dInfiniteAABB)
    with pytest.raises(ValueError, match="4 user classes already"):
        for _ in range(ode.dMaxUserClasses + 1):
            ode.dCreateGeomClass(described)
    for wrong in (ode.dFirstUserClass - 1, ode.dLastUserClass + 1):
        with pytest.raises(ValueError, match="no user class"):
            ode.dCreateGeom(wrong)
    with pytest.raises(TypeError, match="function of a class number"):
        ode.dCreateGeomClass(ode.dGeomClass())
