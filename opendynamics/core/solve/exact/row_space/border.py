"""Elimination of the border: Schur complement of the bounded rows, in panels of eight.

With A_uu = L D Lᵀ factorised, for the rows b of the border

    g = A_bu L⁻ᵀ,    L_b = g D⁻¹,    S = A_bb - g L_bᵀ.

A panel holds eight rows of the border, interleaved: each eliminated row is read once for all eight, without horizontal sums.
`envelope.factorise` does the same for one or two rows at a time.

Reads and writes the envelope.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.simd import LANES, panel_products, scale_panel, subtract_before


@kernel
def panels_needed(bounded, eliminated):
    """Size of scratch memory: two panels for every eight rows, and the products of two panels."""
    return 2 * (bounded + LANES) * eliminated + LANES * LANES


@kernel
def eliminate_border(values, origin, first, n, eliminated, inverse_pivots, scratch):
    """Overwrite the rows from `eliminated` with L_b and S."""
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
    """Load the eliminated columns of some rows, zeros before them. Returns the smallest first column."""
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
    """Subtract the products of eight rows with those that start at `column` from S."""
    for i in range(row, min(row + LANES, n)):
        if first[i] < eliminated:
            for j in range(column, min(column + LANES, i + 1)):
                values[origin[i] + j] -= products[LANES * (j - column) + i - row]
