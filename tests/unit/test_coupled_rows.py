"""The matrix J M⁻¹ Jᵀ of an island's rows, computed with vectors, compared with the product of full matrices."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.solve.exact.row_space.matrix import fill_matrix, lay_out

numba = pytest.importorskip("numba")

BODIES = 4
# Rows of each block and its two bodies, -1: none that moves. Some have more rows than a vector, bodies in either order, or
# only the second body.
CHAIN = [(3, 0, -1), (3, 0, 1), (3, 1, 2), (3, 2, 3)]
MIXED = [(5, 1, 0), (12, 0, 1), (4, -1, 2), (9, 2, -1), (6, 2, 1), (17, 3, 2), (2, -1, -1), (10, -1, 3), (1, 0, 3)]


@numba.njit
def fill(blocks, block, block_first, slots, jacobian, responses, n, first, origin, values):
    lay_out(blocks, block, block_first, first, origin)
    fill_matrix(blocks, block, block_first, slots, jacobian, responses, n, origin, values)


@numba.njit
def size_of(blocks, block, block_first, first, origin):
    return lay_out(blocks, block, block_first, first, origin)


@pytest.mark.parametrize("kinds", [CHAIN, MIXED, MIXED[::-1]], ids=["chain", "mixed", "backwards"])
def test_rows_are_coupled_by_the_bodies_that_they_share(kinds: list[tuple[int, int, int]]) -> None:
    rng = np.random.default_rng(3)
    pairs = np.array([bodies for count, *bodies in kinds for _ in range(count)])
    block = np.cumsum([0] + [count for count, *_ in kinds])
    n = len(pairs)
    block_first = np.array(
        [
            next(m for m in range(k + 1) if m == k or ({a, b} - {-1}) & set(kinds[m][1:]))
            for k, (_, a, b) in enumerate(kinds)
        ]
    )
    roots = rng.normal(size=(BODIES, 6, 6))
    inverse_masses = roots @ roots.transpose(0, 2, 1)
    jacobian, responses = np.zeros((n, 12)), np.full((12, n), np.nan)
    whole = np.zeros((n, 6 * BODIES))
    for i, bodies in enumerate(pairs):
        for side, body in enumerate(bodies):
            if body >= 0:
                j = rng.normal(size=6)
                jacobian[i, 6 * side : 6 * side + 6] = j
                responses[6 * side : 6 * side + 6, i] = inverse_masses[body] @ j
                whole[i, 6 * body : 6 * body + 6] = j
    mass = np.zeros((6 * BODIES, 6 * BODIES))
    for body in range(BODIES):
        mass[6 * body : 6 * body + 6, 6 * body : 6 * body + 6] = inverse_masses[body]
    expected = whole @ mass @ whole.T

    first, origin = np.zeros(n, np.int64), np.zeros(n, np.int64)
    size = size_of(len(kinds), block, block_first, first, origin)
    values = np.full(size, np.nan)
    room = np.concatenate([responses.ravel(), np.full(8, np.nan)])  # read beyond the last row
    fill(len(kinds), block, block_first, pairs.ravel(), jacobian.ravel(), room, n, first, origin, values)
    for i in range(n):
        row = values[origin[i] + first[i] : origin[i] + i + 1]
        assert np.abs(row - expected[i, first[i] : i + 1]).max() < 1e-12
        assert not expected[i, : first[i]].any()
