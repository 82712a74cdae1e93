"""The exact solver compared with brute force and with the conditions of a solution, on systems of all kinds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.rows import FORCES, REACTIONS, ROWS
from opendynamics.core.arrays.store import Store
from opendynamics.core.solve import exact
from opendynamics.core.solve.impact_energy import FLOATS_A_BODY
from opendynamics.core.solve.loading import load_missing_escalation

H = 0.01
CFM = 1e-10 / H
INF = np.inf


class System:
    """Bodies and rows of one island, in NumPy."""

    def __init__(self, inverse_mass, inverse_inertia):
        self.inverse_mass = np.asarray(inverse_mass, float)
        self.inverse_inertia = np.asarray(inverse_inertia, float).reshape(-1, 3, 3)
        self.rows = []

    def add(self, slot0, j0, slot1=-1, j1=None, *, rhs=0.0, cfm=CFM, lo=-INF, hi=INF, normal=-1):
        self.rows.append((slot0, j0, slot1, np.zeros(6) if j1 is None else j1, rhs, cfm, lo, hi, normal))
        return len(self.rows) - 1

    def column(self, k):
        return np.array([row[k] for row in self.rows])

    def store(self):
        bodies, n = len(self.inverse_mass), len(self.rows)
        store = Store()
        for table, used in (
            (MOTIONS, bodies + 1),
            (INERTIAS, bodies + 1),
            (REACTIONS, bodies + 1),
            (ROWS, n),
            (FORCES, n),
        ):
            store.use(table, used)
        store.use(ISLAND_BODIES, bodies)
        store.use(ISLANDS, 1)
        store[MOTIONS]["inverse_mass"][1 : bodies + 1] = self.inverse_mass
        store[INERTIAS]["world_inverse"][1 : bodies + 1] = self.inverse_inertia.reshape(-1, 9)
        store[ISLAND_BODIES][:bodies] = np.arange(1, bodies + 1)
        for k, name in enumerate(("slot0", "j0", "slot1", "j1", "rhs", "cfm", "lo", "hi", "normal")):
            store[ROWS][name][:n] = self.column(k)
        island = store[ISLANDS][0]
        lo, hi, normal = self.column(6), self.column(7), self.column(8)
        island["bodies"], island["rows"] = bodies, n
        island["bounded_rows"] = ((lo > -1e300) | (hi < 1e300) | (normal >= 0)).sum()
        return store

    def bodies_times(self, x):
        """M⁻¹ Jᵀ x, six numbers a body, in long double."""
        wide = np.longdouble
        wrench = np.zeros((len(self.inverse_mass) + 1, 6), wide)  # the last is the static world
        for slot, j in ((0, 1), (2, 3)):
            np.add.at(wrench, self.column(slot), self.column(j).astype(wide) * x[:, None])
        wrench[:-1, :3] *= self.inverse_mass[:, None]
        wrench[:-1, 3:] = np.einsum("bij,bj->bi", self.inverse_inertia, wrench[:-1, 3:])
        wrench[-1] = 0
        return wrench

    def times(self, x):
        """(J M⁻¹ Jᵀ + cfm) x, in long double."""
        motion = self.bodies_times(x)
        result = self.column(5) * np.asarray(x, np.longdouble)
        for slot, j in ((0, 1), (2, 3)):
            result += (self.column(j) * motion[self.column(slot)]).sum(axis=1)
        return result

    def matrix(self):
        return np.array([self.times(unit) for unit in np.eye(len(self.rows))]).astype(float)

    def diagonal(self):
        weight = np.zeros((len(self.inverse_mass) + 1, 6, 6))
        weight[:-1, :3, :3] = self.inverse_mass[:, None, None] * np.eye(3)
        weight[:-1, 3:, 3:] = self.inverse_inertia
        parts = [
            np.einsum("ri,rij,rj->r", self.column(j), weight[self.column(slot)], self.column(j))
            for slot, j in ((0, 1), (2, 3))
        ]
        return self.column(5) + sum(parts)

    def without_friction(self):
        system = System(self.inverse_mass, self.inverse_inertia)
        kept = [k for k, row in enumerate(self.rows) if row[8] < 0]
        system.rows = [self.rows[k] for k in kept]
        return system, kept


@dataclass
class Answer:
    forces: np.ndarray
    residual: float
    iterations: int
    faulty: int


def solve(system, *, hard=False):
    store = system.store()
    run(store, exact.hard.solve if hard else exact.solve)
    island = store[ISLANDS][0]
    return Answer(
        store[FORCES][: len(system.rows)].copy(),
        float(island["residual"]),
        int(island["iterations"]),
        int(island["faulty"]),
    )


def run(store, entry):
    """The behaviour of a world while the solver lacks something."""
    while not entry(store.tables, 0):
        if not load_missing_escalation(store, (exact,)):
            store.make_missing_room()


def bounds(system, normal_forces):
    """Bounds of stage two, by the forces of stage one."""
    lo, hi, normal = system.column(6).copy(), system.column(7).copy(), system.column(8)
    for k in np.flatnonzero(normal >= 0):
        force = normal_forces[normal[k]]
        hi[k] = abs(hi[k] * force) if force else 0.0
        lo[k] = -hi[k]
    return lo, hi


def violation(system, x, lo, hi):
    """The furthest that a force would jump if its row were solved alone, in units of the largest force."""
    residual = system.column(4) - system.times(x)
    jump = np.clip(x + residual / system.diagonal(), lo, hi) - x
    return float(abs(jump).max() / max(abs(x).max(), 1e-300))


def check(system, tolerance=1e-12, hard=False):
    """Hold both stages of the answer against the conditions."""
    answer = solve(system, hard=hard)
    assert not answer.faulty
    assert np.isfinite(answer.forces).all()
    first, kept = system.without_friction()
    normal_forces = np.zeros(len(system.rows))
    normal_forces[kept] = solve(first, hard=hard).forces
    assert violation(first, normal_forces[kept], first.column(6), first.column(7)) <= tolerance
    lo, hi = bounds(system, normal_forces)
    # Normal forces of redundant contacts are known to 1e-8 of the largest only; so then are the bounds.
    slack = 1e-7 * abs(normal_forces).max(initial=0.0) * (system.column(8) >= 0)
    residual = system.column(4) - system.times(answer.forces)
    jump = residual / system.diagonal()
    inward = np.where(jump > 0, hi - slack - answer.forces, answer.forces - lo - slack)
    wrong = np.minimum(abs(jump), np.maximum(inward, 0.0))
    scale = max(abs(answer.forces).max(), 1e-300)
    assert wrong.max() <= tolerance * scale
    assert (answer.forces >= lo - slack - tolerance * scale).all()
    assert (answer.forces <= hi + slack + tolerance * scale).all()
    assert answer.residual <= tolerance
    return answer


def brute_force(system):
    """Both stages by trying every combination of free, at lo, at hi. Only for few bounded rows."""
    A, b = system.matrix(), system.column(4)
    normal = system.column(8)

    def stage(lo, hi):
        bounded = np.flatnonzero((lo > -1e300) | (hi < 1e300))
        best, best_wrong = None, np.inf
        choices = [
            [0] * int(lo[k] < hi[k]) + [1] * int(lo[k] > -1e300) + [2] * int(lo[k] < hi[k] < 1e300) for k in bounded
        ]
        for choice in product(*choices):
            state = np.zeros(len(b), int)
            state[bounded] = choice
            x = np.select([state == 1, state == 2], [lo, hi], 0.0)
            free = state == 0
            x[free] = np.linalg.solve(A[np.ix_(free, free)], (b - A @ x)[free])
            jump = np.clip(x - (A @ x - b) / np.diag(A), lo, hi) - x
            if abs(jump).max() < best_wrong:
                best, best_wrong = x, abs(jump).max()
        assert best_wrong < 1e-9 * max(abs(best).max(), 1e-300)
        return best

    friction = normal >= 0
    lo, hi = system.column(6), system.column(7)
    x = stage(np.where(friction, 0.0, lo), np.where(friction, 0.0, hi))
    return stage(*bounds(system, x)) if friction.any() else x


# Systems.


def random_inertia(random):
    a = random.normal(size=(3, 3))
    return a @ a.T + np.eye(3)


def random_system(random, bodies, rows, bounded, cfm=1e-3):
    """Rows between random bodies; some with bounds, some of them friction of an earlier one."""
    system = System(random.uniform(0.5, 2, bodies), [random_inertia(random) for _ in range(bodies)])
    normals = []
    for k in range(rows):
        a, b = random.integers(0, bodies), random.integers(-1, bodies)
        b = -1 if b == a else b
        kind = random.integers(0, 4) if k >= rows - bounded else 0
        lo, hi = [(-INF, INF), (0, INF), (-1, 2), (-0.5, 0.5)][kind]
        normal = normals[random.integers(0, len(normals))] if kind == 3 and normals else -1
        j1 = random.normal(size=6) if b >= 0 else None
        row = system.add(
            a, random.normal(size=6), b, j1, rhs=10 * random.normal(), cfm=cfm, lo=lo, hi=hi, normal=normal
        )
        if kind == 1:
            normals.append(row)
    return system


def chain(random, links, rows_a_link=3, cfm=CFM):
    system = System(random.uniform(0.5, 2, links), [random_inertia(random) for _ in range(links)])
    for k in range(links):
        for _ in range(rows_a_link):
            j1 = random.normal(size=6) if k else None
            system.add(k, random.normal(size=6), k - 1, j1, rhs=random.normal(), cfm=cfm)
    return system


def add_contact(system, below, above, point, where_below, where_above, rhs, mu, cfm=CFM):
    """A contact with normal z; rhs for a body that falls and slides."""
    first = None
    for k, axis in enumerate(np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])):
        j0 = np.concatenate([axis, np.cross(point - where_above, axis)])
        j1 = None if below < 0 else -np.concatenate([axis, np.cross(point - where_below, axis)])
        if k == 0:
            first = system.add(above, j0, below, j1, rhs=rhs[0], cfm=cfm, lo=0.0, hi=INF)
        else:
            system.add(above, j0, below, j1, rhs=rhs[k], cfm=cfm, lo=-mu, hi=mu, normal=first)


def boxes(random, places, *, contacts=4, noise=0.0, push=0.0, cfm=CFM, masses=None, mu=0.5):
    """Unit boxes at `places`, each on the ground or on those that it overlaps half a metre or less to the side."""
    places = np.asarray(places, float)
    masses = np.ones(len(places)) if masses is None else np.asarray(masses, float)
    system = System(1 / masses, [np.eye(3) * 6 / mass for mass in masses])
    for k, place in enumerate(places):
        lower = [j for j in range(k) if abs(places[j][2] - place[2] + 1) < 0.1 and abs(places[j][0] - place[0]) < 0.9]
        for below in lower or [-1]:
            other = places[below][0] if below >= 0 else place[0]
            left, right = max(place[0], other) - 0.5, min(place[0], other) + 0.5
            for c in range(contacts):
                turn = 2 * np.pi * (c + 0.5) / contacts
                x = left if np.cos(turn) < 0 else right
                point = np.array([x, 0.5 * np.sign(np.sin(turn)), place[2] - 0.5]) + noise * random.normal(size=3)
                if contacts > 4:
                    point[:2] = (left + right) / 2 + 0.5 * (right - left) * np.cos(turn), 0.5 * np.sin(turn)
                weight = 9.81 if below < 0 else 0.0
                rhs = np.array([weight, push * random.normal(), push * random.normal()])
                rhs[0] += push * random.normal() + 1e-3 * random.random() * (noise > 0)
                add_contact(system, below, k, point, places[below], place, rhs, mu, cfm)
    return system


def wall(width, height):
    return [(i + 0.5 * (k % 2), 0.0, k + 0.5) for k in range(height) for i in range(width - k % 2)]


# Tests.


def test_chain_against_a_dense_solution():
    for links, rows in ((1, 1), (2, 5), (10, 3), (40, 3), (15, 6)):
        system = chain(np.random.default_rng(links), links, rows, cfm=1e-6)
        answer = solve(system)
        expected = np.linalg.solve(system.matrix(), system.column(4))
        # Rounding errors of both, by the matrix's condition, which differ between processors.
        np.testing.assert_allclose(answer.forces, expected, rtol=0, atol=1e-8 * abs(expected).max())
        assert answer.iterations == 0
        assert answer.residual < 1e-14


def test_random_systems_against_brute_force():
    for seed in range(15):
        random = np.random.default_rng(seed)
        system = random_system(random, bodies=4, rows=10, bounded=6)
        expected = brute_force(system)
        for hard in (False, True):
            answer = solve(system, hard=hard)
            np.testing.assert_allclose(answer.forces, expected, rtol=0, atol=1e-9 * abs(expected).max())


@pytest.mark.parametrize("contacts", [4, 8])
@pytest.mark.parametrize("noise", [0.0, 1e-3])
@pytest.mark.parametrize("push", [0.0, 5.0])
def test_stacks_of_boxes(contacts, noise, push):
    for height in (1, 2, 5):
        random = np.random.default_rng(height)
        stack = [(0, 0, k + 0.5) for k in range(height)]
        check(boxes(random, stack, contacts=contacts, noise=noise, push=push))


def test_masses_from_a_gram_to_a_ton():
    random = np.random.default_rng(1)
    for masses in ([1e3, 1e-3], [1e-3, 1e3], [1, 1e3, 1e-3, 1]):
        stack = [(0, 0, k + 0.5) for k in range(len(masses))]
        check(boxes(random, stack, masses=masses, push=1.0))


@pytest.mark.parametrize("push", [0.0, 1.0])
def test_walls_take_the_sparse_way(push):
    for noise in (0.0, 1e-4):
        check(boxes(np.random.default_rng(5), wall(7, 6), push=push, noise=noise))


def test_large_random_systems_take_the_sparse_way():
    for seed in range(3):
        check(random_system(np.random.default_rng(seed), bodies=60, rows=260, bounded=160), tolerance=1e-11)


def test_small_systems_need_no_interior_point_method():
    """Where block pivoting goes to and fro, as in 11 of these, the parametric active set method continues in the same entry."""
    for seed in range(20):
        system = random_system(np.random.default_rng(seed), bodies=12, rows=90, bounded=70, cfm=1e-4)
        store = system.store()
        while not exact.eliminating.solve(store.tables, 0):
            assert store[REPORTS]["missing_escalation"][0] == 0
            store.make_missing_room()
        check(system)


def test_both_phases_start_from_the_states_of_the_forces():
    """Solved again from their solution, six walls take 28 iterations; 45 if the second phase started from the first's states."""
    iterations = 0
    for seed in range(6):
        system = boxes(np.random.default_rng(seed), wall(3, 2), push=1.0, noise=1e-2)
        store = system.store()
        run(store, exact.solve)
        forces = store[FORCES].copy()
        store[ISLANDS]["solutions"] = 1
        run(store, exact.solve)
        np.testing.assert_array_equal(store[FORCES], forces)
        iterations += int(store[ISLANDS]["iterations"][0])
    assert iterations <= 36


