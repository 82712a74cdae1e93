"""Order in which ODE's hash space finds its pairs.

Geoms look, in the order of the space's list, into the cells of their own level and of larger ones, in which they meet those last
that are first in the list. Two geoms that share several cells meet in the first: of the larger one's level, at the larger of both
lower corners. Then each geom meets those that are too large for cells, in the order of the list, and these meet each other.

In the column of cells (0, 0, z) of level 0, ODE finds no pair of a geom that begins below z = 0 and one that does not: they meet
in the next column that they share, or are missed.
"""

from __future__ import annotations

from math import floor, frexp, inf, ldexp

from opendynamics.core import types
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.geom_copies import INDICES
from opendynamics.core.kernels import entry, kernel

# What pairs of the same first geom are sorted by: level, cell x, y, z, second geom.
KEY = 5
SCRATCH = 5
UNBOUNDED = 1 << 40  # more than all levels

# How many of the two geoms are too large for cells: 0 to 2.
PHASES = 3

PLACES = types.Array(types.int64, 2, "C")
KEYS = types.Array(types.float64, 2, "C")


@entry(types.int64(TABLES, INDICES, PLACES, types.int64, types.int64, KEYS, PLACES, INDICES, PLACES))
def order_pairs(tables, ranks, pairs, low, high, keys, scratch, starts, ordered):
    """Write `pairs` of rows of geoms in order to `ordered`, the geom that looks for the other one first; return how many meet.

    `ranks` has each geom's place in the list, `low` and `high` are the lowest and highest level; `keys` and `scratch` are
    memory for (n, KEY) and (SCRATCH, n) numbers, `starts` has PHASES zeros for each place in the list and one more.
    """
    count = 0
    firsts, groups, seconds = scratch[2], scratch[3], scratch[4]
    for k in range(len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        if ranks[a] > ranks[b]:
            a, b = b, a
        level, other = _level(tables, a, low), _level(tables, b, low)
        if level > other and other <= high:
            a, b = b, a
            level, other = other, level
        large = (level > high) + (other > high)
        if not _put_key(tables, keys[count], a, b, ranks[b], other, large):
            continue
        firsts[count], seconds[count] = a, b
        groups[count] = large * len(ranks) + ranks[a]
        starts[groups[count] + 1] += 1
        count += 1
    _sort(keys, scratch, groups, starts, count)
    for k in range(count):
        at = scratch[0, k]
        ordered[k, 0], ordered[k, 1] = firsts[at], seconds[at]
    return count


@kernel
def _level(tables, row, low):
    """Level of a geom by the size of its box; above all levels without bounds."""
    bounds = GEOMS.rows(tables)[row].bounds
    side = max(bounds[1] - bounds[0], max(bounds[3] - bounds[2], bounds[5] - bounds[4]))
    if not side < inf:
        return UNBOUNDED
    return max(low, frexp(side)[1])


@kernel
def _put_key(tables, key, a, b, rank, level, large):
    """Key of the pair of a geom `a` that finds `b`, of `rank` and `level`; `large`: how many of them are too large for cells.

    Returns whether they meet.
    """
    if large:
        key[0] = key[1] = key[2] = key[3] = 0.0
        key[4] = rank
        return True
    key[0] = level
    one, other = GEOMS.rows(tables)[a].bounds, GEOMS.rows(tables)[b].bounds
    for axis in range(3):
        key[1 + axis] = floor(ldexp(max(one[2 * axis], other[2 * axis]), -level))
    key[4] = -rank
    if level != 0 or key[1] != 0.0 or key[2] != 0.0 or (one[4] < 0.0) == (other[4] < 0.0):
        return True
    if min(one[3], other[3]) >= 1.0:
        key[2] = 1.0
        return True
    key[1], key[2] = 1.0, floor(max(one[2], other[2]))
    return min(one[1], other[1]) >= 1.0


@kernel
def _sort(keys, scratch, groups, starts, count):
    """Write the numbers of the first `count` keys in ascending order to row 0 of `scratch`: those of each group by merging."""
    for group in range(1, len(starts)):
        starts[group] += starts[group - 1]
    order = scratch[0]
    for k in range(count):
        order[starts[groups[k]]] = k
        starts[groups[k]] += 1
    begin = 0  # the starts have moved to the ends
    for group in range(len(starts) - 1):
        end = starts[group]
        if end - begin > 1:
            _sort_range(keys, scratch, begin, end)
        begin = end


@kernel
def _sort_range(keys, scratch, begin, end):
    at, width = 0, 1
    while width < end - begin:
        source, target = scratch[at], scratch[1 - at]
        for start in range(begin, end, 2 * width):
            _merge(keys, source, target, start, min(start + width, end), min(start + 2 * width, end))
        at = 1 - at
        width *= 2
    if at == 1:
        for k in range(begin, end):
            scratch[0, k] = scratch[1, k]


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
