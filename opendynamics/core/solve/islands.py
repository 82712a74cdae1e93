"""Scheduling: all islands, one after the other or by several threads.

Islands have no rows in common, so neither their order nor the number of threads changes a bit of the result. Each thread gets a
range of islands (`solve_share`) and its own tables for scratch memory, shortages and reports. If one island has most of the rows,
a team of threads solves it jointly (`arrays/team/`). Steps too small to repay waking the threads are not shared.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.escalation import IMPACTS, MEMBER, TOGETHER, call_solve, call_together, note_missing

# Rows outside the largest island above which two threads were measured to be faster than one.
ROWS_TO_SHARE = 2000

# Rows of one island above which a team of threads pays; a contact has three.
ROWS_OF_TEAM = 12000

# Islands of which a solver can solve several at once: single bodies, or islands of up to MAX_ROWS rows; and how many a step must
# have for that.
SINGLE_BODIES, SMALL_ISLANDS = 1, 2
MIN_BODIES, MIN_ISLANDS, MAX_ROWS = 8, 2, 400

# How islands are solved: by this thread, by several threads that get islands of their own, or jointly, one after the other.
ALONE, IN_SHARES, JOINTLY = range(3)

# Position corrections are skipped if all together give no body more than this fraction of gravity's velocity in a step.
IMPERCEPTIBLE = 0.01


@kernel
def sharing_of(tables):
    """How the islands of this step are solved: several threads must be allowed, and the islands large enough."""
    if CHOICES.rows(tables)[0].threads < 2:
        return ALONE
    largest = total = jointly = 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        largest = max(largest, island.rows)
        total += island.rows
        if CHOICES.rows(tables)[island.solver].has_job:
            jointly = max(jointly, island.rows)
    if jointly >= ROWS_OF_TEAM and 2 * jointly >= total:
        return JOINTLY
    return IN_SHARES if 2 * largest < total and total - largest >= ROWS_TO_SHARE else ALONE


@kernel
def begin_island(tables, island):
    """Clear an island's report. Returns whether it has rows to solve."""
    record = ISLANDS.rows(tables)[island]
    if record.solved:
        return False
    record.iterations = 0
    record.residual = 0.0
    record.faulty = 0
    record.draws = 0
    record.unconverged = 0
    record.solutions = 0
    record.corrected = 0
    record.batch = 0
    return record.rows > 0


@kernel
def solver_of(tables, island):
    """Address of the entry that solves an island: the solver, or `impacts` around it; 0 after reporting that it is not loaded."""
    record = ISLANDS.rows(tables)[island]
    choices, own = CHOICES.rows(tables)[0], CHOICES.rows(tables)[record.solver]
    if own.solve == 0:
        note_missing(tables, record.solver, MEMBER)
        return own.solve
    if own.solves_impacts or (record.bounces == 0 and not record.push > 0.0):
        return own.solve
    gravity = get3(WORLDS.rows(tables)[0].gravity)
    push = record.push * record.bodies
    if record.bounces == 0 and push * push <= IMPERCEPTIBLE * IMPERCEPTIBLE * dot(gravity, gravity):
        return own.solve
    if choices.escalations[IMPACTS] == 0:
        note_missing(tables, 0, IMPACTS)
    return choices.escalations[IMPACTS]


@kernel
def is_single_body(tables, island):
    """Whether the island is a body whose rows are all bounded, and its solution needs nothing around it."""
    record = ISLANDS.rows(tables)[island]
    if not (record.bodies == 1 and record.bounded_rows == record.rows > 0 and record.pairs == 0):
        return False
    return solver_of(tables, island) == CHOICES.rows(tables)[record.solver].solve


@kernel
def is_small(tables, island):
    """Whether the island has rows, but not many."""
    return 0 < ISLANDS.rows(tables)[island].rows <= MAX_ROWS


@kernel
def solve_together(tables, first, end):
    """Have islands from `first` to `end` solved together, if the step has enough. False: no memory, or not loaded."""
    for island in range(first, end):
        ISLANDS.rows(tables)[island].solved = ISLANDS.rows(tables)[island].batch = 0
    for number in range(CHOICES.used(tables)):
        if _has_many(tables, number):
            address = CHOICES.rows(tables)[number].escalations[TOGETHER]
            if address == 0:
                note_missing(tables, number, TOGETHER)
                return False
            if not call_together(address, tables, first, end, number):
                return False
    return True


@kernel
def _has_many(tables, number):
    """Whether this solver has enough islands in the step, of all threads, that it can solve together."""
    kind, found = CHOICES.rows(tables)[number].together, 0
    least = MIN_BODIES if kind == SINGLE_BODIES else MIN_ISLANDS
    for island in range(ISLANDS.used(tables) if kind else 0):
        if ISLANDS.rows(tables)[island].solver == number:
            found += is_single_body(tables, island) if kind == SINGLE_BODIES else is_small(tables, island)
            if found == least:
                return True
    return False


@entry(types.boolean(TABLES, types.int64, types.int64), nogil=True)
def solve_share(tables, first, end):
    """Solve one thread's islands, from `first` to `end`. False: out of memory, or an entry is not loaded."""
    if not solve_together(tables, first, end):
        return False
    for island in range(first, end):
        if not begin_island(tables, island):
            continue
        solver = solver_of(tables, island)
        if solver == 0 or not call_solve(solver, tables, island):
            return False
    return True


@kernel
def sum_up_islands(tables):
    """Report the largest number of iterations and the largest residual over all islands."""
    report = REPORTS.rows(tables)[0]
    report.iterations = 0
    report.residual = 0.0
    for island in range(ISLANDS.used(tables)):
        record = ISLANDS.rows(tables)[island]
        report.iterations = max(report.iterations, record.iterations)
        report.residual = max(report.residual, record.residual)
