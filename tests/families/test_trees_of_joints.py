"""Joints that form trees, eliminated body by body: forces are those of a dense solution, bounded rows meet their conditions."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.solve import exact
from opendynamics.core.solve.exact.joints.forest import CHILD, FIRST, JOINT, PARENT, find_forest
from opendynamics.core.solve.exact.row_space.elimination import MAX_BORDER
from opendynamics.core.solve.exact.row_space.workspace import JOINTS, NOTE, integers_needed
from tests.families.test_exact_solver import CFM, System, add_contact, check, random_inertia, run, solve

numba = pytest.importorskip("numba")

WORLD = -1


def tree(random, parents, rows=None, cfm=CFM, masses=None):
    """Bodies that joints of random rows hold on their parents; a parent of None is a body without a joint."""
    bodies = len(parents)
    masses = random.uniform(0.5, 2, bodies) if masses is None else masses
    system = System(1 / masses, [random_inertia(random) / mass for mass in masses])
    for body, parent in enumerate(parents):
        if parent is None:
            continue
        order = -1 if parent >= 0 and random.random() < 0.5 else 1
        for _ in range(int(random.integers(1, 7)) if rows is None else rows):
            ends = [(body, random.normal(size=6)), (parent, random.normal(size=6) if parent >= 0 else None)][::order]
            system.add(*ends[0], *ends[1], rhs=random.normal(), cfm=cfm)
    return system


def add_motors(system, random, parents, count):
    """Rows between a body and its parent, or against the world, whose forces are bounded."""
    for _ in range(count):
        body = int(random.integers(0, len(parents)))
        parent = WORLD if parents[body] is None or random.random() < 0.3 else parents[body]
        j1 = random.normal(size=6) if parent >= 0 else None
        lo, hi = [(0.0, np.inf), (-0.5, 0.5), (-np.inf, 0.2)][random.integers(0, 3)]
        system.add(body, random.normal(size=6), parent, j1, rhs=3 * random.normal(), cfm=CFM, lo=lo, hi=hi)


def joints_in_trees(system):
    """How many joints the solver took for trees, 0 if it eliminated rows in an envelope."""
    store = system.store()
    run(store, exact.solve)
    island = store[ISLANDS][0]
    n, bodies, bounded = (int(island[name]) for name in ("rows", "bodies", "bounded_rows"))
    return int(store[INTEGERS][size_of_integers(n, bodies, bounded) - NOTE + JOINTS])


@numba.njit
def size_of_integers(n, bodies, bounded):
    return integers_needed(n, bodies, bounded)


def dense(system):
    return np.linalg.solve(system.matrix(), system.column(4))


STAR = [WORLD, 0, 0, 0, 0, 0]
TWIGS = [None, 0, 0, 1, 1, 2, 2, 3, 5]
TWO = [None, 0, 0, 1, None, 4, 4, 5, WORLD, 8, 8]
DEEP = [None, *range(12), 4, 4, 8]


@pytest.mark.parametrize("parents", [STAR, TWIGS, TWO, DEEP], ids=["star", "twigs", "two", "deep"])
@pytest.mark.parametrize("seed", range(3))
def test_joints_alone(parents, seed):
    random = np.random.default_rng(seed)
    system = tree(random, parents)
    answer, expected = check(system), dense(system)
    assert joints_in_trees(system) == sum(parent is not None for parent in parents)
    np.testing.assert_allclose(answer.forces, expected, rtol=0, atol=1e-7 * abs(expected).max())
    assert answer.residual < 1e-14
    assert answer.iterations == 0


@pytest.mark.parametrize("parents", [[WORLD], [None, 0], STAR, TWIGS, TWO, DEEP])
@pytest.mark.parametrize("motors", [1, 5, 8, 9, 20])
def test_joints_and_bounded_rows(parents, motors):
    for seed in range(3):
        random = np.random.default_rng([len(parents), motors, seed])
        system = tree(random, parents, rows=4)
        add_motors(system, random, parents, motors)
        check(system, tolerance=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_ragdolls_on_the_ground(seed):
    """Feet with four contacts each, hands with one; bodies that are held by nothing share the island."""
    random = np.random.default_rng(seed)
    parents = [None, 0, 1, 2, 0, 4, 5, 0, 7, 0, None]
    system = tree(random, parents, rows=5)
    places = random.normal(size=(len(parents), 3))
    for body, contacts in ((3, 4), (6, 4), (8, 1), (10, 2), (0, 1)):
        below = 3 if body == 10 else WORLD
        for _ in range(contacts):
            point = places[body] + 0.3 * random.normal(size=3)
            where = places[3] if below == 3 else None
            add_contact(system, below, body, point, where, places[body], 9.81 * random.random(3), 0.6)
    check(system, tolerance=1e-11)
    assert joints_in_trees(system) == 9


def test_loops_and_ends_that_are_both_held_are_no_trees():
    random = np.random.default_rng(0)
    for parents, loop in (([None, 0, 1, 2, 2], (0, 3)), ([WORLD, 0, 1, 1], (2, WORLD)), ([None, 0, 0, 0], (0, 1))):
        system = tree(random, parents, rows=2)
        assert joints_in_trees(system) > 0
        body, other = loop
        system.add(body, random.normal(size=6), other, random.normal(size=6) if other >= 0 else None, rhs=1.0)
        answer, expected = check(system), dense(system)
        assert joints_in_trees(system) == 0
        np.testing.assert_allclose(answer.forces, expected, rtol=0, atol=1e-7 * abs(expected).max())


def test_many_bounded_rows_are_left_to_the_envelope():
    random = np.random.default_rng(1)
    system = tree(random, TWIGS, rows=3)
    add_motors(system, random, TWIGS, MAX_BORDER)
    assert joints_in_trees(system) == 0


@pytest.mark.parametrize("seed", range(4))
def test_friction_of_a_contact_that_also_pulls(seed):
    """Its normal force has no bounds, so that it is eliminated, and bounds the friction all the same."""
    random = np.random.default_rng(seed)
    system = tree(random, TWIGS, rows=3)
    normal = system.add(3, random.normal(size=6), WORLD, None, rhs=5.0)
    for _ in range(2):
        system.add(3, random.normal(size=6), WORLD, None, rhs=9 * random.normal(), lo=-0.1, hi=0.1, normal=normal)
    answer = check(system)
    assert joints_in_trees(system) == len(TWIGS)
    bound = 0.1 * abs(solve(system.without_friction()[0]).forces[normal])
    np.testing.assert_allclose(abs(answer.forces[normal + 1 :]).max(), bound, rtol=1e-9)


@pytest.mark.parametrize("heavy", [0, 1, 8])
def test_masses_six_orders_of_magnitude_apart(heavy):
    random = np.random.default_rng(heavy)
    masses = np.ones(len(TWIGS))
    masses[heavy] = 1e6
    system = tree(random, TWIGS, rows=3, masses=masses)
    add_motors(system, random, TWIGS, 4)
    check(system, tolerance=1e-11)


def test_bodies_that_cannot_turn():
    random = np.random.default_rng(3)
    system = tree(random, TWIGS, rows=3)
    system.inverse_inertia[[0, 4]] = 0.0
    answer, expected = check(system), dense(system)
    np.testing.assert_allclose(answer.forces, expected, rtol=0, atol=1e-7 * abs(expected).max())


def test_a_row_that_moves_nothing_gets_no_force():
    random = np.random.default_rng(4)
    system = tree(random, TWIGS, rows=3)
    slot, _, other, _, *rest = system.rows[4]
    system.rows[4] = (slot, np.zeros(6), other, np.zeros(6), 0.0, 0.0, *rest[2:])
    answer = solve(system)
    assert joints_in_trees(system) == 0
    assert answer.forces[4] == 0.0
    del system.rows[4]
    np.testing.assert_allclose(np.delete(answer.forces, 4), dense(system), rtol=0, atol=1e-7 * abs(answer.forces).max())


@numba.njit
def listed(blocks, block, slots, free, bodies, joints, scratch):
    return find_forest(blocks, block, slots, free, bodies, joints, scratch)


@pytest.mark.parametrize("seed", range(20))
def test_every_joint_is_listed_before_that_of_its_parent(seed):
    random = np.random.default_rng(seed)
    bodies = int(random.integers(2, 30))
    pairs = [(body, int(random.integers(WORLD, body)) if body else WORLD) for body in range(bodies)]
    pairs = [pair for pair in pairs if pair[0] != 0 or random.random() < 0.5]
    held = {body for body, parent in pairs if parent == WORLD}
    pairs = [pair for pair in pairs if pair[1] != WORLD or pair[0] == min(held)]  # one per tree
    random.shuffle(pairs)
    counts = random.integers(1, 7, len(pairs))
    block = np.concatenate([[0], np.cumsum(counts)])
    slots = np.repeat([pair if random.random() < 0.5 else pair[::-1] for pair in pairs], counts, axis=0).reshape(-1)
    joints, scratch = np.zeros(JOINT * block[-1], np.int64), np.zeros(3 * bodies, np.int64)
    count = listed(len(pairs), block, slots, int(block[-1]), bodies, joints, scratch)
    assert count == len(pairs)
    joints = joints.reshape(-1, JOINT)[:count]
    assert sorted(joints[:, FIRST]) == block[:-1].tolist()
    assert {tuple(sorted(pair)) for pair in joints[:, [CHILD, PARENT]].tolist()} == {tuple(sorted(p)) for p in pairs}
    held_at = {child: k for k, child in enumerate(joints[:, CHILD])}
    assert len(held_at) == count
    for k, parent in enumerate(joints[:, PARENT]):
        assert held_at.get(parent, count) > k
