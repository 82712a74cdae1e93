"""The blocks of an island: its contacts and joints, with their records, in the order in which they are iterated.

Reads the island's links and rows; writes the records to the floats, and to the integers where each row's force is,
then BLOCK numbers for each block: in the order of iteration, then in the island's order.

All solutions of an island in a step share its blocks: they differ only in the biases of the contacts' normal rows. The initial
forces of the first solution are kept behind the records, and a stamp behind the blocks shows later solutions that these data
belong to their island.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.pgs import contact_block, joint_block
from opendynamics.core.solve.pgs.contact_block import fill_contact
from opendynamics.core.solve.pgs.joint_block import (
    fill_joint_row,
    fill_single,
    joint_size,
    set_inverse,
    width,
)
from opendynamics.core.solve.pgs.ordering import WINDOW, order_by_bodies
from opendynamics.core.solve.warm_starting import MAX_ISLANDS, stamp_of

# Of a body: linear acceleration 3, a pad, angular acceleration 3, a pad: one cache line.
BODY = 8

# Of a block: its kind, or how many rows of a joint it has; where its record, its bodies' accelerations, its forces and
# the normal force that bounds it (-1: none) are in the floats.
KIND, RECORD, BODY0, BODY1, FORCE, NORMAL = range(6)
BLOCK = 6
CONTACT_BLOCK, SINGLE_BLOCK = 0, -1

# Behind the blocks: the stamp, how many there are, and whether they start from cached forces.
STAMP, BLOCKS, STARTED = range(3)
NOTE = 3


@kernel
def numbers_needed(tables, island):
    """Numbers that the island's forces take, and its records, at most."""
    forces = records = 0
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if link.kind == CONTACT:
            forces += 4 + link.row_count
            records += contact_block.CONTACT + BODY + (joint_block.SINGLE + BODY) * max(link.row_count - 1, 0)
        else:
            forces += 4 * link.row_count
            records += (joint_size(1) + BODY) * link.row_count
    return forces, records


@kernel
def _max_blocks(island):
    return island.links + island.rows


@kernel
def has_room(tables, island, forces, records):
    """Whether the island fits into the scratch memory."""
    bodies = BODY * island.bodies
    floats = 4 * (bodies + forces) + records + island.rows
    return FLOATS.has_room(tables, floats) and INTEGERS.has_room(tables, _note_at(island) + NOTE)


@kernel
def _note_at(island):
    """Where in the integers the note about the blocks is."""
    return island.rows + 2 * BLOCK * _max_blocks(island) + BODY * island.bodies + 1 + WINDOW


@kernel
def note_blocks(tables, island, index, blocks, forces, records, started):
    """Note that all blocks of island `index` are there, and the forces that it starts from."""
    note = piece(INTEGERS.rows(tables), _note_at(island), NOTE)
    note[STAMP], note[BLOCKS], note[STARTED] = stamp_of(tables, island, index), blocks, started
    start = piece(FLOATS.rows(tables), 4 * (BODY * island.bodies + forces) + records, island.rows)
    for r in range(island.rows):
        start[r] = FORCES.rows(tables)[island.first_row + r]


@kernel
def blocks_at_hand(tables, island, index, forces, records):
    """Take the blocks of the island's last solution in this step, with the right-hand sides of now.

    Sets FORCES to those that it started from. Returns the number of blocks, -1 if they have to be filled in, and whether there
    were forces to start from.

    The part of the floats that `impacts` writes between two solutions ends before the records.
    """
    note = piece(INTEGERS.rows(tables), _note_at(island), NOTE)
    if island.solutions == 0 or note[STAMP] != stamp_of(tables, island, index) - MAX_ISLANDS:
        return -1, False
    start = piece(FLOATS.rows(tables), 4 * (BODY * island.bodies + forces) + records, island.rows)
    for r in range(island.rows):
        FORCES.rows(tables)[island.first_row + r] = start[r]
    at = island.rows + BLOCK * _max_blocks(island)
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if link.kind == CONTACT and link.row_count > 0:
            while INTEGERS.rows(tables)[at + KIND] != CONTACT_BLOCK:
                at += BLOCK
            record = INTEGERS.rows(tables)[at + RECORD]
            FLOATS.rows(tables)[record + contact_block.RHS] = ROWS.rows(tables)[link.first_row].rhs
            at += BLOCK
    note[STAMP] += MAX_ISLANDS
    return note[BLOCKS], note[STARTED] != 0


