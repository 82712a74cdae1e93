"""The broadphase changes no bit of a trajectory, also if bodies and geoms are created, destroyed, disabled and moved."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.dynamic_tree import (
    KNOWN_ORDER,
    LEAVES,
    NEAR_PAIRS,
    NODES,
    PROXIES,
    TIGHT_BOXES,
    TREE,
)
from opendynamics.core.families import BROADPHASES
from tests.determinism.test_rerun import digest
from tests.unit.scenes import classic_step, pile

KINDS = ("sphere", "box", "capsule")


def run(broadphase, way):
    world = pile(kinds=KINDS, count=30, broadphase=broadphase)
    group = od.JointGroup()
    for k in range(60):
        if k % 10 == 3:
            ball = world.add_body(od.Sphere(0.1), position=(0.1 * k - 3, 0.05, 1.5), density=500)
            ball.linear_velocity = (0, 0, -20)
        if k % 10 == 7:
            world.bodies[5].destroy()
            world.geoms[5].enabled = not world.geoms[5].enabled
            world.bodies[0].position = world.bodies[0].position + np.array((0, 0, 1.0))
        if way == "advance":
            world.advance(0.01)
        else:
            classic_step(world, 0.01, group, way)
    assert len(world.geoms) > 25
    return digest(world)


@pytest.mark.parametrize("way", ["advance", "quick_step"])
def test_every_broadphase_gives_the_same_bits(way):
    assert len({run(broadphase, way) for broadphase in (None, *BROADPHASES.names)}) == 1


def test_what_the_tree_remembers_may_be_forgotten():
    # So a saved world need not keep it.
    worlds = [pile(kinds=KINDS, count=30, broadphase="tree") for _ in range(2)]
    for k in range(6):
        for world in worlds:
            world.advance(0.01, 10)
        assert digest(worlds[0]) == digest(worlds[1])
        for table in (PROXIES, TIGHT_BOXES, LEAVES, NODES, TREE, NEAR_PAIRS, KNOWN_ORDER):
            worlds[k % 2]._store[table][:] = np.zeros((), table.dtype)


def change(world, rng):
    """Add, remove, move, enable or regroup a few things at random; planes have unbounded boxes."""
    kind, geoms = rng.integers(8), world.geoms
    if kind < 3:
        shape = (od.Sphere(0.1), od.Box((0.2, 0.2, 0.2)), od.Capsule(0.1, 0.2))[kind]
        world.add_body(shape, position=rng.uniform((-1, -1, 0.5), (1, 1, 3)), density=500)
    elif kind == 3:
        bodies = world.bodies
        bodies[rng.integers(len(bodies))].destroy()
    elif kind == 4:
        world.add_geom(od.Box((1, 1, 0.1)), position=rng.uniform(-2, 2, 3))
    elif kind == 5:
        world.add_plane(normal=(0, 0, 1), offset=-rng.uniform(0.1, 1))
    elif kind == 6:
        geoms[rng.integers(len(geoms))].enabled ^= True
    else:
        geom = geoms[rng.integers(len(geoms))]
        world.space.remove(geom)
        if rng.random() < 0.5:
            world.space.add(geom)  # in front of all others


@pytest.mark.parametrize("seed", range(6))
def test_random_changes_between_steps(seed):
    def trajectory(broadphase):
        world, rng = pile(kinds=KINDS, count=60, broadphase=broadphase), np.random.default_rng(seed)
        for _ in range(40):
            for _ in range(rng.integers(4)):
                change(world, rng)
            world.advance(0.01)
        return digest(world)

    assert trajectory("tree") == trajectory("simple")


def test_the_tree_is_kept_while_few_geoms_come_and_go():
    world = pile(kinds=KINDS, count=30, broadphase="tree")
    world.advance(0.01)
    tree = world._store[TREE][0]
    for _ in range(3):
        world.add_body(od.Sphere(0.1), position=(3, 0, 1), density=500)
        world.bodies[7].destroy()
        world.advance(0.01)
    assert tree["changes"] == 6
    for _ in range(3):
        world.add_body(od.Sphere(0.1), position=(3, 0, 1), density=500)
        world.bodies[7].destroy()
        world.advance(0.01)
    assert tree["changes"] < 6
