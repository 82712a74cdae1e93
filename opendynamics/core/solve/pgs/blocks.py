"""QuickStep by blocks: a contact or a joint at a time, warm started from the contact cache.

With `direct`, some islands are not iterated:

* Single bodies, and islands in which few rows are bounded (`exact_budget`), such as joints, vehicles and ragdolls, go to the
  exact solver, which takes less time.
* Islands nearly at rest go to the exact solver where that is cheap (`exact_budget`), to the soft step otherwise. Gauss-Seidel
  passes forces on from contact to contact: of a tower's n boxes the modes that sway converge by a factor of 1 - O(1/n⁴) an
  iteration, so that no number of iterations holds a stack.
* Overconstrained linkages go to the exact solver, with all that touches them (`linkages`).

Projected Gauss-Seidel over blocks (see `contact_block` and `joint_block`) with over-relaxation w, nearly in the order of
the island's constraints (see `ordering`), accelerated from iteration to iteration (see `acceleration`). It ends like
`ode_order`, after a fixed or adaptive number of iterations; the convergence criterion is the change of a body's
acceleration over the whole iteration.

In the floats: the bodies' accelerations, BODY numbers each, and the forces, followed by what `acceleration` needs of
both; then the blocks' records. In the integers: where each row's force is, then the list of blocks (see
`block_list`). A second solution of an island in the same step, with other biases (`impacts`), takes the blocks of the first.
"""

from __future__ import annotations

from opendynamics.core.arrays.blocks.load_ahead import load_ahead
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._choice.exact_budget import EXACT_ROWS, MAX_LOOPS, assign_affordable, count_loops, is_light
from opendynamics.core.solve._choice.linkages import assign_linkages
from opendynamics.core.solve._choice.speed import is_slow
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.pgs import contact_block, joint_block
from opendynamics.core.solve.pgs.acceleration import begin, change_squared, clear, extrapolate, largest_change
from opendynamics.core.solve.pgs.block_list import (
    BLOCK,
    BODY,
    BODY0,
    BODY1,
    CONTACT_BLOCK,
    FORCE,
    KIND,
    NORMAL,
    RECORD,
    SINGLE_BLOCK,
    blocks_at_hand,
    fill_blocks,
    has_room,
    note_blocks,
    numbers_needed,
    order_blocks,
    set_weights,
)
from opendynamics.core.solve.pgs.contact_block import contact_jump, relax_contact
from opendynamics.core.solve.pgs.iterations import change_allowed, finish, max_iterations
from opendynamics.core.solve.pgs.joint_block import joint_jump, push_joint, relax_joint, relax_single, single_jump
from opendynamics.core.solve.pgs.parameters import PARAMETERS
from opendynamics.core.solve.pgs.simd import push_contact, push_row
from opendynamics.core.solve.warm_starting import cache_forces, has_room_in_cache, start_island

__all__ = ["MEMBERS", "choose", "finish", "cache_forces", "solve"]

MEMBERS = ("exact", "soft")
OWN, EXACT, SOFT = 0, 1, 2
CANDIDATE = 3  # until what is affordable is known

# Steps of free fall up to whose speed an island is nearly at rest.
NEAR_REST = 10.0


@entry(SOLVE)
def choose(tables, _):
    """Write every island's solver. 0: no memory."""
    if not PARAMETERS.rows(tables)[0].direct:
        return 1
    if not has_room_in_cache(tables):
        return 0
    # With the integrator "verlet" this solver takes the place of the soft step.
    soft = SOFT if CHOICES.rows(tables)[SOFT].solves_impacts else OWN
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.bodies == 1 or (is_light(island) and count_loops(tables, island) <= MAX_LOOPS):
            island.solver = EXACT
        elif is_slow(tables, island, NEAR_REST):
            island.solver = CANDIDATE
            REPORTS.rows(tables)[0].cache_forces = 1  # it may move on, and continue from its forces
    return 1 if assign_affordable(tables, EXACT_ROWS, CANDIDATE, EXACT, soft) and assign_linkages(tables, EXACT) else 0


