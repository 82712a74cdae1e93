"""Geoms of a space that was not the world's could not be changed, collided or destroyed once their world was destroyed."""

from __future__ import annotations

import pytest

import opendynamics as od
from opendynamics import c_api as ode


def boxes_in(space, world, count=2):
    geoms = []
    for k in range(count):
        body = ode.dBodyCreate(world)
        ode.dBodySetPosition(body, 0.5 * k, 0, 0.4)
        geoms.append(ode.dCreateBox(space, 1, 1, 1))
        ode.dGeomSetBody(geoms[k], body)
    return geoms


def count_of_pairs(space):
    pairs = []
    ode.dSpaceCollide(space, None, lambda _, one, other: pairs.append(len(ode.dCollide(one, other, 4))))
    assert 0 not in pairs
    return len(pairs)


@pytest.mark.parametrize("collided", [False, True])
def test_what_remains_of_a_world(collided):
    world, space = ode.dWorldCreate(), ode.dHashSpaceCreate(0)
    geoms = boxes_in(space, world)
    ode.dCreatePlane(space, 0, 0, 1, 0)
    if collided:
        assert count_of_pairs(space) == 3
        ode.dWorldStep(world, 0.01)
    ode.dWorldDestroy(world)
    assert count_of_pairs(space) == 3
    assert ode.dGeomGetBody(geoms[0]) is None and list(ode.dGeomGetPosition(geoms[1])) == [0.5, 0, 0.4]
    ode.dGeomSetPosition(geoms[0], 0, 0, 3)
    assert count_of_pairs(space) == 1
    second = ode.dWorldCreate()
    ode.dGeomSetBody(geoms[0], ode.dBodyCreate(second))
    assert count_of_pairs(space) == 3
    ode.dGeomDestroy(geoms[1])
    ode.dSpaceDestroy(space)
    ode.dWorldDestroy(second)


def test_asleep_bodies_of_another_world_are_not_asked():
    space = od.SimpleSpace()
    for _ in range(2):
        with od.World() as world:
            world.add_body(od.Sphere(1), space=space).destroy(keep_geoms=True)
    assert len(list(space)) == 2
    space.destroy()
