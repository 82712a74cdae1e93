"""LDLᵀ in an envelope (skyline): each row of a symmetric matrix is stored from its first non-zero to its diagonal.

Fill-in stays within the envelope, so no symbolic factorisation is needed. With rows in the order of the island's traversal, the
envelope of a chain is a band; that of a tree is little wider. (Jennings 1966; George & Liu 1981.)

Element (i, j) is at `values[origin[i] + j]`, for j from `first[i]` to i. Only the first `eliminated` rows are pivots. The rows
after them become

    g = L D in the columns eliminated, divided to L;  S = A_bb - A_bu A_uu⁻¹ A_ub beyond,

so that the remaining problem is in S alone.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import dot, four_dots, subtract

# A pivot below this fraction of its diagonal is rounding error: the row is redundant, and its force is zero.
DEPENDENT = 4e-15


@kernel
def factorise(values, origin, first, n, eliminated, inverse_pivots):
    """Factorise in place.

    Two rows that start at the same column are processed together, so that each read of another row is used twice.
    """
    i = 0
    while i < n:
        if i + 1 < n and first[i + 1] == first[i] and i + 1 != eliminated:
            _reduce_two(values, origin, first, i, eliminated)
            _finish_row(values, origin, first, i, eliminated, inverse_pivots)
            i += 1
            start = first[i]
            at = origin[i]
            values[at + i - 1] -= dot(values, at + start, values, origin[i - 1] + start, min(i - 1, eliminated) - start)
        else:
            _reduce_one(values, origin, first, i, eliminated)
        _finish_row(values, origin, first, i, eliminated, inverse_pivots)
        i += 1


@kernel
def _reduce_one(values, origin, first, i, eliminated):
    """Row i becomes g = L D, in the columns before its diagonal."""
    at = origin[i]
    for j in range(first[i], i):
        start = max(first[i], first[j])
        values[at + j] -= dot(values, at + start, values, origin[j] + start, min(j, eliminated) - start)


@kernel
def _reduce_two(values, origin, first, i, eliminated):
    """`_reduce_one` for rows i and i + 1, in the columns before i, two columns at a time."""
    a, b = origin[i], origin[i + 1]
    j = first[i]
    while j < i:
        start = max(first[i], first[j])
        c, count = origin[j], min(j, eliminated) - start
        if j + 1 < i and first[j + 1] == first[j] and j + 1 != eliminated:
            d = origin[j + 1]
            ac, bc, ad, bd = four_dots(values, a + start, b + start, c + start, d + start, count)
            between = values[d + j] if j < eliminated else 0.0
            values[a + j] -= ac
            values[b + j] -= bc
            values[a + j + 1] -= ad + values[a + j] * between
            values[b + j + 1] -= bd + values[b + j] * between
            j += 2
        else:
            values[a + j] -= dot(values, a + start, values, c + start, count)
            values[b + j] -= dot(values, b + start, values, c + start, count)
            j += 1


@kernel
def _finish_row(values, origin, first, i, eliminated, inverse_pivots):
    """Overwrite g with L and the diagonal with the pivot."""
    at = origin[i]
    diagonal = values[at + i]
    pivot = diagonal
    for j in range(first[i], min(i, eliminated)):
        g = values[at + j]
        values[at + j] = g * inverse_pivots[j]
        pivot -= g * values[at + j]
    values[at + i] = pivot
    if i < eliminated:
        inverse_pivots[i] = 1.0 / pivot if diagonal > 0.0 and not pivot / diagonal <= DEPENDENT else 0.0


@kernel
def eliminate(values, origin, first, n, eliminated, x):
    """x <- L⁻¹ x: afterwards the rows that are not eliminated hold the right-hand side for S."""
    for i in range(n):
        start = first[i]
        x[i] -= dot(values, origin[i] + start, x, start, min(i, eliminated) - start)


@kernel
def substitute(values, origin, first, n, eliminated, inverse_pivots, x):
    """x <- L⁻ᵀ D⁻¹ x for the eliminated rows; the others already hold their solution."""
    for i in range(eliminated):
        x[i] *= inverse_pivots[i]
    for i in range(n - 1, -1, -1):
        start = first[i]
        subtract(x, start, x[i], values, origin[i] + start, min(i, eliminated) - start)
