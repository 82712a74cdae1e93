"""The C names of cylinders, rays, convex polyhedra and geom transforms."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
PLANES = [1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 2, 0, -1, 0, 2, 0, 0, 1, 3, 0, 0, -1, 3]
POINTS = [c for z in (-3, 3) for x, y in ((-1, -2), (1, -2), (1, 2), (-1, 2)) for c in (x, y, z)]
POLYGONS = [4, 1, 2, 6, 5, 4, 0, 4, 7, 3, 4, 3, 7, 6, 2, 4, 0, 1, 5, 4, 4, 4, 5, 6, 7, 4, 0, 3, 2, 1]


def test_cylinders():
    cylinder = ode.dCreateCylinder(0, 1, 2)
    assert ode.dGeomGetClass(cylinder) == ode.dCylinderClass and ode.dGeomCylinderGetParams(cylinder) == (1, 2)
    ode.dGeomCylinderSetParams(cylinder, 2, 5)
    assert ode.dGeomCylinderGetParams(cylinder) == (2, 5)
    close(ode.dGeomGetAABB(cylinder), [-2, 2, -2, 2, -2.5, 2.5])
    for wrong in (lambda: ode.dCreateCylinder(0, 0, 1), lambda: ode.dGeomCylinderSetParams(cylinder, 1, -1)):
        with pytest.raises(ValueError, match="greater than 0"):
            wrong()


def test_rays():
    ray = ode.dCreateRay(0, 4)
    assert ode.dGeomGetClass(ray) == ode.dRayClass and ode.dGeomRayGetLength(ray) == 4
    ode.dGeomRaySetLength(ray, 5)
    ode.dGeomRaySet(ray, 1, 2, 3, 0, 0, -7)
    start, direction = ode.dGeomRayGet(ray)
    close(start, [1, 2, 3])
    close(direction, [0, 0, -1], atol=1e-15)
    close(ode.dGeomGetAABB(ray), [1, 1, 2, 2, -2, 3], atol=1e-14)
    assert ode.dGeomRayGetParams(ray) == (0, 0) and ode.dGeomRayGetClosestHit(ray) == 0
    ode.dGeomRaySetParams(ray, 1, 0)
    assert (ode.dGeomRayGetFirstContact(ray), ode.dGeomRayGetBackfaceCull(ray)) == (1, 0)
    ode.dGeomRaySetFirstContact(ray, 0)
    ode.dGeomRaySetBackfaceCull(ray, 1)
    ode.dGeomRaySetClosestHit(ray, 1)
    assert (ode.dGeomRayGetParams(ray), ode.dGeomRayGetClosestHit(ray)) == ((0, 1), 1)
    (contact,) = ode.dCollide(ray, ode.dCreatePlane(0, 0, 0, 1, 0), 4)
    assert contact.depth == 3 and contact.g1 is ray
    close(contact.normal[:3], [0, 0, 1])
    with pytest.raises(ValueError, match="zero vector"):
        ode.dGeomRaySet(ray, 0, 0, 0, 0, 0, 0)


def test_convex_polyhedra():
    convex = ode.dCreateConvex(0, PLANES, 6, POINTS, 8, POLYGONS)
    assert ode.dGeomGetClass(convex) == ode.dConvexClass
    close(ode.dGeomGetAABB(convex), [-1, 1, -2, 2, -3, 3])
    ode.dGeomSetConvex(
        convex, [d if k % 4 < 3 else 2 * d for k, d in enumerate(PLANES)], 6, 2 * np.array(POINTS), 8, POLYGONS
    )
    close(ode.dGeomGetAABB(convex), [-2, 2, -4, 4, -6, 6])
    (contact,) = ode.dCollide(ode.dCreateSphere(0, 7), convex, 4)
    assert contact.depth == 9
    for wrong, message in (
        ((PLANES, 7, POINTS, 8, POLYGONS), "7 planes of a convex have 28 numbers, not 24"),
        ((PLANES, 6, POINTS, 9, POLYGONS), "9 points of a convex have 27 numbers, not 24"),
        ((PLANES, 6, POINTS, 8, POLYGONS[:-5]), "a convex of 6 planes has as many polygons, not 5"),
        ((PLANES, 6, POINTS, -8, POLYGONS), "the number of points of a convex"),
    ):
        with pytest.raises(ValueError, match=message):
            ode.dCreateConvex(0, *wrong)
    for null in ((None, 6, POINTS, 8, POLYGONS), (PLANES, 6, None, 8, POLYGONS), (PLANES, 6, POINTS, 8, None)):
        with pytest.raises(TypeError, match="of a convex must be a sequence of numbers, not None"):
            ode.dCreateConvex(0, *null)
    with pytest.raises(ValueError, match="clockwise"):
        ode.dCreateConvex(0, PLANES, 6, POINTS, 8, [4, 5, 6, 2, 1, *POLYGONS[5:]][:5] + POLYGONS[5:])


def test_odes_own_values_of_a_ray_and_a_convex_prism():
    """ODE's unit tests `test_collision_ray_convex`: a prism with half extents 10, 1, 1."""
    prism = ode.dCreateConvex(
        0, [1, 0, 0, 10, -1, 0, 0, 10, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1], 6,
        np.reshape(POINTS, (8, 3)) * (10, 0.5, 1 / 3), 8, POLYGONS,
    )  # fmt: skip
    ray = ode.dCreateRay(0, 20)
    for x in (0, 5):
        ode.dGeomRaySet(ray, x, -10, 0, 0, 1, 0)
        (contact,) = ode.dCollide(ray, prism, 1)
        close(contact.pos[:3], [x, -1, 0], atol=1e-14)
        close(contact.normal[:3], [0, -1, 0], atol=1e-14)
        close(contact.depth, 9)
    ode.dGeomSetRotation(prism, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0])
    assert not ode.dCollide(ray, prism, 1)
    ode.dGeomRaySet(ray, 10, 0, 0, -1, 0, 0)
    (contact,) = ode.dCollide(ray, prism, 1)
    close(contact.pos[:3], [1, 0, 0], atol=1e-14)
    close(contact.depth, 9)


