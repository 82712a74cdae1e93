"""Chains of joints without bounds: each joint is coupled with the one before it and the one after it alone.

A = J M⁻¹ Jᵀ + cfm is block tridiagonal, a block for each joint. With B the coupling of a block with the one before,

    S = A - Bᵀ H,  H = S'⁻¹ B,  z = b - Hᵀ z',  u = S⁻¹ z        from the first block to the last, ' is the one before
    x = u - H" x"                                                 from the last to the first, " is the one after

Blocks of up to six rows are vectors whose lanes are the rows; the inverses of the small matrices S have no long chains of
dependent numbers. Islands with another structure, a row without CFM, or a pivot near zero are left to `elimination`, as are
solutions that need refinement.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._lcp.residual import measure, report
from opendynamics.core.solve.dense import at_line, dot_sides, piece, push_bodies, put6, vector
from opendynamics.core.solve.exact.joints.chain_simd import (
    CFM,
    CURRENT,
    MAX_ROWS,
    RHS,
    ROW_SIZE,
    block_eliminator,
)
from opendynamics.core.solve.impact_energy import FLOATS_A_BODY
from opendynamics.core.solve.prepared import inverse_mass_of, response
from opendynamics.core.solve.reactions import REACTIONS_SUMMED, write_reactions

# Of a block, in the integers: its first row, its number of rows, its bodies (places in the island, -1: immovable), which of them
# it shares with the block before, as this and as that one counts (-1: none), and how many vectors are before its own: u, and H by
# rows of the block before.
FIRST, COUNT, BODY0, BODY1, SIDE, SIDE_BEFORE, VECTORS_BEFORE = range(7)
BLOCK = 7

# Values of a body before any block acts on it, and after two.
UNTOUCHED, SHARED = -1, -2

# Residual above which the solution needs refinement.
FINE = 1e-14

# Results of `solve`; the first two are those of a solver.
NO_ROOM, DONE, DECLINED = range(3)

doubles_at = array_of(np.float64)

eliminate1, eliminate2, eliminate3 = block_eliminator(1), block_eliminator(2), block_eliminator(3)
eliminate4, eliminate5, eliminate6 = block_eliminator(4), block_eliminator(5), block_eliminator(6)


@entry(SOLVE)
def solve(tables, island):
    """Compute the forces of an island without bounded rows, if its joints are a chain. NO_ROOM, DONE or DECLINED."""
    record = ISLANDS.rows(tables)[island]
    if not INTEGERS.has_room(tables, BLOCK * record.links + record.bodies):
        return NO_ROOM
    blocks, vectors = _list_blocks(tables, record)
    if blocks == 0:
        return DECLINED
    if not FLOATS.has_room(tables, _numbers_at(record) + LANES * vectors + CURRENT):
        return NO_ROOM
    if not _eliminate(tables, record, blocks, vectors):
        return DECLINED
    _substitute(tables, record, blocks)
    residual = _find_residual(tables, record, blocks)
    if not residual <= FINE:
        return DECLINED
    forces, x = FORCES.rows(tables), piece(FLOATS.rows(tables), _rows_at(record), record.rows)
    for i in range(record.rows):
        forces[record.first_row + i] = x[i]
    write_reactions(tables, record, piece(FLOATS.rows(tables), _bodies_at(record), 6 * (record.bodies + 1)))
    record.iterations, record.corrected = 0, REACTIONS_SUMMED
    report(record, residual, forces)
    return DONE


@kernel
def _bodies_at(record):
    """Offset of Jᵀ x of the bodies, then of M⁻¹ Jᵀ x, six numbers each; both end with six for immovable bodies."""
    return FLOATS_A_BODY * record.bodies


@kernel
def _rows_at(record):
    """Offset of x, then of the diagonal, and of the residuals."""
    return _bodies_at(record) + 12 * (record.bodies + 1)


@kernel
def _numbers_at(record):
    """Offset of the numbers of the blocks, and behind them those of the current one."""
    return at_line(_rows_at(record) + 3 * record.rows)


@kernel
def _list_blocks(tables, record):
    """List the blocks; returns their number, 0 if they are no chain, and that of all their vectors."""
    integers, rows = INTEGERS.rows(tables), ROWS.rows(tables)
    touched, count, vectors = piece(integers, BLOCK * record.links, record.bodies), 0, 0
    for k in range(record.bodies):
        touched[k] = UNTOUCHED
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.row_count == 0:
            continue
        if link.row_count > MAX_ROWS:
            return 0, 0
        block, row = vector(integers, BLOCK, count), rows[link.first_row]
        block[FIRST], block[COUNT], block[SIDE], block[SIDE_BEFORE] = link.first_row, link.row_count, -1, -1
        block[BODY0], block[BODY1] = _movable(tables, record, row.slot0), _movable(tables, record, row.slot1)
        for side in range(2):
            body = block[BODY0 + side]
            if body >= 0:
                last = touched[body]
                touched[body] = count
                if last != UNTOUCHED:
                    if last != count - 1 or block[SIDE] >= 0:
                        return 0, 0
                    touched[body] = SHARED
                    block[SIDE], block[SIDE_BEFORE] = side, vector(integers, BLOCK, count - 1)[BODY0] != body
        block[VECTORS_BEFORE] = vectors
        vectors += 1 + _coupled_rows(integers, count)
        count += 1
    return count, vectors


@kernel
def _coupled_rows(integers, k):
    """Number of rows of the block before that block k is coupled with."""
    return vector(integers, BLOCK, k - 1)[COUNT] if vector(integers, BLOCK, k)[SIDE] >= 0 else 0


@kernel
def _movable(tables, record, slot):
    """The slot of a body that forces can move, or else -1."""
    if slot >= 0:
        body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
        if MOTIONS.rows(tables)[body].inverse_mass == 0.0:
            return -1
    return slot


@kernel
def _row_numbers(record):
    """Numbers of the table of rows up to the island's last; row r begins at ROW_SIZE times r."""
    return ROW_SIZE * (record.first_row + record.rows)


