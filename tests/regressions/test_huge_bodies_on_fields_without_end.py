"""A huge body on a heightfield that wraps met so many repeated cells that a step never ended."""

import numpy as np
import pytest

import opendynamics as od

HUGE = 1e6  # m
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
SHAPES = {
    "box": lambda size: od.Box((size, size, 1.0), name="large"),
    "sphere": lambda size: od.Sphere(0.5 * size, name="large"),
    "capsule": lambda size: od.Capsule(0.5 * size, 1.0, name="large"),
    "cylinder": lambda size: od.Cylinder(0.5 * size, 1.0, name="large"),
    "ellipsoid": lambda size: od.Ellipsoid((0.5 * size, 0.5 * size, 1.0), name="large"),
    "hull": lambda size: od.Convex.hull(size * np.array(TETRAHEDRON[0]), name="large"),
    "mesh": lambda size: od.Trimesh(size * np.array(TETRAHEDRON[0], float), TETRAHEDRON[1], name="large"),
}


def endless_field(**options):
    heights = np.random.default_rng(1).uniform(0.0, 0.1, (11, 11))
    heights[:, -1], heights[-1] = heights[:, 0], heights[0]
    return od.Heightfield(heights, width=10, depth=10, wrap=True, up="z", name="field", **options)


def world_with(shape, **options):
    world = od.World(gravity=(0, 0, -9.81), **options)
    world.add_geom(endless_field())
    lowest = shape.aabb[4]
    world.add_body(shape, position=(0, 0, 0.05 - lowest), mass=od.Mass(1.0, (1.0, 1.0, 1.0)))
    return world


@pytest.mark.parametrize("kind", SHAPES)
def test_a_step_with_a_huge_body_raises_before_anything_moves(kind):
    world = world_with(SHAPES[kind](HUGE))
    before = world.state_hash()
    for _ in range(2):
        with pytest.raises(ValueError, match=r"large, [12]e\+06 m across, meets more than 67108864 cells of field"):
            world.advance(0.01)
    assert world.state_hash() == before and world.time == 0.0
    world.bodies[0].geoms[0].category_bits = world.bodies[0].geoms[0].collide_bits = 0
    world.advance(0.01)
    assert world.bodies[0].linear_velocity[2] < 0.0


def test_other_ways_to_collide_it():
    world = world_with(SHAPES["box"](HUGE))
    field, box = world.geoms
    if field.shape != "heightfield":
        field, box = box, field
    for call in (
        lambda: od.collide(box, field),
        lambda: od.collide(field, box),
        lambda: list(world.space.contacts()),
        lambda: world.space.collide(od.collide),
        lambda: world.space.overlaps(box),
        lambda: od.Batch([world]).advance(0.01),
    ):
        with pytest.raises(ValueError, match="meets more than 67108864 cells of field"):
            call()


def test_large_bodies_that_meet_many_cells_are_collided():
    world = world_with(SHAPES["box"](300.0))
    world.advance(0.001)
    assert world.statistics.contacts > 0


def test_a_ball_deep_below_the_surface_is_pushed_out():
    ball = od.Sphere(0.1, position=(3.2, 1.1, -HUGE))
    (contact,) = od.collide(ball, endless_field(thickness=2 * HUGE))
    assert contact.normal == pytest.approx((0, 0, 1)) and contact.depth == pytest.approx(HUGE, rel=1e-6)


@pytest.mark.parametrize("mode", ["continuous", "speculative"])
def test_a_huge_body_above_the_field_falls_on_it(mode):
    world = world_with(SHAPES["box"](HUGE))
    body = world.bodies[0]
    body.position += (0, 0, 0.2)
    body.continuous = mode == "continuous"
    if mode == "speculative":
        world.speculative_margin = 0.1
    with pytest.raises(ValueError, match="meets more than 67108864 cells of field"):
        world.advance(0.01, steps=100)
    assert 0 < world.time < 1.0


def test_meshes_of_small_triangles_may_be_larger_than_the_cells_allow():
    n = 11
    grid = np.array([(900.0 * i, 900.0 * k, 0.0 if i == k == 0 else 900.0) for i in range(n) for k in range(n)])
    corners = [(i * n + k, (i + 1) * n + k, i * n + k + 1) for i in range(n - 1) for k in range(n - 1)]
    mesh = od.Trimesh(grid, corners, name="large")
    assert od.collide(mesh, endless_field(), max_contacts=4)
