"""The C names of triangle meshes, heightfields and the mass of meshes."""

import numpy as np
import pytest

from opendynamics import Ray
from opendynamics.c_api import (
    dBodyCreate,
    dBodySetMass,
    dCollide,
    dCreateHeightfield,
    dCreateSphere,
    dCreateTriMesh,
    dGeomGetAABB,
    dGeomGetClass,
    dGeomHeightfieldDataBuildByte,
    dGeomHeightfieldDataBuildCallback,
    dGeomHeightfieldDataBuildDouble,
    dGeomHeightfieldDataBuildShort,
    dGeomHeightfieldDataBuildSingle,
    dGeomHeightfieldDataCreate,
    dGeomHeightfieldDataDestroy,
    dGeomHeightfieldDataSetBounds,
    dGeomHeightfieldGetHeightfieldData,
    dGeomHeightfieldSetHeightfieldData,
    dGeomSetBody,
    dGeomSetPosition,
    dGeomTriMeshClearTCCache,
    dGeomTriMeshDataBuildDouble,
    dGeomTriMeshDataBuildDouble1,
    dGeomTriMeshDataBuildSimple,
    dGeomTriMeshDataBuildSimple1,
    dGeomTriMeshDataBuildSingle,
    dGeomTriMeshDataBuildSingle1,
    dGeomTriMeshDataCreate,
    dGeomTriMeshDataDestroy,
    dGeomTriMeshDataGet,
    dGeomTriMeshDataGet2,
    dGeomTriMeshDataGetBuffer,
    dGeomTriMeshDataPreprocess,
    dGeomTriMeshDataPreprocess2,
    dGeomTriMeshDataSet,
    dGeomTriMeshDataSetBuffer,
    dGeomTriMeshDataUpdate,
    dGeomTriMeshEnableTC,
    dGeomTriMeshGetArrayCallback,
    dGeomTriMeshGetCallback,
    dGeomTriMeshGetData,
    dGeomTriMeshGetLastTransform,
    dGeomTriMeshGetPoint,
    dGeomTriMeshGetRayCallback,
    dGeomTriMeshGetTriangle,
    dGeomTriMeshGetTriangleCount,
    dGeomTriMeshGetTriMergeCallback,
    dGeomTriMeshGetTriMeshDataID,
    dGeomTriMeshIsTCEnabled,
    dGeomTriMeshSetArrayCallback,
    dGeomTriMeshSetCallback,
    dGeomTriMeshSetData,
    dGeomTriMeshSetLastTransform,
    dGeomTriMeshSetRayCallback,
    dGeomTriMeshSetTriMergeCallback,
    dHeightfieldClass,
    dMass,
    dMassSetTrimesh,
    dMassSetTrimeshTotal,
    dSphereClass,
    dTriMeshClass,
    dTRIMESHDATA_FACE_NORMALS,
    dTRIMESHDATA_USE_FLAGS,
    dWorldCreate,
)

SQUARE = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
HALVES = [0, 1, 2, 0, 2, 3]


def a_square():
    data = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSimple(data, SQUARE, 4, HALVES, 6)
    return data, dCreateTriMesh(None, data, None, None, None)


def test_a_sphere_that_touches_a_square_on_its_diagonal():
    """ODE's own test `trimesh_sphere_exact`: a sphere of radius 4 above the middle touches, with depth 0."""
    _, mesh = a_square()
    sphere = dCreateSphere(None, 4.0)
    dGeomSetPosition(sphere, 0.0, 0.0, 4.0)
    contacts = dCollide(mesh, sphere, 4)
    assert 1 <= len(contacts) <= 2
    assert {contact.depth for contact in contacts} == {0.0}
    assert all(tuple(contact.normal[:3]) == (0.0, 0.0, -1.0) for contact in contacts)


@pytest.mark.parametrize("one", [False, True])
@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_builds_from_rows_and_strides(number, one):
    data = dGeomTriMeshDataCreate()
    padded = np.zeros((4, 4), number)
    padded[:, :3] = SQUARE
    double = number is np.float64
    build = dGeomTriMeshDataBuildDouble if double else dGeomTriMeshDataBuildSingle
    with_normals = dGeomTriMeshDataBuildDouble1 if double else dGeomTriMeshDataBuildSingle1
    arguments = padded.reshape(-1), 4 * padded.itemsize, 4, np.array(HALVES, np.int32), 6, 12
    if one:
        with_normals(data, *arguments, None)
    else:
        build(data, *arguments)
    mesh = dCreateTriMesh(None, data, None, None, None)
    assert dGeomGetClass(mesh) == dTriMeshClass
    assert dGeomTriMeshGetTriangleCount(mesh) == 2
    assert np.array(dGeomTriMeshGetTriangle(mesh, 1)).tolist() == SQUARE[[0, 2, 3]].tolist()


