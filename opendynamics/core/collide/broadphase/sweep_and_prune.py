"""Sweep and prune: geoms sorted along one axis, each tested against those that start before it ends.

Good for scenes that are long in one direction. Radix sort in every step (Knuth 3, 5.2.5): three passes of 11 bits over the upper
31 bits of the lower ends, which preserve their order, so that no pair of equal keys is missed.

choices.parameters[0]: ODE's code of the axes, first | second << 2 | third << 4; geoms are sorted along the first.
"""

from __future__ import annotations

from math import inf

import numpy as np

from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import CHOICES, FLOATS, INTEGERS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.collide.broadphase import FIND_PAIRS, add_pair, end_pairs, may_meet
from opendynamics.core.kernels import entry, kernel

PARAMETERS = (0 | 1 << 2 | 2 << 4,)

# Of the numbers that are sorted: the key above PLACE_BITS bits with the geom's place; keys have three digits of 11 bits.
PLACE_BITS, DIGIT_BITS = 32, 11
PLACE, DIGITS = (1 << PLACE_BITS) - 1, 1 << DIGIT_BITS

_bits_at = array_of(np.int64)


@entry(FIND_PAIRS)
def find_pairs(tables):
    n = GEOM_ORDER.used(tables)
    # The keys with the indices of the geoms, as much memory again to sort them, and the digits' counts.
    if not (INTEGERS.has_room(tables, 2 * n + DIGITS) and FLOATS.has_room(tables, 2 * n)):
        return 0
    _list_ends(tables, n)
    _sort(tables, n, PLACE_BITS, 0, n)
    _sort(tables, n, PLACE_BITS + DIGIT_BITS, n, 0)
    _sort(tables, n, PLACE_BITS + 2 * DIGIT_BITS, 0, n)
    order, memory = GEOM_ORDER.rows(tables), INTEGERS.rows(tables)
    count = 0
    for k in range(n, 2 * n):
        i = memory[k] & PLACE
        a = GEOMS.rows(tables)[order[i]]
        last = _key(tables, n + i)
        for m in range(k + 1, 2 * n):
            if memory[m] >> PLACE_BITS > last:
                break
            j = memory[m] & PLACE
            if may_meet(a, GEOMS.rows(tables)[order[j]]):
                count = add_pair(tables, count, i, j)
    return end_pairs(tables, count)


@kernel
def _list_ends(tables, n):
    """Write both ends of all boxes to the floats, and to the integers the keys of the lower ones with the places."""
    axis = int(CHOICES.rows(tables)[0].parameters[0]) & 3
    ends = FLOATS.rows(tables)
    for i in range(n):
        bounds = GEOMS.rows(tables)[GEOM_ORDER.rows(tables)[i]].bounds
        low, high = bounds[2 * axis] + 0.0, bounds[2 * axis + 1] + 0.0  # no -0, whose bits are far from those of 0
        if not low <= high:  # not a number: meets all that it is not apart from
            low, high = -inf, inf
        ends[i] = low
        ends[n + i] = high
    for i in range(n):
        INTEGERS.rows(tables)[i] = _key(tables, i) << PLACE_BITS | i


@kernel
def _key(tables, k):
    """31 bits that are in the order of the floats."""
    bits = _bits_at(FLOATS.address(tables, 0), k + 1)[k]
    if bits < 0:
        bits ^= 0x7FFFFFFFFFFFFFFF
    return (bits >> 33) + (1 << 30)


@kernel
def _sort(tables, n, shift, source, target):
    """One pass: from the integers at `source` to those at `target`, by the 11 bits from `shift` on."""
    memory = INTEGERS.rows(tables)
    counts = 2 * n
    for d in range(DIGITS):
        memory[counts + d] = 0
    for k in range(source, source + n):
        memory[counts + (memory[k] >> shift & DIGITS - 1)] += 1
    at = target
    for d in range(DIGITS):
        here = memory[counts + d]
        memory[counts + d] = at
        at += here
    for k in range(source, source + n):
        digit = counts + (memory[k] >> shift & DIGITS - 1)
        memory[memory[digit]] = memory[k]
        memory[digit] += 1
