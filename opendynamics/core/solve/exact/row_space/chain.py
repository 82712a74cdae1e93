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

from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import ADDRESS, FIELDS, array_of
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._lcp.residual import measure, report
from opendynamics.core.solve.dense import dot_sides, piece, put6, vector
from opendynamics.core.solve.exact.row_space.box_lcp import at_line
from opendynamics.core.solve.exact.row_space.chain_simd import CFM, RHS, ROW_SIZE, block_inverter, combine
from opendynamics.core.solve.exact.row_space.matrix import write_reactions
from opendynamics.core.solve.exact.row_space.simd import LANES, push_bodies
from opendynamics.core.solve.impact_energy import FLOATS_A_BODY
from opendynamics.core.solve.prepared import inverse_mass_of, response
from opendynamics.core.solve.reactions import REACTIONS_SUMMED

# Most rows of a block.
MAX_ROWS = 6

# Of a block, in the integers: its first row, its number of rows, its bodies (places in the island, -1: immovable), and which of
# them it shares with the block before, as this and as that one counts (-1: none).
FIRST, COUNT, BODY0, BODY1, SIDE, SIDE_BEFORE = range(6)
BLOCK = 6

# Values of a body before any block acts on it, and after two.
UNTOUCHED, SHARED = -1, -2

# Numbers of a block: H, and u.
ELIMINATED, SOLVED = 0, LANES * MAX_ROWS
NUMBERS = LANES * (MAX_ROWS + 1)

# Of the current block: M⁻¹ Jᵀ of two blocks in turn, B, S⁻¹, and z of two blocks in turn.
RESPONSES = 12 * LANES
COUPLINGS = 2 * RESPONSES
INVERSE = COUPLINGS + LANES * MAX_ROWS
REDUCED = INVERSE + LANES * MAX_ROWS
CURRENT = REDUCED + 2 * LANES

# Residual above which the solution needs refinement.
FINE = 1e-14

# Results of `solve`; the first two are those of a solver.
NO_ROOM, DONE, DECLINED = range(3)

ROWS_ADDRESS = FIELDS * ROWS.position + ADDRESS
doubles_at = array_of(np.float64)

invert1, invert2, invert3 = block_inverter(1), block_inverter(2), block_inverter(3)
invert4, invert5, invert6 = block_inverter(4), block_inverter(5), block_inverter(6)


@entry(SOLVE)
def solve(tables, island):
    """Compute the forces of an island without bounded rows, if its joints are a chain. NO_ROOM, DONE or DECLINED."""
    record = ISLANDS.rows(tables)[island]
    if not INTEGERS.has_room(tables, BLOCK * record.links + record.bodies):
        return NO_ROOM
    blocks = _list_blocks(tables, record)
    if blocks == 0:
        return DECLINED
    if not FLOATS.has_room(tables, _numbers_at(record) + NUMBERS * blocks + CURRENT):
        return NO_ROOM
    if not _eliminate(tables, record, blocks):
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
    """Where Jᵀ x of the bodies stands, then M⁻¹ Jᵀ x, six numbers each; both end with six for immovable bodies."""
    return FLOATS_A_BODY * record.bodies


@kernel
def _rows_at(record):
    """Where x stands, then the diagonal, and the residuals."""
    return _bodies_at(record) + 12 * (record.bodies + 1)


@kernel
def _numbers_at(record):
    """Where the numbers of the blocks stand, and behind them those of the current one."""
    return at_line(_rows_at(record) + 3 * record.rows)


