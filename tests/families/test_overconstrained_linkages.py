"""Overconstrained linkages with loads: "auto" and "pgs" solve them exactly, as sub-steps and iterations tear them apart."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes

Y = (0, 1, 0)
ALONG = ("hinge", "hinge", "hinge", "hinge")


def join(world, kind, a, b, at):
    if kind == "hinge":
        world.add_hinge(a, b, anchor=at, axis=Y)
    elif kind == "universal":
        world.add_universal(a, b, anchor=at, axis1=Y, axis2=(1, 0, 0))
    else:
        world.add_ball(a, b, anchor=at)


def bars(world, kinds, ground=None, closed=True, double=False, other=None, turned=False):
    """A table on two legs: four joints in a loop through the ground, or a body or two, named first if `turned`."""
    left, right = (world.add_body(mass=1, position=(x, 0, 0.5)) for x in (-1, 1))
    table = world.add_body(od.Box((3, 1, 0.1)), position=(0, 0, 1), mass=5)
    ends = (
        (left, ground, (-1, 0, 0)),
        (table, left, (-1, 0, 1)),
        (table, right, (1, 0, 1)),
        (right, other or ground, (1, 0, 0)),
    )
    for kind, (a, b, at) in zip(kinds, ends[: 4 if closed else 3], strict=False):
        if turned:
            a, b = b, a
        join(world, kind, a, b, at)
        if double:
            join(world, kind, a, b, np.add(at, (0, 0.2, 0)))


def chosen(build):
    """The solver of an island with more contacts than are solved exactly by themselves."""
    world = od.World(gravity=(0, 0, -9.81))
    world.auto_exact_rows = 0
    build(world)
    for k in range(12):
        world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0.25 * (k % 6 - 2.5), 0, 1.149 + 0.199 * (k // 6)), mass=0.1)
    world.advance(0.005)
    solvers = world.statistics.solvers
    assert sum(solvers.values()) == 1
    return max(solvers, key=solvers.get)


def loose_base(world):
    bars(world, ALONG, world.add_body(mass=3, position=(0, 0, 0)))


def kinematic_base(world):
    bars(world, ALONG, world.add_body(mass=3, position=(0, 0, 0), kinematic=True))


def kinematic_bases(world, kinds=ALONG, turned=False):
    """Each leg has its own; a joint between them, and one with the ground, hold nothing that can move."""
    left, right = (world.add_body(mass=3, position=(x, 0, 0), kinematic=True) for x in (-1, 1))
    bars(world, kinds, left, other=right, turned=turned)
    world.add_fixed(left, right)
    world.add_fixed(right)


def twice_to_the_ground(world):
    """Several joints between a leg and what cannot move count once, those of more rows before others."""
    kinematic_bases(world, ("hinge", "hinge", "universal", "universal"), turned=True)
    left, right = world.bodies[2:4]
    world.add_hinge(left, anchor=(-1, 0, 0), axis=Y)
    world.add_ball(right, anchor=(1, 0, 0))


def four_legs(world):
    """Eight universal joints, of 32 rows, for five bodies."""
    table = world.add_body(od.Box((3, 1, 0.1)), position=(0, 0, 1), mass=5)
    for x, y in ((-1, -0.4), (-1, 0.4), (1, -0.4), (1, 0.4)):
        leg = world.add_body(mass=1, position=(x, y, 0.5))
        join(world, "universal", leg, None, (x, y, 0))
        join(world, "universal", table, leg, (x, y, 1))


def around_a_body(world):
    """Four hinges in a ring, two of them of the table."""
    table, *others = (world.add_body(mass=5, position=(x, 0, z)) for x, z in ((0, 1), (-1, 0.5), (0, 0), (1, 0.5)))
    od.Box((3, 1, 0.1), body=table, space=world.space)
    left, below, right = others
    for a, b, at in ((table, left, (-1, 0, 1)), (left, below, (-1, 0, 0)), (below, right, (1, 0, 0))):
        join(world, "hinge", a, b, at)
    join(world, "hinge", table, right, (1, 0, 1))


def all_joined(world):
    """Five bodies, each joined to all others by ball joints: 30 rows for 24 degrees of freedom."""
    bars(world, ())
    bodies = [*world.bodies, *(world.add_body(mass=1, position=(x, 0, 0.3)) for x in (-0.5, 0.5))]
    for k, a in enumerate(bodies):
        for b in bodies[:k]:
            world.add_ball(a, b, anchor=0.5 * (a.position + b.position))


def beside_a_chain(world):
    """A long chain that hangs from the table has many degrees of freedom, which are not the linkage's."""
    bars(world, ALONG)
    last = world.bodies[2]
    for k in range(10):
        link = world.add_body(mass=0.1, position=(1.6 + 0.2 * k, 0, 1))
        world.add_ball(last, link, anchor=(1.5 + 0.2 * k, 0, 1))
        last = link


OVERCONSTRAINED = {
    "on the ground": lambda world: bars(world, ALONG),
    "on a loose base": loose_base,
    "on a kinematic base": kinematic_base,
    "on two kinematic bases": kinematic_bases,
    "19 rows": lambda world: bars(world, ("hinge", "hinge", "hinge", "universal")),
    "on four legs": four_legs,
    "around a body": around_a_body,
    "beside a chain": beside_a_chain,
    "with two hinges each": lambda world: bars(world, ALONG, double=True),
}

# Rows of a loop through the ground: at most 18 are not too many for three bodies.
JUST_HELD = {
    "18 rows": lambda world: bars(world, ("hinge", "hinge", "universal", "universal")),
    "16 rows": lambda world: bars(world, ("hinge", "ball", "ball", "hinge")),
    "18 rows on two kinematic bases": lambda world: kinematic_bases(
        world, ("hinge", "hinge", "universal", "universal")
    ),
    "18 rows, twice to the ground": twice_to_the_ground,
    "three hinges on a kinematic base": lambda world: kinematic_bases(world, ("hinge", "hinge", "hinge")),
    "ball joints": all_joined,
    "open": lambda world: bars(world, ALONG, closed=False),
    "open, with two hinges each": lambda world: bars(world, ALONG, closed=False, double=True),
}


@pytest.mark.parametrize("build", OVERCONSTRAINED.values(), ids=OVERCONSTRAINED)
def test_overconstrained_linkages_are_solved_exactly(build):
    assert chosen(build) == "exact"


@pytest.mark.parametrize("build", JUST_HELD.values(), ids=JUST_HELD)
def test_other_linkages_take_the_soft_step(build):
    assert chosen(build) == "soft"


@pytest.mark.parametrize("solver", ["auto", "pgs"])
def test_a_loaded_walker_holds_together(solver):
    world = scenes.build("walker").world
    world.solver = solver
    random = np.random.default_rng(0)
    for k in range(30):
        at = (random.uniform(-0.15, 0.15), random.uniform(-0.5, 0.5), 1.25 + 0.2 * (k // 6))
        world.add_body(od.Box((0.15, 0.15, 0.15)), position=at, mass=0.3)
    world.advance(0.005, steps=150)
    assert world.statistics.contacts > 40
    assert max(np.linalg.norm(np.subtract(joint.anchor, joint.anchor2)) for joint in world.joints) < 1e-3
    assert world.kinetic_energy < 500
