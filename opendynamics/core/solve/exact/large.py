"""`exact` for large islands: the interior point method in the space of bodies.

An entry of its own, so that it is compiled when it is first needed and not before anything moves.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.exact.body_space.island import (
    floats_for_bodies,
    integers_for_bodies,
    plan_bodies,
    solve_in_body_space,
)
from opendynamics.core.solve.exact.pgs_fallback import is_finite, relax_island


@entry(SOLVE)
def solve(tables, island):
    """Find one island's forces. 1: done, 0: no room."""
    record = ISLANDS.rows(tables)[island]
    n, bodies = record.rows, record.bodies
    rows, body_of, motions = ROWS.rows(tables), ISLAND_BODIES.rows(tables), MOTIONS.rows(tables)
    if not INTEGERS.has_room(tables, integers_for_bodies(n, bodies)):
        return 0
    integers = INTEGERS.rows(tables)
    blocks, pattern, longest = plan_bodies(rows, record, body_of, motions, integers)
    if pattern < 0:
        INTEGERS.has_room(tables, 2 * len(integers))
        return 0
    if not FLOATS.has_room(tables, floats_for_bodies(n, bodies, pattern, longest)):
        return 0
    solve_in_body_space(
        rows,
        record,
        body_of,
        motions,
        INERTIAS.rows(tables),
        FORCES.rows(tables),
        blocks,
        pattern,
        longest,
        integers,
        FLOATS.rows(tables),
    )
    if record.faulty and is_finite(tables, record):
        return relax_island(tables, record)
    return 1
