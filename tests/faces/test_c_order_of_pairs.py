"""Spaces of C names list their members and report their pairs in ODE's order, after any motion or change of members.

tests/data/pairs_in_order.json.gz holds ODE's orders, recorded by pairs_in_order.py.
"""

from __future__ import annotations

import gzip
import json

import pytest

import opendynamics as od
from opendynamics import c_api as c
from opendynamics.api.spaces.member_list import ListedBodies
from tests.faces.pairs_in_order import DATA, KINDS, SEEDS, Program

RECORDED = json.loads(gzip.decompress(DATA.read_bytes()))


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_is_odes(kind):
    programs = RECORDED[kind]
    assert len(programs) == SEEDS
    for seed, odes in programs.items():
        ours = Program(c, kind, int(seed)).run()
        for number, (one, other) in enumerate(zip(ours, odes, strict=True)):
            assert one == other, (seed, number)
    lengths = [len(seen) for odes in programs.values() for seen in odes if seen[0] == "pairs"]
    assert sum(length > 3 for length in lengths) > 20  # there are orders to get wrong


def make_row(space):
    """Four spheres in a row, cleaned; the first that was made is the last of the list."""
    geoms = [c.dCreateSphere(space, 0.1) for _ in range(4)]
    for k, geom in enumerate(geoms):
        c.dGeomSetPosition(geom, k, 0, 0)
    c.dSpaceClean(space)
    return geoms


def put_on_bodies(world, geoms):
    """A new body for each; returns them."""
    bodies = [c.dBodyCreate(world) for _ in geoms]
    for geom, body in zip(geoms, bodies, strict=True):
        c.dGeomSetBody(geom, body)
    return bodies


def numbers(space, geoms):
    return [geoms.index(c.dSpaceGetGeom(space, k)) for k in range(c.dSpaceGetNumGeoms(space))]


def test_what_moves_comes_to_the_front_once():
    space = c.dSimpleSpaceCreate(None)
    geoms = make_row(space)
    assert numbers(space, geoms) == [3, 2, 1, 0]
    for k in (1, 2, 1):
        c.dGeomSetPosition(geoms[k], 9, 9, k)
    assert numbers(space, geoms) == [2, 1, 3, 0]
    c.dGeomDisable(geoms[0])
    c.dGeomSetCollideBits(geoms[0], 1)
    c.dGeomGetAABB(geoms[0])
    assert numbers(space, geoms) == [2, 1, 3, 0]
    c.dSpaceClean(space)
    c.dGeomSphereSetRadius(geoms[1], 0.2)
    assert numbers(space, geoms) == [1, 2, 3, 0]


def test_a_step_moves_geoms_in_the_order_of_the_bodies():
    world, space = c.dWorldCreate(), c.dHashSpaceCreate(None)
    geoms = make_row(space)
    bodies = put_on_bodies(world, geoms)
    c.dBodyDisable(bodies[1])
    c.dSpaceClean(space)
    c.dWorldQuickStep(world, 0.01)
    assert numbers(space, geoms) == [0, 2, 3, 1]


def test_a_step_follows_bodies_that_get_and_lose_geoms():
    """Geoms are looked up by the row of their body where each body has one, else body by body."""
    world, space = c.dWorldCreate(), c.dHashSpaceCreate(None)
    geoms = make_row(space)
    bodies = put_on_bodies(world, geoms)

    def order_after_a_step():
        for geom in (g for g in geoms if c.dGeomGetBody(g) is None):  # in front of what the step moves
            c.dGeomSetPosition(geom, 9, 0, 0)
        c.dSpaceClean(space)
        c.dWorldQuickStep(world, 0.01)
        (follower,) = (each for each in world._watchers if isinstance(each, ListedBodies))
        return numbers(space, geoms), follower.only_geoms is not None

    assert order_after_a_step() == ([0, 1, 2, 3], True)
    c.dGeomSetBody(geoms[0], bodies[2])
    assert order_after_a_step() == ([1, 2, 0, 3], False)  # a body moves the newer of its geoms first
    c.dGeomSetBody(geoms[2], bodies[0])
    assert order_after_a_step() == ([2, 1, 0, 3], True)
    c.dGeomSetBody(geoms[1], None)
    assert order_after_a_step() == ([2, 0, 3, 1], False)
    c.dBodyDestroy(bodies[1])
    assert order_after_a_step() == ([2, 0, 3, 1], True)


def test_the_order_is_saved_with_the_world():
    world, space = c.dWorldCreate(), c.dSweepAndPruneSpaceCreate(None, c.dSAP_AXES_XYZ)
    geoms = make_row(space)
    put_on_bodies(world, geoms)
    c.dSpaceClean(space)
    c.dGeomSetPosition(geoms[2], 0.05, 0, 0)
    before = numbers(space, geoms)
    snapshot = world.save()
    c.dSpaceClean(space)
    c.dWorldStep(world, 0.01)
    c.dGeomSetPosition(geoms[0], 7, 0, 0)
    assert numbers(space, geoms) != before
    world.restore(snapshot)
    assert numbers(space, geoms) == before