def test_triangles_and_points_are_told_in_the_world():
    data = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSimple1(data, np.column_stack([SQUARE, np.zeros(4)]).reshape(-1), 4, HALVES, 6, None)
    mesh = dCreateTriMesh(None, data, None, None, None)
    dGeomSetPosition(mesh, 1.0, 2.0, 3.0)
    assert dGeomTriMeshGetPoint(mesh, 0, 0.5, 0.25).tolist() == [1.5, 1.5, 3.0]
    assert dGeomTriMeshGetData(mesh) is data is dGeomTriMeshGetTriMeshDataID(mesh)


def test_data_is_shared_rebuilt_updated_and_destroyed():
    data, mesh = a_square()
    vertices = SQUARE.copy()
    dGeomTriMeshDataBuildSimple(data, vertices, 4, HALVES, 6)
    vertices[:, 2] = 0.5
    dGeomTriMeshDataUpdate(data)
    assert dGeomTriMeshGetTriangle(mesh, 0)[0][2] == 0.5
    other = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSimple(other, SQUARE, 4, [0, 1, 2], 3)
    dGeomTriMeshSetData(mesh, other)
    assert dGeomTriMeshGetTriangleCount(mesh) == 1 and dGeomTriMeshGetData(mesh) is other
    dGeomTriMeshDataDestroy(other)
    assert dGeomTriMeshGetTriangleCount(mesh) == 1
    with pytest.raises(ValueError, match="build it first"):
        dCreateTriMesh(None, other, None, None, None)
    assert dGeomTriMeshDataPreprocess(data) == 1 and dGeomTriMeshDataPreprocess2(data, 3, None) == 1


def test_what_is_attached_to_data_is_kept():
    data, _ = a_square()
    normals, flags = np.ones((2, 3)), bytes(2)
    dGeomTriMeshDataSet(data, dTRIMESHDATA_FACE_NORMALS, normals)
    assert dGeomTriMeshDataGet(data, dTRIMESHDATA_FACE_NORMALS) is normals
    assert dGeomTriMeshDataGet2(data, dTRIMESHDATA_FACE_NORMALS) == (normals, 48)
    dGeomTriMeshDataSetBuffer(data, np.frombuffer(flags, np.uint8))
    assert dGeomTriMeshDataGetBuffer(data)[1] == 2
    assert dGeomTriMeshDataGet(data, dTRIMESHDATA_USE_FLAGS) is not None
    with pytest.raises(ValueError, match="face normals"):
        dGeomTriMeshDataGet(data, 7)


def test_callbacks_choose_triangles():
    data = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSimple(data, SQUARE, 4, HALVES, 6)
    asked, reported = [], []

    def wanted(mesh, other, triangle):
        asked.append((mesh, other, triangle))
        return triangle == 1

    def all_of_them(mesh, other, triangles, count):
        reported.append((list(triangles), count))

    mesh = dCreateTriMesh(None, data, wanted, all_of_them, None)
    sphere = dCreateSphere(None, 0.5)
    dGeomSetPosition(sphere, 0.4, -0.4, 0.4)  # over triangle 0
    assert dCollide(mesh, sphere, 8) == [] and asked == [(mesh, sphere, 0)] and reported == [([0], 1)]
    dGeomSetPosition(sphere, -0.4, 0.4, 0.4)
    assert [contact.side1 for contact in dCollide(mesh, sphere, 8)] == [1]
    assert dGeomTriMeshGetCallback(mesh) is wanted and dGeomTriMeshGetArrayCallback(mesh) is all_of_them
    dGeomTriMeshSetCallback(mesh, None)
    dGeomTriMeshSetArrayCallback(mesh, None)
    dGeomSetPosition(sphere, 0.4, -0.4, 0.4)
    assert len(dCollide(mesh, sphere, 8)) == 1 and dGeomTriMeshGetArrayCallback(mesh) is None


def test_a_ray_callback_is_told_where_the_triangle_was_hit():
    _, mesh = a_square()
    hits = []
    ray = Ray(5.0, start=(0.5, -0.25, 2.0), direction=(0.0, 0.0, -1.0))

    def hit(geom, other, triangle, u, v):
        hits.append((geom, other, triangle, round(u, 12), round(v, 12)))
        return len(hits) > 1

    dGeomTriMeshSetRayCallback(mesh, hit)
    assert dGeomTriMeshGetRayCallback(mesh) is hit
    assert dCollide(mesh, ray, 8) == []
    assert len(dCollide(ray, mesh, 8)) == 1
    # (-1, -1) + u (2, 0) + v (2, 2) = (0.5, -0.25)
    assert hits == [(mesh, ray, 0, 0.375, 0.375)] * 2


