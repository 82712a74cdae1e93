"""How many iterations an island gets, and the statistics of them.

A fixed number, or as ODE's development version has it: fewer if the change in an iteration falls below a threshold, and
extra ones while the last change is above another.

Reads the parameters; reads and writes islands.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.pgs.parameters import PARAMETERS
from opendynamics.core.solve.pgs.shuffling import drawn_ahead


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


@entry(SOLVE)
def finish(tables, number):
    """Add up the iterations of the islands that were this solver's, and set the generator ahead by the numbers drawn."""
    parameters = PARAMETERS.rows(tables)[0]
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.iterations > 0 and island.solver == number:
            parameters.random_state = drawn_ahead(parameters.random_state, island.draws)
            parameters.iterations_done += island.iterations
            parameters.early += island.iterations < parameters.iterations
            parameters.prolonged += island.iterations > parameters.iterations
            parameters.exhausted += island.unconverged
    return 1
