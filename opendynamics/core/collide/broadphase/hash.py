"""Hierarchical hash grid: cells of several sizes. Good for many geoms of any sizes.

A geom's level is the smallest k with a cell of 2**k m at least as large as the geom's box, so that it is stored in at most eight
cells of its level. Each geom is tested against those in the cells that it overlaps, on its own and all larger levels. A pair that
shares several cells is reported only in the first of them, the cell at the larger of the two lower corners. Geoms above the
highest level, or without bounds, are tested against all others.

choices.parameters[0:2]: lowest and highest level.
"""

from __future__ import annotations

from math import floor, frexp, ldexp

from opendynamics.core.arrays.geoms import ENABLED, GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import CHOICES, INTEGERS
from opendynamics.core.collide.broadphase import FIND_PAIRS, add_pair, end_pairs, may_meet
from opendynamics.core.kernels import entry, kernel

PARAMETERS = -3, 10

TOO_LARGE = 1 << 40  # level of geoms that are tested against everything
ABSENT = -(1 << 40)  # level of disabled geoms
FAR = 1.0e15  # cells from the origin beyond which numbers of cells are not exact

# Of the hash: primes (Teschner and others, Optimized Spatial Hashing for Collision Detection of Deformable Objects, 2003), and
# one for the level, 2**32 over the golden ratio (Knuth 3, 6.4).
OF_X, OF_Y, OF_Z, OF_LEVEL = 73856093, 19349663, 83492791, 2654435761

# An entry: geom (its place in the order), level, cell x, y, z, next entry of its bucket.
ENTRY = 6


@entry(FIND_PAIRS)
def find_pairs(tables):
    n = GEOM_ORDER.used(tables)
    if not INTEGERS.has_room(tables, n):
        return 0
    cells, highest = _set_levels(tables, n)
    buckets = 16
    while buckets < 2 * cells:
        buckets *= 2
    if not INTEGERS.has_room(tables, n + buckets + ENTRY * cells):
        return 0
    _enter_geoms(tables, n, buckets)
    count = 0
    for i in range(n):
        level = INTEGERS.rows(tables)[i]
        if level == TOO_LARGE:
            count = _against_all(tables, count, i, n)
        elif level != ABSENT:
            for k in range(level, highest + 1):
                count = _look_into_cells(tables, count, i, k, n, buckets)
    return end_pairs(tables, count)


@kernel
def _set_levels(tables, n):
    """Store every geom's level; returns the number of entries, and the highest level in use."""
    parameters = CHOICES.rows(tables)[0].parameters
    low, high = int(parameters[0]), int(parameters[1])
    order = GEOM_ORDER.rows(tables)
    cells, highest = 0, low
    for i in range(n):
        geom = GEOMS.rows(tables)[order[i]]
        level = ABSENT
        if geom.flags & ENABLED:
            level = _level(geom.bounds, low, high)
        INTEGERS.rows(tables)[i] = level
        if level != ABSENT and level != TOO_LARGE:
            highest = max(highest, level)
            x0, x1, y0, y1, z0, z1 = _cells(geom.bounds, level)
            cells += (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)
    return cells, highest


@kernel
def _level(bounds, low, high):
    side = max(bounds[1] - bounds[0], max(bounds[3] - bounds[2], bounds[5] - bounds[4]))
    if not side <= ldexp(1.0, high):
        return TOO_LARGE
    level = low
    if side > 0.0:
        level = max(low, frexp(side)[1])
    if level > high:
        level = high
    size = ldexp(1.0, level)
    for k in range(6):
        if not abs(bounds[k]) < FAR * size:
            return TOO_LARGE
    return level


@kernel
def _cells(bounds, level):
    """First and last cell along each axis that a box overlaps."""
    k = ldexp(1.0, -level)
    return (
        int(floor(bounds[0] * k)),
        int(floor(bounds[1] * k)),
        int(floor(bounds[2] * k)),
        int(floor(bounds[3] * k)),
        int(floor(bounds[4] * k)),
        int(floor(bounds[5] * k)),
    )


@kernel
def _bucket(level, x, y, z, buckets):
    return (x * OF_X ^ y * OF_Y ^ z * OF_Z ^ level * OF_LEVEL) & (buckets - 1)


@kernel
def _enter_geoms(tables, n, buckets):
    """Insert every geom of a level into the buckets of its cells."""
    memory = INTEGERS.rows(tables)
    order = GEOM_ORDER.rows(tables)
    for k in range(n, n + buckets):
        memory[k] = -1
    at = n + buckets
    for i in range(n):
        level = memory[i]
        if level == ABSENT or level == TOO_LARGE:
            continue
        x0, x1, y0, y1, z0, z1 = _cells(GEOMS.rows(tables)[order[i]].bounds, level)
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                for z in range(z0, z1 + 1):
                    bucket = n + _bucket(level, x, y, z, buckets)
                    memory[at] = i
                    memory[at + 1] = level
                    memory[at + 2] = x
                    memory[at + 3] = y
                    memory[at + 4] = z
                    memory[at + 5] = memory[bucket]
                    memory[bucket] = at
                    at += ENTRY


@kernel
def _look_into_cells(tables, count, i, level, n, buckets):
    """Pairs of geom `i` with those of `level` in the cells that it overlaps."""
    box = GEOMS.rows(tables)[GEOM_ORDER.rows(tables)[i]].bounds
    x0, x1, y0, y1, z0, z1 = _cells(box, level)
    for x in range(x0, x1 + 1):
        for y in range(y0, y1 + 1):
            for z in range(z0, z1 + 1):
                count = _look_into_cell(tables, count, i, level, (x, y, z), (x0, y0, z0), n, buckets)
    return count


@kernel
def _look_into_cell(tables, count, i, level, cell, first, n, buckets):
    memory, order = INTEGERS.rows(tables), GEOM_ORDER.rows(tables)
    x, y, z = cell
    at = memory[n + _bucket(level, x, y, z, buckets)]
    while at >= 0:
        j = memory[at]
        here = memory[at + 1] == level and memory[at + 2] == x and memory[at + 3] == y and memory[at + 4] == z
        # Geoms of one level meet twice: the later one in the order takes it.
        if here and (memory[i] < level or i > j):
            a, b = GEOMS.rows(tables)[order[i]], GEOMS.rows(tables)[order[j]]
            if may_meet(a, b):
                k = ldexp(1.0, -level)
                x0 = max(first[0], int(floor(b.bounds[0] * k)))
                y0 = max(first[1], int(floor(b.bounds[2] * k)))
                z0 = max(first[2], int(floor(b.bounds[4] * k)))
                if x == x0 and y == y0 and z == z0:
                    count = add_pair(tables, count, i, j)
        at = memory[at + 5]
    return count


@kernel
def _against_all(tables, count, i, n):
    """Pairs of a large geom with everything; of two large ones the first in the order takes it."""
    memory, order = INTEGERS.rows(tables), GEOM_ORDER.rows(tables)
    a = GEOMS.rows(tables)[order[i]]
    for j in range(n):
        if memory[j] == TOO_LARGE and j <= i:
            continue
        if may_meet(a, GEOMS.rows(tables)[order[j]]):
            count = add_pair(tables, count, i, j)
    return count
