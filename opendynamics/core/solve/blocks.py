"""QuickStep by blocks: a contact or a joint at a time, starting from the forces of the last step.

Projected Gauss-Seidel over blocks (see `contact_block` and `joint_block`) with over-relaxation w, nearly in the order of
the island's constraints (see `spacing`), and with momentum from sweep to sweep (see `momentum`). It ends like
`quickstep`, after a number of sweeps that is fixed or not; the change that is looked at is that of a body's acceleration
over the whole sweep.

In the floats: the bodies' accelerations, BODY numbers each, and the forces, followed by what `momentum` needs of both;
then the blocks' records. In the integers: where each row's force stands, then BLOCK numbers for each block, in the order
of the sweeps.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.methods import contact_block, joint_block
from opendynamics.core.solve.methods.block_vectors import push_contact, push_row
from opendynamics.core.solve.methods.contact_block import fill_contact, relax_contact
from opendynamics.core.solve.methods.inner_loops import piece
from opendynamics.core.solve.methods.joint_block import (
    fill_joint_row,
    fill_single,
    joint_size,
    push_joint,
    relax_joint,
    relax_single,
    set_inverse,
    width,
)
from opendynamics.core.solve.methods.momentum import begin, clear, gather, largest_change, size_of_change
from opendynamics.core.solve.methods.spacing import WINDOW, space_blocks
from opendynamics.core.solve.methods.sweep_counts import change_allowed, most_sweeps, world_of_island
from opendynamics.core.solve.methods.warm_starting import has_room_to_keep, keep_all, recall_contact, recall_joint

# Of a body: linear acceleration 3, a pad, angular acceleration 3, a pad: one cache line.
BODY = 8

# Of a block: rows (or the values below), where its record, its bodies, its forces and the normal force (-1: none) are.
BLOCK = 6
CONTACT_BLOCK, SINGLE_BLOCK = 0, -1


@entry(SOLVE)
def solve(tables, index):
    island = ISLANDS.rows(tables)[index]
    forces, records = _sizes(tables, island)
    bodies = BODY * island.bodies
    most = island.links + island.rows  # blocks
    integers = island.rows + 2 * BLOCK * most + bodies + 1 + WINDOW
    if not (
        FLOATS.has_room(tables, 4 * (bodies + forces) + records)
        and INTEGERS.has_room(tables, integers)
        and has_room_to_keep(tables)
    ):
        return 0
    REPORTS.rows(tables)[0].keep_forces = 1
    world = world_of_island(tables, island)
    clear(FLOATS.rows(tables), 4 * (bodies + forces))
    blocks = _fill(tables, island, forces, world.quickstep_block_relaxation)
    _space(tables, island, blocks, most, bodies)
    if world.quickstep_warm_start > 0.0:
        _recall(tables, island, world.quickstep_warm_start)
        _start(tables, island, blocks)
    island.iterations = island.sweeps = _relax(tables, island, world, blocks, bodies, forces)
    for r in range(island.rows):
        FORCES.rows(tables)[island.first_row + r] = FLOATS.rows(tables)[INTEGERS.rows(tables)[r]]
    return 1


@entry(SOLVE)
def keep(tables, index):
    """Keep all forces for the next step. `index` plays no part."""
    keep_all(tables)
    return 1


@kernel
def _sizes(tables, island):
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
def _relax(tables, island, world, blocks, bodies, forces):
    """Sweep until it is enough; returns the number of sweeps."""
    motion = piece(FLOATS.rows(tables), 0, 4 * bodies)
    force = piece(FLOATS.rows(tables), 4 * bodies, 4 * forces)
    begin(motion, bodies)
    begin(force, forces)
    most = most_sweeps(world)
    size = 0.0
    sweep = 0
    while sweep < most:
        _sweep(tables, island, blocks)
        sweep += 1
        allowed = change_allowed(world, sweep)
        if allowed >= 0.0:
            island.unsettled = sweep > world.quickstep_iterations
            if largest_change(motion, bodies) < allowed:
                island.unsettled = 0
                break
        if sweep < most:
            before, size = size, size_of_change(motion, bodies)
            beta = size / before if before > 0.0 else 0.0
            kept = 1.0
            if beta > 1.0:
                beta = kept = 0.0
            gather(motion, bodies, beta, kept)
            gather(force, forces, beta, kept)
    return sweep


@kernel
def _fill(tables, island, forces, relaxation):
    """Weights of the bodies, and the blocks' records; returns the number of blocks."""
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

    In place of the static world each block has numbers of its own, at `end`: none has to wait for them.
    """
    block = piece(INTEGERS.rows(tables), island.rows + BLOCK * blocks, BLOCK)
    row = ROWS.rows(tables)[r]
    block[0], block[1], block[4], block[5] = kind, at, force, normal
    block[2] = BODY * row.slot0 if row.slot0 >= 0 else end
    block[3] = BODY * row.slot1 if row.slot1 >= 0 else end
    for k in range(BODY):
        FLOATS.rows(tables)[end + k] = 0.0
    return blocks + 1


@kernel
def _space(tables, island, blocks, most, bodies):
    """Put the blocks into an order that is quick to work through."""
    integers = INTEGERS.rows(tables)
    natural = piece(integers, island.rows + BLOCK * most, BLOCK * most)
    spaced = piece(integers, island.rows, BLOCK * most)
    last = piece(integers, island.rows + 2 * BLOCK * most, bodies + 1)
    scratch = piece(integers, island.rows + 2 * BLOCK * most + bodies + 1, WINDOW)
    for k in range(BLOCK * blocks):
        natural[k] = spaced[k]
    space_blocks(natural, blocks, BLOCK, spaced, bodies, last, scratch)


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
def _recall(tables, island, part):
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        first = link.first_row - island.first_row
        if link.row_count == 0:
            continue
        if link.kind == CONTACT:
            recall_contact(tables, link, first, INTEGERS.rows(tables), part)
        else:
            recall_joint(tables, link, first, INTEGERS.rows(tables), part)


@kernel
def _start(tables, island, blocks):
    """The bodies' accelerations that belong to the forces."""
    floats = FLOATS.rows(tables)
    for k in range(blocks):
        block = piece(INTEGERS.rows(tables), island.rows + BLOCK * k, BLOCK)
        own, forces = piece(floats, block[1], contact_block.CONTACT), piece(floats, block[4], BODY)
        a, b = piece(floats, block[2], BODY), piece(floats, block[3], BODY)
        if block[0] == CONTACT_BLOCK:
            push_contact(own, a, b, forces[0], forces[1], forces[2])
        elif block[0] == SINGLE_BLOCK:
            push_row(piece(own, joint_block.SPREAD, 16), a, b, forces[0])
        else:
            push_joint(own, forces, a, b, block[0])


@kernel
def _sweep(tables, island, blocks):
    """Improve every block once."""
    floats = FLOATS.rows(tables)
    for k in range(blocks):
        block = piece(INTEGERS.rows(tables), island.rows + BLOCK * k, BLOCK)
        own, forces = piece(floats, block[1], contact_block.CONTACT), piece(floats, block[4], BODY)
        a, b = piece(floats, block[2], BODY), piece(floats, block[3], BODY)
        if block[0] == CONTACT_BLOCK:
            relax_contact(own, forces, a, b)
        elif block[0] == SINGLE_BLOCK:
            relax_single(own, forces, a, b, floats[block[5]] if block[5] >= 0 else -1.0)
        else:
            relax_joint(own, forces, a, b, block[0])
