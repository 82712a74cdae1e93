"""Islands of few bodies with bounded rows only, which the exact solver treats as one dense problem.

The same island with bodies in it that no row acts on goes through elimination: both must find the same forces.
"""

import numpy as np
import pytest

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.solve import exact
from tests.families.test_exact_solver import INF, System, boxes, check, random_inertia, run, solve

MAX_BODIES, MAX_ROWS = 4, 32


def with_idle_bodies(system):
    """The same rows in an island that is not small."""
    idle = MAX_BODIES + 1 - len(system.inverse_mass)
    larger = System([*system.inverse_mass, *np.ones(idle)], [*system.inverse_inertia, *[np.eye(3)] * idle])
    larger.rows = system.rows
    return larger


def bounded_system(random, bodies, rows):
    """Rows of which all have bounds; some are friction of an earlier one."""
    system = System(random.uniform(0.5, 2, bodies), [random_inertia(random) for _ in range(bodies)])
    normals = []
    for _ in range(rows):
        a, b = random.integers(0, bodies), random.integers(-1, bodies)
        kind = random.integers(0, 4)
        lo, hi = [(0, INF), (-1, 2), (-0.5, 0.5), (-INF, 3)][kind]
        normal = normals[random.integers(0, len(normals))] if kind == 2 and normals else -1
        pair = (a, random.normal(size=6), b, random.normal(size=6)) if b not in (-1, a) else (a, random.normal(size=6))
        row = system.add(*pair, rhs=10 * random.normal(), cfm=1e-3, lo=lo, hi=hi, normal=normal)
        if kind == 0:
            normals.append(row)
    return system


@pytest.mark.parametrize("bodies", range(1, MAX_BODIES + 1))
def test_small_and_other_islands_have_the_same_forces(bodies):
    random = np.random.default_rng(bodies)
    for rows in range(1, MAX_ROWS + 2):
        system = bounded_system(random, bodies, rows)
        ours, theirs = check(system), solve(with_idle_bodies(system))
        np.testing.assert_allclose(ours.forces, theirs.forces, rtol=0.0, atol=1e-11 * abs(theirs.forces).max())


def test_redundant_contacts_share_a_load_as_in_other_islands():
    random = np.random.default_rng(11)
    for contacts in (3, 4, 5, 8, 10):
        system = boxes(random, [(0, 0, 0.5)], contacts=contacts, noise=1e-3, push=3.0)
        ours, theirs = check(system), solve(with_idle_bodies(system))
        np.testing.assert_allclose(ours.forces, theirs.forces, rtol=0.0, atol=1e-6 * abs(theirs.forces).max())


def test_rows_turn_round_one_at_a_time_where_block_pivoting_goes_to_and_fro():
    random, most = np.random.default_rng(12), 0
    for _ in range(300):
        system = bounded_system(random, 2, 24)
        system.rows = [(*row[:5], 1e-9, *row[6:]) for row in system.rows]  # twice as many rows as directions
        answer = check(system, tolerance=1e-9)
        most = max(most, answer.iterations)
    assert 12 < most < 120


def test_the_forces_of_the_last_step_are_a_start():
    system = boxes(np.random.default_rng(13), [(0, 0, 0.5)], push=3.0)
    store = system.store()
    run(store, exact.solve)
    island, forces = store[ISLANDS][0], store[FORCES][: len(system.rows)]
    first, found = island["iterations"], forces.copy()
    island["solutions"] = 1  # what FORCES have is from an earlier solution
    run(store, exact.solve)
    assert island["iterations"] <= min(first, 2)
    np.testing.assert_allclose(forces, found, rtol=0.0, atol=1e-6 * abs(found).max())


def test_bodies_that_cannot_move_and_numbers_that_are_not_finite():
    system = boxes(np.random.default_rng(14), [(0, 0, 0.5), (0, 0, 1.5)])
    system.inverse_mass[0], system.inverse_inertia[0] = 0.0, 0.0
    ours, theirs = solve(system), solve(with_idle_bodies(system))
    np.testing.assert_allclose(ours.forces, theirs.forces, rtol=0.0, atol=1e-6 * abs(theirs.forces).max())
    system.rows[3] = (*system.rows[3][:4], np.nan, *system.rows[3][5:])
    answer = solve(system)
    assert answer.faulty
    assert (answer.forces == 0.0).all()
