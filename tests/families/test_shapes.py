"""The contract of every convex shape: support, features, bounds, depth, mass, width; and its consequences.

Sizes are the shape's own EXAMPLES. Polyhedra, whose sizes are not in the record, have `test_large_hulls.py`.
"""

import numba
import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.algebra.circle import CIRCLE_CORNERS
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.bodies.hulls.solid import solid
from opendynamics.core.bodies.shape import core_extent, feature_of, min_width, radius_of, shape_of
from opendynamics.core.bodies.shapes import CONVEX, CURVED, FUNCTIONS, MAX_CORNERS, SHAPE_KINDS, geom_at
from opendynamics.core.collide.shape_queries import support_points
from opendynamics.core.families import SHAPES
from opendynamics.io.recording.replay import Replay
from opendynamics.viewer.meshes import MESHES, Detail, mesh_of, scale_of
from tests.families.geom_classes import geom_class

NAMES = [name for name in SHAPES.names if SHAPES[name].TRAITS & CONVEX and hasattr(SHAPES[name], "EXAMPLES")]
SIZED = [(name, size) for name in NAMES for size in SHAPES[name].EXAMPLES]
each_shape = pytest.mark.parametrize(("name", "size"), SIZED, ids=[f"{name}-{size[0]}" for name, size in SIZED])


@numba.njit(error_model="numpy", _nrt=False)
def measures_at(address):
    """Radius, extent and width."""
    shape = shape_of(geom_at(address))
    return radius_of(shape), core_extent(shape), min_width(shape)


@numba.njit(error_model="numpy", _nrt=False)
def feature_at(address, n, scratch):
    return feature_of(shape_of(geom_at(address)), n, scratch, 0)


def geom_of(name, size, **place):
    return geom_class(name).of_size(size, **place)


def directions(count, seed=1):
    n = np.random.default_rng(seed).normal(size=(count, 3))
    return n / np.linalg.norm(n, axis=1)[:, None]


def supports(geom, n):
    points = np.empty_like(n)
    support_points(geom._address, n, points)
    return points


def turned(name, size):
    return geom_of(name, size, position=(3.0, -2.0, 5.0), quaternion=(0.8, -0.3, 0.4, 0.33))


def test_kinds_are_unique_and_members_whole():
    kinds = [SHAPES[name].KIND for name in SHAPES.names]
    assert len(set(kinds)) == len(kinds) and min(kinds) >= 0 and max(kinds) < SHAPE_KINDS
    for name in SHAPES.names:
        member = SHAPES[name]
        assert callable(member.mass_per_density) and hasattr(member, "bounds")
        if member.TRAITS & CONVEX:
            assert all(hasattr(member, function) for function in FUNCTIONS), name
    assert len(NAMES) >= 4


@each_shape
def test_support_points_are_the_furthest_and_on_the_surface(name, size):
    geom, n = geom_of(name, size), directions(400)
    points = supports(geom, n)
    reach = n @ points.T
    assert (reach.max(axis=1) <= np.diagonal(reach) + 1e-12).all()
    assert max(abs(geom.point_depth(p)) for p in points) < 1e-12


@each_shape
def test_depth_is_the_distance_to_the_surface(name, size):
    """Outside, along the normal of a support point; inside, no ball of that radius leaves the shape."""
    geom, n = geom_of(name, size), directions(60, seed=2)
    for p, way in zip(supports(geom, n), n, strict=True):
        assert geom.point_depth(p + 0.3 * way) == pytest.approx(-0.3, rel=1e-9)
    dense = np.vstack([directions(3000, seed=3), np.eye(3), -np.eye(3)])
    reach = (dense * supports(geom, dense)).sum(axis=1)
    for p in np.random.default_rng(4).uniform(-0.3, 0.3, (60, 3)):
        within = (reach - dense @ p).min()  # distance to the nearest tangent plane tried
        if within > 0.05:
            assert 0.0 < geom.point_depth(p) <= within + 1e-12
            assert geom.point_depth(p) == pytest.approx(within, rel=0.15, abs=0.02)


@each_shape
def test_bounds_touch_the_shape_on_every_side(name, size):
    geom = turned(name, size)
    axes = np.vstack([np.eye(3), -np.eye(3)])
    reached = geom.position + supports(geom, axes @ geom.rotation) @ geom.rotation.T
    expected = np.column_stack([reached.diagonal(-3), reached.diagonal()]).reshape(-1)
    np.testing.assert_allclose(geom.aabb, expected, atol=1e-12)