@kernel
def _eliminate(tables, record, blocks, vectors):
    """Compute u and H of all blocks. Returns whether all pivots are far from zero."""
    integers, floats, rows = (
        INTEGERS.rows(tables),
        FLOATS.rows(tables),
        doubles_at(ROWS.address(tables, 0), _row_numbers(record)),
    )
    first, diagonal = _numbers_at(record), _rows_at(record) + record.rows - record.first_row
    current = first + LANES * vectors
    healthy, last = 1, vector(integers, BLOCK, 0)
    for k in range(blocks):
        block, before = vector(integers, BLOCK, k), _coupled_rows(integers, k)
        own, place = first + LANES * block[VECTORS_BEFORE], diagonal + block[FIRST]
        mass0, mass1 = _inverse_mass(tables, record, block[BODY0]), _inverse_mass(tables, record, block[BODY1])
        shared = ROW_SIZE * last[FIRST] + 6 * block[SIDE_BEFORE]
        healthy &= _eliminate_block(floats, rows, block, mass0, mass1, shared, before, own, current, place)
        last = block
    return healthy != 0


@kernel
def _inverse_mass(tables, record, slot):
    """Inverse mass and world inverse inertia of the body in a slot; zeros for what cannot be moved."""
    if slot < 0:
        return 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[record.first_body + slot])


@kernel
def _eliminate_block(floats, rows, block, mass0, mass1, last, before, own, current, place):
    """Compute u and H of a block. Returns 1 if all pivots are far from zero, else 0."""
    (m0, i0), (m1, i1) = mass0, mass1
    row, n, side = ROW_SIZE * block[FIRST], block[COUNT], block[SIDE]
    if n == 3:
        return eliminate3(floats, rows, row, m0, i0, m1, i1, last, side, before, own, current, place)
    if n == 5:
        return eliminate5(floats, rows, row, m0, i0, m1, i1, last, side, before, own, current, place)
    if n == 4:
        return eliminate4(floats, rows, row, m0, i0, m1, i1, last, side, before, own, current, place)
    if n == 6:
        return eliminate6(floats, rows, row, m0, i0, m1, i1, last, side, before, own, current, place)
    if n == 2:
        return eliminate2(floats, rows, row, m0, i0, m1, i1, last, side, before, own, current, place)
    return eliminate1(floats, rows, row, m0, i0, m1, i1, last, side, before, own, current, place)


@kernel
def _substitute(tables, record, blocks):
    """Compute x of all blocks from H and u."""
    integers, floats, x = (
        INTEGERS.rows(tables),
        FLOATS.rows(tables),
        piece(FLOATS.rows(tables), _rows_at(record), record.rows),
    )
    numbers, after, behind, eliminated = _numbers_at(record), 0, 0, 0
    for k in range(blocks - 1, -1, -1):
        block = vector(integers, BLOCK, k)
        own, first = numbers + LANES * block[VECTORS_BEFORE], block[FIRST] - record.first_row
        for j in range(block[COUNT]):
            value = floats[own + j]
            for i in range(after):
                value -= floats[eliminated + LANES * j + i] * x[behind + i]
            x[first + j] = value
        after = block[COUNT] if block[SIDE] >= 0 else 0
        behind, eliminated = first, own + LANES


@kernel
def _find_residual(tables, record, blocks):
    """Size of the residuals b - A x, by the bodies' Jᵀ x, which remain, and M⁻¹ Jᵀ x."""
    integers, floats, rows = (
        INTEGERS.rows(tables),
        FLOATS.rows(tables),
        doubles_at(ROWS.address(tables, 0), _row_numbers(record)),
    )
    bodies, n = record.bodies, record.rows
    x, diagonal = piece(FLOATS.rows(tables), _rows_at(record), record.rows), piece(floats, _rows_at(record) + n, n)
    residuals, wrenches = (
        piece(floats, _rows_at(record) + 2 * n, n),
        piece(floats, _bodies_at(record), 6 * (bodies + 1)),
    )
    y = piece(floats, _bodies_at(record) + 6 * (bodies + 1), 6 * (bodies + 1))
    own_rows = piece(rows, ROW_SIZE * record.first_row, ROW_SIZE * n)
    for k in range(6 * (bodies + 1)):
        wrenches[k] = y[k] = 0.0
    for k in range(blocks):
        block = vector(integers, BLOCK, k)
        a, b = _place_of(block[BODY0], bodies), _place_of(block[BODY1], bodies)
        first = block[FIRST] - record.first_row
        push_bodies(wrenches, a, b, own_rows, ROW_SIZE, x, first, first + block[COUNT])
    for slot in range(bodies):
        body, own = ISLAND_BODIES.rows(tables)[record.first_body + slot], piece(wrenches, 6 * slot, 6)
        linear, angular = response(inverse_mass_of(tables, body), own)
        put6(y, 6 * slot, (linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]))
    for k in range(blocks):
        block = vector(integers, BLOCK, k)
        a, b = piece(y, _place_of(block[BODY0], bodies), 6), piece(y, _place_of(block[BODY1], bodies), 6)
        for r in range(block[FIRST], block[FIRST] + block[COUNT]):
            i, own = r - record.first_row, ROW_SIZE * r
            residuals[i] = rows[own + RHS] - rows[own + CFM] * x[i] - dot_sides(rows, own, a, b, 0)
    return measure(n, n, diagonal, diagonal, diagonal, x, residuals)


@kernel
def _place_of(slot, bodies):
    return 6 * (slot if slot >= 0 else bodies)
