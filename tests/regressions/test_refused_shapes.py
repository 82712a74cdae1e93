"""A heightfield that refused other heights no longer noticed changes of its own; refused meshes and supports woke sleepers."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import opendynamics as od


@numba.njit
def corner_of_a_box(half, d):
    return (
        half[0] if d[0] > 0 else -half[0],
        half[1] if d[1] > 0 else -half[1],
        half[2] if d[2] > 0 else -half[2],
    )


def slab():
    corners = np.array([(x, y, z) for x in (-2.0, 2) for y in (-2.0, 2) for z in (-1.0, 0)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))])


def at_rest(floor):
    world = od.World(gravity=(0, 0, -10))
    world.auto_disable = True
    world.add_geom(floor)
    box = world.add_body(od.Box((1, 1, 1)), position=(0.1, 0.2, 0.5))
    world.advance(0.01, steps=30)
    assert not box.enabled
    return world, box


FLOORS = {
    "mesh": (lambda: od.Trimesh(*slab()), lambda floor: setattr(floor, "mesh", "no mesh")),
    "field": (
        lambda: od.Heightfield(np.zeros((3, 3)), width=4, depth=4, up="z"),
        lambda floor: setattr(floor, "field", "no field"),
    ),
    "hull": (lambda: od.Convex.hull(slab()[0]), lambda floor: floor.reshape([(0, 0, 0)], [])),
    "support": (
        lambda: od.SupportClass("slab", corner_of_a_box)((2.0, 2.0, 0.5), position=(0, 0, -0.5)),
        lambda floor: floor.reshape((np.nan,) * 3),
    ),
}


@pytest.mark.parametrize("kind", FLOORS)
def test_a_refused_shape_wakes_nothing(kind):
    make, refuse = FLOORS[kind]
    floor = make()
    world, box = at_rest(floor)
    with pytest.raises((TypeError, ValueError)):
        refuse(floor)
    world.advance(0.01)
    assert not box.enabled


def test_a_heightfield_still_notices_its_own_heights_after_it_refused_others():
    floor = FLOORS["field"][0]()
    world, box = at_rest(floor)
    with pytest.raises(TypeError):
        floor.field = "no field"
    world.advance(0.01, steps=30)
    assert not box.enabled
    floor.field.update(np.full((3, 3), -0.5))
    world.advance(0.01, steps=60)
    assert box.position[2] == pytest.approx(0.0, abs=0.01)
