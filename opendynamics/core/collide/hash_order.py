"""Order in which ODE's hash space finds its pairs.

Geoms look, in the order of the space's list, into the cells of their own level and of larger ones, in which they meet those last
that are first in the list. Two geoms that share several cells meet in the first: of the larger one's level, at the larger of both
lower corners. Then each geom meets those that are too large for cells, in the order of the list, and these meet each other.
"""

from __future__ import annotations

from math import floor, frexp, inf, ldexp

from opendynamics.core import types
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.geom_copies import INDICES
from opendynamics.core.kernels import entry, kernel

# What pairs are sorted by: phase and first geom, level, cell x, y, z, second geom.
KEY = 6
PHASE = 1 << 40  # more than all places in a list

PLACES = types.Array(types.int64, 2, "C")
KEYS = types.Array(types.float64, 2, "C")


@entry(types.void(TABLES, INDICES, PLACES, types.int64, types.int64, KEYS, PLACES, PLACES))
def order_pairs(tables, ranks, pairs, low, high, keys, scratch, ordered):
    """Write `pairs` of rows of geoms in order to `ordered`, the geom that looks for the other one first.

    `ranks` has each geom's place in the list, `low` and `high` are the lowest and highest level; `keys` and `scratch` are
    memory for (n, KEY) and (3, n) numbers.
    """
    count = len(pairs)
    firsts = scratch[2]
    for k in range(count):
        a, b = pairs[k, 0], pairs[k, 1]
        if ranks[a] > ranks[b]:
            a, b = b, a
        level, other = _level(tables, a, low), _level(tables, b, low)
        if level > other:
            a, b = b, a
            level, other = other, level
        firsts[k] = a
        _put_key(tables, keys[k], a, b, (ranks[a], ranks[b]), other, (level > high) + (other > high))
    order = scratch[_sort(keys, scratch, count)]
    for k in range(count):
        at = order[k]
        first = firsts[at]
        ordered[k, 0] = first
        ordered[k, 1] = pairs[at, 0] + pairs[at, 1] - first


@kernel
def _level(tables, row, low):
    """Level of a geom by the size of its box; above all levels without bounds."""
    bounds = GEOMS.rows(tables)[row].bounds
    side = max(bounds[1] - bounds[0], max(bounds[3] - bounds[2], bounds[5] - bounds[4]))
    if not side < inf:
        return PHASE
    return max(low, frexp(side)[1])


@kernel
def _put_key(tables, key, a, b, ranks, level, large):
    """Key of the pair of a geom `a` that finds `b`, of `level`; `large`: how many of them are too large for cells."""
    key[0] = large * PHASE + ranks[0]
    if large:
        key[1] = key[2] = key[3] = key[4] = 0.0
        key[5] = ranks[1]
        return
    key[1] = level
    one, other = GEOMS.rows(tables)[a].bounds, GEOMS.rows(tables)[b].bounds
    for axis in range(3):
        key[2 + axis] = floor(ldexp(max(one[2 * axis], other[2 * axis]), -level))
    key[5] = -ranks[1]


@kernel
def _sort(keys, scratch, count):
    """Merge sort; returns the row of `scratch`, 0 or 1, with the numbers of the keys in ascending order."""
    for k in range(count):
        scratch[0, k] = k
    at, width = 0, 1
    while width < count:
        source, target = scratch[at], scratch[1 - at]
        for start in range(0, count, 2 * width):
            _merge(keys, source, target, start, min(start + width, count), min(start + 2 * width, count))
        at = 1 - at
        width *= 2
    return at


@kernel
def _merge(keys, source, target, start, middle, end):
    """Merge two sorted ranges of `source`, start to middle and middle to end, into `target`."""
    i, j = start, middle
    for k in range(start, end):
        if j >= end or (i < middle and not _is_less(keys, source[j], source[i])):
            target[k] = source[i]
            i += 1
        else:
            target[k] = source[j]
            j += 1


@kernel
def _is_less(keys, i, j):
    for c in range(KEY):
        if keys[i, c] != keys[j, c]:
            return keys[i, c] < keys[j, c]
    return False
