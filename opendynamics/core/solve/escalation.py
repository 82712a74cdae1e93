"""Escalation: from a solver's entry to a further one, which Python loads on first use.

An entry that is not loaded is noted in the report's `missing_escalation` as 1 + its number + MAX_ESCALATIONS times the
solver's row of the choices; the stage then begins again.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, MAX_ESCALATIONS, REPORTS
from opendynamics.core.kernels import caller, kernel
from opendynamics.core.solve import SOLVE, SOLVE_TOGETHER

# Number of `impacts`, which all solvers share, and of `solve` of a member, to which islands are assigned.
IMPACTS = MAX_ESCALATIONS - 1
MEMBER = MAX_ESCALATIONS - 2

# Of `solve_together` of a solver.
TOGETHER = MAX_ESCALATIONS - 3

call_solve = caller(SOLVE)
call_together = caller(SOLVE_TOGETHER)


@kernel
def escalate(tables, island, number):
    """Solve the island by ESCALATIONS[number] of its solver. Returns that entry's result, or 0 if it is not loaded."""
    solver = ISLANDS.rows(tables)[island].solver
    address = CHOICES.rows(tables)[solver].escalations[number]
    if address == 0:
        note_missing(tables, solver, number)
        return 0
    return call_solve(address, tables, island)


@kernel
def note_missing(tables, solver, number):
    """Request the entry `number` of the solver in this row of CHOICES from Python."""
    REPORTS.rows(tables)[0].missing_escalation = 1 + number + MAX_ESCALATIONS * solver
