"""QuickStep in ODE's order: successive over-relaxation, row by row.

Each iteration improves one force after another (see `gauss_seidel`). Rows that depend on none come first; every
SHUFFLE_PERIOD iterations all rows are shuffled, by ODE's generator, whose state belongs to the world. An island's first
state follows from the number of rows before it, so that islands may be solved in any order; for that, an island counts
as having drawn the numbers of all the iterations that it may take.

Where the number of iterations is not fixed (see `iterations`), the change that is looked at is ODE's: for each body, the
forces' changes in the iteration times the largest number of M⁻¹ Jᵀ, summed up for rising and for falling forces.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.gauss_seidel import (
    BODY,
    HI,
    LO,
    NORMAL,
    PAIR,
    PLACE,
    ROW,
    arrange_rows,
    has_room,
    iterate_rows,
    largest_change,
    measure_rows,
    order_rows,
    prepare,
    write_forces,
)
from opendynamics.core.solve.pgs.iterations import change_allowed, finish, max_iterations
from opendynamics.core.solve.pgs.parameters import PARAMETERS
from opendynamics.core.solve.pgs.shuffling import drawn_ahead, shuffle

__all__ = ["finish", "solve"]

SHUFFLE_PERIOD = 8


@kernel
def _free_unlimited_friction(tables, island):
    """Remove the bounds of friction with an infinite coefficient, as ODE does, also while its normal force is 0."""
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    first = BODY * (island.bodies + 1)
    for r in range(island.rows):
        own = piece(floats, first + ROW * r, ROW)
        place = piece(integers, island.rows + PLACE * r, PLACE)
        if place[NORMAL] >= 0 and place[PAIR] == 0 and own[HI] == inf:
            own[LO] = -inf
            place[NORMAL] = -1


@entry(SOLVE)
def solve(tables, index):
    """Improve one island's forces. 1: done, 0: no memory."""
    island = ISLANDS.rows(tables)[index]
    if not has_room(tables, island):
        return 0
    parameters = PARAMETERS.rows(tables)[0]
    prepare(tables, island, parameters.relaxation)
    order_rows(tables, island)
    arrange_rows(tables, island)
    _free_unlimited_friction(tables, island)
    most = max_iterations(parameters)
    shuffles = (most - 1) // SHUFFLE_PERIOD
    state = drawn_ahead(parameters.random_state, shuffles * island.draws_before)
    island.draws = shuffles * (island.rows - 1)
    iteration = 0
    while iteration < most:
        if iteration >= SHUFFLE_PERIOD and iteration % SHUFFLE_PERIOD == 0:
            state = shuffle(INTEGERS.rows(tables), island.rows, state)
            arrange_rows(tables, island)
        allowed = -1.0
        if iteration + 1 < most or most > parameters.iterations:
            allowed = change_allowed(parameters, iteration + 1)
        iterate_rows(tables, island, allowed >= 0.0)
        iteration += 1
        if allowed >= 0.0:
            island.unconverged = largest_change(tables, island) >= allowed
            if not island.unconverged:
                break
    island.unconverged = island.unconverged and iteration > parameters.iterations
    island.iterations = iteration
    island.residual = measure_rows(tables, island, parameters.relaxation)
    write_forces(tables, island)
    return 1
