"""Joints that form trees: every joint with its child, listed from the leaves to the roots."""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector

# Of a joint, in integers: its first row, its number of rows, its child and parent (places in the island,
# -1: what does not move), which of its two sides acts on the child; and whether bounded rows in the lanes
# act on it.
FIRST, COUNT, CHILD, PARENT, SIDE, ACTIVE = range(6)
JOINT = 6

# Most rows of a joint.
MAX_ROWS = 6


@kernel
def integers_of_forest(rows, bodies):
    """Size of `joints` with a joint for each row, and three integers a body behind it."""
    return JOINT * rows + 3 * bodies


@kernel
def find_forest(blocks, block, slots, free, bodies, joints, scratch):
    """List the blocks of the first `free` rows, each before the joint of its parent. Returns their number.

    0 if they form a loop, also through what does not move, or if one has too many rows. Bodies are taken away in layers from all
    leaves, so that the root is in the middle of its tree.

    `last` of a body: exclusive or of the numbers of its remaining joints, which is the last one's number once the body is a leaf.
    """
    degrees, last, leaves = vector(scratch, bodies, 0), vector(scratch, bodies, 1), vector(scratch, bodies, 2)
    for body in range(bodies):
        degrees[body] = last[body] = 0
    count = 0
    while count < blocks and block[count] < free:
        first = block[count]
        if min(block[count + 1], free) - first > MAX_ROWS or slots[2 * first] + slots[2 * first + 1] == -2:
            return 0
        for side in range(2):
            body = slots[2 * first + side]
            if body >= 0:
                degrees[body] += 1
                last[body] ^= count
        count += 1
    found = listed = 0
    for body in range(bodies):
        if degrees[body] == 1:
            leaves[found] = body
            found += 1
    taken = 0
    while taken < found:
        body = leaves[taken]
        taken += 1
        if degrees[body] == 0:  # the last of its tree
            continue
        k = last[body]
        first = block[k]
        joint = vector(joints, JOINT, listed)
        listed += 1
        side = slots[2 * first] != body
        parent = slots[2 * first + 1 - side]
        joint[FIRST], joint[COUNT] = first, min(block[k + 1], free) - first
        joint[CHILD], joint[PARENT], joint[SIDE] = body, parent, side
        degrees[body] = 0
        if parent >= 0:
            degrees[parent] -= 1
            last[parent] ^= k
            if degrees[parent] == 1:
                leaves[found] = parent
                found += 1
    return count if listed == count else 0