def test_geom_transforms():
    transform, ball = ode.dCreateGeomTransform(0), ode.dCreateSphere(0, 1)
    assert ode.dGeomGetClass(transform) == ode.dGeomTransformClass and ode.dGeomTransformGetGeom(transform) is None
    assert not ode.dCollide(transform, ode.dCreateSphere(0, 100), 4), "an empty one meets nothing"
    ode.dGeomSetPosition(ball, 2, 0, 0)
    ode.dGeomTransformSetGeom(transform, ball)
    assert ode.dGeomTransformGetGeom(transform) is ball and ode.dGeomGetClass(transform) == ode.dGeomTransformClass
    body = ode.dBodyCreate(ode.dWorldCreate())
    ode.dGeomSetBody(transform, body)
    ode.dBodySetPosition(body, 0, 0, 5)
    ode.dBodySetRotation(body, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0])
    close(ode.dGeomGetAABB(transform), [-1, 1, 1, 3, 4, 6], atol=1e-15)
    close(ode.dGeomGetPosition(transform), [0, 0, 5], atol=1e-15)
    plane = ode.dCreatePlane(0, 0, 0, 1, 4.5)
    (contact,) = ode.dCollide(transform, plane, 4)
    assert contact.g1 is ball and contact.depth == 0.5
    assert ode.dGeomTransformGetInfo(transform) == ode.dGeomTransformGetCleanup(transform) == 0
    ode.dGeomTransformSetInfo(transform, 1)
    assert ode.dCollide(plane, transform, 4)[0].g2 is transform and ode.dGeomTransformGetInfo(transform) == 1
    ode.dGeomTransformSetCleanup(transform, 1)
    ode.dGeomDestroy(transform)
    assert not ball.alive
    for wrong in (transform, plane):
        with pytest.raises((TypeError, ValueError, ReferenceError)):
            ode.dGeomTransformSetGeom(ode.dCreateGeomTransform(0), wrong)
