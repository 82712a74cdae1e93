"""Every geom against every other: n (n - 1) / 2 tests. Best for a few geoms."""

from __future__ import annotations

from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS, PAIRS
from opendynamics.core.collide.broadphase import FIND_PAIRS, may_meet
from opendynamics.core.kernels import entry


@entry(FIND_PAIRS)
def find_pairs(tables):
    order = GEOM_ORDER.rows(tables)
    count = 0
    n = GEOM_ORDER.used(tables)
    for i in range(n):
        for j in range(i + 1, n):
            if may_meet(GEOMS.rows(tables)[order[i]], GEOMS.rows(tables)[order[j]]):
                if count < PAIRS.capacity(tables):
                    pair = PAIRS.rows(tables)[count]
                    pair.a = order[i]
                    pair.b = order[j]
                count += 1
    if not PAIRS.has_room(tables, count):
        return 0
    PAIRS.use(tables, count)
    return 1
