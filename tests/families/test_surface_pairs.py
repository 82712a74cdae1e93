"""Every pair with a mesh or a heightfield: symmetric, invariant under rigid motion, correct, from 1e-4 to 1e4 in size ratio."""

from functools import cache

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.families import pair_names
from tests.families.pair_calls import rotation_of

BODIES = ["sphere", "box", "capsule", "cylinder", "convex", "trimesh"]
SURFACES = ["trimesh", "heightfield"]
HULL = np.random.default_rng(5).normal(size=(14, 3))
HULL /= 1.5 * np.linalg.norm(HULL, axis=1)[:, None]


@cache
def blob(scale=1.0):
    """A closed mesh that is hollow in places: a sphere with dents, of radius about 1."""
    rings, points = 12, 18
    vertices, triangles = [(0.0, 0.0, 1.0)], []
    for i in range(1, rings):
        for k in range(points):
            a, b = np.pi * i / rings, 2 * np.pi * k / points
            radius = 1.0 + 0.25 * np.sin(3 * b) * np.sin(2 * a)
            vertices.append((radius * np.sin(a) * np.cos(b), radius * np.sin(a) * np.sin(b), np.cos(a)))
    vertices.append((0.0, 0.0, -1.0))
    last = len(vertices) - 1
    for k in range(points):
        n = (k + 1) % points
        triangles += [(0, 1 + k, 1 + n), (last, last - points + n, last - points + k)]
        for i in range(rings - 2):
            a, b = 1 + i * points + k, 1 + i * points + n
            triangles += [(a, a + points, b), (b, a + points, b + points)]
    return od.MeshData(scale * np.array(vertices), triangles)


@cache
def field(scale=1.0):
    rng = np.random.default_rng(6)
    return od.HeightfieldData(
        0.3 * scale * rng.normal(size=(14, 11)), width=5.0 * scale, depth=6.0 * scale, thickness=scale
    )


@cache
def lump(scale=1.0):
    """A convex mesh for a body."""
    hull = od.Convex.hull(0.6 * HULL)
    triangles = [(p[0], p[k], p[k + 1]) for p in hull.polygons for k in range(1, len(p) - 1)]
    return od.MeshData(scale * hull.points, triangles)


def body_of(name, scale=1.0):
    makers = {
        "sphere": lambda: od.Sphere(0.4 * scale),
        "box": lambda: od.Box((0.5 * scale, 0.8 * scale, 0.6 * scale)),
        "capsule": lambda: od.Capsule(0.25 * scale, 0.7 * scale),
        "cylinder": lambda: od.Cylinder(0.35 * scale, 0.6 * scale),
        "convex": lambda: od.Convex.hull(0.6 * scale * HULL),
        "trimesh": lambda: od.Trimesh(lump(scale)),
        "ray": lambda: od.Ray(2.0 * scale),
    }
    return makers[name]()


def surface_of(name, scale=1.0):
    return od.Trimesh(blob(scale)) if name == "trimesh" else od.Heightfield(field(scale))


def placed(geom, position, quaternion):
    geom.position, geom.quaternion = position, quaternion / np.linalg.norm(quaternion)
    return geom


