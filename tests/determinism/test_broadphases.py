"""The broadphase changes no bit of a trajectory, also if bodies and geoms are created, destroyed, disabled and moved."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.dynamic_tree import LEAVES, NEAR_PAIRS, NODES, PROXIES, TIGHT_BOXES, TREE
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
        for table in (PROXIES, TIGHT_BOXES, LEAVES, NODES, TREE, NEAR_PAIRS):
            worlds[k % 2]._store[table][:] = np.zeros((), table.dtype)
