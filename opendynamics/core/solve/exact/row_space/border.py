"""Elimination of the border: what the rows with bounds lose with the rows that are eliminated, eight of them side by side.

With A_uu = L D Lᵀ factorised, for the rows b of the border

    g = A_bu L⁻ᵀ,    L_b = g D⁻¹,    S = A_bb - g L_bᵀ.

A panel holds eight rows of the border, number k of all of them side by side: each of the eliminated rows is read once for
eight, and nothing has to be summed up across a vector. `envelope.factorise` does the same one or two rows at a time.

Reads and writes the envelope.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.simd import LANES, panel_products, scale_panel, subtract_before


@kernel
def panels_needed(bounded, eliminated):
    """Numbers of scratch: two panels of every eight rows, and the products of two panels."""
    return 2 * (bounded + LANES) * eliminated + LANES * LANES


@kernel
def eliminate_border(values, origin, first, n, eliminated, inverse_pivots, scratch):
    """Let the rows from `eliminated` on hold L_b and S."""
    size, count = LANES * eliminated, (n - eliminated + LANES - 1) // LANES
    products = piece(scratch, 2 * count * size, LANES * LANES)
    for c in range(count):
        row = eliminated + LANES * c
        g, lower = piece(scratch, 2 * c * size, size), piece(scratch, (2 * c + 1) * size, size)
        begin = _load(values, origin, first, row, min(row + LANES, n), eliminated, g)
        for j in range(begin, eliminated):
            start = max(first[j], begin)
            subtract_before(g, j, values, origin[j] + start, start)
        scale_panel(g, lower, inverse_pivots, eliminated)
        _store(values, origin, first, row, min(row + LANES, n), eliminated, lower)
        if begin < eliminated:
            for d in range(c + 1):
                panel_products(g, piece(scratch, (2 * d + 1) * size, size), begin, eliminated, products)
                _subtract(values, origin, first, row, eliminated + LANES * d, n, eliminated, products)


@kernel
def _load(values, origin, first, row, end, eliminated, panel):
    """The part of some rows in the columns that are eliminated; zeros before them. Returns the first column of all."""
    begin = eliminated
    for i in range(row, end):
        begin = min(begin, first[i])
    for k in range(len(panel)):
        panel[k] = 0.0
    for i in range(row, end):
        for k in range(first[i], eliminated):
            panel[LANES * k + i - row] = values[origin[i] + k]
    return begin


@kernel
def _store(values, origin, first, row, end, eliminated, panel):
    for i in range(row, end):
        for k in range(first[i], eliminated):
            values[origin[i] + k] = panel[LANES * k + i - row]


@kernel
def _subtract(values, origin, first, row, column, n, eliminated, products):
    """Subtract the products of eight rows with those that begin at `column` from S."""
    for i in range(row, min(row + LANES, n)):
        if first[i] < eliminated:
            for j in range(column, min(column + LANES, i + 1)):
                values[origin[i] + j] -= products[LANES * (j - column) + i - row]