def test_repeated_rows_share_their_force():
    random = np.random.default_rng(2)
    for hard in (False, True):
        system = chain(random, 6)
        for row in list(system.rows)[:9]:
            system.rows.append(row)
        check(system, hard=hard)
        stack = boxes(random, [(0, 0, 0.5), (0, 0, 1.5)], push=1.0)
        for row in list(stack.rows):
            normal = row[8] + 24 if row[8] >= 0 else -1
            stack.rows.append((*row[:8], normal))
        check(stack, hard=hard)


def test_without_any_cfm():
    random = np.random.default_rng(3)
    check(chain(random, 8, cfm=0.0))
    for contacts in (4, 8):
        for push in (0.0, 5.0):
            system = boxes(random, [(0, 0, 0.5), (0, 0, 1.5)], contacts=contacts, push=push, cfm=0.0)
            check(system, tolerance=1e-9)
    system = chain(random, 5, cfm=0.0)
    system.rows += system.rows[:6]
    check(system)


def test_contradictory_rows_give_finite_forces():
    random = np.random.default_rng(4)
    for cfm in (CFM, 0.0):
        system = chain(random, 3, cfm=cfm)
        row = list(system.rows[0])
        row[4] += 1.0
        system.rows.append(tuple(row))
        answer = solve(system)
        assert not answer.faulty
        assert np.isfinite(answer.forces).all()


