"""Successive over-relaxation, row by row: ODE's QuickStep, in ODE's order of rows.

Each sweep improves one force after another (see `row_relaxation`). Rows that depend on none come first; every
SHUFFLE_PERIOD sweeps all rows are shuffled, by ODE's generator, whose state belongs to the world. An island's first
state follows from the number of rows before it, so that islands may be solved in any order; for that, an island counts
as having drawn the numbers of all the sweeps that it may take.

Where the number of sweeps is not fixed (see `sweep_counts`), the change that is looked at is ODE's: for each body, the
forces' changes in the sweep times the largest number of M⁻¹ Jᵀ, summed up for rising and for falling forces.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.methods.row_relaxation import (
    has_room,
    largest_change,
    order_rows,
    prepare,
    sweep_rows,
    write_forces,
)
from opendynamics.core.solve.methods.shuffling import drawn_ahead, shuffle
from opendynamics.core.solve.methods.sweep_counts import change_allowed, most_sweeps, world_of_island

SHUFFLE_PERIOD = 8


@entry(SOLVE)
def solve(tables, index):
    island = ISLANDS.rows(tables)[index]
    if not has_room(tables, island):
        return 0
    world = world_of_island(tables, island)
    prepare(tables, island, world.quickstep_relaxation)
    order_rows(tables, island)
    most = most_sweeps(world)
    shuffles = (most - 1) // SHUFFLE_PERIOD
    state = drawn_ahead(world.random_state, shuffles * island.shuffled)
    island.draws = shuffles * (island.rows - 1)
    sweep = 0
    while sweep < most:
        if sweep >= SHUFFLE_PERIOD and sweep % SHUFFLE_PERIOD == 0:
            state = shuffle(INTEGERS.rows(tables), island.rows, state)
        allowed = -1.0
        if sweep + 1 < most or most > world.quickstep_iterations:
            allowed = change_allowed(world, sweep + 1)
        sweep_rows(tables, island, allowed >= 0.0)
        sweep += 1
        if allowed >= 0.0:
            island.unsettled = largest_change(tables, island) >= allowed
            if not island.unsettled:
                break
    island.unsettled = island.unsettled and sweep > world.quickstep_iterations
    island.iterations = island.sweeps = sweep
    write_forces(tables, island)
    return 1
