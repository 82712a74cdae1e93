"""Statements of ODE's manual about rotations, masses and collision that no other test of the C names covers."""

import itertools
import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
SPACES = {
    "simple": lambda space=0: ode.dSimpleSpaceCreate(space),
    "hash": lambda space=0: ode.dHashSpaceCreate(space),
    "quad tree": lambda space=0: ode.dQuadTreeSpaceCreate(space, [0, 0, 0], [100, 100, 100], 3),
}


def pairs_of(space, other=None):
    found = []

    def near(data, one, two):
        found.append(frozenset((one, two)))

    if other is None:
        ode.dSpaceCollide(space, None, near)
    else:
        ode.dSpaceCollide2(space, other, None, near)
    return found


def at(geom, *place):
    ode.dGeomSetPosition(geom, *place)
    return geom


# Configuration, rotations, masses


def test_the_configuration_is_a_text_of_tokens():
    tokens = ode.dGetConfiguration().split()
    assert {"ODE", "ODE_double_precision", "ODE_EXT_trimesh"} <= set(tokens)
    assert all(ode.dCheckConfiguration(token) == 1 for token in tokens)
    assert ode.dCheckConfiguration("ode_double_precision") == ode.dCheckConfiguration("ODE_single_precision") == 0


def test_a_quaternion_is_the_cosine_and_the_axis_by_the_sine_of_half_the_angle():
    q = ode.dQFromAxisAndAngle(0, 3, 4, 1.0)
    close(q, [math.cos(0.5), 0, 0.6 * math.sin(0.5), 0.8 * math.sin(0.5)])
    close(ode.dQtoR(q), ode.dRFromAxisAndAngle(0, 3, 4, 1.0), atol=1e-15)
    close(ode.dQtoR(-np.array(q)), ode.dQtoR(q), atol=1e-15)
    close(ode.dQSetIdentity(), [1, 0, 0, 0])
    close(ode.dRSetIdentity(), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])


def test_the_first_two_axes_of_a_rotation():
    """\"If necessary, both vectors will be normalized, and b will be projected so that it is perpendicular to a.\""""
    R = np.array(ode.dRFrom2Axes(2, 0, 0, 3, 5, 0)).reshape(3, 4)
    close(R[:, :3], np.eye(3), atol=1e-15)
    R = np.array(ode.dRFrom2Axes(0, 0, 2, 1, 0, 1)).reshape(3, 4)
    close(R[:, :3], [[0, 1, 0], [0, 0, 1], [1, 0, 0]], atol=1e-15)


def test_products_of_quaternions_turn_by_the_second_first():
    a, b = ode.dQFromAxisAndAngle(1, 0, 0, 0.7), ode.dQFromAxisAndAngle(0, 0, 1, 0.4)
    inverse = [1, -1, -1, -1]
    product = ode.dQMultiply0(a, b)
    Ra, Rb, R = (np.array(ode.dQtoR(q)).reshape(3, 4)[:, :3] for q in (a, b, product))
    close(R, Ra @ Rb, atol=1e-15)
    close(ode.dQMultiply1(a, b), ode.dQMultiply0(np.array(a) * inverse, b), atol=1e-15)
    close(ode.dQMultiply2(a, b), ode.dQMultiply0(a, np.array(b) * inverse), atol=1e-15)
    close(ode.dQMultiply3(a, b), ode.dQMultiply0(np.array(a) * inverse, np.array(b) * inverse), atol=1e-15)


def test_the_derivative_of_a_quaternion():
    w, q, step = np.array([0.3, -0.2, 0.5]), np.array(ode.dQFromAxisAndAngle(1, 2, 3, 0.6)), 1e-6
    turn = ode.dQFromAxisAndAngle(*w, np.linalg.norm(w) * step)
    close(ode.dWtoDQ(w, q), (np.array(ode.dQMultiply0(turn, q)) - q) / step, atol=1e-6)


