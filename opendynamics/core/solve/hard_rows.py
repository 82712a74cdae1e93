"""Impulses of rigid joints: A λ = b over the hard rows of an island, A = J M⁻¹ Jᵀ, by an envelope Cholesky factorisation.

Hard rows may lie anywhere in the table; their order is kept. Springs, motors, stops and contacts are excluded; redundant rows,
whose pivots vanish, get no impulse. The envelope of a chain is a band, so time is linear in its length.

Layout of the integers: for each body the first of its hard rows, then PLACE numbers per hard row. Layout of the floats: RECORD
numbers per hard row, then the envelope, row by row.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.parts.hard_row import is_hard
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import dot, piece
from opendynamics.core.solve.prepared import inverse_mass_of, response

# Of a hard row, in the integers: its index in the table, the first row of its envelope, and the offset of that entry.
ROW, BEGIN, START = range(3)
PLACE = 3

# In the floats: M⁻¹ Jᵀ of both bodies; reciprocal of the factor's diagonal; b, which `solve_hard_rows` overwrites with λ.
INVERSE, VALUE = 12, 13
RECORD = 14

# A pivot this small relative to its diagonal is zero up to rounding.
REDUNDANT = 1e-11

# Of projections. Rows of closed linkages are redundant but for their errors: hard ones would answer these by large moves.
REGULARISATION = 1e-6


@kernel
def list_hard_rows(tables, island, first, softest):
    """List the hard rows from row `first`; returns their number, -1 if there is no memory."""
    if not INTEGERS.has_room(tables, island.bodies + PLACE * island.rows):
        return -1
    integers = INTEGERS.rows(tables)
    for b in range(island.bodies):
        integers[b] = -1
    count = size = 0
    for r in range(first, first + island.rows):
        row = ROWS.rows(tables)[r]
        if is_hard(row, softest):
            begin = _envelope_start(integers, row.slot1, count, _envelope_start(integers, row.slot0, count, count))
            place = piece(integers, island.bodies + PLACE * count, PLACE)
            place[ROW], place[BEGIN], place[START] = r, begin, size - begin
            size += count - begin + 1
            count += 1
    return count if FLOATS.has_room(tables, RECORD * count + size) else -1


@kernel
def hard_rows_end(tables, island, count):
    """Numbers of integers and floats in use."""
    integers = island.bodies + PLACE * island.rows
    if count == 0:
        return integers, 0
    return integers, RECORD * count + INTEGERS.rows(tables)[island.bodies + PLACE * (count - 1) + START] + count


@kernel
def _envelope_start(integers, slot, row, begin):
    """First row that shares the body at `slot`, or `begin` if that is earlier."""
    if slot < 0:
        return begin
    if integers[slot] < 0:
        integers[slot] = row
    return min(begin, integers[slot])


@kernel
def factorize_hard_rows(tables, island, count, regularisation):
    """Cholesky factor of A over the listed rows; `regularisation` is the fraction by which its diagonal is raised."""
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    for i in range(count):
        one = piece(integers, island.bodies + PLACE * i, PLACE)
        own = piece(floats, RECORD * i, RECORD)
        row = ROWS.rows(tables)[one[ROW]]
        _respond(tables, island, row.slot0, row.j0, own, 0)
        _respond(tables, island, row.slot1, row.j1, own, 6)
        at = RECORD * count + one[START]
        for j in range(one[BEGIN], i):
            two = piece(integers, island.bodies + PLACE * j, PLACE)
            other = RECORD * count + two[START]
            start = max(one[BEGIN], two[BEGIN])
            left = _coupling(own, row, ROWS.rows(tables)[two[ROW]])
            left -= dot(floats, at + start, floats, other + start, j - start)
            floats[at + j] = left * floats[RECORD * j + INVERSE]
        diagonal = (1.0 + regularisation) * _coupling(own, row, row)
        pivot = diagonal - dot(floats, at + one[BEGIN], floats, at + one[BEGIN], i - one[BEGIN])
        own[INVERSE] = 1.0 / sqrt(pivot) if pivot > REDUNDANT * diagonal else 0.0


@kernel
def _respond(tables, island, slot, j, own, at):
    """Write M⁻¹ Jᵀ of one body to the row's record."""
    linear = angular = (0.0, 0.0, 0.0)
    if slot >= 0:
        linear, angular = response(inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[island.first_body + slot]), j)
    for k in range(3):
        own[at + k] = linear[k]
        own[at + 3 + k] = angular[k]


@kernel
def _coupling(own, row, other):
    """J' M⁻¹ Jᵀ of two rows; `own` has the second factor."""
    total = 0.0
    for k in range(6):
        if row.slot0 >= 0:
            if row.slot0 == other.slot0:
                total += own[k] * other.j0[k]
            if row.slot0 == other.slot1:
                total += own[k] * other.j1[k]
        if row.slot1 >= 0:
            if row.slot1 == other.slot0:
                total += own[6 + k] * other.j0[k]
            if row.slot1 == other.slot1:
                total += own[6 + k] * other.j1[k]
    return total


@kernel
def solve_hard_rows(tables, island, count):
    """Solve for λ in place of b, in the VALUE of each record."""
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    envelope = RECORD * count
    for i in range(count):
        begin, at = _place(integers, island, i, envelope)
        value = floats[RECORD * i + VALUE]
        for k in range(begin, i):
            value -= floats[at + k] * floats[RECORD * k + VALUE]
        floats[RECORD * i + VALUE] = value * floats[RECORD * i + INVERSE]
    for i in range(count - 1, -1, -1):
        begin, at = _place(integers, island, i, envelope)
        value = floats[RECORD * i + VALUE] * floats[RECORD * i + INVERSE]
        floats[RECORD * i + VALUE] = value
        for k in range(begin, i):
            floats[RECORD * k + VALUE] -= value * floats[at + k]


@kernel
def _place(integers, island, i, envelope):
    place = piece(integers, island.bodies + PLACE * i, PLACE)
    return place[BEGIN], envelope + place[START]
