"""Spaces find every pair that may touch, once, and no other: against brute force on random scenes."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.families import BROADPHASES


def quad_tree(geoms=(), **arguments):
    """A quad tree that some of the geoms of these tests reach out of."""
    return od.QuadTreeSpace((0, 0, 0), (4, 4, 4), 4, geoms, **arguments)


KINDS = (od.SimpleSpace, od.HashSpace, od.TreeSpace, od.SweepAndPruneSpace, quad_tree)


def random_geoms(seed, count, bodies=()):
    """Spheres, boxes and capsules of very different sizes, and some planes."""
    random = np.random.default_rng(seed)
    geoms = []
    for k in range(count):
        size, at = 10 ** random.uniform(-2, 1), random.uniform(-5, 5, 3)
        q = random.normal(size=4)
        make = k % 7
        if make == 0:
            geom = od.Plane(np.eye(3)[k % 3] if k % 2 else random.normal(size=3), random.uniform(-5, 5))
        elif make < 3:
            geom = od.Sphere(size, position=at)
        elif make < 5:
            geom = od.Box(size * random.uniform(0.2, 1, 3), position=at, quaternion=q)
        else:
            geom = od.Capsule(0.3 * size, size, position=at, quaternion=q)
        if k % 5 == 0:
            geom.category_bits, geom.collide_bits = (int(b) for b in random.integers(0, 8, 2))
        if k % 11 == 0:
            geom.enabled = False
        if bodies and geom.placeable and k % 3 == 0:
            body = bodies[k % len(bodies)]
            geom.body = body
            geom.offset_position = at
        geoms.append(geom)
    return geoms


def may_touch(a, b):
    """By the definition: boxes overlap, bits match, both enabled, not on one body."""
    x, y = a.aabb, b.aabb
    overlap = all(x[2 * k] <= y[2 * k + 1] and y[2 * k] <= x[2 * k + 1] for k in range(3))
    bits = (a.category_bits & b.collide_bits) | (b.category_bits & a.collide_bits)
    same = isinstance(a, od.Geom) and isinstance(b, od.Geom) and a.body is not None and a.body is b.body
    return overlap and bool(bits) and a.enabled and b.enabled and not same


def found(collide, *arguments):
    pairs = []
    collide(*arguments, lambda a, b: pairs.append((a, b)))
    return pairs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_every_pair_once(kind, seed):
    world = od.World()
    geoms = random_geoms(seed, 60, [world.add_body() for _ in range(4)])
    space = kind(geoms)
    pairs = found(space.collide)
    expected = {frozenset(pair) for pair in combinations(geoms, 2) if may_touch(*pair)}
    assert len(pairs) == len(expected) > 100
    assert {frozenset(pair) for pair in pairs} == expected
    order = list(space)
    assert all(order.index(a) < order.index(b) for a, b in pairs)  # newest first


@pytest.mark.parametrize("levels", [(-3, 10), (0, 0), (-6, -2), (3, 5), (-300, 300)])
def test_levels_do_not_change_what_is_found(levels):
    geoms = random_geoms(9, 60)
    space = od.HashSpace(geoms)
    space.levels = levels
    assert space.levels == levels
    expected = {frozenset(pair) for pair in combinations(geoms, 2) if may_touch(*pair)}
    pairs = found(space.collide)
    assert len(pairs) == len(expected)
    assert {frozenset(pair) for pair in pairs} == expected


@pytest.mark.parametrize("axes", ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"])
def test_axes_do_not_change_what_is_found(axes):
    geoms = random_geoms(9, 60)
    space = od.SweepAndPruneSpace(geoms)
    assert space.axes == "xyz"
    expected = found(space.collide)
    space.axes = axes
    assert space.axes == axes
    assert found(space.collide) == expected


@pytest.mark.parametrize("depth", [0, 1, 5, 10])
@pytest.mark.parametrize("extents", [(1, 1, 1), (4, 4, 0.1), (4, 0.1, 4), (1e-3, 5, 5), (1e6, 1e6, 1e6)])
def test_blocks_do_not_change_what_is_found(depth, extents):
    geoms = random_geoms(9, 60)
    space = od.QuadTreeSpace((1, 2, 3), extents, depth, geoms)
    assert (space.centre.tolist(), space.extents.tolist(), space.depth) == ([1, 2, 3], list(extents), depth)
    expected = {frozenset(pair) for pair in combinations(geoms, 2) if may_touch(*pair)}
    assert {frozenset(pair) for pair in found(space.collide)} == expected
    space.centre, space.extents, space.depth = (0, 0, 0), (3, 3, 3), 3
    assert {frozenset(pair) for pair in found(space.collide)} == expected


@pytest.mark.parametrize("seed", range(3))
def test_all_kinds_report_pairs_in_one_order(seed):
    geoms = random_geoms(seed, 60)
    reported = []
    for kind in KINDS:
        space = kind(geoms)
        reported.append(found(space.collide))
        assert found(space.collide) == reported[-1]
        space.cleanup = False
        space.destroy()
    assert all(pairs == reported[0] for pairs in reported)


@pytest.mark.parametrize("kind", KINDS)
def test_touching_boxes_count(kind):
    # On the edges of cells, too, and far out, where numbers of cells are large.
    for at in (0.0, 1.0, -3.0, 1e6, 1e14, -1e17):
        space = kind([od.Box((1, 1, 1), position=(at, 0, 0)), od.Box((1, 1, 1), position=(at + 1, 0, 0))])
        assert len(found(space.collide)) == 1
    space = kind([od.Sphere(0.5), od.Sphere(0.5, position=(1.0000001, 0, 0))])
    assert found(space.collide) == []


@pytest.mark.parametrize("kind", KINDS)
def test_geoms_that_move_and_change_are_found_where_they_are(kind):
    world = od.World()
    body = world.add_body()
    a, b = od.Sphere(1, body=body), od.Sphere(1, position=(5, 0, 0))
    space = kind([a, b])
    assert not found(space.collide)
    body.position = (4, 0, 0)
    assert found(space.collide) == [(b, a)]
    b.radius, body.position = 10, (-5, 0, 0)
    assert found(space.collide) == [(b, a)]
    a.enabled = False
    assert not found(space.collide)
    a.enabled, a.body = True, None
    assert found(space.collide) == [(b, a)]
    b.body = body  # which is somewhere else: at (-5, 0, 0), where a stayed
    space.remove(a)
    assert not found(space.collide)


@pytest.mark.filterwarnings("ignore::opendynamics.SetupWarning")  # four bodies in one place, among planes everywhere
def test_the_worlds_own_space_finds_the_same():
    world = od.World()
    geoms = random_geoms(3, 60, [world.add_body() for _ in range(4)])
    for geom in geoms:
        world.add_geom(geom)
    expected = {frozenset(pair) for pair in combinations(geoms, 2) if may_touch(*pair)}
    assert {frozenset(pair) for pair in found(world.space.collide)} == expected
    for broadphase in (None, *BROADPHASES.names):
        twin = od.World(broadphase=broadphase)
        for geom in random_geoms(3, 60, [twin.add_body() for _ in range(4)]):
            twin.add_geom(geom)
        twin.advance(1e-9)
        assert twin.statistics.pairs == len(expected)


# -- members -----------------------------------------------------------------------------------------------------------


def test_members():
    a, b = od.Sphere(1), od.Sphere(1)
    inner = od.HashSpace()
    space = od.SimpleSpace([a, b])
    space.add(inner)
    assert len(space) == 3
    assert list(space) == [inner, b, a]
    assert space[0] is inner and space[-1] is a
    assert a in space and od.Sphere(1) not in space
    assert (a.space, inner.space, space.space) == (space, space, None)
    c = od.Sphere(1, space=inner)
    assert list(space.geoms()) == [c, b, a]
    space.remove(a)
    assert a.space is None and a not in space
    with pytest.raises(ValueError, match="not in"):
        space.remove(a)
    with pytest.raises(IndexError):
        space[5]


def test_cleanup_destroys_what_a_space_holds():
    for cleanup in (True, False):
        space = od.HashSpace([od.Sphere(1)], cleanup=cleanup)
        (geom,) = space
        inner = od.HashSpace([od.Sphere(1)], space=space)
        space.destroy()
        assert geom.alive is inner.alive is not cleanup
        if not cleanup:
            assert geom.space is None and inner.space is None


def test_a_geom_that_is_destroyed_leaves_its_space():
    geom = od.Sphere(1)
    space = od.HashSpace([geom, od.Sphere(1)])
    geom.destroy()
    assert len(space) == 1
    assert not found(space.collide)


def test_a_space_may_be_made_with_its_own_parameters_inside_another():
    outer = od.TreeSpace()
    inner = [
        od.HashSpace(levels=(-1, 4), space=outer),
        od.SweepAndPruneSpace(axes="zyx", space=outer),
        od.QuadTreeSpace((0, 0, 0), (1, 1, 1), 2, space=outer, cleanup=False),
    ]
    assert list(outer) == inner[::-1]
    assert (inner[0].levels, inner[1].axes, inner[2].cleanup) == ((-1, 4), "zyx", False)
    outer.clean()
    outer.destroy()
    assert [space.alive for space in inner] == [False, False, False]
    with pytest.raises(od.DestroyedError):
        outer.clean()


def test_aabb():
    space = od.HashSpace()
    assert space.aabb.tolist() == [0] * 6
    space.add(od.Sphere(1, position=(5, 0, 0)))
    od.Sphere(2, position=(0, -3, 0), space=od.SimpleSpace(space=space))
    assert space.aabb.tolist() == [-2, 6, -5, 2 - 1, -2, 2]
    space.add(od.Plane((0, 0, 1), 0))
    assert space.aabb.tolist() == [-math.inf, math.inf, -math.inf, math.inf, -math.inf, 2]


# -- spaces in spaces --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("outer", "inner"), list(product(KINDS, KINDS)))
def test_a_space_in_a_space_stands_for_what_it_holds(outer, inner):
    near, far = od.Sphere(1, position=(1, 0, 0)), od.Sphere(1, position=(30, 0, 0))
    ball = od.Sphere(1)
    nested = inner([near, far])
    space = outer([ball, nested])
    assert found(space.collide) == [(nested, ball)]
    assert found(od.collide2, nested, ball) == [(near, ball)]
    assert found(od.collide2, ball, nested) == [(ball, near)]
    nested.remove(near)
    assert not found(space.collide)  # its box has shrunk
    nested.add(near)
    for name, value in (("enabled", False), ("category_bits", 0)):
        setattr(nested, name, value)
        if name == "category_bits":
            nested.collide_bits = 0
        assert not found(space.collide)
        setattr(nested, name, True if name == "enabled" else -1)
    assert found(space.collide) == [(nested, ball)]


def test_all_pairs_of_a_tree_of_spaces_by_recursion():
    # ODE's recipe: whenever a space comes up, open it with collide2, and collide its members among themselves.
    geoms = random_geoms(5, 40)
    spaces = [od.HashSpace(geoms[k::4]) for k in range(4)]
    spaces[2].add(spaces[3])
    top = od.SimpleSpace(spaces[:3])
    met = []

    def near(a, b):
        if isinstance(a, od.Space) or isinstance(b, od.Space):
            od.collide2(a, b, near)
        else:
            met.append(frozenset((a, b)))

    for space in (top, *spaces):
        space.collide(near)
    expected = {frozenset(pair) for pair in combinations(geoms, 2) if may_touch(*pair)}
    assert len(met) == len(expected)
    assert set(met) == expected


@pytest.mark.parametrize(("one", "other"), list(product(KINDS, KINDS)))
@pytest.mark.parametrize("counts", [(5, 30), (30, 5), (10, 10), (0, 5)])
def test_two_spaces(one, other, counts):
    geoms = random_geoms(7, sum(counts))
    a, b = one(geoms[: counts[0]]), other(geoms[counts[0] :])
    pairs = found(od.collide2, a, b)
    expected = {(x, y) for x in a for y in b if may_touch(x, y)}
    assert len(pairs) == len(expected)
    assert set(pairs) == expected  # in the order of the arguments
    assert set(found(od.collide2, b, a)) == {(y, x) for x, y in expected}


@pytest.mark.parametrize(("levels", "opened"), [((1, 0), "first"), ((0, 2), "second"), ((3, 3), "both")])
def test_sublevels_say_which_space_is_opened(levels, opened):
    a, b = od.HashSpace([od.Sphere(1)]), od.HashSpace([od.Sphere(1, position=(0.5, 0, 0))])
    a.sublevel, b.sublevel = levels
    (x,), (y,) = a, b
    expected = {"first": (x, b), "second": (a, y), "both": (x, y)}[opened]
    assert found(od.collide2, a, b) == [expected]


def test_two_geoms_and_the_same_space_twice():
    a, b, c = od.Sphere(1), od.Sphere(1, position=(1, 0, 0)), od.Sphere(1, position=(9, 0, 0))
    assert found(od.collide2, a, b) == [(a, b)]
    assert found(od.collide2, a, c) == []
    space = od.HashSpace([a, b, c])
    assert found(od.collide2, space, space) == found(space.collide) == [(b, a)]
    b.collide_bits = b.category_bits = 0
    assert found(od.collide2, a, b) == []
    with pytest.raises(TypeError, match="geoms and spaces"):
        od.collide2(a, "b", print)


def test_geoms_of_several_worlds_in_one_space():
    # The bodies of both have the same number in their worlds, but they are not the same body.
    worlds = od.World(), od.World()
    geoms = [od.Sphere(1, body=world.add_body()) for world in worlds]
    assert geoms[0].body._row == geoms[1].body._row
    assert len(found(od.SimpleSpace(geoms).collide)) == 1


def test_a_space_cannot_be_changed_while_it_collides():
    a, b, c = (od.Sphere(1) for _ in range(3))
    inner = od.HashSpace([c])
    space, other = od.HashSpace([a, b]), od.HashSpace([inner])
    outside, inner_geom = od.Sphere(1), c
    calls = []

    def change(one, two):
        calls.append((one, two))
        for attempt in (
            lambda: space.add(outside),
            lambda: space.remove(a),
            lambda: od.Sphere(1, space=space),
            a.destroy,
            space.destroy,
        ):
            with pytest.raises(RuntimeError, match="while it collides"):
                attempt()
        assert list(space) == [b, a] and a.alive and outside.space is None

    space.collide(change)
    od.collide2(space, outside, change)
    od.collide2(outside, space, change)
    od.collide2(space, other, change)
    od.collide2(other, space, change)
    assert len(calls) == 1 + 2 + 2 + 2 + 2
    space.sublevel = 1
    od.collide2(space, other, change)
    od.collide2(other, space, change)
    # What does not collide may be changed from within, and the next collision sees it.
    space.collide(lambda one, two: inner.remove(c) if inner_geom in inner else None)
    assert c.space is None
    space.add(c)
    assert len(found(space.collide)) == 3


def test_what_a_callback_of_two_spaces_destroys_elsewhere_is_not_missed():
    # The inner space is not colliding itself: its geom may go, and whoever meets the space later finds it empty.
    ball = od.Sphere(1)
    inner = od.HashSpace([ball])
    space = od.HashSpace([inner, od.Sphere(1), od.Sphere(1, position=(0.5, 0, 0))])
    seen = []

    def near(one, two):
        seen.append((one, two))
        if ball.alive:
            ball.destroy()

    space.collide(near)
    assert len(seen) == 3 and len(inner) == 0
    assert len(found(space.collide)) == 1


def test_an_exception_in_a_callback_leaves_the_space_usable():
    space = od.HashSpace([od.Sphere(1), od.Sphere(1)])

    def fail(a, b):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        space.collide(fail)
    with pytest.raises(KeyError):
        od.collide2(space, od.Sphere(1), fail)
    with pytest.raises(KeyError):
        od.collide2(od.SimpleSpace([od.Sphere(1)]), space, fail)
    space.add(od.Sphere(1))
    assert len(found(space.collide)) == 3
