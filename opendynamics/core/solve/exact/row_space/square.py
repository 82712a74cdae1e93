"""LDLᵀ of some rows of a square matrix, whose rows are whole vectors: for small dense problems faster than an envelope.

Elimination starts at the top, so each row is needed only to the right of its diagonal; the rest of its vectors is ignored. Rows
keep their places: `free` lists those that are factorised, and right-hand sides and inverse pivots have an element for every row.
The first `kept` of them may have been factorised before: a row depends on those before it alone.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.exact.row_space.envelope import DEPENDENT
from opendynamics.core.solve.exact.row_space.simd import LANES, subtract_row


@kernel
def add_free(free, i, free_count, before, kept):
    """Add row i to the list of `free_count` rows, the first `kept` of which are those of the last list, of `before` rows.

    Returns the new values of `free_count` and `kept`.
    """
    if kept == free_count and free_count < before and free[free_count] == i:
        kept += 1
    free[free_count] = i
    return free_count + 1, kept


@kernel
def copy_rows(matrix, factors, free, kept, free_count, vectors):
    """Copy the free rows that are to be factorised."""
    width = LANES * vectors
    for k in range(kept, free_count):
        source, target = vector(matrix, width, free[k]), vector(factors, width, free[k])
        for j in range(width):
            target[j] = source[j]


@kernel
def factorise_rows(factors, diagonal, free, kept, free_count, vectors, inverse_pivots, y):
    """Factorise in place; `y` becomes L⁻¹ y. `diagonal`: what pivots are compared with."""
    width = LANES * vectors
    for k in range(free_count):
        i = free[k]
        if k >= kept:
            pivot, inverse_pivots[i] = factors[width * i + i], 0.0
            if diagonal[i] > 0.0 and not pivot <= DEPENDENT * diagonal[i]:
                inverse_pivots[i] = 1.0 / pivot
        inverse = inverse_pivots[i]
        for m in range(k + 1, kept):
            y[free[m]] -= factors[width * i + free[m]] * inverse * y[i]
        for m in range(max(k + 1, kept), free_count):
            j = free[m]
            factor = factors[width * i + j] * inverse
            subtract_row(factors, j, factor, i, j // LANES, vectors)
            y[j] -= factor * y[i]


@kernel
def eliminate_rows(factors, free, free_count, vectors, inverse_pivots, y):
    """y <- L⁻¹ y in the free rows."""
    width = LANES * vectors
    for k in range(free_count):
        i = free[k]
        part = y[i] * inverse_pivots[i]
        for m in range(k + 1, free_count):
            y[free[m]] -= factors[width * i + free[m]] * part


@kernel
def substitute_rows(factors, free, free_count, vectors, inverse_pivots, y):
    """y <- L⁻ᵀ D⁻¹ y in the free rows."""
    width = LANES * vectors
    for k in range(free_count - 1, -1, -1):
        i = free[k]
        y[i] *= inverse_pivots[i]
        for m in range(k):
            y[free[m]] -= factors[width * free[m] + i] * y[i]
