"""Islands whose friction bounds follow the normal forces, warm started from the contact cache.

A separate entry, so that it is compiled only when an island needs it.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._body_space.coupled import solve_coupled
from opendynamics.core.solve._body_space.island import plan_bodies
from opendynamics.core.solve.exact.pgs_fallback import is_finite, iterate_island
from opendynamics.core.solve.warm_starting import has_room_in_cache, start_island


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces. 1: done, 0: out of memory."""
    record = ISLANDS.rows(tables)[island]
    has_room, blocks, pattern_size = plan_bodies(tables, record)
    if not (has_room and has_room_in_cache(tables)):
        return 0
    REPORTS.rows(tables)[0].cache_forces = 1
    warm = start_island(tables, record, 1.0) > 0
    solve_coupled(tables, record, (blocks, pattern_size), warm)
    if record.faulty and is_finite(tables, record):
        return iterate_island(tables, record)
    return 1