def test_rows_that_move_nothing():
    system = System([1.0, 0.0], [np.eye(3), np.zeros((3, 3))])
    system.add(0, np.array([0, 0, 1.0, 0, 0, 0]), rhs=5.0, lo=0.0)
    system.add(1, np.ones(6), rhs=1.0, cfm=0.0)  # a kinematic body
    system.add(0, np.zeros(6), cfm=0.0)
    system.add(0, np.zeros(6), cfm=0.0, lo=-1.0, hi=1.0)
    for hard in (False, True):
        answer = solve(system, hard=hard)
        np.testing.assert_allclose(answer.forces, [5.0, 0, 0, 0], atol=1e-6)


def test_friction_without_normal_force_is_nothing():
    system = System([1.0], [np.eye(3)])
    add_contact(system, -1, 0, np.zeros(3), np.zeros(3), np.array([0, 0, 0.5]), [-3.0, 4.0, 4.0], mu=INF)
    np.testing.assert_array_equal(solve(system).forces, 0.0)


def test_infinite_friction_holds():
    system = System([1.0], [np.eye(3)])
    add_contact(system, -1, 0, np.zeros(3), np.zeros(3), np.zeros(3), [3.0, 4.0, -5.0], mu=INF)
    np.testing.assert_allclose(solve(system).forces, [3.0, 4.0, -5.0], rtol=1e-7)


