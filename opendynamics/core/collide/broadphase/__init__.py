"""Broadphase: candidate pairs of geoms with overlapping boxes. One file of this family is one method.

A member's entry `find_pairs(tables)` reads the geoms listed in the table geom_order and writes to the table pairs, once each,
those that `may_meet`: overlapping or touching boxes, different bodies, matching bits, both enabled. It passes their indices in
the list to `add_pair`, and `end_pairs` sorts the pairs: pair (a, b) has a before b in the list, and pairs are ordered by a, then
by b. So all members give bit-identical results. It returns 1, or 0 after reporting a shortage of memory.

A member with parameters has PARAMETERS, the initial values of choices.parameters.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.boxes import are_apart
from opendynamics.core.arrays.geoms import ENABLED, GEOM_ORDER, PAIRS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.contact_filter import may_collide
from opendynamics.core.kernels import kernel

FIND_PAIRS = types.int64(TABLES)


@kernel
def may_meet(a, b):
    """Whether two geom records pass all filters; touching boxes overlap."""
    return not are_apart(a.bounds, b.bounds) and may_collide(a, b) and a.flags & b.flags & ENABLED != 0


@kernel
def add_pair(tables, count, i, j):
    """Store the pair of the geoms at two indices if there is room; returns the number of pairs so far."""
    if count < PAIRS.capacity(tables):
        pair = PAIRS.rows(tables)[count]
        pair.a = min(i, j)
        pair.b = max(i, j)
    return count + 1


@kernel
def end_pairs(tables, count):
    """Sort `count` pairs and replace indices by rows of geoms; 0 if there was no room for all."""
    if not (PAIRS.has_room(tables, count) and sort_pairs(tables, PAIRS.rows(tables), count)):
        return 0
    order = GEOM_ORDER.rows(tables)
    for k in range(count):
        pair = PAIRS.rows(tables)[k]
        pair.a = order[pair.a]
        pair.b = order[pair.b]
    PAIRS.use(tables, count)
    return 1


@kernel
def sort_pairs(tables, pairs, count):
    """Counting sort of index pairs by a, then by b: first by b to the integers, then by a back. 0: out of memory."""
    in_order = 1
    for k in range(1, count):
        p, q = pairs[k - 1], pairs[k]
        if p.a > q.a or (p.a == q.a and p.b > q.b):
            in_order = 0
            break
    if in_order:
        return 1
    n = GEOM_ORDER.used(tables)
    if not INTEGERS.has_room(tables, n + 1 + count):
        return 0
    memory = INTEGERS.rows(tables)
    for k in range(n + 1):
        memory[k] = 0
    for k in range(count):
        memory[pairs[k].b + 1] += 1
    for k in range(n):
        memory[k + 1] += memory[k]
    for k in range(count):
        b = pairs[k].b
        memory[n + 1 + memory[b]] = pairs[k].a << 32 | b
        memory[b] += 1
    for k in range(n + 1):
        memory[k] = 0
    for k in range(count):
        memory[pairs[k].a + 1] += 1
    for k in range(n):
        memory[k + 1] += memory[k]
    for k in range(n + 1, n + 1 + count):
        a = memory[k] >> 32
        pair = pairs[memory[a]]
        pair.a = a
        pair.b = memory[k] & 0xFFFFFFFF
        memory[a] += 1
    return 1
