"""Single bodies, eight at a time: those with the same number of rows are solved together.

A separate entry, so that it is compiled only when a step has many.
"""

from __future__ import annotations

from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE_TOGETHER
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.friction import read_cached_forces
from opendynamics.core.solve.exact.row_space.single_bodies import MAX_ROWS, has_room_for_lanes, solve_lanes
from opendynamics.core.solve.friction_bounds import FROZEN
from opendynamics.core.solve.islands import begin_island, is_single_body


@entry(SOLVE_TOGETHER)
def solve_together(tables, first, end, number):
    """Solve single bodies among the islands from `first` to `end`. 1: done, 0: out of memory."""
    if WORLDS.rows(tables)[0].friction_bounds != FROZEN:
        return 1
    waiting = (MAX_ROWS + 1) * LANES
    if not (INTEGERS.has_room(tables, waiting + MAX_ROWS + 1) and has_room_for_lanes(tables)):
        return 0
    counts = piece(INTEGERS.rows(tables), waiting, MAX_ROWS + 1)
    for n in range(MAX_ROWS + 1):
        counts[n] = 0
    for island in range(first, end):
        record = ISLANDS.rows(tables)[island]
        if record.solver == number and record.rows <= MAX_ROWS and is_single_body(tables, island):
            begin_island(tables, island)
            read_cached_forces(tables, record)
            n = record.rows
            INTEGERS.rows(tables)[LANES * n + counts[n]] = island
            counts[n] += 1
            if counts[n] == LANES:
                _solve_waiting(tables, n, counts)
    for n in range(1, MAX_ROWS + 1):
        if counts[n] > 0:
            _solve_waiting(tables, n, counts)
    return 1


@kernel
def _solve_waiting(tables, n, counts):
    """Solve the islands of n rows that wait."""
    solve_lanes(tables, piece(INTEGERS.rows(tables), LANES * n, counts[n]), n)
    counts[n] = 0