@kernel
def set_weights(tables, island):
    """Masses and moments of inertia, by which `acceleration` weighs the bodies' accelerations."""
    floats = FLOATS.rows(tables)
    bodies = BODY * island.bodies
    for b in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + b]
        inverse = INERTIAS.rows(tables)[body].world_inverse
        own = piece(floats, 3 * bodies + BODY * b, BODY)
        inverse_mass = MOTIONS.rows(tables)[body].inverse_mass
        for k in range(3):
            own[k] = 1.0 / inverse_mass if inverse_mass > 0.0 else 0.0
            own[4 + k] = 1.0 / inverse[4 * k] if inverse[4 * k] > 0.0 else 0.0


@kernel
def fill_blocks(tables, island, forces, relaxation):
    """Fill in the blocks and their records, in the island's order; returns the number of blocks."""
    floats = FLOATS.rows(tables)
    bodies = BODY * island.bodies
    blocks, at, force = 0, 4 * (bodies + forces), 4 * bodies
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        first, end = link.first_row, link.first_row + link.row_count
        if first == end:
            continue
        if link.kind == CONTACT:
            size = contact_block.CONTACT
            count = fill_contact(tables, piece(floats, at, size), first, end, relaxation)
            for i in range(count):
                INTEGERS.rows(tables)[first - island.first_row + i] = force + i
            blocks = _add_block(tables, island, blocks, CONTACT_BLOCK, at, first, force, -1, at + size)
            first, at, force = first + count, at + size + BODY, force + 4
        else:
            blocks, at, force = _fill_free_rows(tables, island, link, blocks, at, force, relaxation)
        blocks, at, force = _fill_singles(tables, island, link, first, blocks, at, force, relaxation)
    return blocks


@kernel
def _add_block(tables, island, blocks, kind, at, r, force, normal, end):
    """Note a block with the bodies of row `r`; returns the number of blocks.

    Each block has its own numbers instead of the static world, at `end`, so that none has to wait for them.
    """
    block = piece(INTEGERS.rows(tables), island.rows + BLOCK * blocks, BLOCK)
    row = ROWS.rows(tables)[r]
    block[KIND], block[RECORD], block[FORCE], block[NORMAL] = kind, at, force, normal
    block[BODY0] = BODY * row.slot0 if row.slot0 >= 0 else end
    block[BODY1] = BODY * row.slot1 if row.slot1 >= 0 else end
    for k in range(BODY):
        FLOATS.rows(tables)[end + k] = 0.0
    return blocks + 1


@kernel
def _fill_free_rows(tables, island, link, blocks, at, force, relaxation):
    """Blocks of a joint's rows without bounds, at most MOST in each."""
    rows = ROWS.rows(tables)
    r, end = link.first_row, link.first_row + link.row_count
    while r < end:
        start, n = r, 0
        while r < end and n < joint_block.MOST:
            n += not is_bounded(rows[r])
            r += 1
        if n == 0:
            break
        own = piece(FLOATS.rows(tables), at, joint_size(n))
        for k in range(joint_size(n)):
            own[k] = 0.0
        i = 0
        for s in range(start, r):
            if not is_bounded(rows[s]):
                fill_joint_row(tables, own, link, rows[s], i, n)
                INTEGERS.rows(tables)[s - island.first_row] = force + i
                i += 1
        set_inverse(own, n, relaxation)
        blocks = _add_block(tables, island, blocks, n, at, start, force, -1, at + joint_size(n))
        at, force = at + joint_size(n) + BODY, force + width(n)
    return blocks, at, force


@kernel
def _fill_singles(tables, island, link, first, blocks, at, force, relaxation):
    """Blocks of the rows with bounds, from `first` on."""
    places = INTEGERS.rows(tables)
    for r in range(first, link.first_row + link.row_count):
        row = ROWS.rows(tables)[r]
        if is_bounded(row):
            fill_single(tables, piece(FLOATS.rows(tables), at, joint_block.SINGLE), link, row, relaxation)
            places[r - island.first_row] = force
            normal = places[row.normal] if row.normal >= 0 else -1
            blocks = _add_block(tables, island, blocks, SINGLE_BLOCK, at, r, force, normal, at + joint_block.SINGLE)
            at, force = at + joint_block.SINGLE + BODY, force + 1
    return blocks, at, force


@kernel
def order_blocks(tables, island, blocks):
    """Put the blocks into the order of iteration."""
    integers, most, bodies = INTEGERS.rows(tables), _max_blocks(island), BODY * island.bodies
    natural = piece(integers, island.rows + BLOCK * most, BLOCK * most)
    ordered = piece(integers, island.rows, BLOCK * most)
    last = piece(integers, island.rows + 2 * BLOCK * most, bodies + 1)
    scratch = piece(integers, island.rows + 2 * BLOCK * most + bodies + 1, WINDOW)
    for k in range(BLOCK * blocks):
        natural[k] = ordered[k]
    order_by_bodies(natural, blocks, BLOCK, (BODY0, BODY1), ordered, bodies, last, scratch)