def test_what_a_callback_raises_reaches_the_caller():
    _, mesh = a_square()
    sphere = dCreateSphere(None, 0.5)

    def broken(geom, other, triangle):
        raise KeyError("no such triangle here")

    dGeomTriMeshSetCallback(mesh, broken)
    with pytest.raises(KeyError, match="no such triangle"):
        dCollide(sphere, mesh, 4)


def test_switches_are_kept():
    _, mesh = a_square()
    assert dGeomTriMeshIsTCEnabled(mesh, dSphereClass) == 0
    dGeomTriMeshEnableTC(mesh, dSphereClass, 1)
    assert dGeomTriMeshIsTCEnabled(mesh, dSphereClass) == 1
    dGeomTriMeshClearTCCache(mesh)
    merge = lambda geom, one, two: one  # noqa: E731
    dGeomTriMeshSetTriMergeCallback(mesh, merge)
    assert dGeomTriMeshGetTriMergeCallback(mesh) is merge
    transform = np.arange(16.0)
    dGeomTriMeshSetLastTransform(mesh, transform)
    assert dGeomTriMeshGetLastTransform(mesh).tolist() == transform.tolist()


def test_mass_of_a_mesh():
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    indices = [t for a, b, c, d in faces for t in (a, b, c, a, c, d)]
    data, mass = dGeomTriMeshDataCreate(), dMass()
    dGeomTriMeshDataBuildSimple(data, corners, 8, indices, 36)
    mesh = dCreateTriMesh(None, data, None, None, None)
    dMassSetTrimesh(mass, 2.0, mesh)
    assert mass.mass == pytest.approx(12.0) and mass.c == pytest.approx([0.5, 1.0, 1.5])
    assert mass.I[0] == pytest.approx(12.0 * (4.0 + 9.0) / 3.0)
    dMassSetTrimeshTotal(mass, 3.0, mesh)
    assert mass.mass == pytest.approx(3.0)
    dGeomSetPosition(mesh, -0.5, -1.0, -1.5)
    dMassSetTrimeshTotal(mass, 3.0, mesh)
    assert mass.c == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    body = dBodyCreate(dWorldCreate())
    dBodySetMass(body, mass)
    dGeomSetBody(mesh, body)


BUILDERS = {
    "byte": (dGeomHeightfieldDataBuildByte, np.uint8),
    "short": (dGeomHeightfieldDataBuildShort, np.int16),
    "single": (dGeomHeightfieldDataBuildSingle, np.float32),
    "double": (dGeomHeightfieldDataBuildDouble, np.float64),
}


@pytest.mark.parametrize("kind", BUILDERS)
def test_heights_of_every_type(kind):
    build, number = BUILDERS[kind]
    data = dGeomHeightfieldDataCreate()
    samples = np.array([[1, 2, 3], [4, 5, 6]], number)
    build(data, samples, 0, 2.0, 1.0, 3, 2, 0.5, 0.25, 0.125, 0)
    field = dCreateHeightfield(None, data, 1)
    assert dGeomGetClass(field) == dHeightfieldClass
    assert dGeomGetAABB(field).tolist() == [-1.0, 1.0, 0.625, 3.25, -0.5, 0.5]
    with pytest.raises((ValueError, TypeError), match="height"):
        build(data, samples[0], 0, 2.0, 1.0, 3, 2, 0.5, 0.25, 0.125, 0)


def test_bytes_are_heights():
    """ODE's own test `heightfield_ray_fail`: a ray next to a field of characters hits nothing."""
    data = dGeomHeightfieldDataCreate()
    dGeomHeightfieldDataBuildByte(data, b"1234567890123456", 0, 4.0, 4.0, 4, 4, 1.0, 0.0, 0.0, 0)
    dGeomHeightfieldDataSetBounds(data, ord("0"), ord("9"))
    field = dCreateHeightfield(None, data, 1)
    assert dGeomGetAABB(field)[2:4].tolist() == [48.0, 57.0]
    ray = Ray(20.0, start=(5.0, 10.0, 1.0), direction=(0.0, -1.0, 0.0))
    assert dCollide(ray, field, 4) == []


def test_heights_from_a_function():
    data, calls = dGeomHeightfieldDataCreate(), []

    def height(user, x, z):
        calls.append((x, z))
        return user * (x + 10 * z)

    dGeomHeightfieldDataBuildCallback(data, 0.5, height, 2.0, 1.0, 3, 2, 1.0, 0.0, 0.0, 0)
    assert sorted(calls) == [(x, z) for x in range(3) for z in range(2)]
    field = dCreateHeightfield(None, data, 0)
    assert dGeomGetAABB(field)[2:4].tolist() == [0.0, 6.0]
    with pytest.raises(ValueError, match="cannot be set"):
        dGeomSetPosition(field, 1.0, 0.0, 0.0)
    with pytest.raises(RuntimeError, match="from below"):
        dGeomHeightfieldDataBuildCallback(data, 0.5, raising, 2.0, 1.0, 3, 2, 1.0, 0.0, 0.0, 0)
    assert dGeomGetAABB(field)[2:4].tolist() == [0.0, 6.0]


