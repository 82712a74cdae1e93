"""Batched queries of a space give the same results as queries of single geoms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

RANDOM_GEOMS = 60


def mixed_geoms(seed, count=RANDOM_GEOMS):
    """Every primitive shape in random places, of sizes over two decades; planes among them; some disabled."""
    random = np.random.default_rng(seed)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    geoms = []
    for k in range(count):
        size, place = 10 ** random.uniform(-1, 1), {"position": random.uniform(-15, 15, 3)}
        place["quaternion"] = random.normal(size=4)
        make, *sizes = (
            (od.Sphere, size),
            (od.Box, size * random.uniform(0.2, 1, 3)),
            (od.Capsule, 0.4 * size, size),
            (od.Cylinder, 0.4 * size, size),
            (od.Convex.hull, 0.5 * size * corners),
            (od.Plane, random.normal(size=3), -20 - random.uniform(0, 5)),
        )[k % 6 if k < 18 else k % 5]
        geom = make(*sizes) if make is od.Plane else make(*sizes, **place)
        if k % 4 == 0:
            geom.category_bits, geom.collide_bits = (int(bits) for bits in random.integers(0, 4, 2))
        geom.enabled = k % 9 != 0
        geoms.append(geom)
    return geoms


def nested(geoms, kind=od.HashSpace):
    """The geoms in a space with two more inside, one in the other."""
    innermost = kind(geoms[2::3])
    return kind([*geoms[::3], od.SimpleSpace([*geoms[1::3], innermost])])


def random_rays(seed, count):
    random = np.random.default_rng(seed)
    directions = random.normal(size=(count, 3))
    directions[::7] = np.eye(3)[random.integers(0, 3, len(directions[::7]))] * random.choice([-2, 2])
    return random.uniform(-15, 15, (count, 3)), directions


def one_by_one(space, origin, direction, length, category=-1, collide=-1):
    """All hits of one ray: (distance, index, position, normal), sorted."""
    hits = []
    ray = od.Ray(length, origin, direction)
    for index, geom in enumerate(space.geoms()):
        if not geom.enabled or not (category & geom.collide_bits or collide & geom.category_bits):
            continue
        for contact in od.collide(ray, geom, max_contacts=1):
            hits.append((contact.depth, index, contact.position, contact.normal))
    return sorted(hits, key=lambda hit: hit[:2])


@pytest.mark.parametrize("seed", range(3))
def test_rays_meet_what_each_would_alone(seed):
    space = nested(mixed_geoms(seed))
    origins, directions = random_rays(seed, 100)
    for length, bits in ((1e10, {}), (6.0, {"category_bits": 1, "collide_bits": 0})):
        nearest = space.cast_rays(origins, directions, length, **bits)
        every = space.cast_rays(origins, directions, length, every=True, **bits)
        seen = space.test_rays(origins, directions, length, **bits)
        at = 0
        for k in range(len(origins)):
            hits = one_by_one(space, origins[k], directions[k], length, *bits.values())
            assert seen[k] == nearest.hit[k] == bool(hits)
            assert nearest.ray[k] == k
            if not hits:
                assert nearest.geom_of(k) is None and nearest.distance[k] == math.inf
                assert np.isnan(nearest.position[k]).all() and np.isnan(nearest.normal[k]).all()
                continue
            first = hits[0]
            assert nearest.geom_of(k) is tuple(space.geoms())[first[1]]
            for distance, index, position, normal in hits:
                assert every.ray[at] == k and every.geom[at] == index
                for found, j in ((every, at), (nearest, k)) if distance == first[0] else ((every, at),):
                    np.testing.assert_allclose(found.distance[j], distance, rtol=1e-12, atol=1e-12)
                    np.testing.assert_allclose(found.position[j], position, atol=1e-9)
                    np.testing.assert_allclose(found.normal[j], normal, atol=1e-9)
                at += 1
        assert at == len(every) > 20
        assert (np.einsum("ij,ij->i", every.normal, directions[every.ray]) <= 1e-9).all()


def test_of_two_surfaces_in_one_place_the_newer_geom_is_met():
    balls = [od.Sphere(1) for _ in range(30)]
    for kind in (od.SimpleSpace, od.TreeSpace):
        space = kind(balls)
        for _ in range(3):
            assert space.cast_rays((5, 0, 0), (-1, 0, 0)).geom.tolist() == [0]
            balls[3].position = balls[3].position + 20  # out of the way, and the tree has to follow
            balls[3].position = (0, 0, 0)
        assert space.cast_rays((5, 0, 0), (-1, 0, 0)).geom_of(0) is balls[-1]
        for ball in balls:
            space.remove(ball)


@pytest.mark.parametrize("kind", [od.SimpleSpace, od.HashSpace, od.TreeSpace, od.SweepAndPruneSpace])
def test_of_coincident_faces_that_of_the_newer_geom_is_met(kind):
    """Boxes, cylinders and hulls of many sizes whose tops are one plane: which is met depends on the order alone."""
    random = np.random.default_rng(12)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    geoms = []
    for k in range(40):
        height, (x, y) = 2.0 ** random.integers(-2, 2), random.integers(-3, 4, 2)
        make = (
            lambda h=height: od.Box((4, 3, h)),
            lambda h=height: od.Cylinder(2, h),
            lambda h=height: od.Convex.hull(corners * (1.5, 2, 0.5 * h)),
        )[k % 3]
        geoms.append(make())
        geoms[-1].position = (x, y, 2.0 - 0.5 * height)
    space = kind(geoms)
    starts = np.column_stack([random.uniform(-4, 4, (200, 2)), np.full(200, 6.0)])
    found = space.cast_rays(starts, (0, 0, -1), 10.0)
    for k in range(len(starts)):
        hits = [hit for hit in one_by_one(space, starts[k], (0, 0, -1), 10.0) if hit[0] == 4.0]
        assert found.geom[k] == (min(index for _, index, _, _ in hits) if hits else -1)
    assert found.hit.sum() > 150


def test_rays_find_what_has_moved():
    world = od.World()
    body = world.add_body(od.Sphere(1))
    for shift in np.linspace(0, 40, 81):
        body.position = (shift, 0, 0)
        (found,) = world.space.cast_rays((shift, 10, 0), (0, -3, 0)).distance
        assert found == 9.0
        assert not world.space.test_rays((shift - 1.5, 10, 0), (0, -1, 0))[0]
    world.space[0].destroy()
    assert len(world.space.cast_rays([], [])) == 0
    assert not world.space.cast_rays((0, 0, 0), (1, 0, 0)).hit.any()


def test_one_origin_or_one_direction_serves_all_rays():
    space = od.SimpleSpace([od.Plane((0, 0, 1), 0)])
    tilts = np.array([(0, 0, -1), (1, 0, -1), (0, 0, 1.0)])
    hits = space.cast_rays((0, 0, 2), tilts)
    np.testing.assert_allclose(hits.distance, [2, math.sqrt(8), math.inf])
    np.testing.assert_allclose(hits.position[:2], [(0, 0, 0), (2, 0, 0)], atol=1e-15)
    heights = np.array([(0, 0, 1), (0, 0, 3.0)])
    hits = space.cast_rays(heights, (0, 0, -1), [0.5, 5])
    assert hits.hit.tolist() == [False, True] and hits.normal[1].tolist() == [0, 0, 1]


# -- points and boxes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_points_lie_in_what_they_lie_in(seed):
    space = nested(mixed_geoms(seed))
    points = np.random.default_rng(seed).uniform(-15, 15, (200, 3))
    for bits in ({}, {"category_bits": 2, "collide_bits": 1}):
        numbers, geoms, depths = space.query_points(points, **bits)
        expected = []
        for k, point in enumerate(points):
            for geom in space.geoms():
                match = not bits or 2 & geom.collide_bits or 1 & geom.category_bits
                if geom.enabled and match and geom.point_depth(point) >= 0:
                    expected.append((k, geom, geom.point_depth(point)))
        assert len(expected) > 20
        assert list(zip(numbers.tolist(), geoms, depths.tolist(), strict=True)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_boxes_touch_what_they_touch(seed):
    space = nested(mixed_geoms(seed))
    random = np.random.default_rng(seed)
    lows = random.uniform(-20, 20, (100, 3))
    highs = lows + 10 ** random.uniform(-2, 1, (100, 3))
    numbers, geoms = space.query_boxes(lows, highs)
    expected = [
        (k, geom)
        for k in range(100)
        for geom in space.geoms()
        if geom.enabled and (lows[k] <= geom.aabb[1::2]).all() and (highs[k] >= geom.aabb[0::2]).all()
    ]
    assert len(expected) > 100
    assert list(zip(numbers.tolist(), geoms, strict=True)) == expected
    touching = od.SimpleSpace([od.Box((2, 2, 2))])
    assert len(touching.query_boxes((1, 1, 1), (2, 2, 2))[1]) == 1


@pytest.mark.parametrize("seed", range(2))
def test_overlaps(seed):
    space = nested(mixed_geoms(seed))
    for probe in (od.Sphere(3, position=(1, 2, 3)), od.Box((9, 9, 9)), od.Capsule(0.5, 20), next(space.geoms())):
        probe.enabled = True
        match = {g: probe.category_bits & g.collide_bits or probe.collide_bits & g.category_bits for g in space.geoms()}
        expected = [g for g in space.geoms() if g.enabled and g is not probe and match[g] and od.collide(probe, g)]
        assert list(space.overlaps(probe)) == expected


def test_geoms_of_the_same_body_do_not_overlap():
    world = od.World()
    body = world.add_body(od.Sphere(1), od.Sphere(1))
    one, _ = body.geoms
    assert world.space.overlaps(one) == ()
    other = od.Sphere(1, space=world.space)
    assert world.space.overlaps(one) == (other,)


def test_a_disabled_inner_space_is_passed_over():
    ball = od.Sphere(1)
    inner = od.HashSpace([ball])
    space = od.HashSpace([inner])
    for enabled in (True, False, True):
        inner.enabled = enabled
        assert space.test_rays((5, 0, 0), (-1, 0, 0)).tolist() == [enabled]
        assert space.overlaps(od.Sphere(1)) == ((ball,) if enabled else ())
        assert len(space.query_points((0, 0, 0))[1]) == enabled
    inner.remove(ball)
    assert not space.test_rays((5, 0, 0), (-1, 0, 0))[0]


def test_queries_from_within_a_callback():
    space = od.HashSpace([od.Sphere(1), od.Sphere(1)])
    seen = []
    space.collide(lambda a, b: seen.append(space.cast_rays((5, 0, 0), (-1, 0, 0)).distance[0]))
    assert seen == [4.0]


# -- bad input ---------------------------------------------------------------------------------------------------------

RAY = (0, 0, 0), (1, 0, 0)


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda s: s.cast_rays((0, 0), (1, 0, 0)), ValueError, "origins of rays must have the shape"),
        (lambda s: s.cast_rays((0, 0, math.nan), (1, 0, 0)), ValueError, "origins of rays must be finite"),
        (lambda s: s.cast_rays("here", (1, 0, 0)), TypeError, "origins of rays must be numbers"),
        (
            lambda s: s.cast_rays((0, 0, 0), [(1, 0, 0), (0, 0, 0)]),
            ValueError,
            "direction of ray 1 must not be the zero",
        ),
        (lambda s: s.cast_rays(np.zeros((3, 3)), np.ones((2, 3))), ValueError, "3 origins, 2 directions"),
        (lambda s: s.cast_rays(*RAY, 0), ValueError, "length of rays must be greater than 0"),
        (lambda s: s.cast_rays(*RAY, math.nan), ValueError, "length of rays must be greater than 0"),
        (lambda s: s.cast_rays(*RAY, "far"), TypeError, "length of rays must be one number"),
        (lambda s: s.cast_rays(*RAY, every="yes"), TypeError, "every must be True or False"),
        (lambda s: s.cast_rays(*RAY, category_bits=1.5), TypeError, "category bits of a query must be a whole number"),
        (lambda s: s.test_rays(*RAY, collide_bits=1 << 64), ValueError, "collide bits of a query must fit"),
        (lambda s: s.test_rays(*RAY, backface_cull=None), TypeError, "backface_cull must be True or False"),
        (lambda s: s.query_points(np.zeros((2, 2))), ValueError, "points must have the shape"),
        (lambda s: s.query_points((0, 0, math.inf)), ValueError, "points must be finite"),
        (lambda s: s.query_boxes((0, 0, 0), np.ones((2, 3))), ValueError, "as many lower as upper"),
        (lambda s: s.query_boxes((0, 2, 0), (1, 1, 1)), ValueError, "lower corner of box 0 must not be above"),
        (lambda s: s.overlaps("ball"), TypeError, "overlaps takes a geom"),
    ],
)
def test_bad_questions(ask, error, words):
    space = od.TreeSpace([od.Sphere(1)])
    with pytest.raises(error, match=words):
        ask(space)
    assert space.cast_rays((5, 0, 0), (-1, 0, 0)).distance.tolist() == [4.0]


@pytest.mark.parametrize("rough", [0.0, 0.05, 2.0])
def test_rays_meet_a_heightfield_where_they_meet_the_mesh_of_its_triangles(rough):
    random = np.random.default_rng(8)
    rows, columns = 9, 13
    heights = rough * random.normal(size=(rows, columns))
    x, z = np.linspace(-3, 3, columns), np.linspace(-2, 2, rows)
    corners = np.stack([np.tile(x, rows), heights.ravel(), np.repeat(z, columns)], axis=1)
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.stack([a, a + columns, a + 1, a + columns + 1, a + 1, a + columns], axis=1).reshape(-1, 3)
    place = {"position": (0.3, -0.2, 0.5), "quaternion": random.normal(size=4)}
    field = od.TreeSpace([od.Heightfield(heights, width=6, depth=4, **place)])
    mesh = od.TreeSpace([od.Trimesh(corners, faces, **place)])
    origins = random.uniform(-4, 4, (3000, 3))
    targets = od.Box((6, max(2 * rough, 0.01), 4), **place)
    ways = np.array([targets.point_to_world(p) for p in random.uniform(-0.5, 0.5, (3000, 3)) * targets.lengths])
    one, other = (space.cast_rays(origins, ways - origins, backface_cull=False) for space in (field, mesh))
    assert one.hit.sum() > 500
    assert np.array_equal(one.hit, other.hit)
    assert one.distance[one.hit] == pytest.approx(other.distance[one.hit], abs=1e-9)


def test_a_destroyed_space_answers_nothing():
    space = od.HashSpace([od.Sphere(1)])
    space.destroy()
    for ask in (
        lambda: space.cast_rays(*RAY),
        lambda: space.query_points((0, 0, 0)),
        lambda: space.overlaps(od.Sphere(1)),
    ):
        with pytest.raises(od.DestroyedError, match="HashSpace"):
            ask()
