"""The small problem in the bounded rows that is left when the others are eliminated: lo <= x <= hi.

Two ways with the same arguments. `solve_quickly` pivots a few rounds and says whether that did it. `solve_surely` goes
on with the interior point method, and ends with pivoting once more.

S stands in an envelope, element (i, j) at `values[origin[i] + j]`. The states at the end of `integers` are a guess, and
tell the solution afterwards.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.active_set import FIXED, FREE
from opendynamics.core.solve.exact.interior_point import VECTORS
from opendynamics.core.solve.exact.row_space.central_path import approach
from opendynamics.core.solve.exact.row_space.pivoting import pivot

# Rounds of pivoting before and after the interior point method, and how many of them may be in vain.
FIRST_ROUNDS, FIRST_PATIENCE = 6, 1
LAST_ROUNDS, LAST_PATIENCE = 8, 2

# Scratch a row: of integers, and of floats apart from one more S.
INTEGERS_A_ROW = 5
FLOATS_A_ROW = 4 + VECTORS


@kernel
def solve_quickly(values, origin, first, n, q, lo, hi, x, integers, floats):
    """Returns rounds, whether they led to the solution, how many rows are free and their smallest relative pivot."""
    state = piece(integers, 4 * n, n)
    for i in range(n):
        if not lo[i] < hi[i]:
            state[i] = FIXED
        elif state[i] == FIXED:
            state[i] = FREE
    return pivot(values, origin, first, n, q, lo, hi, x, state, integers, floats, FIRST_ROUNDS, FIRST_PATIENCE)


@kernel
def solve_surely(values, origin, first, n, q, lo, hi, x, integers, floats):
    """Returns the same."""
    rounds, solved, members, worst = solve_quickly(values, origin, first, n, q, lo, hi, x, integers, floats)
    if solved:
        return rounds, True, members, worst
    state = piece(integers, 4 * n, n)
    rounds += approach(values, origin, first, n, q, lo, hi, x, state, integers, floats)
    more, solved, members, worst = pivot(
        values, origin, first, n, q, lo, hi, x, state, integers, floats, LAST_ROUNDS, LAST_PATIENCE
    )
    return rounds + more, solved, members, worst