def globe(rings, points):
    """Unit vectors on circles of latitude and at the poles, and the triangles between them, counterclockwise from outside."""
    a, b = np.meshgrid(np.pi * np.arange(1, rings) / rings, 2.0 * np.pi * np.arange(points) / points, indexing="ij")
    n = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=2).reshape(-1, 3)
    top, bottom, k = len(n), len(n) + 1, np.arange(points)
    after, last = (k + 1) % points, (rings - 2) * points
    triangles = [np.stack([0 * k + top, k, after], 1), np.stack([0 * k + bottom, last + after, last + k], 1)]
    for first in range(0, last, points):
        below = first + points
        triangles += [
            np.stack([first + k, below + k, first + after], 1),
            np.stack([first + after, below + k, below + after], 1),
        ]
    return np.vstack([n, (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]), tuple(map(tuple, np.concatenate(triangles).tolist()))


@each_shape
def test_mass_is_that_of_the_solid(name, size):
    """Of the polyhedron between support points, which lacks a part that falls with their number."""
    geom = geom_of(name, size)
    volume, inertia, centre = geom._solid()
    n, triangles = globe(80, 160)
    found, middle, moments = solid(supports(geom, n), triangles)
    assert found == pytest.approx(volume, rel=2e-3) and found <= volume * (1.0 + 1e-9)
    np.testing.assert_allclose(moments, inertia, atol=3e-3 * inertia.max())
    np.testing.assert_allclose(middle, centre, atol=1e-3)
    assert od.World().add_body(geom, density=2.0).mass == pytest.approx(2.0 * volume)


@each_shape
def test_nowhere_thinner_than_its_width(name, size):
    geom, n = geom_of(name, size), directions(3000, seed=6)
    radius, extent, width = measures_at(geom._address)
    across = ((n * supports(geom, n)).sum(axis=1) - (n * supports(geom, -n)).sum(axis=1)).min()
    assert 0.4 * across < width <= across + 1e-12
    span = np.ptp(supports(geom, np.vstack([np.eye(3), -np.eye(3)])), axis=0).max() - 2.0 * radius
    assert 0.3 * span <= extent <= 4.0 * span or extent == span == pytest.approx(0.0)


@each_shape
def test_features_are_parts_of_the_surface_that_face_the_direction(name, size):
    geom, scratch, faces = geom_of(name, size), np.empty(SCRATCH), 0
    radius, _, _ = measures_at(geom._address)
    for n in np.vstack([directions(200, seed=7), np.eye(3), -np.eye(3)]):
        count, normal = feature_at(geom._address, tuple(n.tolist()), scratch.ctypes.data)
        assert 0 <= count <= MAX_CORNERS
        corners = scratch[: 3 * count].reshape(-1, 3)
        out = np.array(normal)
        assert np.linalg.norm(out) == pytest.approx(1.0)
        top = n @ supports(geom, n[None])[0]
        assert (corners @ n <= top + 1e-12).all()
        for corner in corners:
            # On the core's surface: the radius below that of the shape.
            assert geom.point_depth(corner) == pytest.approx(radius, abs=1e-9)
        if count > 2:
            faces += 1
            assert abs(corners @ out - corners[0] @ out).max() < 1e-12 and out @ n > 0.0
            arms = corners - corners.mean(axis=0)
            areas = np.cross(arms, np.roll(arms, -1, axis=0)) @ out
            assert (areas > 0.0).all(), "counterclockwise from outside"
            assert count == CIRCLE_CORNERS or not SHAPES[name].TRAITS & CURVED
    if name in ("box", "cylinder"):
        assert faces > 20


@each_shape
def test_drawn_as_a_closed_surface_of_its_volume(name, size):
    geom, detail = geom_of(name, size), Detail(resolution=20)
    assert (geom.shape in MESHES.names) or SHAPES[name].KIND >= 20
    mesh = mesh_of(geom, detail)
    assert mesh.closed
    corners = mesh.vertices * scale_of(geom, detail)
    a, b, c = (corners[mesh.faces[:, k]] for k in range(3))
    volume = np.einsum("ni,ni->n", a, np.cross(b, c)).sum() / 6.0
    assert volume == pytest.approx(geom._solid()[0], rel=0.05)


H = 1.0 / 60.0
SQUARE = [(-4, -4, 0), (4, -4, 0), (4, 4, 0), (-4, 4, 0)]
GROUNDS = {
    "plane": od.Plane,
    "box": lambda: od.Box((8, 8, 1), position=(0, 0, -0.5)),
    "mesh": lambda: od.Trimesh(SQUARE, [(0, 1, 2), (0, 2, 3)]),
    "heightfield": lambda: od.Heightfield(od.HeightfieldData(np.zeros((9, 9)), width=8.0, depth=8.0), up="z"),
}
each_ground = pytest.mark.parametrize("ground", GROUNDS)


@each_ground
@each_shape
def test_a_body_rests_on_the_ground(name, size, ground):
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.8, rolling=0.05))
    world.add_geom(GROUNDS[ground]())
    body = world.add_body(geom_of(name, size), density=1000.0, position=(0.1, 0.2, 0.9))
    body.quaternion = (0.9, 0.2, -0.3, 0.1)
    world.advance(0.005, steps=1200)
    lowest = body.geoms[0].aabb[4]
    assert -0.01 < lowest < 1e-3
    assert np.linalg.norm(body.linear_velocity) < 0.05 and np.linalg.norm(body.angular_velocity) < 0.2