@entry(SOLVE)
def solve(tables, index):
    """Improve one island's forces. 1: done, 0: no memory."""
    island, parameters = ISLANDS.rows(tables)[index], PARAMETERS.rows(tables)[0]
    forces, records = numbers_needed(tables, island)
    if not (has_room(tables, island, forces, records) and has_room_in_cache(tables)):
        return 0
    REPORTS.rows(tables)[0].cache_forces = 1
    blocks, started = blocks_at_hand(tables, island, index, forces, records)
    if blocks < 0:
        started = parameters.warm_start > 0.0 and start_island(tables, island, 1.0) > 0
    bodies = BODY * island.bodies
    motion = piece(FLOATS.rows(tables), 0, 4 * bodies)
    force = piece(FLOATS.rows(tables), 4 * bodies, 4 * forces)
    clear(FLOATS.rows(tables), 4 * (bodies + forces))
    set_weights(tables, island)
    if blocks < 0:
        blocks = fill_blocks(tables, island, forces, parameters.block_relaxation)
        order_blocks(tables, island, blocks)
        note_blocks(tables, island, index, blocks, forces, records, started)
    if started:
        _warm_start(tables, island, blocks, parameters.warm_start)
    begin(motion, bodies)
    begin(force, forces)
    most = max_iterations(parameters)
    square = 0.0
    iteration = 0
    while iteration < most:
        load_ahead(tables)
        iterate_blocks(tables, island, blocks)
        iteration += 1
        allowed = change_allowed(parameters, iteration)
        if allowed >= 0.0:
            island.unconverged = iteration > parameters.iterations
            if largest_change(motion, bodies) < allowed:
                island.unconverged = 0
                break
        if iteration < most:
            before, square = square, change_squared(motion, bodies)
            beta = square / before if before > 0.0 else 0.0
            kept = 1.0
            if beta > 1.0:
                beta = kept = 0.0
            extrapolate(motion, bodies, beta, kept)
            extrapolate(force, forces, beta, kept)
    island.iterations = iteration
    island.residual = measure_blocks(tables, island, blocks)
    for r in range(island.rows):
        FORCES.rows(tables)[island.first_row + r] = FLOATS.rows(tables)[INTEGERS.rows(tables)[r]]
    return 1


@kernel
def iterate_blocks(tables, island, blocks):
    """Improve every block once."""
    floats = FLOATS.rows(tables)
    for k in range(blocks):
        block = piece(INTEGERS.rows(tables), island.rows + BLOCK * k, BLOCK)
        own, forces = piece(floats, block[RECORD], contact_block.CONTACT), piece(floats, block[FORCE], BODY)
        a, b = piece(floats, block[BODY0], BODY), piece(floats, block[BODY1], BODY)
        if block[KIND] == CONTACT_BLOCK:
            relax_contact(own, forces, a, b)
        elif block[KIND] == SINGLE_BLOCK:
            relax_single(own, forces, a, b, floats[block[NORMAL]] if block[NORMAL] >= 0 else -1.0)
        else:
            relax_joint(own, forces, a, b, block[KIND])


@kernel
def measure_blocks(tables, island, blocks):
    """Residual of the natural map: how far forces would jump if each was improved by itself, relative to the largest."""
    floats = FLOATS.rows(tables)
    farthest = largest = 0.0
    for k in range(blocks):
        block = piece(INTEGERS.rows(tables), island.rows + BLOCK * k, BLOCK)
        own, forces = piece(floats, block[RECORD], contact_block.CONTACT), piece(floats, block[FORCE], BODY)
        a, b = piece(floats, block[BODY0], BODY), piece(floats, block[BODY1], BODY)
        if block[KIND] == CONTACT_BLOCK:
            jump, size = contact_jump(own, forces, a, b)
        elif block[KIND] == SINGLE_BLOCK:
            jump, size = single_jump(own, forces, a, b, floats[block[NORMAL]] if block[NORMAL] >= 0 else -1.0)
        else:
            jump, size = joint_jump(own, forces, a, b, block[KIND])
        farthest, largest = max(farthest, jump), max(largest, size)
    return farthest / largest if largest > 0.0 else farthest


@kernel
def _warm_start(tables, island, blocks, fraction):
    """Start from that fraction of FORCES, and from the accelerations that belong to them."""
    floats = FLOATS.rows(tables)
    for r in range(island.rows):
        floats[INTEGERS.rows(tables)[r]] = fraction * FORCES.rows(tables)[island.first_row + r]
    for k in range(blocks):
        block = piece(INTEGERS.rows(tables), island.rows + BLOCK * k, BLOCK)
        own, forces = piece(floats, block[RECORD], contact_block.CONTACT), piece(floats, block[FORCE], BODY)
        a, b = piece(floats, block[BODY0], BODY), piece(floats, block[BODY1], BODY)
        if block[KIND] == CONTACT_BLOCK:
            push_contact(own, a, b, forces[0], forces[1], forces[2])
        elif block[KIND] == SINGLE_BLOCK:
            push_row(piece(own, joint_block.RESPONSE, 16), a, b, forces[0])
        else:
            push_joint(own, forces, a, b, block[KIND])
