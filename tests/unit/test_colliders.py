"""Replacement of built-in colliders: by Python functions and compiled ones, for a process, until they are removed."""

import numba
import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.contacts import POINT
from opendynamics.core.arrays.report import PAIR_KERNELS, SHAPE_KINDS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.shapes import plane, ray, sphere
from opendynamics.core.collide.narrowphase.dispatch import NO_COLLIDER

points_at = array_of(POINT)


@numba.njit
def deep(a, b, limit, points, scratch):
    point = points_at(points, limit)[0]
    point.position[0], point.position[1], point.position[2] = 1.0, 2.0, 3.0
    point.normal[0], point.normal[1], point.normal[2] = 0.0, 0.0, 1.0
    point.depth, point.side_a, point.side_b = 0.75, 7, -1
    return 1


@pytest.fixture
def override():
    """Sets a collider, and takes it back after the test."""
    done = []

    def choose(a, b, collider):
        done.append((a, b))
        od.set_collider(a, b, collider)

    yield choose
    for a, b in done:
        od.set_collider(a, b, None)


def of(a, b, *rest):
    return [(tuple(c.normal), c.depth, c.side1, c.side2) for c in od.collide(a, b, *rest)]


def test_a_python_function_replaces_a_pair_in_both_orders_until_it_is_taken_back(override):
    sphere, box = od.Sphere(0.5, position=(0, 0, 0.9)), od.Box((1, 1, 1))
    before, turned = of(sphere, box), of(box, sphere)
    seen = []

    def collider(a, b, limit):
        seen.append((a, b, limit))
        return [od.Contact((0, 0, 0), (0, 0.6, 0.8), 0.125, side1=3)]

    override(od.Sphere, od.Box, collider)
    assert of(sphere, box) == [((0, 0.6, 0.8), 0.125, 3, -1)]
    assert of(box, sphere) == [((0, -0.6, -0.8), 0.125, -1, 3)]
    assert seen == [(sphere, box, 8)] * 2
    od.set_collider(od.Box, od.Sphere, None)
    assert of(sphere, box) == before and of(box, sphere) == turned


def test_not_implemented_leaves_a_pair_as_it_was(override):
    sphere, box = od.Sphere(0.5, position=(0, 0, 0.9)), od.Box((1, 1, 1))
    before, turned = of(sphere, box), of(box, sphere)
    override(od.Box, od.Sphere, lambda *_: NotImplemented)
    assert (of(sphere, box), of(box, sphere)) == (before, turned)


def test_worlds_notice_at_once(override):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.5))
    world.advance(0.01, steps=10)
    assert ball.position[2] == pytest.approx(0.5, abs=1e-3)
    override(od.Sphere, od.Plane, lambda *_: [])
    world.advance(0.01, steps=10)
    assert ball.position[2] < 0.46
    with pytest.raises(LookupError):
        override(od.Plane, od.Sphere, lambda *_: {}["nothing"])
        world.advance(0.01)
    od.set_collider(od.Plane, od.Sphere, None)
    world.advance(0.01, steps=300)
    assert ball.position[2] == pytest.approx(0.5, abs=1e-3)


def test_a_compiled_function_is_called_without_python(override):
    sphere, box = od.Sphere(0.5), od.Box((1, 1, 1), position=(9, 0, 0))
    override(od.Sphere, od.Box, deep)
    assert of(sphere, box) == [((0, 0, 1), 0.75, 7, -1)]
    assert of(box, sphere) == [((0, 0, -1), 0.75, -1, 7)]


def test_pairs_that_have_no_collider_may_be_given_one(override):
    assert of(od.Plane(), od.Plane()) == []
    override(od.Plane, od.Plane, lambda a, b, limit: [od.Contact((0, 0, 0), (0, 0, 1), 0.5)])
    assert of(od.Plane(), od.Plane()) == [((0, 0, 1), 0.5, -1, -1)]


def test_classes_of_ones_own_can_be_told_apart(override):
    def box(geom):
        return np.repeat(geom.position, 2)

    red, blue = (od.GeomClass(name, bounds=box, collider=lambda *_: []) for name in ("red", "blue"))
    override(red, od.Sphere, lambda *_: [od.Contact((0, 0, 0), (0, 0, 1), 0.5)])
    assert (len(of(red(), od.Sphere(1))), len(of(od.Sphere(1), red())), len(of(blue(), od.Sphere(1)))) == (1, 1, 0)


def test_colliders_collide(override):
    """A collision within a collision disturbs neither."""
    override(od.Sphere, od.Sphere, lambda a, b, limit: od.collide(a, od.Box((1, 1, 1)), max_contacts=limit))
    sphere = od.Sphere(0.5, position=(0, 0, 0.9))
    assert of(sphere, od.Sphere(0.1)) == of(sphere, od.Box((1, 1, 1)))


@pytest.mark.parametrize("kind", [od.Geom, od.GeomTransform, od.Sphere(1), "sphere", 0, None, od.SimpleSpace])
def test_what_is_no_class_is_refused(kind):
    with pytest.raises(TypeError, match="a collider is for geom classes"):
        od.set_collider(kind, od.Sphere, None)


def test_what_is_no_collider_is_refused():
    @numba.njit
    def half(a, b, limit, points, scratch):
        return 0.5

    @numba.njit
    def short(a, b):
        return 0

    with pytest.raises(TypeError, match="must be a function"):
        od.set_collider(od.Sphere, od.Sphere, 3)
    with pytest.raises(TypeError, match="must return int64"):
        od.set_collider(od.Sphere, od.Sphere, half)
    with pytest.raises(TypeError, match="does not compile"):
        od.set_collider(od.Sphere, od.Sphere, short)
    mine = od.GeomClass("mine", bounds=lambda _: (0, 0) * 3, collider=lambda *_: [])
    with pytest.raises(TypeError, match="two kinds that are built in"):
        od.set_collider(mine, od.Sphere, deep)
    assert len(of(od.Sphere(1), od.Sphere(1, position=(1, 0, 0)))) == 1


@pytest.mark.parametrize("pair", [(sphere.KIND, plane.KIND), (plane.KIND, sphere.KIND)])
def test_a_pair_that_another_thread_is_loading_is_not_left_out(pair):
    def half_written(store, a, b):
        table = store[PAIR_KERNELS].reshape(SHAPE_KINDS, SHAPE_KINDS)
        table[a, b], table[b, a] = NO_COLLIDER, 0

    world = od.World()
    ground, ball = world.add_plane(), world.add_body(od.Sphere(0.5), position=(0, 0, 0.4))
    half_written(world._store, *pair)
    world.advance(0.01)
    assert len(world.contacts) == 1
    half_written(world._store, *pair)
    assert len(od.collide(ground, ball.geoms[0])) == 1
    half_written(world._store, *pair)
    met = []
    world.space.collide(lambda a, b: met.extend(od.collide(a, b)))
    assert len(met) == 1
    one, other = (ray.KIND if kind == plane.KIND else kind for kind in pair)
    half_written(world._store, one, other)
    assert world.space.cast_rays((0, 0, 5), (0, 0, -1)).geom_of(0) is ball.geoms[0]
