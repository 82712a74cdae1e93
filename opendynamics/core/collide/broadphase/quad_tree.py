"""Quadtree along two axes. Good for wide, flat scenes of known extent.

A geom is stored in the smallest block that contains its box, or in the root if it extends beyond the root block. It is tested
against the geoms of its own block and of all ancestors. In numbers of the deepest level's blocks along an axis, the ends of a box
lie in blocks x and y; the smallest common block is as many levels up as x xor y has binary digits.

choices.parameters[0:3]: centre of the root block; [3:6]: its half sides, m, the two largest of which are split; [6]: levels below
the root.
"""

from __future__ import annotations

from math import floor, ldexp

from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import CHOICES, INTEGERS
from opendynamics.core.collide.broadphase import FIND_PAIRS, add_pair, end_pairs, may_meet
from opendynamics.core.kernels import entry, kernel

PARAMETERS = 0.0, 0.0, 0.0, 100.0, 100.0, 100.0, 5


@entry(FIND_PAIRS)
def find_pairs(tables):
    n = GEOM_ORDER.used(tables)
    depth = int(CHOICES.rows(tables)[0].parameters[6])
    # For each geom the next of its block, for each block its first.
    blocks = _first_block(depth + 1)
    if not INTEGERS.has_room(tables, n + blocks):
        return 0
    memory = INTEGERS.rows(tables)
    for k in range(n, n + blocks):
        memory[k] = -1
    count = 0
    for i in range(n):
        level, x, y = _block(tables, i, depth)
        own = n + _first_block(level) + (y << level) + x
        memory[i] = memory[own]
        memory[own] = i
    for i in range(n):
        level, x, y = _block(tables, i, depth)
        j = memory[i]  # entered before: later ones of the own block have met it
        while level >= 0:
            while j >= 0:
                count = _test(tables, count, i, j)
                j = memory[j]
            level, x, y = level - 1, x >> 1, y >> 1
            if level >= 0:
                j = memory[n + _first_block(level) + (y << level) + x]
    return end_pairs(tables, count)


@kernel
def _first_block(level):
    """Number of blocks on all levels above: 1 + 4 + 16 + ..."""
    return ((1 << 2 * level) - 1) // 3


@kernel
def _block(tables, i, depth):
    """Level and place of the smallest block that holds the geom at place `i`."""
    box = GEOMS.rows(tables)[GEOM_ORDER.rows(tables)[i]].bounds
    half = CHOICES.rows(tables)[0].parameters[3:6]
    first = 1 if half[0] < half[1] and half[0] < half[2] else 0
    second = 1 if half[1] >= half[2] and first != 1 else 2
    x0, x1 = _block_at(tables, first, box[2 * first], depth), _block_at(tables, first, box[2 * first + 1], depth)
    y0, y1 = _block_at(tables, second, box[2 * second], depth), _block_at(tables, second, box[2 * second + 1], depth)
    if min(x0, y0) < 0 or min(x1, y1) < 0:
        return 0, 0, 0
    up, differing = 0, x0 ^ x1 | y0 ^ y1
    while differing >> up:
        up += 1
    return depth - up, x0 >> up, y0 >> up


@kernel
def _block_at(tables, axis, x, depth):
    """Number of the deepest block around a place along an axis; -1 outside the root."""
    parameters = CHOICES.rows(tables)[0].parameters
    part = (x - parameters[axis]) / parameters[3 + axis]
    if not -1.0 <= part < 1.0:
        return -1
    return int(floor(ldexp(0.5 * part + 0.5, depth)))


@kernel
def _test(tables, count, i, j):
    order = GEOM_ORDER.rows(tables)
    if may_meet(GEOMS.rows(tables)[order[i]], GEOMS.rows(tables)[order[j]]):
        return add_pair(tables, count, i, j)
    return count
