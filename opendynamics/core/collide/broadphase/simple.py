"""Every geom against every other: n (n - 1) / 2 tests. Best for a few geoms."""

from __future__ import annotations

from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS
from opendynamics.core.collide.broadphase import FIND_PAIRS, add_pair, end_pairs, may_meet
from opendynamics.core.kernels import entry


@entry(FIND_PAIRS)
def find_pairs(tables):
    order = GEOM_ORDER.rows(tables)
    count = 0
    n = GEOM_ORDER.used(tables)
    for i in range(n):
        for j in range(i + 1, n):
            if may_meet(GEOMS.rows(tables)[order[i]], GEOMS.rows(tables)[order[j]]):
                count = add_pair(tables, count, order[i], order[j])
    return end_pairs(tables, count)
