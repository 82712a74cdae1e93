"""Pairs of shapes known only by their contract, with each other and with every convex shape, and planes.

Truth is a search over directions by the shapes' own support functions, which `test_shapes.py` checks against volume, bounds
and depth: along a unit normal n two shapes have a gap, and the least overlap of all directions is their penetration depth.
"""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.bodies.shapes import CONVEX, FIRST_BY_ADDRESS, SMOOTH
from opendynamics.core.collide.shape_queries import support_points
from opendynamics.core.families import SHAPES, pair_names
from tests.families.geom_classes import geom_class
from tests.families.pair_calls import rotation_of

SIZED = [name for name in SHAPES.names if SHAPES[name].TRAITS & CONVEX and hasattr(SHAPES[name], "EXAMPLES")]
NEW = [name for name in SIZED if SHAPES[name].KIND >= FIRST_BY_ADDRESS]
PAIRS = [(a, b) for k, a in enumerate(SIZED) for b in SIZED[k:] if a in NEW or b in NEW]
PAIRS += [(name, "convex") for name in NEW]
each_pair = pytest.mark.parametrize(("first", "second"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
GOLDEN = np.arange(1500) * np.pi * (1.0 + np.sqrt(5.0))
HEIGHT = 1.0 - (2.0 * np.arange(1500) + 1.0) / 1500
EVEN = np.column_stack([np.sqrt(1.0 - HEIGHT**2) * np.cos(GOLDEN), np.sqrt(1.0 - HEIGHT**2) * np.sin(GOLDEN), HEIGHT])


def a_geom(name, rng, scale=1.0):
    if name == "convex":
        geom = od.Convex.hull(scale * 0.5 * rng.normal(size=(9, 3)))
    else:
        examples = SHAPES[name].EXAMPLES
        size = np.multiply(scale * rng.uniform(0.7, 1.4), examples[rng.integers(len(examples))])
        geom = geom_class(name).of_size(size.tolist())
    return geom


def place(geom, position, rng):
    geom.position, geom.quaternion = position, rng.normal(size=4)
    return geom


def reach(geom, n):
    """How far a geom reaches along unit vectors (n, 3)."""
    local = np.ascontiguousarray(n @ geom.rotation)
    points = np.empty_like(local)
    support_points(geom._address, local, points)
    return (local * points).sum(axis=1) + n @ geom.position


def overlaps(a, b, n):
    """The overlap of two geoms along unit normals from b into a; a negative one separates them."""
    return reach(a, -n) + reach(b, n)


def min_overlap(a, b, starts):
    """The least overlap found by a pattern search from the best of many directions, and its direction."""
    tried = np.vstack([EVEN, starts])
    found = overlaps(a, b, tried)
    best = tried[np.argsort(found)[:12]]
    values, step = overlaps(a, b, best), np.full(len(best), 0.1)
    turns = np.arange(6) * np.pi / 3.0
    for _ in range(60):
        u = np.cross(best, np.where(abs(best[:, :1]) < 0.6, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
        u /= np.linalg.norm(u, axis=1)[:, None]
        v = np.cross(best, u)
        around = best[:, None] + step[:, None, None] * (
            np.cos(turns)[None, :, None] * u[:, None] + np.sin(turns)[None, :, None] * v[:, None]
        )
        around /= np.linalg.norm(around, axis=2)[:, :, None]
        near = overlaps(a, b, around.reshape(-1, 3)).reshape(len(best), -1)
        k = near.argmin(axis=1)
        better = near[np.arange(len(best)), k] < values
        best = np.where(better[:, None], around[np.arange(len(best)), k], best)
        values = np.where(better, near[np.arange(len(best)), k], values)
        step = np.where(better, 1.3 * step, 0.5 * step)
    return values.min(), best[values.argmin()]


def test_every_pair_of_convex_shapes_has_a_collider():
    found = set(pair_names())
    for name in NEW:
        for other in [*SIZED, "convex", "support", "plane", "ray", "trimesh", "heightfield"]:
            assert {f"{name}_{other}", f"{other}_{name}"} & found, (name, other)


@each_pair
def test_depth_and_normal_are_true(first, second):
    rng, touching, apart = np.random.default_rng(11), 0, 0
    for _ in range(30):
        a, b = place(a_geom(first, rng), np.zeros(3), rng), place(a_geom(second, rng), 0.45 * rng.normal(size=3), rng)
        contacts = od.collide(a, b, max_contacts=16)
        if not contacts:
            apart += 1
            gap, here, there = od.distance(a, b)
            assert gap > -1e-9
            n = (here - there) / np.linalg.norm(here - there)
            assert -overlaps(a, b, n[None])[0] == pytest.approx(gap, abs=1e-9)
            continue
        touching += 1
        depth, normal = max(c.depth for c in contacts), contacts[0].normal
        assert overlaps(a, b, normal[None])[0] == pytest.approx(depth, abs=1e-9)
        least, _ = min_overlap(a, b, normal[None])
        assert depth <= least + 2e-6
        for contact in contacts:
            assert abs(contact.normal - normal).max() < 1e-12
            # In both shapes, or half the depth outside of each, along the normal.
            assert min(a.point_depth(contact.position), b.point_depth(contact.position)) > -1e-6 - 0.5 * depth
    assert touching > 5 and apart > 2


@each_pair
def test_order_and_motion_make_no_difference(first, second):
    rng, met = np.random.default_rng(12), 0
    for _ in range(25):
        a, b = place(a_geom(first, rng), np.zeros(3), rng), place(a_geom(second, rng), 0.35 * rng.normal(size=3), rng)
        there, back = od.collide(a, b, max_contacts=16), od.collide(b, a, max_contacts=16)
        assert bool(there) == bool(back)
        turn, shift = rotation_of(rng.normal(size=4)), rng.normal(size=3)
        for geom in (a, b):
            geom.position, geom.rotation = turn @ geom.position + shift, turn @ geom.rotation
        moved = od.collide(a, b, max_contacts=16)
        deepest = [max((c.depth for c in found), default=-1.0) for found in (there, back, moved)]
        assert deepest == pytest.approx([deepest[0]] * 3, abs=1e-7)
        if there and first != second:
            assert [c.position.tolist() for c in there] == [c.position.tolist() for c in back]
            assert [c.normal.tolist() for c in there] == [(-c.normal).tolist() for c in back]
        met += bool(there)
    assert met > 5


@each_pair
def test_contacts_are_sound_from_grains_to_giants(first, second):
    rng, met = np.random.default_rng(13), 0
    for k in range(80):
        scales = 10.0 ** rng.integers(-3, 4, 2)
        a, b = a_geom(first, rng, scales[0]), a_geom(second, rng, scales[1])
        spot = 0.3 * max(scales) * rng.normal(size=3)
        if k % 4 == 0:
            spot = np.zeros(3)
        place(a, np.zeros(3), rng)
        place(b, spot, rng)
        if k % 3 == 0:
            a.quaternion = b.quaternion = (1, 0, 0, 0)
        limit = int(rng.integers(1, 9))
        contacts = od.collide(a, b, max_contacts=limit)
        assert len(contacts) <= limit
        for contact in contacts:
            assert np.isfinite([*contact.position, *contact.normal, contact.depth]).all()
            assert contact.depth >= 0.0 and np.linalg.norm(contact.normal) == pytest.approx(1.0, abs=1e-9)
        met += bool(contacts)
    assert met > 15


@pytest.mark.parametrize("name", NEW)
def test_a_plane_is_touched_by_the_lowest_points(name):
    rng = np.random.default_rng(14)
    for _ in range(60):
        geom = place(a_geom(name, rng), rng.normal(size=3), rng)
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        lowest = -reach(geom, -normal[None])[0]
        for depth in (0.01, -0.01):
            plane = od.Plane(normal, lowest + depth)
            contacts = od.collide(geom, plane, max_contacts=16)
            assert bool(contacts) == (depth > 0.0)
            for contact in contacts:
                assert contact.normal == pytest.approx(normal)
                assert contact.depth <= depth + 1e-12
                assert contact.position @ normal == pytest.approx(lowest + depth - contact.depth, abs=1e-12)
            if contacts:
                assert max(c.depth for c in contacts) == pytest.approx(depth, abs=1e-12)


def test_flat_faces_have_contacts_at_their_corners():
    ground = od.Plane()
    for name in NEW:
        faces = 0
        for size in SHAPES[name].EXAMPLES:
            for quaternion in ((1, 0, 0, 0), (0.5**0.5, 0.5**0.5, 0, 0), (0.5**0.5, 0, 0.5**0.5, 0)):
                geom = geom_class(name).of_size(size, quaternion=quaternion)
                geom.position = (0, 0, 1e-3 * -1 - geom.aabb[4])
                faces += len(od.collide(geom, ground, max_contacts=16)) >= 3
        assert faces or SHAPES[name].TRAITS & SMOOTH, name