@pytest.mark.parametrize("direction", [1, 2, 3])
@pytest.mark.parametrize("shape", ["Capsule", "Cylinder"])
def test_masses_of_long_shapes_lie_along_their_direction(direction, shape):
    mass, total = ode.dMass(), ode.dMass()
    getattr(ode, f"dMassSet{shape}")(mass, 2.0, direction, 0.5, 3.0)
    caps = 4 / 3 * math.pi * 0.125 if shape == "Capsule" else 0
    close(mass.mass, 2.0 * (math.pi * 0.25 * 3 + caps))
    moments = np.array([mass.I[0], mass.I[5], mass.I[10]])
    assert moments.argmin() == direction - 1 and np.ptp(np.delete(moments, direction - 1)) < 1e-12
    getattr(ode, f"dMassSet{shape}Total")(total, mass.mass, direction, 0.5, 3.0)
    close(total.I[:12], mass.I[:12])


def test_masses_are_adjusted_moved_turned_and_added():
    mass, other = ode.dMass(), ode.dMass()
    ode.dMassSetZero(mass)
    assert mass.mass == 0 and not any(mass.I[:12])
    ode.dMassSetBox(mass, 10, 1, 2, 3)
    assert mass.mass == pytest.approx(60)
    ode.dMassAdjust(mass, 6)
    close([mass.mass, mass.I[0], mass.I[5], mass.I[10]], [6, 6.5, 5, 2.5])
    ode.dMassRotate(mass, ode.dRFromAxisAndAngle(0, 0, 1, math.pi / 2))
    close([mass.I[0], mass.I[5], mass.I[10]], [5, 6.5, 2.5])
    ode.dMassTranslate(mass, 1, 0, 0)
    close([*mass.c[:3], mass.I[0], mass.I[5], mass.I[10]], [1, 0, 0, 5, 12.5, 8.5])
    ode.dMassSetSphereTotal(other, 2, 0.5)
    ode.dMassTranslate(other, -3, 0, 0)
    ode.dMassAdd(mass, other)
    close([mass.mass, *mass.c[:3], mass.I[0], mass.I[5]], [8, 0, 0, 0, 5.2, 12.5 + 18.2], atol=1e-12)


# Contacts and geoms


def test_moving_the_first_geom_along_the_normal_by_the_depth_ends_the_contact():
    makers = (
        lambda: ode.dCreateSphere(0, 1),
        lambda: ode.dCreateBox(0, 2, 2, 2),
        lambda: ode.dCreateCapsule(0, 0.5, 1),
        lambda: ode.dCreateCylinder(0, 1, 2),
    )
    for make, other in itertools.product(makers, makers):
        one, two = at(make(), 0, 0, 0), at(other(), 0.1, 0.2, 1.3)
        contacts = ode.dCollide(one, two, 8)
        deepest = max(contacts, key=lambda contact: contact.depth)
        close(np.linalg.norm(deepest.normal[:3]), 1)
        assert deepest.normal[2] < 0 and deepest.depth > 0
        for part, depth in ((1.001, 0), (0.9, 1e-9)):
            at(one, *(np.array(deepest.normal[:3]) * deepest.depth * part))
            left = max((contact.depth for contact in ode.dCollide(one, two, 8)), default=0.0)
            assert (left <= 1e-3) if not depth else left > depth


def test_a_geom_on_a_body_moves_with_it_and_it_with_the_geom():
    body, geom = ode.dBodyCreate(ode.dWorldCreate()), ode.dCreateBox(0, 1, 1, 1)
    ode.dBodySetPosition(body, 1, 2, 3)
    ode.dGeomSetBody(geom, body)
    assert ode.dGeomGetBody(geom) == body
    close(ode.dGeomGetPosition(geom)[:3], [1, 2, 3])
    ode.dGeomSetPosition(geom, 4, 5, 6)
    ode.dGeomSetQuaternion(geom, [0, 1, 0, 0])
    close(ode.dBodyGetPosition(body)[:3], [4, 5, 6])
    close(ode.dBodyGetQuaternion(body), [0, 1, 0, 0])
    ode.dGeomSetBody(geom, 0)
    close(ode.dGeomGetPosition(geom)[:3], [4, 5, 6])
    close(ode.dGeomGetQuaternion(geom), [0, 1, 0, 0])
    ode.dBodySetPosition(body, 0, 0, 0)
    close(ode.dGeomGetPosition(geom)[:3], [4, 5, 6])


