"""Islands whose pivoting converges slowly: elimination again, then the interior point method.

A separate entry, so that it is compiled only when an island needs it.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import escalate
from opendynamics.core.solve.exact.escalations import LARGE
from opendynamics.core.solve.exact.row_space.box_lcp import FIRST_PATIENCE, FIRST_ROUNDS
from opendynamics.core.solve.exact.row_space.central_path import approach_and_pivot
from opendynamics.core.solve.exact.row_space.elimination import NO_ROOM, READY, complete, eliminate_free_rows, plan
from opendynamics.core.solve.exact.row_space.friction import begin_phases, bounded_part
from opendynamics.core.solve.exact.row_space.pivoting import pivot


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces. 1: done, 0: out of memory, or `large` is not loaded."""
    record = ISLANDS.rows(tables)[island]
    end, size, blocks = plan(tables, record)
    if end != READY:
        return 0 if end == NO_ROOM else escalate(tables, island, LARGE)
    eliminate_free_rows(tables, record, size, blocks)
    free_count = 0
    for phase in range(begin_phases(tables, record, size)):
        box = bounded_part(tables, record, size, phase)
        rounds, solved, free_count = pivot(box, FIRST_ROUNDS, FIRST_PATIENCE)
        record.iterations += rounds
        if not solved:
            rounds, solved, free_count = approach_and_pivot(box)
            record.iterations += rounds
        if not solved:
            return escalate(tables, island, LARGE)
    complete(tables, record, size, blocks, free_count)
    return 1
