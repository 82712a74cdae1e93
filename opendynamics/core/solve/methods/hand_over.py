"""From one entry of the exact solver to the next, which Python loads when it is first needed.

An entry that is not loaded is noted in the report's `solver_missing`; the stage then begins again.
"""

from __future__ import annotations

from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.kernels import caller, kernel
from opendynamics.core.solve import SOLVE

# Values of `solver_missing`.
NONE, THOROUGH, LARGE, CONE = range(4)

call_solve = caller(SOLVE.return_type, len(SOLVE.args))


@kernel
def hand_over(tables, island, to):
    """Let entry `to` solve the island. Returns what that returns, or 0."""
    choices = CHOICES.rows(tables)[0]
    address = choices.thorough if to == THOROUGH else choices.large if to == LARGE else choices.cone
    if address == 0:
        REPORTS.rows(tables)[0].solver_missing = to
        return 0
    return call_solve(address, tables, island)
