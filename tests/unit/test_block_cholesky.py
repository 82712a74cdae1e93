"""H = L Lᵀ in blocks of six compared with NumPy's dense solution, for random sparse systems with fill-in."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.solve._body_space.block_cholesky import factorise_blocks, solve_blocks

numba = pytest.importorskip("numba")


@numba.njit
def factorise(bodies, column, pattern, row, row_column, row_at, place, diagonal, panels):
    factorise_blocks(bodies, column, pattern, row, row_column, row_at, place, diagonal, panels)


@numba.njit
def solve(bodies, column, pattern, diagonal, panels, x):
    solve_blocks(bodies, column, pattern, diagonal, panels, x)


def filled(bodies, edges):
    """Blocks below the diagonal of each column of the factor."""
    below = [{max(a, b) for a, b in edges if min(a, b) == k} for k in range(bodies)]
    for k in range(bodies):
        if below[k]:
            below[min(below[k])] |= below[k] - {min(below[k])}
    return [sorted(each) for each in below]


def system(bodies, couplings, seed):
    """A positive definite matrix, and the layout of its factor with the matrix in it."""
    random = np.random.default_rng(seed)
    edges = [tuple(random.choice(bodies, 2, replace=False)) for _ in range(couplings)]
    matrix = np.eye(6 * bodies)
    for a, b in edges:
        rows = np.zeros((3, 6 * bodies))
        rows[:, 6 * a : 6 * a + 6], rows[:, 6 * b : 6 * b + 6] = random.normal(size=(2, 3, 6))
        matrix += 10.0 ** random.uniform(-1, 3) * rows.T @ rows
    below = filled(bodies, edges)
    column = np.concatenate([[0], np.cumsum([len(each) for each in below])])
    entries = [[(k, at) for k in range(j) for at, body in enumerate(below[k]) if body == j] for j in range(bodies)]
    row = np.concatenate([[0], np.cumsum([len(each) for each in entries])])
    flat = np.array([pair for each in entries for pair in each], np.int64).reshape(-1, 2)
    diagonal, panels = np.empty(36 * bodies), np.empty(36 * column[-1])
    for k in range(bodies):
        here = slice(6 * k, 6 * k + 6)
        diagonal[36 * k : 36 * k + 36] = matrix[here, here].ravel()
        places = [6 * body + r for body in below[k] for r in range(6)]
        panels[36 * column[k] : 36 * column[k + 1]] = matrix[places, here].T.ravel()
    pattern = np.array([body for each in below for body in each], np.int64)
    layout = column, pattern, row, np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1])
    return matrix, layout, diagonal, panels


@pytest.mark.parametrize(("bodies", "couplings"), [(1, 0), (2, 1), (5, 4), (8, 12), (13, 60), (30, 70)])
def test_solution_is_that_of_the_dense_system(bodies, couplings):
    matrix, (column, pattern, row, row_column, row_at), diagonal, panels = system(bodies, couplings, 7 * bodies)
    factorise(bodies, column, pattern, row, row_column, row_at, np.zeros(bodies, np.int64), diagonal, panels)
    right = np.random.default_rng(bodies).normal(size=6 * bodies)
    x = right.copy()
    solve(bodies, column, pattern, diagonal, panels, x)
    expected = np.linalg.solve(matrix, right)
    assert np.abs(x - expected).max() <= 1e-10 * np.abs(expected).max()
    assert np.abs(matrix @ x - right).max() <= 1e-12 * np.abs(matrix).sum(axis=1).max() * np.abs(x).max()


def test_what_is_not_positive_definite_is_nan():
    diagonal, x, none = -np.eye(6).ravel(), np.ones(6), np.zeros(0, np.int64)
    ends = np.zeros(2, np.int64)
    factorise(1, ends, none, ends, none, none, np.zeros(1, np.int64), diagonal, np.zeros(0))
    solve(1, ends, none, diagonal, np.zeros(0), x)
    assert np.isnan(x).all()
