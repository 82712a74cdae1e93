"""How many sweeps an island gets, and what becomes of the counts.

A fixed number, or as ODE's development version has it: fewer, if a sweep changes nothing to speak of, and some more if
the last one still changed much.

Reads and writes worlds and islands.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.methods.shuffling import drawn_ahead


@kernel
def world_of_island(tables, island):
    return WORLDS.rows(tables)[MOTIONS.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body]].world]


@kernel
def most_sweeps(world):
    """With the extra ones."""
    return world.quickstep_iterations + int(world.quickstep_extra * world.quickstep_iterations)


@kernel
def change_allowed(world, sweeps):
    """The change at which `sweeps` sweeps are enough; a negative one if more are done whatever the change is."""
    if sweeps >= world.quickstep_iterations:
        return world.quickstep_extra_change
    return world.quickstep_exit_change if world.quickstep_exit_change > 0.0 else -1.0


@kernel
def end_sweeps(tables):
    """The step is over: set the worlds' generators ahead and count."""
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.sweeps > 0:
            world = world_of_island(tables, island)
            world.random_state = drawn_ahead(world.random_state, island.draws)
            world.quickstep_sweeps += island.sweeps
            world.quickstep_early += island.sweeps < world.quickstep_iterations
            world.quickstep_prolonged += island.sweeps > world.quickstep_iterations
            world.quickstep_exhausted += island.unsettled
