"""How many iterations an island gets, and the statistics of them.

A fixed number, or as ODE's development version has it: fewer if the change in an iteration falls below a threshold, and
extra ones while the last change is above another.

Reads the parameters; reads and writes islands.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.pgs.parameters import MAX_CREDIT, PARAMETERS, ROWS_A_CREDIT, STEPS_A_CREDIT
from opendynamics.core.solve.pgs.shuffling import drawn_ahead

# Values of `island.direct`: not solved directly, from cached forces, by a box LCP, iterated after that failed.
ITERATED, FROM_CACHE, WITHOUT_GUESS, FAILED = range(4)

# By how much more credit a box LCP costs that leads to no solution.
FAILURE = 4.0


@kernel
def max_iterations(parameters):
    """With the extra ones."""
    return parameters.iterations + int(parameters.extra * parameters.iterations)


@kernel
def change_allowed(parameters, iterations):
    """The change at which `iterations` are enough; a negative one if more are done whatever the change is."""
    if iterations >= parameters.iterations:
        return parameters.extra_change
    return parameters.exit_change if parameters.exit_change > 0.0 else -1.0


@kernel
def price(island):
    """Credit that a box LCP of the island costs."""
    share = island.rows / ROWS_A_CREDIT
    return max(1.0, share * share)


@entry(SOLVE)
def finish(tables, number):
    """Add up the iterations of the islands that were this solver's, and set the generator ahead by the numbers drawn."""
    parameters = PARAMETERS.rows(tables)[0]
    spent = 0.0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.direct >= WITHOUT_GUESS:
            spent = max(spent, price(island) * (FAILURE if island.direct == FAILED else 1.0))
        if island.iterations > 0 and island.solver == number:
            parameters.random_state = drawn_ahead(parameters.random_state, island.draws)
            parameters.iterations_done += island.iterations
            parameters.early += island.iterations < parameters.iterations
            parameters.prolonged += island.iterations > parameters.iterations
            parameters.exhausted += island.unconverged
    parameters.credit = min(max(parameters.credit - spent, -FAILURE) + 1.0 / STEPS_A_CREDIT, MAX_CREDIT)
    return 1
