"""Layout of `island`'s scratch memory in the integers and floats."""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve._body_space.minimum_degree import VECTORS as ORDER_VECTORS
from opendynamics.core.solve._body_space.system import GROUP
from opendynamics.core.solve._lcp.interior_point import VECTORS
from opendynamics.core.solve.dense import piece


class Integers(NamedTuple):
    """The island's rows and blocks of rows, and the order of its bodies with the blocks of the factor."""

    order: Any  # rows
    slots: Any  # two movable bodies a row
    block: Any  # first row of each block
    positions: Any  # of each block's two bodies, their places in the order of elimination
    coupling: Any  # of each block, index in the earlier body's column of the factor's block that couples both bodies
    state: Any  # of each row, see `active_set`
    neighbours: Any
    body_order: Any
    column: Any  # first block of each column of the factor
    row: Any
    filled: Any
    scratch: Any  # of the ordering
    pattern: Any  # bodies in each column of the factor
    row_column: Any  # for each row of the factor, the columns that have it
    row_at: Any  # and where


class Floats(NamedTuple):
    """Vectors of rows, Ĵ, vectors of bodies, and the factor."""

    x: Any
    b: Any
    cfm: Any
    row_diagonal: Any  # of A
    lo: Any
    hi: Any
    residuals: Any
    best: Any
    vectors: Any  # of the interior point method
    scaled: Any  # Ĵ, twelve numbers a row
    columns: Any  # Ĵ, twelve columns a group of rows; the last is read GROUP wide, whatever its rows
    y: Any  # six a body
    roots: Any  # M⁻¹ᐟ², seven a body
    diagonal: Any  # blocks of the factor
    panels: Any


@kernel
def integers_for_bodies(n, bodies):
    """Integers that are likely to be enough."""
    return 12 * n + (10 + ORDER_VECTORS) * bodies + 3


@kernel
def floats_for_bodies(n, bodies, pattern):
    return (32 + VECTORS) * n + GROUP + 49 * bodies + 36 * pattern


@kernel
def use_integers(tables, record):
    integers, n, bodies = INTEGERS.rows(tables), record.rows, record.bodies
    bodily = 10 * n + 1
    before = bodily + 4 * bodies + 2 + ORDER_VECTORS * bodies
    third = (len(integers) - before) // 3
    return Integers(
        piece(integers, 0, n),
        piece(integers, n, 2 * n),
        piece(integers, 3 * n, n + 1),
        piece(integers, 4 * n + 1, 2 * n),
        piece(integers, 6 * n + 1, n),
        piece(integers, 7 * n + 1, n),
        piece(integers, 8 * n + 1, 2 * n),
        piece(integers, bodily, bodies),
        piece(integers, bodily + bodies, bodies + 1),
        piece(integers, bodily + 2 * bodies + 1, bodies + 1),
        piece(integers, bodily + 3 * bodies + 2, bodies),
        piece(integers, bodily + 4 * bodies + 2, ORDER_VECTORS * bodies),
        piece(integers, before, third),
        piece(integers, before + third, third),
        piece(integers, before + 2 * third, third),
    )


@kernel
def use_floats(tables, record, pattern_size):
    """`pattern_size`: blocks of the factor below its diagonal."""
    floats, n, bodies = FLOATS.rows(tables), record.rows, record.bodies
    before = (8 + VECTORS) * n
    bodily = before + 24 * n + GROUP
    return Floats(
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, n),
        piece(floats, 5 * n, n),
        piece(floats, 6 * n, n),
        piece(floats, 7 * n, n),
        piece(floats, 8 * n, VECTORS * n),
        piece(floats, before, 12 * n),
        piece(floats, before + 12 * n, 12 * n + GROUP),
        piece(floats, bodily, 6 * bodies),
        piece(floats, bodily + 6 * bodies, 7 * bodies),
        piece(floats, bodily + 13 * bodies, 36 * bodies),
        piece(floats, bodily + 49 * bodies, 36 * pattern_size),
    )