def test_friction_slides_at_its_limit():
    system = System([1.0], [np.eye(3)])
    add_contact(system, -1, 0, np.zeros(3), np.zeros(3), np.zeros(3), [10.0, 4.0, -8.0], mu=0.5)
    np.testing.assert_allclose(solve(system).forces, [10.0, 4.0, -5.0], rtol=1e-7)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("field", ["rhs", "j0"])
@pytest.mark.parametrize("hard", [False, True])
def test_what_is_not_finite_is_reported(value, field, hard):
    for system in (chain(np.random.default_rng(6), 4), boxes(np.random.default_rng(6), [(0, 0, 0.5), (0, 0, 1.5)])):
        store = system.store()
        store[ROWS][field][3] = value
        run(store, exact.hard.solve if hard else exact.solve)
        assert store[ISLANDS]["faulty"][0] == 1
        assert not store[FORCES].any()


def test_solves_are_repeatable_to_the_last_bit():
    for places in ([(0, 0, 0.5), (0, 0, 1.5)], wall(7, 6)):
        system = boxes(np.random.default_rng(7), places, push=3.0)
        first = solve(system).forces
        store = system.store()
        for scratch in (FLOATS, INTEGERS):
            store.make_room(scratch, 500_000)
            store[scratch][:] = 123456789
        run(store, exact.solve)
        np.testing.assert_array_equal(store[FORCES][: len(first)], first)


