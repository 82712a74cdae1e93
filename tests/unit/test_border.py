"""Elimination of the border in panels, compared with the factorisation of the same envelope row by row."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.solve.exact.row_space.border import eliminate_border
from opendynamics.core.solve.exact.row_space.envelope import factorise

numba = pytest.importorskip("numba")


@numba.njit
def by_rows(values, origin, first, n, eliminated, inverse_pivots):
    factorise(values, origin, first, n, eliminated, inverse_pivots)


@numba.njit
def by_panels(values, origin, first, n, eliminated, inverse_pivots, scratch):
    factorise(values, origin, first, eliminated, eliminated, inverse_pivots)
    eliminate_border(values, origin, first, n, eliminated, inverse_pivots, scratch)


def envelope(eliminated: int, bounded: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of a positive definite matrix: the rows that are eliminated are a band, those with bounds begin anywhere."""
    rng, n = np.random.default_rng(seed), eliminated + bounded
    first = np.array(
        [max(0, i - int(rng.integers(0, 7))) for i in range(eliminated)]
        + [int(rng.integers(0, eliminated + k + 1)) for k in range(bounded)]
    )
    matrix = np.where(np.arange(n)[None, :] >= first[:, None], rng.normal(size=(n, n)), 0.0)
    matrix = np.tril(matrix, -1)
    matrix = matrix + matrix.T + np.diag(1.0 + 2.0 * n * np.ones(n))
    values, origin = [], []
    for i in range(n):
        origin.append(len(values) - first[i])
        values.extend(matrix[i, first[i] : i + 1])
    return np.array(values), np.array(origin), first


@pytest.mark.parametrize(("eliminated", "bounded"), [(1, 1), (5, 3), (12, 8), (13, 9), (40, 23), (3, 17)])
def test_panels_give_what_rows_give(eliminated: int, bounded: int) -> None:
    values, origin, first = envelope(eliminated, bounded, eliminated)
    n, mine, pivots = eliminated + bounded, values.copy(), np.zeros(eliminated + bounded)
    by_rows(values, origin, first, n, eliminated, pivots)
    scratch = np.full(2 * (bounded + 8) * eliminated + 64, np.nan)
    by_panels(mine, origin, first, n, eliminated, pivots.copy(), scratch)
    assert np.abs(mine - values).max() < 1e-13 * np.abs(values).max()
