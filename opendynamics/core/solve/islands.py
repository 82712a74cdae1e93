"""Scheduling: all islands, one after the other or by several threads.

Islands have no rows in common, so that the order in which they are solved, and by whom, changes no bit of the result.
A thread gets a run of islands (`solve_share`) and tables of its own for scratch, shortages and reports. If one island has most
of the rows, a team of threads solves it jointly (`_team`). What is too small to be worth the threads' start is not shared.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.escalation import IMPACTS, call_solve

# Rows beyond those of the largest island from which on two threads were measured to be faster than one.
ROWS_TO_SHARE = 2000

# Rows of one island from which on a team of threads (`_team`) is worth its start; a contact has three.
ROWS_OF_TEAM = 9000

# Position corrections that all together give no body more than this part of what gravity gives it in a step are left alone.
IMPERCEPTIBLE = 0.01


@kernel
def pays_to_share(tables):
    """Whether threads are allowed, and the islands large enough to be worth it."""
    if CHOICES.rows(tables)[0].threads < 2:
        return False
    largest = total = jointly = 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        largest = max(largest, island.rows)
        total += island.rows
        if CHOICES.rows(tables)[island.solver].solves_impacts:
            jointly = max(jointly, island.rows)
    return total - largest >= ROWS_TO_SHARE or jointly >= ROWS_OF_TEAM


@kernel
def begin_island(tables, island):
    """Clear what the solver reports of an island. Returns whether there is something to solve."""
    record = ISLANDS.rows(tables)[island]
    record.iterations = 0
    record.residual = 0.0
    record.faulty = 0
    record.direct = 0
    record.draws = 0
    record.unconverged = 0
    record.solutions = 0
    record.corrected = 0
    return record.rows > 0


@kernel
def solver_of(tables, island):
    """Address of what solves an island: the solver, or `impacts` around it; 0 after noting that this is not loaded."""
    record = ISLANDS.rows(tables)[island]
    choices, own = CHOICES.rows(tables)[0], CHOICES.rows(tables)[record.solver]
    if own.solves_impacts or (record.bounces == 0 and not record.push > 0.0):
        return own.solve
    gravity = get3(WORLDS.rows(tables)[0].gravity)
    push = record.push * record.bodies
    if record.bounces == 0 and push * push <= IMPERCEPTIBLE * IMPERCEPTIBLE * dot(gravity, gravity):
        return own.solve
    if choices.escalations[IMPACTS] == 0:
        REPORTS.rows(tables)[0].missing_escalation = IMPACTS + 1
    return choices.escalations[IMPACTS]


@entry(types.boolean(TABLES, types.int64, types.int64), nogil=True)
def solve_share(tables, first, end):
    """One thread's part: the islands from `first` to `end`. False: no room, or an entry is not loaded."""
    for island in range(first, end):
        if not begin_island(tables, island):
            continue
        solver = solver_of(tables, island)
        if solver == 0 or not call_solve(solver, tables, island):
            return False
    return True


@kernel
def sum_up_islands(tables):
    """Report the most iterations and the largest residual of any island."""
    report = REPORTS.rows(tables)[0]
    report.iterations = 0
    report.residual = 0.0
    for island in range(ISLANDS.used(tables)):
        record = ISLANDS.rows(tables)[island]
        report.iterations = max(report.iterations, record.iterations)
        report.residual = max(report.residual, record.residual)