def test_the_pythonic_spaces_keep_their_order():
    geoms = [od.Sphere(1), od.Sphere(1), od.Sphere(1)]
    space = od.HashSpace(geoms)
    pairs = []
    space.collide(lambda a, b: None)
    geoms[0].position = (0.1, 0, 0)
    space.collide(lambda a, b: pairs.append((a, b)))
    assert space.like == "opendynamics"
    assert list(space) == geoms[::-1]
    assert pairs == [(geoms[2], geoms[1]), (geoms[2], geoms[0]), (geoms[1], geoms[0])]
    with pytest.raises(ValueError, match="must be one of"):
        od.HashSpace(like="bullet")


def test_endless_geoms_meet_only_what_their_boxes_do_and_quad_trees_number_their_geoms():
    sweep = c.dSweepAndPruneSpaceCreate(None, c.dSAP_AXES_XYZ)
    pairs = []
    c.dCreatePlane(sweep, 0, 0, 1, 0)
    for height in (0.5, 9):
        c.dGeomSetPosition(c.dCreateSphere(sweep, 1), 0, 0, height)
    c.dSpaceCollide(sweep, None, lambda _, one, other: pairs.append((one, other)))
    assert len(pairs) == 1
    tree = c.dQuadTreeSpaceCreate(None, (0, 0, 0), (4, 4, 4), 1)
    corner, middle = c.dCreateSphere(tree, 1), c.dCreateSphere(tree, 1)
    c.dGeomSetPosition(corner, 2, 2, 0)
    c.dSpaceClean(tree)
    assert [c.dSpaceGetGeom(tree, k) for k in range(3)] == [middle, corner, None]


def test_bodies_of_an_island_move_in_odes_order():
    """Bodies are taken last in, first out: recorded with libode."""
    world, space = c.dWorldCreate(), c.dSimpleSpaceCreate(None)
    geoms = make_row(space)
    geoms += [c.dCreateSphere(space, 0.1) for _ in range(2)]
    bodies = [c.dBodyCreate(world) for _ in geoms]
    for geom, body in zip(geoms, bodies, strict=True):
        c.dGeomSetBody(geom, body)
    for one, other in ((5, 0), (5, 3), (0, 1), (3, 2), (1, 4)):
        c.dJointAttach(c.dJointCreateBall(world, None), bodies[one], bodies[other])
    c.dSpaceClean(space)
    c.dWorldStep(world, 0.01)
    assert numbers(space, geoms) == [2, 3, 4, 1, 0, 5]


def pairs_of_boxes(space, *boxes):
    """Numbers of the boxes, each given by its centre and lengths, in the pairs that the space reports."""
    made, pairs = [], []
    for center, lengths in boxes:
        made.append(c.dCreateBox(space, *lengths))
        c.dGeomSetPosition(made[-1], *center)
    space.collide(lambda one, other: pairs.append((made.index(one), made.index(other))))
    return pairs


SPACES = {
    "simple": lambda: c.dSimpleSpaceCreate(0),
    "hash": lambda: c.dHashSpaceCreate(0),
    "quad_tree": lambda: c.dQuadTreeSpaceCreate(0, [0, 0, 0], [9, 9, 9], 3),
    "sweep_and_prune": lambda: c.dSweepAndPruneSpaceCreate(0, c.dSAP_AXES_XYZ),
    "not like ODE": od.HashSpace,
}


@pytest.mark.parametrize("kind", SPACES)
def test_only_odes_hash_space_misses_a_pair_at_the_origin(kind):
    """Two boxes that overlap in the cell (0, 0, 0), of which one begins below it."""
    one = (0.2185, 0.3443, 0.264), (0.487, 0.5185, 0.466)
    other = (0.5169, 0.1467, 0.3952), (0.6297, 0.7474, 0.8317)
    assert len(pairs_of_boxes(SPACES[kind](), one, other)) == (kind != "hash")


def test_odes_hash_space_finds_those_that_share_another_column_later():
    """Two boxes share the cells (0, 0, 0) and (1, 0, 0), or (0, 1, 0), after that in which the second meets a third."""
    third = (0.5, 0, 0.3), (0.1, 0.9, 0.4)
    for middle in ((1, 0.4, 0.3), (0.5, 1, 0.3)):
        one, other = (middle, (0.6, 0.6, 0.4)), (middle, (0.6, 0.6, 0.8))
        assert pairs_of_boxes(c.dHashSpaceCreate(0), one, other) == [(1, 0)]
        assert pairs_of_boxes(od.HashSpace(like="ode"), one, other) == [(1, 0)]
    low, high = ((0.5, 0.9, 0.3), (0.6, 1.0, 0.8)), ((0.5, 0.9, 0.3), (0.6, 1.0, 0.4))
    assert pairs_of_boxes(c.dHashSpaceCreate(0), low, third, high) == [(2, 1), (2, 0)]


@pytest.mark.parametrize("levels", [(1, 3), (-3, -1), (-6, -4)])
def test_geoms_of_other_levels_meet_at_the_origin(levels):
    """Those larger than all cells meet in the order of the list, whatever their sizes."""
    space = c.dHashSpaceCreate(0)
    c.dHashSpaceSetLevels(space, *levels)
    small, large = ((0.2, 0.3, 0.2), (0.6, 0.5, 0.6)), ((0.5, 0.1, 0.4), (0.6, 0.7, 0.7))
    assert pairs_of_boxes(space, small, large, ((0.4, 0.2, 0.3), (3, 3, 3))) == (
        [(1, 0), (1, 2), (0, 2)] if levels[0] > 0 else [(2, 1), (2, 0), (1, 0)]
    )
