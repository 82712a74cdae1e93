"""The C names of geoms, spaces and contacts."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as ode
from opendynamics.core.arrays.contacts import CONTACT_DETAILS

close = np.testing.assert_allclose
TURN = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]  # a quarter about z
QUARTER = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]


@pytest.fixture
def space():
    return ode.dSimpleSpaceCreate(0)


@pytest.fixture
def body():
    """At (1, 2, 3), turned a quarter about z."""
    b = ode.dBodyCreate(ode.dWorldCreate())
    ode.dBodySetPosition(b, 1, 2, 3)
    ode.dBodySetRotation(b, TURN)
    return b


def test_shapes():
    sphere, box, plane = ode.dCreateSphere(0, 1), ode.dCreateBox(0, 1, 2, 3), ode.dCreatePlane(0, 0, 0, 2, 4)
    ode.dGeomSphereSetRadius(sphere, 2)
    assert ode.dGeomSphereGetRadius(sphere) == 2 and ode.dGeomSpherePointDepth(sphere, 1, 0, 0) == 1
    ode.dGeomBoxSetLengths(box, 2, 4, 6)
    assert list(ode.dGeomBoxGetLengths(box)) == [2, 4, 6] and ode.dGeomBoxPointDepth(box, 0.5, 0, 0) == 0.5
    assert list(ode.dGeomPlaneGetParams(plane)) == [0, 0, 1, 2]
    ode.dGeomPlaneSetParams(plane, 0, 3, 4, 10)
    close(ode.dGeomPlaneGetParams(plane), [0, 0.6, 0.8, 2])
    close(ode.dGeomPlanePointDepth(plane, 0, 0, 1), 1.2)
    assert [ode.dGeomGetClass(geom) for geom in (sphere, box, plane)] == [0, 1, 4]
    for create, write, read, depth in (
        (ode.dCreateCapsule, ode.dGeomCapsuleSetParams, ode.dGeomCapsuleGetParams, ode.dGeomCapsulePointDepth),
        (ode.dCreateCCylinder, ode.dGeomCCylinderSetParams, ode.dGeomCCylinderGetParams, ode.dGeomCCylinderPointDepth),
    ):
        capsule = create(None, 1, 2)
        assert read(capsule) == (1, 2) and ode.dGeomGetClass(capsule) == ode.dCapsuleClass
        write(capsule, 2, 4)
        assert read(capsule) == (2, 4) and depth(capsule, 0, 0, 3.5) == 0.5
    for wrong in (
        lambda: ode.dCreateSphere(0, -1),
        lambda: ode.dCreateBox(0, 1, 0, 1),
        lambda: ode.dCreateCapsule(0, 0, 1),
    ):
        with pytest.raises(ValueError, match="greater than 0"):
            wrong()
    with pytest.raises(TypeError, match=r"must be the ID of a (Geom|Space), from d"):
        ode.dCreateSphere(5, 1)


def test_what_geoms_have(space):
    sphere = ode.dCreateSphere(space, 1)
    for geom in (sphere, space):
        ode.dGeomSetData(geom, "mine")
        assert ode.dGeomGetData(geom) == "mine"
        close(ode.dGeomGetAABB(geom), [-1, 1] * 3)
        assert ode.dGeomGetCategoryBits(geom) == ode.dGeomGetCollideBits(geom) == 2**64 - 1
        ode.dGeomSetCategoryBits(geom, 6)
        ode.dGeomSetCollideBits(geom, 5)
        assert (ode.dGeomGetCategoryBits(geom), ode.dGeomGetCollideBits(geom)) == (6, 5)
        assert ode.dGeomIsEnabled(geom) == 1
        ode.dGeomDisable(geom)
        assert ode.dGeomIsEnabled(geom) == 0
        ode.dGeomEnable(geom)
        assert ode.dGeomIsEnabled(geom) == 1
        assert ode.dGeomGetBody(geom) is None
        assert ode.dGeomMoved(geom) is None
        close(ode.dInfiniteAABB(geom), [-np.inf, np.inf] * 3)
        assert ode.dGeomLowLevelControl(geom, ode.dGeomColliderControlClass, 1, 2) == (0, None)
    assert (ode.dGeomIsSpace(sphere), ode.dGeomIsSpace(space)) == (0, 1)
    assert ode.dGeomGetSpace(sphere) is space and ode.dGeomGetSpace(space) is None
    assert ode.dGeomGetClass(space) == ode.dSimpleSpaceClass
    ode.dGeomDestroy(space)
    with pytest.raises(ReferenceError):
        ode.dGeomGetPosition(sphere)


def test_place_of_a_free_geom():
    geom = ode.dCreateBox(0, 2, 4, 6)
    ode.dGeomSetPosition(geom, 1, 2, 3)
    for turn, argument in ((ode.dGeomSetRotation, TURN), (ode.dGeomSetQuaternion, QUARTER)):
        ode.dGeomSetRotation(geom, IDENTITY)
        turn(geom, argument)
        for read in (ode.dGeomGetRotation, ode.dGeomCopyRotation):
            close(read(geom), TURN, atol=1e-15)
    for read in (ode.dGeomGetPosition, ode.dGeomCopyPosition):
        close(read(geom), [1, 2, 3])
    close(ode.dGeomGetQuaternion(geom), QUARTER)
    close(ode.dGeomGetAABB(geom), [-1, 3, 1, 3, 0, 6])
    close(ode.dGeomGetRelPointPos(geom, 1, 0, 0), [1, 3, 3])
    close(ode.dGeomGetPosRelPoint(geom, 1, 3, 3), [1, 0, 0], atol=1e-15)
    close(ode.dGeomVectorToWorld(geom, 1, 0, 0), [0, 1, 0], atol=1e-15)
    close(ode.dGeomVectorFromWorld(geom, 0, 1, 0), [1, 0, 0], atol=1e-15)
    with pytest.raises(ValueError, match="plane"):
        ode.dGeomSetPosition(ode.dCreatePlane(0, 0, 0, 1, 0), 1, 2, 3)


def test_quaternions_of_any_length(body):
    free, held = ode.dCreateBox(0, 1, 2, 3), ode.dCreateBox(0, 1, 2, 3)
    ode.dGeomSetBody(held, body)
    for geom, write, read in (
        (free, ode.dGeomSetQuaternion, ode.dGeomGetQuaternion),
        (held, ode.dGeomSetOffsetQuaternion, ode.dGeomGetOffsetQuaternion),
    ):
        write(geom, [3 * x for x in QUARTER])
        close(read(geom), QUARTER)
    close(ode.dGeomGetRotation(free), TURN, atol=1e-15)


def test_offsets(body):
    geom = ode.dCreateBox(0, 1, 1, 1)
    ode.dGeomSetBody(geom, body)
    assert ode.dGeomGetBody(geom) is body and ode.dGeomIsOffset(geom) == 0
    close(ode.dGeomGetPosition(geom), [1, 2, 3])
    ode.dGeomSetOffsetPosition(geom, 1, 0, 0)
    assert ode.dGeomIsOffset(geom) == 1
    for read in (ode.dGeomGetOffsetPosition, ode.dGeomCopyOffsetPosition):
        close(read(geom), [1, 0, 0])
    close(ode.dGeomGetPosition(geom), [1, 3, 3])
    for turn, argument in ((ode.dGeomSetOffsetRotation, TURN), (ode.dGeomSetOffsetQuaternion, QUARTER)):
        ode.dGeomSetOffsetRotation(geom, IDENTITY)
        turn(geom, argument)
        for read in (ode.dGeomGetOffsetRotation, ode.dGeomCopyOffsetRotation):
            close(read(geom), TURN, atol=1e-15)
        close(ode.dGeomGetRotation(geom), [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0], atol=1e-15)
    close(ode.dGeomGetOffsetQuaternion(geom), QUARTER)
    ode.dGeomSetOffsetWorldPosition(geom, 0, 0, 0)
    close(ode.dGeomGetPosition(geom), [0, 0, 0], atol=1e-15)
    close(ode.dGeomGetOffsetPosition(geom), [-2, 1, -3])
    for turn, argument in ((ode.dGeomSetOffsetWorldRotation, TURN), (ode.dGeomSetOffsetWorldQuaternion, QUARTER)):
        ode.dGeomSetOffsetRotation(geom, TURN)
        turn(geom, argument)
        close(ode.dGeomGetRotation(geom), TURN, atol=1e-15)
        close(ode.dGeomGetOffsetRotation(geom), IDENTITY, atol=1e-15)
    ode.dGeomSetPosition(geom, 5, 5, 5)
    close(ode.dBodyGetPosition(body), [6, 7, 8])
    ode.dGeomClearOffset(geom)
    assert ode.dGeomIsOffset(geom) == 0
    close(ode.dGeomGetPosition(geom), [6, 7, 8])
    ode.dGeomSetBody(geom, 0)
    assert ode.dGeomGetBody(geom) is None
    with pytest.raises(ValueError, match="needs a body"):
        ode.dGeomSetOffsetPosition(geom, 1, 0, 0)


def test_spaces():
    outer, inner = ode.dHashSpaceCreate(0), None
    inner = ode.dSimpleSpaceCreate(outer)
    assert (ode.dSpaceGetClass(outer), ode.dSpaceGetClass(inner)) == (ode.dHashSpaceClass, ode.dSimpleSpaceClass)
    assert ode.dGeomGetSpace(inner) is outer
    assert ode.dHashSpaceGetLevels(outer) == (-3, 10)
    ode.dHashSpaceSetLevels(outer, -1, 5)
    assert ode.dHashSpaceGetLevels(outer) == (-1, 5)
    for write, read, default in (
        (ode.dSpaceSetCleanup, ode.dSpaceGetCleanup, 1),
        (ode.dSpaceSetSublevel, ode.dSpaceGetSublevel, 0),
        (ode.dSpaceSetManualCleanup, ode.dSpaceGetManualCleanup, 0),
    ):
        assert read(inner) == default
        write(inner, 1 - default)
        assert read(inner) == 1 - default
    a, b = ode.dCreateSphere(inner, 1), ode.dCreateSphere(0, 2)
    assert (ode.dSpaceQuery(inner, a), ode.dSpaceQuery(inner, b)) == (1, 0)
    ode.dSpaceAdd(inner, b)
    assert ode.dSpaceGetNumGeoms(inner) == 2 and ode.dSpaceGetNumGeoms(outer) == 1
    assert [ode.dSpaceGetGeom(inner, k) for k in (0, 1, 2)] == [b, a, None]
    ode.dSpaceRemove(inner, a)
    assert ode.dSpaceGetNumGeoms(inner) == 1 and ode.dGeomGetSpace(a) is None
    assert ode.dSpaceClean(inner) is None
    ode.dSpaceDestroy(inner)  # without cleanup: that was turned off above
    assert ode.dGeomSphereGetRadius(b) == 2 and ode.dSpaceGetNumGeoms(outer) == 0
    c = ode.dCreateSphere(outer, 1)
    ode.dSpaceDestroy(outer)
    with pytest.raises(ReferenceError):
        ode.dGeomSphereGetRadius(c)


def spheres(space, *places):
    geoms = []
    for x in places:
        geoms.append(ode.dCreateSphere(space, 1))
        ode.dGeomSetPosition(geoms[-1], x, 0, 0)
    return geoms


def make_quad_tree(space):
    return ode.dQuadTreeSpaceCreate(space, [0, 0, 0, 0], (10, 10, 10), 4)


def make_sweep_and_prune(space):
    return ode.dSweepAndPruneSpaceCreate(space, ode.dSAP_AXES_YXZ)


def test_quad_trees_and_sweep_and_prune():
    outer = ode.dHashSpaceCreate(0)
    tree, sweep = make_quad_tree(outer), make_sweep_and_prune(outer)
    assert ode.dSpaceGetClass(tree) == ode.dQuadTreeSpaceClass
    assert ode.dSpaceGetClass(sweep) == ode.dSweepAndPruneSpaceClass
    assert ode.dGeomGetSpace(tree) is ode.dGeomGetSpace(sweep) is outer
    assert tree.extents.tolist() == [10, 10, 10] and tree.depth == 4
    for name in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"):
        code = getattr(ode, f"dSAP_AXES_{name}")
        assert ode.dSweepAndPruneSpaceCreate(0, code).axes == name.lower()
    for wrong in (0, 5, -1):
        with pytest.raises(ValueError, match="one of dSAP_AXES"):
            ode.dSweepAndPruneSpaceCreate(0, wrong)
    with pytest.raises(ValueError, match="greater than 0"):
        ode.dQuadTreeSpaceCreate(0, (0, 0, 0), (1, 0, 1), 4)
    with pytest.raises(TypeError, match=r"must be the ID of a (Geom|Space), from d"):
        ode.dQuadTreeSpaceCreate(7, (0, 0, 0), (1, 1, 1), 4)


CREATE = [ode.dSimpleSpaceCreate, ode.dHashSpaceCreate, make_quad_tree, make_sweep_and_prune]


@pytest.mark.parametrize("create", CREATE)
def test_pairs_of_a_space(create):
    space, seen = create(0), []
    a, b, c, _ = spheres(space, 0, 1.5, 3, 9)
    ode.dSpaceCollide(space, "data", lambda *arguments: seen.append(arguments))
    assert {data for data, _, _ in seen} == {"data"}
    assert {frozenset(pair) for _, *pair in seen} == {frozenset((a, b)), frozenset((b, c))} and len(seen) == 2
    ode.dGeomSetCategoryBits(c, 0)
    ode.dGeomSetCollideBits(c, 0)
    ode.dGeomDisable(a)
    seen.clear()
    ode.dSpaceCollide(space, None, lambda *arguments: seen.append(arguments))
    assert not seen


def test_pairs_of_two_spaces():
    left, right, seen = ode.dSimpleSpaceCreate(0), ode.dHashSpaceCreate(0), []
    (a,), (b, c) = spheres(left, 0), spheres(right, 1.5, 9)

    def near(*arguments):
        seen.append(arguments)

    for one, other, pairs in (
        (left, right, [(1, a, b)]),
        (right, left, [(1, b, a)]),
        (a, right, [(1, a, b)]),
        (right, a, [(1, b, a)]),
        (a, b, [(1, a, b)]),
        (a, c, []),
    ):
        seen.clear()
        ode.dSpaceCollide2(one, other, 1, near)
        assert seen == pairs
    ode.dSpaceSetSublevel(right, 1)  # only the one with the larger sublevel is opened
    seen.clear()
    ode.dSpaceCollide2(left, right, 1, near)
    assert seen == [(1, left, b)]


def test_collide():
    (a, b, c), space = spheres(0, 0, 1.5, 9), ode.dSimpleSpaceCreate(0)
    (found,) = ode.dCollide(a, b, 4)
    close([found.pos, found.normal], [[0.75, 0, 0], [-1, 0, 0]])
    assert (found.depth, found.g1, found.g2, found.side1, found.side2) == (0.5, a, b, -1, -1)
    assert ode.dCollide(a, c, 4) == ode.dCollide(a, a, 4) == []
    floor, box = ode.dCreatePlane(0, 0, 0, 1, 0), ode.dCreateBox(0, 1, 1, 1)
    assert [len(ode.dCollide(box, floor, flags)) for flags in (1, 3, 4 | ode.CONTACTS_UNIMPORTANT)] == [1, 3, 4]
    with pytest.raises(ValueError, match="at least 1"):
        ode.dCollide(a, b, 0)
    ode.dSpaceAdd(space, b)
    ode.dSpaceAdd(space, c)
    for one, other, normal in ((space, a, 1), (a, space, -1)):  # all in a space at once
        (found,) = ode.dCollide(one, other, 4)
        close(found.normal, [normal, 0, 0])
    assert ode.dCollide(space, space, 4) == []
    spheres(space, -1.5)
    assert [len(ode.dCollide(space, a, most)) for most in (1, 2, 8)] == [1, 2, 2]


def test_disabled_geoms_meet_nothing():
    space, seen = ode.dSimpleSpaceCreate(0), []
    inside, outside = ode.dCreateSphere(space, 1), ode.dCreateSphere(0, 1)
    for disabled in (None, inside, outside):
        if disabled:
            ode.dGeomDisable(disabled)
        for one in (space, inside):
            seen.append(0)
            ode.dSpaceCollide2(one, outside, None, lambda _, a, b: seen.append(seen.pop() + 1))
        if disabled:
            ode.dGeomEnable(disabled)
    assert seen == [1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("most", [32, 4, 3])
def test_contacts_of_boxes_come_in_odes_order(most):
    """Recorded from libode 0.16.2; of those that are too many, ODE chooses by angle."""
    boxes = [ode.dCreateBox(0, 1, 2, 0.4), ode.dCreateBox(0, 1.2, 1.6, 0.5)]
    turn = np.array([1, 0.02, -0.03, 0.4])
    ode.dGeomSetQuaternion(boxes[1], turn / np.linalg.norm(turn))
    ode.dGeomSetPosition(boxes[1], 0.1, -0.05, 0.4)
    a, b, c, d, e, f = (
        *((0.201, -1.0, 0.0992), (-0.5, -0.2646, 0.0852), (-0.5, 0.488, 0.0436)),
        *((0.5, 0.4218, 0.0093), (0.5, -0.7688, 0.0751), (0.257, -1.0, 0.0971)),
    )
    found = [(x.pos[0], x.pos[1], x.depth) for x in ode.dCollide(*boxes, most)]
    close(found, {32: [a, b, c, d, e, f], 4: [a, d, c, b], 3: [a, d, c]}[most], atol=6e-5)


@pytest.mark.parametrize(
    ("start", "direction", "depth"),
    [
        ((0.25, 0, -0.5), (0, 0, 1), 1.0),
        ((-1, 0, 0.25), (1, 0, 0), 2.0),
        ((0.25, 0, 0.5), (0, 0, 1), None),
        ((0, -1, 0.25), (1, 0, 0), None),
        ((0.25, 0, -1), (0, 0, 1), 0.5),
    ],
)
def test_rays_from_the_surface_of_a_cylinder_hit_it_where_they_leave(start, direction, depth):
    cylinder, ray = ode.dCreateCylinder(0, 1, 1), ode.dCreateRay(0, 3)
    ode.dGeomRaySet(ray, *start, *direction)
    found = ode.dCollide(ray, cylinder, 1)
    assert [contact.depth for contact in found] == ([] if depth is None else [pytest.approx(depth)])
    from_the_surface = start[2] > -1
    own = od.collide(ray, cylinder)
    assert own and own[0].depth == pytest.approx(0.0 if from_the_surface else 0.5)


def test_segments_and_boxes():
    points = ode.dClosestLineSegmentPoints([0, 0, 0], [2, 0, 0], [1, 1, -1], [1, 1, 1])
    close(points, [[1, 0, 0], [1, 1, 0]], atol=1e-15)
    unit = [1, 1, 1]
    assert ode.dBoxTouchesBox([0, 0, 0], IDENTITY, unit, [0.99, 0, 0], IDENTITY, unit) == 1
    assert ode.dBoxTouchesBox([0, 0, 0], IDENTITY, unit, [1.01, 0, 0], IDENTITY, unit) == 0
    normal, depth, code, contacts = ode.dBoxBox([0, 0, 0], IDENTITY, unit, [0, 0.9, 0], TURN, unit, 8)
    close(normal, [0, 1, 0], atol=1e-15)
    close([depth, *(contact.depth for contact in contacts)], [0.1] * 5)
    assert code == 2 and {tuple(np.round(contact.pos, 9)) for contact in contacts} == {
        (x, 0.4, z) for x in (-0.5, 0.5) for z in (-0.5, 0.5)
    }
    edge = ode.dRFromAxisAndAngle(0, 0, 1, np.pi / 4), ode.dRFromAxisAndAngle(0, 1, 0, np.pi / 4)
    normal, depth, code, contacts = ode.dBoxBox([0, 0, 0], edge[0], unit, [1.4, 0, 0], edge[1], unit, 8)
    close(normal, [1, 0, 0], atol=1e-9)
    close(depth, np.sqrt(2) - 1.4)
    assert code == 7 + 3 * 2 + 1 and len(contacts) == 1  # edge 3 of the first, 2 of the second
    assert ode.dBoxBox([0, 0, 0], IDENTITY, unit, [2, 0, 0], IDENTITY, unit, 8)[1:] == (0, 0, [])


def test_a_surface_that_changes_between_contacts_counts_as_it_is(body):
    world = ode.dBodyGetWorld(body)
    contact = ode.dContact()
    contact.geom.normal = [0, 0, 1]
    joints = []
    for mu, bounce in ((0.5, None), (0.5, None), (0.25, None), (0.25, 0.125), (0.5, 0.125)):
        contact.surface.mu = mu
        if bounce is not None:
            contact.surface.bounce = bounce
        joints.append(ode.dJointCreateContact(world, 0, contact))
    contact.surface = ode.dSurfaceParameters(mu=0.5)
    contact.fdir1 = [1, 0, 0]
    joints.append(ode.dJointCreateContact(world, 0, contact))
    records = [joint._values for joint in joints]
    assert [record["surface"]["mu"] for record in records] == [0.5, 0.5, 0.25, 0.25, 0.5, 0.5]
    assert [record["surface"]["bounce"] for record in records] == [0, 0, 0, 0.125, 0.125, 0]
    details = [
        joint._store[CONTACT_DETAILS][record["surface"]["detail"]]
        for joint, record in zip(joints, records, strict=True)
    ]
    assert [detail["direction1"][0] for detail in details] == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (1, -1, 0), (0, 3, -4)])
def test_a_ray_has_the_direction_that_was_set(direction):
    ray = ode.dCreateRay(0, 2.0)
    ode.dGeomRaySet(ray, 0, 0, 1, *direction)
    found = ode.dGeomRayGet(ray)[1][:3]
    assert found == pytest.approx(np.array(direction) / np.linalg.norm(direction), rel=1e-15, abs=0)
    if direction[2] == 0:  # in the plane, and so parallel to it
        assert ode.dCollide(ray, ode.dCreatePlane(0, 0, 0, 1, 1), 1) == []


@pytest.mark.parametrize("offset", [(0, 0, 0), (0.5, 0, 1)])
def test_setting_a_ray_on_a_body_moves_and_turns_the_body(body, offset):
    """In ODE it leaves a matrix that is no rotation, or has no effect if there is an offset."""
    ray = ode.dCreateRay(0, 2.0)
    ode.dGeomSetBody(ray, body)
    if any(offset):
        ode.dGeomSetOffsetPosition(ray, *offset)
    ode.dGeomRaySet(ray, 4, 5, 6, 2, 0, 0)
    for _ in range(2):
        start, direction = ode.dGeomRayGet(ray)
        close(start[:3], (4, 5, 6))
        close(direction[:3], (1, 0, 0), atol=1e-15)
        turn = np.reshape(ode.dBodyGetRotation(body), (3, 4))[:, :3]
        close(turn @ turn.T, np.eye(3), atol=1e-15)
        close(ode.dBodyGetPosition(body)[:3], (4, 5, 6) - turn @ offset)
        ode.dWorldStep(ode.dBodyGetWorld(body), 0.01)


def test_unimportant_contacts_of_boxes_are_those_of_least_depth():
    boxes = [ode.dCreateBox(0, 1, 1, 1) for _ in range(2)]
    ode.dGeomSetPosition(boxes[1], 0.1, 0, 0.9)  # ODE's are along x
    for flags in (4, 4 | ode.CONTACTS_UNIMPORTANT):
        found = ode.dCollide(*boxes, flags)
        assert len(found) == 4
        for point in found:
            assert [*point.normal[:3], point.depth] == pytest.approx([0, 0, -1, 0.1])