@each_ground
@each_shape
def test_a_fast_continuous_body_does_not_tunnel(name, size, ground):
    world = od.World(gravity=(0, 0, 0))
    world.add_geom(od.Box((8, 8, 0.01), position=(0, 0, -0.005)) if ground == "box" else GROUNDS[ground]())
    body = world.add_body(geom_of(name, size), density=1000.0, position=(0.3, 0.1, 4.0))
    body.linear_velocity, body.angular_velocity, body.continuous = (5.0, 0.0, -700.0), (3.0, 20.0, 1.0), True
    for _ in range(6):
        world.advance(H)
        assert body.position[2] > 0.0


@each_ground
@each_shape
def test_speculative_contacts_prevent_penetration(name, size, ground):
    deepest = {}
    for margin in (0.0, "auto"):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5))
        world.speculative_margin = margin
        world.add_geom(GROUNDS[ground]())
        body = world.add_body(geom_of(name, size), density=1000.0, position=(0, 0, 1.23))
        body.linear_velocity = (0, 0, -10)
        deepest[margin] = 0.0
        for _ in range(12):
            world.advance(H)
            deepest[margin] = max(deepest[margin], -body.geoms[0].aabb[4])
        assert body.linear_velocity[2] > -3.0
    assert deepest["auto"] < 0.2 * deepest[0.0] or deepest["auto"] < 2e-3


@each_shape
def test_distance_is_that_of_points_and_of_tangent_planes(name, size):
    geom, rng = turned(name, size), np.random.default_rng(8)
    for _ in range(40):
        at = geom.position + rng.normal(size=3)
        ball = od.Sphere(0.05, position=at)
        gap, here, there = od.distance(geom, ball)
        # Inside, the least way out of a convex shape.
        assert gap == pytest.approx(-geom.point_depth(at) - 0.05, abs=1e-9)
        assert np.linalg.norm(here - there) == pytest.approx(abs(gap), abs=1e-9)
    plane = od.Plane((0, 0, 1), 1.0)
    assert od.distance(geom, plane)[0] == pytest.approx(geom.aabb[4] - 1.0, abs=1e-12)


@each_shape
def test_recordings_keep_shape_and_motion(name, size, tmp_path):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    body = world.add_body(geom_of(name, size), density=500.0, position=(0, 0, 1))
    with od.Recorder(world, tmp_path / "drop.odr"):
        world.advance(0.01, steps=40)
    replay = Replay(od.Recording(tmp_path / "drop.odr"))
    replay.put(10)
    copy = replay.world.bodies[0].geoms[0]
    assert type(copy) is type(body.geoms[0])
    assert copy._fresh["size"].tolist() == body.geoms[0]._fresh["size"].tolist()


@each_shape
def test_pictures_show_it(name, size):
    pytest.importorskip("PIL")
    world = od.World()
    world.add_body(geom_of(name, size), density=500.0)
    camera = od.Camera((3.0, -3.0, 2.0), (0.0, 0.0, 0.0))
    empty, seen = od.World().render(camera, (64, 48)), world.render(camera, (64, 48))
    assert (np.asarray(empty) != np.asarray(seen)).any(axis=2).sum() > 50


@each_shape
def test_saved_worlds_go_on_with_it(name, size):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    body = world.add_body(geom_of(name, size), density=500.0, position=(0, 0, 0.7), angular_velocity=(1, 2, 3))
    world.advance(0.01, steps=30)
    copy = od.World.load(world.save())
    for each in (world, copy):
        each.advance(0.01, steps=30)
    assert copy.bodies[0].position.tolist() == body.position.tolist()
    assert copy.state_hash() == world.state_hash()


@each_shape
def test_c_names_take_it_as_a_geom(name, size):
    from opendynamics import c_api

    geom = geom_of(name, size)
    assert c_api.dGeomGetClass(geom) == SHAPES[name].KIND
    c_api.dGeomSetPosition(geom, 0.0, 0.0, 0.1)
    assert c_api.dGeomGetAABB(geom) == pytest.approx(geom.aabb)
    contacts = c_api.dCollide(geom, c_api.dCreatePlane(None, 0.0, 0.0, 1.0, 0.0), 8)
    assert contacts and max(contact.depth for contact in contacts) == pytest.approx(-geom.aabb[4])