def poses(count, reach, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield reach * rng.uniform(-1.0, 1.0, 3), rng.normal(size=4)


def rows(contacts, sign=1.0):
    found = [(*c.position, *(sign * c.normal), c.depth) for c in contacts]
    return np.array(found).reshape(-1, 7)


def same(one, other, tolerance):
    if len(one) != len(other):
        return False
    apart = abs(one[:, None] - other[None]).max(axis=2)
    return not apart.size or max(apart.min(axis=0).max(), apart.min(axis=1).max()) <= tolerance


def test_every_pair_is_there_and_only_what_makes_no_sense_is_not():
    for surface in SURFACES:
        for body in [*BODIES, "ray"]:
            assert f"{body}_{surface}" in pair_names()
    assert "plane_trimesh" in pair_names()
    assert not {"plane_heightfield", "heightfield_plane", "heightfield_heightfield"} & set(pair_names())


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("body", [*BODIES, "ray"])
def test_the_other_order_turns_contacts_round(body, surface):
    geom, ground, met = body_of(body), surface_of(surface), 0
    for pose in poses(150, 1.2):
        placed(geom, *pose)
        there, back = od.collide(geom, ground, max_contacts=16), od.collide(ground, geom, max_contacts=16)
        met += bool(there)
        if body == surface == "trimesh":
            # It differs which mesh's triangles act as the bodies: the contact must agree, not its points.
            assert bool(there) == bool(back)
            continue
        assert same(rows(there), rows(back, -1.0), 0.0)
        assert [(c.side1, c.side2) for c in there] == [(c.side2, c.side1) for c in back]
    assert met > 20


@pytest.mark.parametrize(("distance", "tolerance"), [(1.0, 1e-9), (1e4, 1e-6)])
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("body", [*BODIES, "ray"])
def test_moving_both_moves_the_contacts(body, surface, distance, tolerance):
    geom, ground, rng, agreeing, met = body_of(body), surface_of(surface), np.random.default_rng(3), 0, 0
    for position, quaternion in poses(60, 1.2, seed=2):
        placed(ground, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        here = rows(od.collide(placed(geom, position, quaternion), ground, max_contacts=8))
        turn, shift = rng.normal(size=4), distance * rng.uniform(-1.0, 1.0, 3)
        r = rotation_of(turn)
        placed(ground, shift, turn)
        geom.rotation, geom.position = r @ geom.rotation, r @ position + shift
        expected = np.column_stack([here[:, :3] @ r.T + shift, here[:, 3:6] @ r.T, here[:, 6]])
        found = rows(od.collide(geom, ground, max_contacts=8))
        met += bool(len(here))
        agreeing += same(found, expected, tolerance)
        # The deepest place of all depends on no choice that rounding could turn.
        assert found[:, 6].max(initial=-1.0) == pytest.approx(here[:, 6].max(initial=-1.0), abs=1e-5) or len(here) > 1
    assert met > 10
    assert agreeing >= 54


@pytest.mark.parametrize("count", [600, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("body", [*BODIES, "ray"])
def test_contacts_are_sound_whatever_the_pose_and_the_size(body, surface, count):
    rng = np.random.default_rng(4)
    scales = [1e-4, 1e-2, 1.0, 1.0, 1e2, 1e4] if body != "trimesh" and surface == "trimesh" else [1e-2, 1.0, 1.0, 5.0]
    ground, geoms, met = surface_of(surface), [body_of(body, scale) for scale in scales], 0
    for k, (position, quaternion) in enumerate(poses(count, 1.0, seed=5)):
        scale = scales[k % len(scales)]
        aligned = k % 3 == 0
        quaternion = np.array([1.0, 0.0, 0.0, 0.0]) if aligned else quaternion
        spot = position * (1.0 + 0.3 * scale)
        geom = placed(geoms[k % len(scales)], np.round(4 * spot) / 4 if aligned else spot, quaternion)
        limit = int(rng.integers(1, 17))
        contacts = od.collide(geom, ground, max_contacts=limit)
        met += bool(contacts)
        assert len(contacts) <= limit
        found = rows(contacts)
        assert np.isfinite(found).all()
        assert (found[:, 6] >= 0.0).all()
        assert abs(np.linalg.norm(found[:, 3:6], axis=1) - 1.0).max(initial=0.0) < 1e-9
        assert all(contact.side2 >= -1 for contact in contacts)
    assert met > count // 20


@pytest.mark.parametrize("body", ["sphere", "capsule", "box", "cylinder", "convex"])
def test_a_body_comes_apart_from_a_mesh_along_its_contacts(body):
    """Moved by the deepest contact again and again, bodies leave a hollow closed mesh, however deep they are."""
    geom, ground, freed, met = body_of(body, 0.5), surface_of("trimesh"), 0, 0
    for pose in poses(80, 1.1, seed=7):
        placed(geom, *pose)
        contacts = od.collide(geom, ground, max_contacts=16)
        met += bool(contacts)
        way = 0.0
        for _ in range(30):
            if not contacts:
                break
            deepest = max(contacts, key=lambda c: c.depth)
            geom.position = geom.position + 1.0001 * (deepest.depth + 1e-9) * deepest.normal
            way += deepest.depth
            contacts = od.collide(geom, ground, max_contacts=16)
        freed += not contacts and way > 0.0
        assert way < 6.0
    assert met > 40
    assert freed >= 0.95 * met


@pytest.mark.parametrize("body", ["sphere", "box", "capsule", "cylinder", "convex", "trimesh"])
def test_touching_and_apart(body):
    floor = od.Trimesh([(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)], [(0, 1, 2), (0, 2, 3)])
    geom = body_of(body)
    geom.position = (0.3, 0.2, 0.0)
    low = -geom.aabb[4] if body != "trimesh" else -geom.mesh.vertices[:, 2].min()
    for gap, touches in ((1e-9, False), (-1e-9, True), (-1e-3, True)):
        geom.position = (0.3, 0.2, low + gap)
        contacts = od.collide(geom, floor, max_contacts=16)
        assert bool(contacts) == touches
        for contact in contacts:
            assert abs(contact.normal - (0, 0, 1)).max() < 1e-12
        if touches:
            assert max(c.depth for c in contacts) == pytest.approx(-gap, abs=1e-12)
