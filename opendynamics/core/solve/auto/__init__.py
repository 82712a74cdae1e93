"""The default: each island goes to the exact solver where that is cheap (`exact_budget`) or sub-steps would tear a linkage apart
(`linkages`), to the soft step otherwise.

The choice depends on nothing but the step's islands, so that it has no state to be saved, and threads change no bit of it.
Reads islands and links; writes islands, and its own parameters.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._choice.exact_budget import assign_affordable
from opendynamics.core.solve._choice.linkages import assign_linkages
from opendynamics.core.solve.auto.parameters import DEFAULTS, PARAMETERS
from opendynamics.core.solve.escalation import call_solve
from opendynamics.core.solve.warm_starting import cache_forces, has_room_in_cache

__all__ = ["DEFAULTS", "MEMBERS", "PARAMETERS", "choose", "finish", "cache_forces"]

MEMBERS = ("exact", "soft")
UNASSIGNED, EXACT, SOFT = 0, 1, 2


@entry(SOLVE)
def choose(tables, _):
    """Write every island's solver, and count them. 0: no memory."""
    parameters, islands = PARAMETERS.rows(tables)[0], ISLANDS.used(tables)
    if not (has_room_in_cache(tables) and assign_affordable(tables, parameters.exact_rows, UNASSIGNED, EXACT, SOFT)):
        return 0
    if not assign_linkages(tables, EXACT):
        return 0
    exact = soft = bounded = 0
    for k in range(islands):
        island = ISLANDS.rows(tables)[k]
        if island.rows > 0:
            exact += island.solver == EXACT
            soft += island.solver == SOFT
            bounded += island.bounded_rows
    parameters.islands[EXACT - 1], parameters.islands[SOFT - 1] = exact, soft
    if bounded > 0:  # an island may grow, and continue from the forces of its parts
        REPORTS.rows(tables)[0].cache_forces = 1
    return 1


@entry(SOLVE)
def finish(tables, _):
    """Call `finish` of the solvers that islands were assigned to."""
    for number in range(1, CHOICES.used(tables)):
        entry_of_member = CHOICES.rows(tables)[number].finish
        if entry_of_member:
            call_solve(entry_of_member, tables, number)
    return 1
