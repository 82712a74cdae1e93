"""Blocks of an island's rows: consecutive rows of the same two bodies. Regularisation of their CFM."""

from __future__ import annotations

from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.kernels import kernel

# Relative to J M⁻¹ Jᵀ: the smallest CFM with which elimination solves redundant rows, and the one of hard rows, in place of zero,
# so that degenerate islands keep some digits.
MIN_CFM, CFM_OF_HARD_ROWS = 1e-12, 1e-10

# Values of `touched`, which else holds the first block that acts on a body.
UNTOUCHED, IMMOVABLE = -1, -2


@kernel
def regularised(cfm, own):
    """A row's CFM, regularised so that elimination does not break down; `own` is its J M⁻¹ Jᵀ."""
    return max(cfm, MIN_CFM * own) if cfm > 0.0 else CFM_OF_HARD_ROWS * own


@kernel
def mark_immovable(tables, record, touched):
    """Distinguish bodies that a force can move from those it cannot."""
    motions, body_of = MOTIONS.rows(tables), ISLAND_BODIES.rows(tables)
    for k in range(record.bodies):
        movable = motions[body_of[record.first_body + k]].inverse_mass != 0.0
        touched[k] = UNTOUCHED if movable else IMMOVABLE


@kernel
def find_blocks(rows, row0, n, order, slots, touched, block, block_first):
    """Divide the rows into blocks; returns how many.

    Block k begins with row block[k], and the earliest block that it is coupled with is block_first[k]. `slots` gets
    each row's two movable bodies.
    """
    count = 0
    for i in range(n):
        row = rows[row0 + order[i]]
        a, b = row.slot0, row.slot1
        if a >= 0 and touched[a] == IMMOVABLE:
            a = -1
        if b >= 0 and touched[b] == IMMOVABLE:
            b = -1
        slots[2 * i] = a
        slots[2 * i + 1] = b
        if i > 0 and a == slots[2 * i - 2] and b == slots[2 * i - 1]:
            continue
        block[count] = i
        block_first[count] = min(_touch(touched, a, count), _touch(touched, b, count))
        count += 1
    block[count] = n
    return count


@kernel
def _touch(touched, slot, count):
    if slot < 0:
        return count
    if touched[slot] == UNTOUCHED:
        touched[slot] = count
    return touched[slot]