def test_other_islands_are_left_alone():
    system = boxes(np.random.default_rng(8), [(0, 0, 0.5)], push=1.0)
    alone = solve(system).forces
    store = system.store()
    n = len(system.rows)
    store.use(ROWS, n + 5)
    store.use(FORCES, n + 8)
    store[ROWS][5 : n + 5] = store[ROWS][:n].copy()
    store[ISLANDS]["first_row"][0] = 5
    store[FORCES][:] = 7.0
    run(store, exact.solve)
    np.testing.assert_array_equal(store[FORCES][5 : n + 5], alone)
    assert (store[FORCES][:5] == 7.0).all() and (store[FORCES][n + 5 :] == 7.0).all()


def test_lack_of_room_is_noted_before_anything_is_written():
    system = boxes(np.random.default_rng(9), [(0, 0, k + 0.5) for k in range(40)])
    store = system.store()
    store[FORCES][:] = 7.0
    assert store.tables[FLOATS.used_at - 1] < 12 * len(system.rows)
    assert exact.solve(store.tables, 0) == 0
    assert (store[FORCES] == 7.0).all()
    run(store, exact.solve)
    assert store[ISLANDS]["residual"][0] < 1e-12


def articulated(seed, push):
    """Bodies held together by random rows, with stops and contacts; `push` is added to the right-hand sides of contacts."""
    random = np.random.default_rng(seed)
    bodies = 8
    system = System(random.uniform(0.5, 2, bodies), [random_inertia(random) for _ in range(bodies)])
    for b in range(1, bodies):
        for _ in range(4):
            system.add(b, random.normal(size=6), b - 1, random.normal(size=6), rhs=random.normal(), cfm=1e-6)
    for b in range(0, bodies, 2):
        normal = system.add(b, random.normal(size=6), rhs=random.normal() + push, cfm=1e-6, lo=0.0)
        for _ in range(2):
            system.add(b, random.normal(size=6), rhs=random.normal(), cfm=1e-6, lo=0.5, hi=0.5, normal=normal)
    return system


def test_a_second_solution_takes_the_elimination_of_the_first():
    for seed in range(20):
        first, second = articulated(seed, 3.0), articulated(seed, 0.5)
        store = first.store()
        run(store, exact.solve)
        island, n = store[ISLANDS][0], len(second.rows)
        store[ROWS]["rhs"][:n] = second.column(4)
        island["solutions"] = 1
        store[FLOATS][: FLOATS_A_BODY * len(second.inverse_mass)] = np.nan  # where `impacts` computes between both
        run(store, exact.solve)
        np.testing.assert_allclose(store[FORCES][:n], solve(second).forces, rtol=0, atol=1e-9)
        assert island["residual"] < 1e-12


def test_an_elimination_of_other_rows_is_not_taken():
    """Not that of another attempt at the step."""
    first, second = articulated(1, 3.0), articulated(2, 3.0)
    n = len(second.rows)
    store = first.store()
    run(store, exact.solve)
    for table in (ROWS, MOTIONS, INERTIAS):
        count = store.used(table)
        store[table][:count] = second.store()[table][:count]
    store[ISLANDS][0]["solutions"] = 1
    store[REPORTS][0]["attempts"] += 1
    run(store, exact.solve)
    np.testing.assert_allclose(store[FORCES][:n], solve(second).forces, rtol=0, atol=1e-9)
