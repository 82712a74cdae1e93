"""Batches of small islands in the soft step: the same to the last bit, whichever islands are solved with them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.stepping import FaultWarning
from opendynamics.core.arrays.islands import ISLANDS

H = 0.005

Build = Callable[[od.World, float], list[od.Body]]


def pile(world: od.World, x: float, count: int = 3) -> list[od.Body]:
    return [
        world.add_body(od.Box((0.2, 0.3, 0.2)), position=(x + 0.01 * k, 0, 0.1 + 0.2 * k), mass=1.0 + k)
        for k in range(count)
    ]


def tower(world: od.World, x: float) -> list[od.Body]:
    return pile(world, x, 9)


def balls(world: od.World, x: float) -> list[od.Body]:
    places = [(x, 0, 0.1), (x + 0.15, 0.1, 0.1), (x + 0.05, 0.05, 0.26)]
    return [world.add_body(od.Sphere(0.1), position=place, mass=1.0) for place in places]


def arm(world: od.World, x: float) -> list[od.Body]:
    """On a hinge with a motor, with a universal joint at a stop, and a ball joint, above the ground and then on it."""
    upright = od.rotation.from_axis_angle((1, 0, 0), 1.5707963)
    places = [(x, 0.4 * k, 0.5) for k in range(4)]
    links = [world.add_body(od.Capsule(0.05, 0.3), position=place, rotation=upright, mass=1.0) for place in places]
    hinge = world.add_hinge(links[0], links[1], anchor=(x, 0.2, 0.5), axis=(1, 0, 0))
    hinge.motor(2.0, max_torque=5.0)
    universal = world.add_universal(links[1], links[2], anchor=(x, 0.6, 0.5), axis1=(1, 0, 0), axis2=(0, 0, 1))
    universal.stops1 = -0.3, 0.2
    world.add_ball(links[2], links[3], anchor=(x, 1.0, 0.5))
    return links


def rope(world: od.World, x: float, count: int = 5) -> list[od.Body]:
    beads = [world.add_body(od.Sphere(0.05), position=(x, 0.2 * k, 1.0), mass=0.3) for k in range(count)]
    world.add_ball(beads[0], None, anchor=(x, -0.1, 1.0))
    for a, b in pairwise(beads):
        world.add_ball(a, b, anchor=tuple(0.5 * (a.position + b.position)))
    return beads


def high_tower(world: od.World, x: float) -> list[od.Body]:
    return pile(world, x, 22)


def long_rope(world: od.World, x: float) -> list[od.Body]:
    return rope(world, x, 62)


def bouncing(world: od.World, x: float) -> list[od.Body]:
    body = world.add_body(od.Sphere(0.1), position=(x, 0, 0.4), mass=1.0)
    body.geoms[0].material = "rubber"
    return [body]


KINDS: tuple[Build, ...] = (pile, arm, tower, rope, balls, high_tower, bouncing)


def make(kinds: Sequence[Build], **settings: object) -> tuple[od.World, list[od.Body]]:
    world = od.World(gravity=(0, 0, -9.81), solver="soft", **settings)
    world.auto_disable = False
    world.surfaces["rubber", None] = od.Surface(mu=0.5, bounce=0.6)
    world.add_plane()
    return world, [body for k, kind in enumerate(kinds) for body in kind(world, 2.0 * k)]


def states(bodies: Sequence[od.Body]) -> np.ndarray:
    return np.array([[*b.position, *b.quaternion, *b.linear_velocity, *b.angular_velocity] for b in bodies])


def batches(world: od.World) -> list[int]:
    """How many islands each batch of the last step has."""
    leaders = world._store[ISLANDS]["batch"][: world.statistics.islands]
    return [int(n) for n in np.unique(leaders[leaders > 0], return_counts=True)[1]]


@pytest.mark.parametrize("more", [KINDS, KINDS[:2], (tower, rope), (balls,) * 30], ids=["all", "two", "others", "many"])
def test_an_island_is_the_same_in_any_batch(more: Sequence[Build]) -> None:
    world, bodies = make(KINDS)
    larger, others = make((*KINDS, *more))
    for _ in range(12):
        world.advance(H, steps=20)
        larger.advance(H, steps=20)
        assert (states(bodies) == states(others[: len(bodies)])).all()
    assert batches(world) and batches(larger) != batches(world)


@pytest.mark.parametrize("substeps", ["auto", 4])
def test_islands_with_joints_and_others_are_in_batches_of_their_own(substeps: int | str) -> None:
    world, _ = make((pile, rope, pile, arm, balls))
    world.soft_substeps = substeps
    world.advance(H, steps=2)
    assert sorted(batches(world)) == [2, 3]


@pytest.mark.parametrize(
    "kinds", [(bouncing, bouncing), (pile,), (long_rope, long_rope)], ids=["bouncing", "alone", "long ropes"]
)
def test_what_is_not_in_a_batch(kinds: Sequence[Build]) -> None:
    world, _ = make(kinds)
    contacts = 0
    for _ in range(100):
        world.advance(H)
        contacts += world.statistics.contacts
        assert not batches(world)
    assert contacts > 0 or world.joints


def test_islands_that_no_force_acts_on_are_solved_alone() -> None:
    """Their contacts may not create energy, which is a sum over the island."""
    world, _ = make((balls, balls))
    world.gravity = (0, 0, 0)
    world.advance(H, steps=2)
    assert not batches(world)


@pytest.mark.parametrize("solver", ["soft", "auto"])
def test_a_fault_stays_in_its_island(solver: str) -> None:
    kinds = (arm, rope, arm, rope)
    world, bodies = make(kinds)
    faulty, others = make(kinds)
    for each in (world, faulty):
        each.solver = solver
        if solver == "auto":
            each.auto_exact_rows = 0
        each.advance(H, steps=80)  # arms are on the ground
    others[4].add_force((0.0, 1e308, 0.0))
    with pytest.warns(FaultWarning):
        faulty.advance(H)
    world.advance(H)
    assert [body.faulty for body in others] == [False] * 4 + [True] * 5 + [False] * 9
    np.testing.assert_array_equal(
        states(bodies)[[*range(4), *range(9, 18)]], states(others)[[*range(4), *range(9, 18)]]
    )
    faulty.advance(H, steps=50)
    assert np.isfinite(states(others)).all()


def test_any_number_of_threads_has_the_same_batches_of_results() -> None:
    """Threads divide the islands, and so make other batches."""
    kinds = (*KINDS[:6], *(arm,) * 40, *(tower,) * 10)
    found = []
    for threads in (1, 2):
        world, bodies = make(kinds)
        world.threads = threads
        world.advance(H, steps=60)
        assert world.statistics.rows > 2000
        found.append(states(bodies))
    assert (found[0] == found[1]).all()


@pytest.mark.parametrize("solver", ["soft", "auto", "pgs"])
def test_a_copy_goes_on_in_the_same_way(solver: str) -> None:
    """Its memory has no traces of earlier batches. Islands change between "soft" and "exact" from step to step."""
    world, bodies = make(KINDS[:5])
    for k in range(80):
        bodies += pile(world, 20.0 + 2.0 * k, 2)
    world.solver = solver
    chosen = set()
    for _ in range(12):
        world.advance(H)
        copied = copy.deepcopy(world)
        chosen |= {name for name, count in world.statistics.solvers.items() if count}
        world.advance(H, steps=2)
        copied.advance(H, steps=2)
        assert (states(world.bodies) == states(copied.bodies)).all()
    assert chosen == ({"exact", "soft"} if solver == "auto" else set())


def test_forces_are_those_of_the_island() -> None:
    """Supports and joints carry the weight, however islands are arranged in memory."""
    world, bodies = make((rope, pile, rope, balls))
    for body in bodies:
        body.linear_damping = body.angular_damping = 0.02
    world.advance(H, steps=1000)
    assert len(batches(world)) == 2
    for first in (0, 8):
        weight = 9.81 * sum(body.mass for body in bodies[first : first + 5])
        joint = next(joint for joint in world.joints if bodies[first] in joint.bodies and None in joint.bodies)
        np.testing.assert_allclose(joint.feedback.force1, (0, 0, weight), atol=0.02 * weight)
