"""From a solver's entry to a further one of its own, which Python loads when it is first needed.

An entry that is not loaded is noted in the report's `missing_escalation`; the stage then begins again.
"""

from __future__ import annotations

from opendynamics.core.arrays.report import CHOICES, MOST_ESCALATIONS, REPORTS
from opendynamics.core.kernels import caller, kernel
from opendynamics.core.solve import SOLVE

# The number of `impacts`, which is every solver's.
IMPACTS = MOST_ESCALATIONS - 1

call_solve = caller(SOLVE.return_type, len(SOLVE.args))


@kernel
def escalate(tables, island, number):
    """Let the solver's ESCALATIONS[number] solve the island. Returns what that returns, or 0."""
    address = CHOICES.rows(tables)[0].escalations[number]
    if address == 0:
        REPORTS.rows(tables)[0].missing_escalation = number + 1
        return 0
    return call_solve(address, tables, island)