def raising(user, x, z):
    raise RuntimeError("from below")


def test_heightfield_data_is_shared_and_exchanged():
    data, other = dGeomHeightfieldDataCreate(), dGeomHeightfieldDataCreate()
    for k, each in enumerate((data, other)):
        dGeomHeightfieldDataBuildDouble(each, np.full((2, 2), float(k)), 1, 1.0, 1.0, 2, 2, 1.0, 0.0, 0.0, 0)
    field = dCreateHeightfield(None, data, 1)
    assert dGeomHeightfieldGetHeightfieldData(field) is data
    dGeomHeightfieldSetHeightfieldData(field, other)
    assert dGeomHeightfieldGetHeightfieldData(field) is other and dGeomGetAABB(field)[3] == 1.0
    for each, height in ((data, 2.0), (other, 3.0), (other, 1.0)):  # only what the geom has now changes it
        dGeomHeightfieldDataBuildDouble(each, np.full((2, 2), height), 1, 1.0, 1.0, 2, 2, 1.0, 0.0, 0.0, 0)
        assert dGeomGetAABB(field)[3] == (1.0 if each is data else height)
    dGeomHeightfieldDataDestroy(other)
    assert dGeomGetAABB(field)[3] == 1.0
    with pytest.raises(ValueError, match="build it first"):
        dCreateHeightfield(None, other, 1)


def corners_of(data):
    geom = dCreateTriMesh(0, data, 0, 0, 0)
    return [
        [list(corner) for corner in dGeomTriMeshGetTriangle(geom, k)] for k in range(dGeomTriMeshGetTriangleCount(geom))
    ]


def test_flat_indices_end_where_the_count_says():
    corners, indices = np.eye(4, 3).reshape(-1), np.array([0, 1, 2, 0, 2, 3, 1, 3, 2, 0, 3, 1], np.int32)
    for build, stride in ((dGeomTriMeshDataBuildDouble, 24), (dGeomTriMeshDataBuildSingle, 24)):
        data = dGeomTriMeshDataCreate()
        build(data, corners, stride, 4, indices, 6, 12)
        assert len(corners_of(data)) == 2
        build(data, corners.tolist(), 24 if build is dGeomTriMeshDataBuildDouble else 12, 4, indices.tolist(), 6, 12)
        assert len(corners_of(data)) == 2
        with pytest.raises(ValueError, match="5 rows of indices were announced, but there are 4"):
            build(data, corners, stride, 4, indices, 15, 12)
        with pytest.raises(ValueError, match="a stride of 20 bytes"):
            build(data, corners, 20, 4, indices, 6, 12)


def test_an_update_keeps_strides_and_counts():
    """Corners with normals beside them, in numbers of single precision."""
    rows = np.zeros((4, 6), np.float32)
    rows[:, :3], rows[:, 3:] = np.eye(4, 3), 7.0
    indices = np.array([0, 1, 2, 0, 2, 3], np.int32)
    data = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSingle(data, rows.reshape(-1), 24, 4, indices, 3, 12)
    rows[:, 0] += 1.0
    dGeomTriMeshDataUpdate(data)
    assert corners_of(data) == [[[2, 0, 0], [1, 1, 0], [1, 0, 1]]]


def test_an_update_reads_what_build_simple_was_given():
    corners = [1.0, 0, 0, 9, 0, 1.0, 0, 9, 0, 0, 1.0, 9]
    data = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSimple(data, corners, 3, [0, 1, 2], 3)
    corners[0] = 3.0
    dGeomTriMeshDataUpdate(data)
    assert corners_of(data) == [[[3, 0, 0], [0, 1, 0], [0, 0, 1]]]


def test_heights_are_copied_until_the_data_is_built_again():
    heights = np.zeros(4)
    data = dGeomHeightfieldDataCreate()
    build = (data, heights, 0, 1.0, 1.0, 2, 2, 1.0, 0.0, 0.0, 0)
    dGeomHeightfieldDataBuildDouble(*build)
    field = dCreateHeightfield(0, data, 1)
    heights[:] = 2.0
    assert dGeomGetAABB(field)[3] == 0.0
    dGeomHeightfieldDataBuildDouble(*build)
    assert dGeomGetAABB(field)[3] == 2.0
