"""The mesh of each class of geoms: closed, facing outwards, with the bounds and nearly the volume of the shape."""

import math
from functools import cache

import numba
import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.bodies.shapes import CONVEX
from opendynamics.core.bodies.triangles.adjacency import link, weld
from opendynamics.core.families import SHAPES
from opendynamics.viewer.meshes import MESHES, Detail, key_of, mesh_of, place_of, scale_of

FINE, COARSE = Detail(resolution=36), Detail(resolution=20)
TURN = od.rotation.quaternion_from_axis_angle((1, 2, 3), 0.7)


@numba.njit
def ellipsoid(parameters, direction):
    a, b, c = parameters[0], parameters[1], parameters[2]
    x, y, z = a * direction[0], b * direction[1], c * direction[2]
    length = math.sqrt(x * x + y * y + z * z)
    return a * x / length, b * y / length, c * z / length


EGGS = od.SupportClass("eggs", ellipsoid)
SLABS = od.GeomClass("slabs", bounds=lambda geom: (-1, 2, 0, 1, 3, 5), collider=lambda a, b, n: [])
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
HEIGHTS = np.array([[0.0, 1.0, 0.5, 0.25], [0.5, 2.0, 1.0, 0.0], [0.0, 0.5, 0.25, 1.0]])


def block_volume():
    """Over each half of a cell, cut along B-C, the mean of its three heights."""
    a, b, c, d = HEIGHTS[:-1, :-1], HEIGHTS[:-1, 1:], HEIGHTS[1:, :-1], HEIGHTS[1:, 1:]
    return float(((a + c + b) / 3 + (d + b + c) / 3).sum() * 0.5 * (3.0 / 3) * (2.0 / 2)) + 0.5 * 3.0 * 2.0


# Makers of geoms, and their volume, m³, from an independent formula.
SOLIDS = {
    "box": (lambda **place: od.Box((1, 2, 3), **place), 6.0),
    "capsule": (lambda **place: od.Capsule(0.5, 2.0, **place), math.pi * (0.25 * 2.0 + 4 / 3 * 0.125)),
    "convex": (lambda **place: od.Convex(TETRAHEDRON, FACES, **place), 1.0),
    "cylinder": (lambda **place: od.Cylinder(0.5, 2.0, **place), math.pi * 0.25 * 2.0),
    "heightfield": (lambda **place: od.Heightfield(HEIGHTS, width=3, depth=2, thickness=0.5, **place), block_volume()),
    "sphere": (lambda **place: od.Sphere(0.5, **place), 4 / 3 * math.pi * 0.125),
    "support": (lambda **place: EGGS((1.0, 0.5, 0.25), **place), 4 / 3 * math.pi * 0.125),
    "transform": (
        lambda **place: od.GeomTransform(od.Box((1, 2, 3), position=(1, 0, 0), quaternion=TURN), **place),
        6.0,
    ),
    "trimesh": (lambda **place: od.Trimesh(TETRAHEDRON, FACES, **place), 1.0),
}


@cache
def shared_mesh(key, geom, detail):
    return mesh_of(geom, detail)


def scaled(geom, detail=FINE):
    """Vertices in the geom's frame."""
    return shared_mesh(key_of(geom), geom, detail).vertices * scale_of(geom, detail)


def in_world(geom, detail=FINE):
    position, rotation = place_of(geom, detail)
    return position + scaled(geom, detail) @ rotation.T


