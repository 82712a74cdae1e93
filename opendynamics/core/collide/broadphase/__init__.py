"""Which geoms' boxes overlap. One file of this family is one way to find out.

A member's entry `find_pairs(tables)` looks at the geoms listed in the table geom_order and writes to the table pairs,
once each, those that `may_meet`: boxes overlap (touching counts), not on the same body, bits that match, both enabled.
Pair (a, b) has a before b in the list. It returns 1, or 0 after noting a shortage of room. The order of pairs must
depend on nothing but the tables.
"""

from __future__ import annotations

from numba import types

from opendynamics.core.arrays.geoms import ENABLED, PAIRS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import kernel

FIND_PAIRS = types.int64(TABLES)


@kernel
def may_meet(a, b):
    """Whether two geom records pass every filter; boxes are compared inclusively."""
    x, y = a.bounds, b.bounds
    if x[0] > y[1] or y[0] > x[1] or x[2] > y[3] or y[2] > x[3] or x[4] > y[5] or y[4] > x[5]:
        return False
    if a.owner == b.owner and a.owner != 0:
        return False
    if not (a.category & b.collide or b.category & a.collide):
        return False
    return a.flags & b.flags & ENABLED != 0


@kernel
def add_pair(tables, count, a, b):
    """Note a pair if there is room for it; returns the number of pairs met so far."""
    if count < PAIRS.capacity(tables):
        pair = PAIRS.rows(tables)[count]
        pair.a = a
        pair.b = b
    return count + 1


@kernel
def end_pairs(tables, count):
    """Keep `count` pairs; 0 if there was no room for all of them."""
    if not PAIRS.has_room(tables, count):
        return 0
    PAIRS.use(tables, count)
    return 1
