"""Large islands: solved in body space, by pivoting or the interior point method.

A separate entry, so that it is compiled only when an island needs it.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._body_space.island import plan_bodies, solve_in_body_space
from opendynamics.core.solve.exact.pgs_fallback import is_finite, iterate_island


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces. 1: done, 0: out of memory."""
    record = ISLANDS.rows(tables)[island]
    has_room, blocks, pattern_size = plan_bodies(tables, record)
    if not has_room:
        return 0
    solve_in_body_space(tables, record, blocks, pattern_size)
    if record.faulty and is_finite(tables, record):
        return iterate_island(tables, record)
    return 1