@kernel
def _list_blocks(tables, record):
    """List the blocks; returns their number, 0 if they are no chain."""
    integers, rows = INTEGERS.rows(tables), ROWS.rows(tables)
    touched, count = piece(integers, BLOCK * record.links, record.bodies), 0
    for k in range(record.bodies):
        touched[k] = UNTOUCHED
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.row_count == 0:
            continue
        if link.row_count > MAX_ROWS:
            return 0
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
                        return 0
                    touched[body] = SHARED
                    block[SIDE], block[SIDE_BEFORE] = side, vector(integers, BLOCK, count - 1)[BODY0] != body
        count += 1
    return count


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
def _eliminate(tables, record, blocks):
    """Compute H and u of all blocks. Returns whether all pivots are far from zero."""
    integers, floats, rows = (
        INTEGERS.rows(tables),
        FLOATS.rows(tables),
        doubles_at(tables[ROWS_ADDRESS], _row_numbers(record)),
    )
    current, diagonal = _numbers_at(record) + NUMBERS * blocks, _rows_at(record) + record.rows - record.first_row
    _load_responses(tables, record, vector(integers, BLOCK, 0), rows, current)
    healthy, last = 1, vector(integers, BLOCK, 0)
    for k in range(blocks):
        own, block = _numbers_at(record) + NUMBERS * k, vector(integers, BLOCK, k)
        responses = current + RESPONSES * (k & 1)
        if k + 1 < blocks:  # ahead: vectors that read what was just written wait for it
            next_block, place = vector(integers, BLOCK, k + 1), current + RESPONSES * ((k + 1) & 1)
            _load_responses(tables, record, next_block, rows, place)
        before = last[COUNT] if block[SIDE] >= 0 else 0
        for j in range(before):
            row, side = ROW_SIZE * (last[FIRST] + j) + 6 * block[SIDE_BEFORE], 6 * LANES * block[SIDE]
            combine(floats, current + COUPLINGS + LANES * j, rows, row, floats, responses + side, 6)
        for j in range(before):
            inverse, couplings = current + INVERSE + LANES * j, current + COUPLINGS
            combine(floats, own + ELIMINATED + LANES * j, floats, inverse, floats, couplings, before)
        healthy &= _invert(floats, rows, block, responses, current, own + ELIMINATED, before, diagonal)
        z, z_before = current + REDUCED + LANES * (k & 1), current + REDUCED + LANES * ((k + 1) & 1)
        for i in range(block[COUNT]):
            value = rows[ROW_SIZE * (block[FIRST] + i) + RHS]
            for j in range(before):
                value -= floats[own + ELIMINATED + LANES * j + i] * floats[z_before + j]
            floats[z + i] = value
        combine(floats, own + SOLVED, floats, z, floats, current + INVERSE, block[COUNT])
        last = block
    return healthy != 0


@kernel
def _load_responses(tables, record, block, rows, at):
    """Write M⁻¹ Jᵀ of a block, by columns: zeros for what cannot be moved."""
    floats = FLOATS.rows(tables)
    for side in range(2):
        slot, column = block[BODY0 + side], at + 6 * LANES * side
        if slot < 0:
            for k in range(6 * LANES):
                floats[column + k] = 0.0
            continue
        mass = inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[record.first_body + slot])
        for i in range(block[COUNT]):
            linear, angular = response(mass, piece(rows, ROW_SIZE * (block[FIRST] + i) + 6 * side, 6))
            for k in range(3):
                floats[column + LANES * k + i] = linear[k]
                floats[column + LANES * (3 + k) + i] = angular[k]


@kernel
def _invert(floats, rows, block, responses, current, eliminated, before, diagonal):
    """S⁻¹ of a block. Returns 1 if all pivots are far from zero, else 0."""
    row, n, couplings, inverse = ROW_SIZE * block[FIRST], block[COUNT], current + COUPLINGS, current + INVERSE
    place = diagonal + block[FIRST]
    if n == 3:
        return invert3(floats, rows, row, responses, couplings, eliminated, before, inverse, place)
    if n == 5:
        return invert5(floats, rows, row, responses, couplings, eliminated, before, inverse, place)
    if n == 4:
        return invert4(floats, rows, row, responses, couplings, eliminated, before, inverse, place)
    if n == 6:
        return invert6(floats, rows, row, responses, couplings, eliminated, before, inverse, place)
    if n == 2:
        return invert2(floats, rows, row, responses, couplings, eliminated, before, inverse, place)
    return invert1(floats, rows, row, responses, couplings, eliminated, before, inverse, place)


@kernel
def _substitute(tables, record, blocks):
    """Compute x of all blocks from H and u."""
    integers, floats, x = (
        INTEGERS.rows(tables),
        FLOATS.rows(tables),
        piece(FLOATS.rows(tables), _rows_at(record), record.rows),
    )
    for k in range(blocks - 1, -1, -1):
        own, block = _numbers_at(record) + NUMBERS * k, vector(integers, BLOCK, k)
        first, after, other = block[FIRST] - record.first_row, 0, block
        if k + 1 < blocks:
            other = vector(integers, BLOCK, k + 1)
            after = other[COUNT] if other[SIDE] >= 0 else 0
        behind = other[FIRST] - record.first_row
        for j in range(block[COUNT]):
            value = floats[own + SOLVED + j]
            for i in range(after):
                value -= floats[own + NUMBERS + ELIMINATED + LANES * j + i] * x[behind + i]
            x[first + j] = value


@kernel
def _find_residual(tables, record, blocks):
    """Size of the residuals b - A x, by the bodies' Jᵀ x, which remain, and M⁻¹ Jᵀ x."""
    integers, floats, rows = (
        INTEGERS.rows(tables),
        FLOATS.rows(tables),
        doubles_at(tables[ROWS_ADDRESS], _row_numbers(record)),
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