def volume(vertices, faces):
    """Sum of the signed tetrahedra from the origin."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ni,ni->n", a, np.cross(b, c)).sum() / 6)


def bounds(vertices):
    return np.column_stack([vertices.min(axis=0), vertices.max(axis=0)]).reshape(-1)


def test_every_class_of_geoms_has_a_member():
    public = (getattr(od, name) for name in od.__all__)
    kinds = [kind for kind in public if isinstance(kind, type) and issubclass(kind, od.Geom)]
    shapes = {kind.shape for kind in kinds if kind is not od.Geom}
    # Convex shapes may leave it to their support function: `tests/families/test_shapes.py` draws those.
    assert shapes - {shape for shape in shapes if SHAPES[shape].TRAITS & CONVEX} <= set(MESHES.names) <= shapes
    assert set(MESHES.names) <= set(SHAPES.names)
    assert set(SOLIDS) | {"custom", "plane", "ray"} == set(MESHES.names)


@pytest.mark.parametrize("shape", SOLIDS)
def test_a_mesh_is_closed(shape):
    mesh = mesh_of(SOLIDS[shape][0](), Detail())
    places, corners = weld(mesh.vertices.astype(np.float64), mesh.faces.astype(np.int64))
    assert not len(link(places, corners).open_edges)
    assert mesh.closed
    assert mesh.vertices.dtype == np.float32
    assert mesh.faces.dtype == np.int32
    assert len(mesh.tones) == len(mesh.faces)


@pytest.mark.parametrize("shape", SOLIDS)
def test_volume_is_that_of_the_shape(shape):
    make, expected = SOLIDS[shape]
    geom = make()
    found = {detail: volume(scaled(geom, detail), mesh_of(geom, detail).faces) for detail in (FINE, COARSE)}
    # A circle cut into n edges lacks the part 2/3 (pi / n)² of its area, and a ball two and a half times that.
    assert found[FINE] == pytest.approx(expected, rel=0.02)
    error = abs(found[FINE] - expected)
    assert error <= abs(found[COARSE] - expected) / 2.5 or error < 1e-5


# The box of a turned mesh or heightfield is that of the turned box around it.
LOOSE = {"heightfield", "trimesh"}


@pytest.mark.parametrize("shape", SOLIDS)
def test_bounds_in_the_world_are_those_of_the_geom(shape):
    for place in ({}, {"position": (3, -2, 5)}, {"position": (3, -2, 5), "quaternion": TURN}):
        geom = SOLIDS[shape][0](**place)
        vertices = in_world(geom)
        if "quaternion" not in place:
            np.testing.assert_allclose(bounds(vertices), geom.aabb, atol=1e-5)
        elif shape in LOOSE:
            assert (vertices >= geom.aabb[0::2] - 1e-5).all()
            assert (vertices <= geom.aabb[1::2] + 1e-5).all()
        else:
            np.testing.assert_allclose(bounds(vertices), geom.aabb, atol=1e-2)


@pytest.mark.parametrize("shape", SOLIDS)
def test_normals_look_outward(shape):
    mesh = mesh_of(SOLIDS[shape][0](), Detail())
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    for k in range(3):
        assert (np.einsum("ni,ni->n", mesh.normals[mesh.faces[:, k]], across) > math.cos(math.radians(50))).all()


def test_shapes_share_a_mesh_where_scaling_suffices():
    assert key_of(od.Box((1, 2, 3))) == key_of(od.Box((1, 1, 1)))
    assert key_of(od.Sphere(1)) == key_of(od.Sphere(2))
    assert key_of(od.Cylinder(1, 2)) == key_of(od.Cylinder(2, 1))
    assert key_of(od.Capsule(1, 2)) == key_of(od.Capsule(2, 4)) != key_of(od.Capsule(1, 3))
    assert key_of(od.Convex(TETRAHEDRON, FACES)) == key_of(od.Convex(TETRAHEDRON, FACES))
    assert key_of(od.Convex(TETRAHEDRON, FACES)) != key_of(od.Convex(2 * np.array(TETRAHEDRON), FACES))
    assert key_of(EGGS((1, 1, 2))) == key_of(EGGS((1, 1, 2))) != key_of(EGGS((1, 1, 2), radius=0.1))
    data = od.MeshData(TETRAHEDRON, FACES)
    assert key_of(od.Trimesh(data)) == key_of(od.Trimesh(data))
    assert key_of(SLABS()) == key_of(od.Box((1, 1, 1)))
    assert key_of(od.GeomTransform(od.Sphere(3))) == key_of(od.Sphere(1))
    kinds = ["box", "capsule", "convex", "cylinder", "heightfield", "sphere", "support", "trimesh"]
    assert len({key_of(SOLIDS[kind][0]()) for kind in kinds}) == len(kinds)


def test_keys_follow_changes():
    field = od.HeightfieldData(HEIGHTS, 3, 2)
    geom = od.Heightfield(field)
    before = key_of(geom)
    field.update(2 * HEIGHTS)
    assert key_of(geom) != before
    field.update(HEIGHTS)
    assert key_of(geom) == before


def test_a_plane_is_a_checkered_square_on_it():
    for normal, d in (((0, 0, 1), 0.0), ((1, 0, 0), -2.0), ((1, 2, -3), 0.5), ((0, 0, -1), 1.0)):
        geom = od.Plane(normal, d)
        mesh, detail = mesh_of(geom), Detail(size=10, around=(7, 8, 9))
        vertices = in_world(geom, detail)
        np.testing.assert_allclose(vertices @ geom.normal, geom.offset, atol=1e-6)
        a, b, c = (vertices[mesh.faces[:, k]] for k in range(3))
        assert (np.cross(b - a, c - a) @ geom.normal > 0).all()
        assert 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() == pytest.approx(100)
        assert mesh.tones.mean() == 0.5
        # Its middle is next to the point looked at, and on a corner of the same endless board.
        at, turn = place_of(geom, detail)
        below = np.array(detail.around) - (np.array(detail.around) @ geom.normal - geom.offset) * geom.normal
        assert np.linalg.norm(at - below) < 0.5
        squares = turn.T @ (at - place_of(geom, Detail(size=10))[0]) / 0.25
        np.testing.assert_allclose(squares, squares.round(), atol=1e-9)


def test_a_ray_is_a_thin_prism():
    ray = od.Ray(2.0, start=(1, 0, 0), direction=(0, 1, 0))
    vertices = in_world(ray)
    np.testing.assert_allclose(bounds(vertices), [0.99, 1.01, 0, 2, -0.01, 0.01], atol=1e-6)
    assert 0 < volume(scaled(ray), mesh_of(ray).faces) < 1e-3


def test_a_geom_of_a_users_class_is_its_box():
    geom = SLABS(position=(7, 7, 7), quaternion=TURN)
    np.testing.assert_allclose(bounds(in_world(geom)), (-1, 2, 0, 1, 3, 5), atol=1e-6)
    endless = od.GeomClass("endless", bounds=lambda geom: (-np.inf, np.inf, -np.inf, 0, 1, np.inf), collider=print)()
    np.testing.assert_allclose(
        bounds(in_world(endless, Detail(size=10, around=(1, 2, 3)))), (-4, 6, -5, 0, 1, 8), atol=1e-6
    )


def test_a_transform_without_a_geom_shows_nothing():
    assert not len(mesh_of(od.GeomTransform()).faces)
    assert key_of(od.GeomTransform()) != key_of(od.GeomTransform(od.Sphere(1)))


def test_an_endless_heightfield_is_repeated():
    rows = np.array([[0.0, 1.0, 0.0], [0.5, 2.0, 0.5], [0.0, 1.0, 0.0]])
    geom = od.Heightfield(rows, width=2, depth=2, wrap=True)
    np.testing.assert_allclose(bounds(scaled(geom)), [-3, 3, 0, 2, -3, 3], atol=1e-6)
    for x, z in ((-2.0, 1.0), (0.0, 0.0), (2.0, -3.0)):
        here = scaled(geom)[(abs(scaled(geom)[:, [0, 2]] - (x, z)) < 1e-6).all(axis=1)][:, 1]
        assert here == pytest.approx(geom.point_depth((x, 0, z)), abs=1e-6)


@pytest.mark.parametrize("width", [0.3, 1.0, 40.0])
def test_the_floor_of_a_heightfield_is_its_rectangle_once(width):
    """However small the field is: triangles of the floor look down, and are together as large as it."""
    geom = od.Heightfield(HEIGHTS, width=width, depth=0.5 * width, thickness=0.5)
    corners = scaled(geom)[mesh_of(geom).faces]
    level = corners[:, :, 1].max(axis=1) < HEIGHTS.min() - 0.25
    doubled = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[level]
    assert (doubled[:, 1] < 0.0).all()
    assert -0.5 * doubled[:, 1].sum() == pytest.approx(0.5 * width * width, rel=1e-5)


def test_sharp_edges_part_vertices_and_smooth_ones_do_not():
    assert len(mesh_of(od.Box((1, 1, 1))).vertices) == 24
    assert len(mesh_of(od.Trimesh(TETRAHEDRON, FACES)).vertices) == 12
    ball = mesh_of(od.Sphere(1), Detail(resolution=24))
    smooth = mesh_of(od.Trimesh(ball.vertices, ball.faces))
    assert len(smooth.vertices) == len(ball.vertices)
    np.testing.assert_allclose(ball.normals, ball.vertices, atol=0.05)


def test_tones_part_a_mesh():
    mesh = mesh_of(od.Sphere(1))
    light, dark = mesh.of_tone(0), mesh.of_tone(1)
    assert len(light.faces) + len(dark.faces) == len(mesh.faces)
    np.testing.assert_allclose(
        sorted(map(tuple, mesh.vertices[mesh.faces[mesh.tones == 1]].reshape(-1, 9))),
        sorted(map(tuple, dark.vertices[dark.faces].reshape(-1, 9))),
    )
    assert not len(mesh_of(od.Box((1, 1, 1))).of_tone(1).faces)


def test_open_meshes_are_seen_from_behind():
    assert not mesh_of(od.Plane()).closed
    assert not mesh_of(od.Trimesh(TETRAHEDRON, FACES[1:])).closed
    assert not mesh_of(od.GeomTransform()).closed
