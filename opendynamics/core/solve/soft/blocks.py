"""Hard rows of a joint as a block: their impulses are solved for together, by the Cholesky factor of J M⁻¹ Jᵀ + s."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import dot12, piece, vector
from opendynamics.core.solve.soft.layout import AT, CFM, FACTOR, FIRST, HARD, MOST_HARD, RESPONSE, ROW, scratch_of

# A pivot this small relative to its diagonal is what rounding left of zero: the row is redundant.
REDUNDANT = 1e-10


@kernel
def factorise_block(tables, island, own):
    """The factor L of the joint's hard rows, row by row, with one over its diagonal."""
    s = scratch_of(tables, island)
    factor = piece(s.floats, own[AT], FACTOR)
    for i in range(own[HARD]):
        one = vector(s.rows, ROW, own[FIRST] + i)
        for j in range(i + 1):
            other = vector(s.rows, ROW, own[FIRST] + j)
            value = total = dot12(one, RESPONSE, other, 0) + (one[CFM] if i == j else 0.0)
            for k in range(j):
                value -= factor[MOST_HARD * i + k] * factor[MOST_HARD * j + k]
            if i == j:
                factor[MOST_HARD * i + i] = 1.0 / sqrt(value) if value > REDUNDANT * total else 0.0
            else:
                factor[MOST_HARD * i + j] = value * factor[MOST_HARD * j + j]


@kernel
def solve_block(factor, n, x):
    """x <- (L Lᵀ)⁻¹ x."""
    for i in range(n):
        value = x[i]
        for k in range(i):
            value -= factor[MOST_HARD * i + k] * x[k]
        x[i] = value * factor[MOST_HARD * i + i]
    for i in range(n - 1, -1, -1):
        value = x[i]
        for k in range(i + 1, n):
            value -= factor[MOST_HARD * k + i] * x[k]
        x[i] = value * factor[MOST_HARD * i + i]
