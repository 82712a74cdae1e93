"""Islands that are neither a few bodies nor a chain: elimination of the rows without bounds, then pivoting.

A separate entry, so that it is compiled only when an island needs it.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import escalate
from opendynamics.core.solve.exact.escalations import HARD, LARGE
from opendynamics.core.solve.exact.row_space.box_lcp import FIRST_PATIENCE, FIRST_ROUNDS
from opendynamics.core.solve.exact.row_space.elimination import (
    NO_ROOM,
    READY,
    complete,
    eliminate_free_rows,
    plan,
    record_elimination,
    reuse_elimination,
)
from opendynamics.core.solve.exact.row_space.few_bodies import is_small
from opendynamics.core.solve.exact.row_space.friction import begin_phases, bounded_part, read_cached_forces
from opendynamics.core.solve.exact.row_space.parametric import trace_and_pivot
from opendynamics.core.solve.exact.row_space.pivoting import pivot


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces. 1: done, 0: out of memory, or another entry is not loaded."""
    record = ISLANDS.rows(tables)[island]
    there, size, blocks = reuse_elimination(tables, record, island)
    free_count = 0
    if not there:
        end, size, blocks = plan(tables, record)
        if end != READY:
            return 0 if end == NO_ROOM else escalate(tables, island, LARGE)
        if record.bounded_rows > 0 and record.solutions == 0 and not is_small(record):
            read_cached_forces(tables, record)
        eliminate_free_rows(tables, record, size, blocks)
    for phase in range(begin_phases(tables, record, size)):
        box = bounded_part(tables, record, size, phase)
        rounds, solved, free_count = pivot(box, FIRST_ROUNDS, FIRST_PATIENCE)
        record.iterations += rounds
        if not solved:
            rounds, solved, free_count = trace_and_pivot(box)
            record.iterations += rounds
        if not solved:
            return escalate(tables, island, HARD)
    complete(tables, record, size, blocks, free_count)
    record_elimination(tables, record, island, size, blocks)
    return 1
