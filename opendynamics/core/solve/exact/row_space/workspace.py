"""Scratch memory of `elimination`: which stretch of the integers and floats is what."""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.box_lcp import FLOATS_A_ROW, INTEGERS_A_ROW


@kernel
def integers_needed(n, bodies, bounded):
    return 7 * n + 1 + bodies + (2 + INTEGERS_A_ROW) * bounded


@kernel
def floats_needed(n, bodies, bounded, size):
    return 30 * n + 6 * bodies + FLOATS_A_ROW * bounded + 2 * size


@kernel
def use_integers(n, bodies, integers):
    """Order, slots, blocks, their first, rows' first and origin; bodies' first touch; the bounded rows' own."""
    before = 7 * n + 1 + bodies
    return (
        piece(integers, 0, n),
        piece(integers, n, 2 * n),
        piece(integers, 3 * n, n + 1),
        piece(integers, 4 * n + 1, n),
        piece(integers, 5 * n + 1, n),
        piece(integers, 6 * n + 1, n),
        piece(integers, 7 * n + 1, bodies),
        piece(integers, before, len(integers) - before),
    )


@kernel
def use_floats(n, bodies, size, floats):
    """x, z, lo, hi, inverse pivots, diagonal; J, M⁻¹ Jᵀ, M⁻¹ Jᵀ x; the matrix; the bounded rows' own."""
    before = 30 * n + 6 * bodies + size
    return (
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, n),
        piece(floats, 5 * n, n),
        piece(floats, 6 * n, 12 * n),
        piece(floats, 18 * n, 12 * n),
        piece(floats, 30 * n, 6 * bodies),
        piece(floats, 30 * n + 6 * bodies, size),
        piece(floats, before, len(floats) - before),
    )