def test_offsets_need_a_body_and_may_be_given_in_the_world():
    body, geom = ode.dBodyCreate(ode.dWorldCreate()), ode.dCreateBox(0, 1, 1, 1)
    ode.dGeomSetBody(geom, body)
    ode.dBodySetPosition(body, 1, 0, 0)
    ode.dBodySetQuaternion(body, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    close(ode.dGeomGetOffsetPosition(geom)[:3], [0, 0, 0])
    close(ode.dGeomGetOffsetQuaternion(geom), [1, 0, 0, 0])
    ode.dGeomSetOffsetWorldPosition(geom, 1, 5, 0)
    close(ode.dGeomGetOffsetPosition(geom)[:3], [5, 0, 0], atol=1e-14)
    close(ode.dBodyGetPosition(body)[:3], [1, 0, 0])
    ode.dGeomSetOffsetWorldQuaternion(geom, [1, 0, 0, 0])
    close(ode.dGeomGetQuaternion(geom), [1, 0, 0, 0], atol=1e-15)
    ode.dGeomClearOffset(geom)
    close(ode.dGeomGetPosition(geom)[:3], [1, 0, 0])
    ode.dGeomClearOffset(geom)
    assert ode.dGeomIsOffset(geom) == 0


def test_boxes_around_geoms_and_spaces():
    space = ode.dSimpleSpaceCreate(0)
    at(ode.dCreateSphere(space, 1), 5, 0, 0)
    at(ode.dCreateBox(space, 2, 4, 6), 0, 1, 0)
    close(ode.dGeomGetAABB(space), [-1, 6, -1, 3, -3, 3])


def test_classes_and_bits():
    numbers = [
        ode.dSphereClass, ode.dBoxClass, ode.dCapsuleClass, ode.dCylinderClass, ode.dPlaneClass, ode.dRayClass,
        ode.dConvexClass, ode.dGeomTransformClass, ode.dTriMeshClass, ode.dHeightfieldClass, ode.dFirstSpaceClass,
    ]  # fmt: skip
    assert numbers == list(range(11)) and ode.dFirstSpaceClass == ode.dSimpleSpaceClass
    assert ode.dLastUserClass == ode.dFirstUserClass + ode.dMaxUserClasses - 1
    for geom, number in ((ode.dCreateRay(0, 1), ode.dRayClass), (ode.dHashSpaceCreate(0), ode.dHashSpaceClass)):
        assert ode.dGeomGetClass(geom) == number
    geom = ode.dCreateSphere(0, 1)
    bits = ode.dGeomGetCategoryBits(geom), ode.dGeomGetCollideBits(geom)
    assert all(value & 0xFFFFFFFF == 0xFFFFFFFF for value in bits)
    assert ode.dGeomIsEnabled(geom) == 1 and ode.dGeomIsSpace(geom) == 0 and not ode.dGeomGetSpace(geom)


# Collision detection


@pytest.mark.parametrize("kind", SPACES)
def test_bits_decide_on_pairs_of_spaces_and_dcollide_ignores_them(kind):
    space = SPACES[kind]()
    one, other = ode.dCreateSphere(space, 1), ode.dCreateSphere(space, 1)
    at(other, 0.5, 0, 0)
    at(one, 0, 0, 0)
    for cat1, col1, cat2, col2 in itertools.product((1, 2), (0, 1, 2), (1, 2), (0, 1, 2)):
        ode.dGeomSetCategoryBits(one, cat1)
        ode.dGeomSetCollideBits(one, col1)
        ode.dGeomSetCategoryBits(other, cat2)
        ode.dGeomSetCollideBits(other, col2)
        wanted = bool(cat1 & col2 or cat2 & col1)
        assert bool(pairs_of(space)) == wanted
        assert len(ode.dCollide(one, other, 1)) == 1


def test_dcollide_of_a_geom_with_itself_and_of_spaces():
    space = ode.dSimpleSpaceCreate(0)
    one, other, far = (ode.dCreateSphere(space, 1) for _ in range(3))
    for geom, x in ((one, 0), (other, 1.5), (far, 9)):
        at(geom, x, 0, 0)
    assert list(ode.dCollide(one, one, 8)) == []
    outside = at(ode.dCreateSphere(0, 1), 0.75, 0, 0)
    assert len(ode.dCollide(outside, space, 8)) == len(ode.dCollide(space, outside, 8)) == 2
    assert len(ode.dCollide(space, outside, 1)) == 1


@pytest.mark.parametrize("kind", SPACES)
def test_spaces_in_spaces_are_passed_as_geoms(kind):
    top = SPACES[kind]()
    inner = SPACES[kind](top)
    inside, outside = ode.dCreateSphere(inner, 1), ode.dCreateSphere(top, 1)
    at(inside, 0.5, 0, 0)
    at(outside, 0, 0, 0)
    assert ode.dGeomGetSpace(inner) == top and ode.dSpaceGetNumGeoms(top) == 2
    assert pairs_of(top) == [frozenset((inner, outside))]
    assert pairs_of(inner, outside) == [frozenset((inside, outside))]


def test_the_space_of_the_greater_sublevel_is_gone_through():
    low, high = ode.dSimpleSpaceCreate(0), ode.dSimpleSpaceCreate(0)
    a, b = (at(ode.dCreateSphere(low, 1), x, 0, 0) for x in (0, 0.5))
    c, d = (at(ode.dCreateSphere(high, 1), x, 0, 0) for x in (0.2, 0.7))
    assert ode.dSpaceGetSublevel(low) == 0
    assert set(pairs_of(low, high)) == {frozenset(pair) for pair in ((a, c), (a, d), (b, c), (b, d))}
    ode.dSpaceSetSublevel(high, 1)
    for pair in ((low, high), (high, low)):
        assert set(pairs_of(*pair)) == {frozenset((low, c)), frozenset((low, d))}


def test_a_space_with_itself_and_two_geoms():
    space = ode.dSimpleSpaceCreate(0)
    one, other = (at(ode.dCreateSphere(space, 1), x, 0, 0) for x in (0, 0.5))
    assert pairs_of(space, space) == pairs_of(space) == [frozenset((one, other))]
    assert pairs_of(one, other) == [frozenset((one, other))]
    far = at(ode.dCreateSphere(0, 1), 50, 0, 0)
    assert pairs_of(one, far) == []  # the manual lets them be called in any case
    assert set(pairs_of(space, one)) == {frozenset((one, other)), frozenset((one,))}


def test_the_last_argument_of_the_creators_and_the_cleanup_of_spaces():
    space = ode.dSimpleSpaceCreate(0)
    assert ode.dSpaceGetCleanup(space) == 1
    ode.dSpaceSetCleanup(space, 0)
    geom = ode.dCreateSphere(space, 1)
    assert ode.dSpaceQuery(space, geom) == 1
    ode.dSpaceDestroy(space)
    assert not ode.dGeomGetSpace(geom) and ode.dGeomSphereGetRadius(geom) == 1


def test_levels_of_hash_spaces():
    space = ode.dHashSpaceCreate(0)
    assert tuple(ode.dHashSpaceGetLevels(space)) == (-3, 10)
    ode.dHashSpaceSetLevels(space, -2, 5)
    assert tuple(ode.dHashSpaceGetLevels(space)) == (-2, 5)


@pytest.mark.parametrize("kind", ["simple", "hash"])
def test_geoms_of_a_space_by_number(kind):
    space = SPACES[kind]()
    geoms = [ode.dCreateSphere(space, 1) for _ in range(3)]
    assert ode.dSpaceGetNumGeoms(space) == 3
    assert {ode.dSpaceGetGeom(space, k) for k in range(3)} == set(geoms)
    ode.dSpaceRemove(space, geoms[1])
    assert ode.dSpaceGetNumGeoms(space) == 2 and ode.dSpaceQuery(space, geoms[1]) == 0
    ode.dSpaceAdd(space, geoms[1])
    ode.dGeomDestroy(geoms[0])
    assert ode.dSpaceGetNumGeoms(space) == 2


# Classes of geoms


def test_depths_of_points_are_positive_inside_zero_on_and_negative_outside():
    sphere, box, capsule = ode.dCreateSphere(0, 2), ode.dCreateBox(0, 2, 4, 6), ode.dCreateCapsule(0, 1, 4)
    plane = ode.dCreatePlane(0, 0, 0, 1, 1)
    for geom, depth, inside, on, outside in (
        (sphere, ode.dGeomSpherePointDepth, (0, 0, 1), (0, 2, 0), (3, 0, 0)),
        (box, ode.dGeomBoxPointDepth, (0, 1, 2), (1, 0, 0), (0, 0, 4)),
        (capsule, ode.dGeomCapsulePointDepth, (0, 0, 2), (0, 0, 3), (0, 2, 0)),
        (plane, ode.dGeomPlanePointDepth, (5, 5, 0), (1, 2, 1), (0, 0, 2)),
    ):
        close([depth(geom, *point) for point in (inside, on, outside)], [1, 0, -1], atol=1e-15)


def test_sizes_are_set_and_read():
    box, capsule, cylinder = ode.dCreateBox(0, 1, 1, 1), ode.dCreateCapsule(0, 1, 1), ode.dCreateCylinder(0, 1, 1)
    ode.dGeomBoxSetLengths(box, 1, 2, 3)
    close(ode.dGeomBoxGetLengths(box)[:3], [1, 2, 3])
    ode.dGeomCapsuleSetParams(capsule, 0.5, 3)
    assert tuple(ode.dGeomCapsuleGetParams(capsule)) == (0.5, 3)
    close(ode.dGeomGetAABB(capsule), [-0.5, 0.5, -0.5, 0.5, -2, 2])
    ode.dGeomCylinderSetParams(cylinder, 0.5, 3)
    assert tuple(ode.dGeomCylinderGetParams(cylinder)) == (0.5, 3)
    close(ode.dGeomGetAABB(cylinder), [-0.5, 0.5, -0.5, 0.5, -1.5, 1.5])


def test_planes_are_half_spaces():
    plane, ball = ode.dCreatePlane(0, 0, 0, 1, 2), at(ode.dCreateSphere(0, 0.5), 0, 0, -50)
    close(ode.dGeomPlaneGetParams(plane), [0, 0, 1, 2])
    (contact,) = ode.dCollide(ball, plane, 1)
    close([*contact.normal[:3], contact.depth], [0, 0, 1, 52.5])
    ode.dGeomPlaneSetParams(plane, 0, 0, -1, -2)
    assert [len(ode.dCollide(at(ball, 0, 0, z), plane, 1)) for z in (50, -50)] == [1, 0]


@pytest.mark.parametrize("make", [lambda: ode.dCreateSphere(0, 1), lambda: ode.dCreateBox(0, 2, 2, 2)])
def test_rays_have_one_contact_on_the_surface_with_its_normal_and_the_distance(make):
    geom, ray = make(), ode.dCreateRay(0, 10)
    ode.dGeomRaySet(ray, 0, 0, 4, 0, 0, -2)
    start, direction = ode.dGeomRayGet(ray)
    close([*start[:3], *direction[:3], ode.dGeomRayGetLength(ray)], [0, 0, 4, 0, 0, -1, 10], atol=1e-15)
    (contact,) = ode.dCollide(ray, geom, 8)
    close([*contact.pos[:3], *contact.normal[:3], contact.depth], [0, 0, 1, 0, 0, 1, 3], atol=1e-12)
    (contact,) = ode.dCollide(geom, ray, 8)
    close(contact.normal[:3], [0, 0, -1], atol=1e-12)
    ode.dGeomRaySet(ray, 0, 0, 0, 0, 0, -1)
    (contact,) = ode.dCollide(ray, geom, 8)
    close([*contact.pos[:3], *contact.normal[:3], contact.depth], [0, 0, -1, 0, 0, 1, 1], atol=1e-12)
    ode.dGeomRaySetLength(ray, 0.5)
    assert list(ode.dCollide(ray, geom, 8)) == []


def test_settings_of_rays_are_off():
    ray = ode.dCreateRay(0, 1)
    assert tuple(ode.dGeomRayGetParams(ray)) == (0, 0) and ode.dGeomRayGetClosestHit(ray) == 0
    ode.dGeomRaySetParams(ray, 1, 1)
    ode.dGeomRaySetClosestHit(ray, 1)
    assert tuple(ode.dGeomRayGetParams(ray)) == (1, 1) and ode.dGeomRayGetClosestHit(ray) == 1


def test_geoms_that_are_not_placeable_have_no_place():
    for geom in (ode.dCreatePlane(0, 0, 0, 1, 0), ode.dSimpleSpaceCreate(0)):
        with pytest.raises((TypeError, ValueError), match=r"dGeom\w+"):
            ode.dGeomSetPosition(geom, 1, 2, 3)
        with pytest.raises((TypeError, ValueError), match=r"dGeom\w+"):
            ode.dGeomSetBody(geom, ode.dBodyCreate(ode.dWorldCreate()))


def test_transforms_clean_up_only_if_told():
    transform = ode.dCreateGeomTransform(0)
    assert ode.dGeomTransformGetCleanup(transform) == ode.dGeomTransformGetInfo(transform) == 0
    ode.dGeomTransformSetCleanup(transform, 1)
    ode.dGeomTransformSetInfo(transform, 1)
    assert ode.dGeomTransformGetCleanup(transform) == ode.dGeomTransformGetInfo(transform) == 1


# Utility functions


def test_closest_points_of_segments():
    one, other = ode.dClosestLineSegmentPoints([0, 0, 0], [4, 0, 0], [1, 1, -1], [1, 1, 1])
    close([*one[:3], *other[:3]], [1, 0, 0, 1, 1, 0])
    one, other = ode.dClosestLineSegmentPoints([0, 0, 0], [4, 0, 0], [1, 1, 0], [3, 1, 0])
    close(np.subtract(other[:3], one[:3]), [0, 1, 0])
    assert one[0] in (0, 4, 1, 3)
    one, other = ode.dClosestLineSegmentPoints([1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 5])
    close([*one[:3], *other[:3]], [1, 1, 1, 0, 0, 1])


def test_boxes_touch_or_not():
    R = ode.dRFromAxisAndAngle(0, 0, 1, math.pi / 4)
    identity = ode.dRSetIdentity()
    for x, touching in ((0, 1), (2.4, 1), (2.42, 0)):  # 1 + sqrt(2)
        assert ode.dBoxTouchesBox([0, 0, 0], identity, [2, 2, 2], [x, 0, 0], R, [2, 2, 2]) == touching


def test_an_infinite_box():
    close(ode.dInfiniteAABB(ode.dCreateSphere(0, 1)), [-math.inf, math.inf] * 3)
