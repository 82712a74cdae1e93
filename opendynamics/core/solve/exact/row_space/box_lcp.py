"""Boxed LCP, lo <= x <= hi, in the bounded rows that remain after elimination of the others.

`pivoting` solves most of them in a few iterations. Otherwise `parametric` solves small ones and `central_path` the rest; both
end with another run of pivoting.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import FIXED, FREE
from opendynamics.core.solve._lcp.interior_point import VECTORS
from opendynamics.core.solve.dense import at_line, piece

# Iterations of pivoting before and after the other methods, and how many of them may fail to make progress.
FIRST_ROUNDS, FIRST_PATIENCE = 4, 1
LAST_ROUNDS, LAST_PATIENCE = 8, 2

# Scratch memory per row: integers, and floats besides a second S and a tableau.
INTEGERS_A_ROW = 7
FLOATS_A_ROW = 4 + VECTORS

# Rows above which the interior point method is faster than exchanges in a tableau.
MAX_TRACED = 256

# Vectors that `parametric` needs behind the tableau.
PATH = 8


class Box(NamedTuple):
    """S x = q + w with bounds. Element (i, j) of S is at `values[origin[i] + j]`, for j from first[i] to i.

    If `vectors` is not 0, S is square: rows of this many vectors follow each other, and `first` is 0.
    """

    values: Any
    origin: Any
    first: Any
    vectors: Any
    q: Any
    lo: Any
    hi: Any
    x: Any
    state: Any  # a guess, see `active_set`; those of the solution afterwards
    integers: Any  # scratch
    floats: Any


class Part(NamedTuple):
    """Scratch memory of a Box: its free rows, and the factorisation of their submatrix of S."""

    free: Any  # the free rows
    rank: Any  # of each row, how many free ones come before it
    origin: Any  # of the part's envelope
    first: Any
    best: Any  # states that violate the fewest conditions
    right: Any  # right-hand side and solution of the part's system
    inverse_pivots: Any
    product: Any  # S x
    diagonal: Any
    vectors: Any  # of the interior point method
    values: Any


@kernel
def tableau_size(n):
    """Size of the tableau of `parametric` for n rows, and of the vectors behind it; 0 above its limit."""
    return (at_line(n) + 1 + PATH) * at_line(n) if n <= MAX_TRACED else 0


@kernel
def use_part(integers, floats, n):
    """Scratch memory of a Box of n rows."""
    before = at_line((4 + VECTORS) * n)
    return Part(
        piece(integers, 0, n),
        piece(integers, n, n),
        piece(integers, 2 * n, n),
        piece(integers, 3 * n, n),
        piece(integers, 5 * n, n),
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, VECTORS * n),
        piece(floats, before, len(floats) - before),
    )


@kernel
def guess_states(state, lo, hi):
    """Rows whose bounds differ keep their state; the others are fixed."""
    for i in range(len(state)):
        if not lo[i] < hi[i]:
            state[i] = FIXED
        elif state[i] == FIXED:
            state[i] = FREE
