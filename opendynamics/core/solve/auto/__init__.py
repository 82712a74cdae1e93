"""The default: each island goes to the exact solver where that is cheap, to the soft step otherwise.

The soft step takes time in proportion to the rows. What an exact one takes depends on the bounded rows b (contacts,
motors, stops), and on how they hang together. With L loops among the pairs of bodies that touch or are joined, L = pairs -
bodies, it was measured to grow about as

    work = b min(b, ROWS_A_PAIR (1 + L))

up to the square of b in a pile, in proportion to b in a tower. Islands are taken in the order of their work, the least first, as
long as all together take no more than a pile of `exact_rows` does: about a millisecond a step. Islands with few bounded rows cost
nothing in this account: an exact solution takes no longer than sub-steps. Few are those of a pair of boxes, and one more for
every two rows that hold joints, which sub-steps compute four times, but no more than MAX_ROWS: ragdolls that land are solved
exactly.

Loops fill the factor in, whatever the bounds: beyond MAX_LOOPS of them an island is not solved exactly.

The choice depends on nothing but the step's islands, so that it has no state to be saved, and threads change no bit of it.
Reads islands and links; writes islands, and its own parameters.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, INTEGERS, REPORTS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.auto.parameters import DEFAULTS, PARAMETERS
from opendynamics.core.solve.escalation import call_solve
from opendynamics.core.solve.loops import MAX_LOOPS, count_loops
from opendynamics.core.solve.warm_starting import cache_forces, has_room_in_cache

__all__ = ["DEFAULTS", "MEMBERS", "PARAMETERS", "choose", "finish", "cache_forces"]

MEMBERS = ("exact", "soft")
EXACT, SOFT = 1, 2

# Bounded rows of two boxes face to face.
ROWS_A_PAIR = 12

# Bounded rows of an island with joints up to which an exact solution takes no longer than sub-steps.
MAX_ROWS = 32


@entry(SOLVE)
def choose(tables, _):
    """Write every island's solver, and count them. 0: no memory."""
    parameters, islands = PARAMETERS.rows(tables)[0], ISLANDS.used(tables)
    limit = parameters.exact_rows
    if not (INTEGERS.has_room(tables, limit + 1 + islands) and has_room_in_cache(tables)):
        return 0
    most = _rate_islands(tables, limit)
    exact = soft = bounded = 0
    for k in range(islands):
        island = ISLANDS.rows(tables)[k]
        island.solver = EXACT if INTEGERS.rows(tables)[limit + 1 + k] <= most else SOFT
        if island.rows > 0:
            exact += island.solver == EXACT
            soft += island.solver == SOFT
            bounded += island.bounded_rows
    parameters.islands[EXACT - 1], parameters.islands[SOFT - 1] = exact, soft
    if bounded > 0:  # an island may grow, and continue from the forces of its parts
        REPORTS.rows(tables)[0].cache_forces = 1
    return 1


@kernel
def _rate_islands(tables, limit):
    """The size of each island, the root of its work, behind a table of work by size. Returns the largest affordable one."""
    integers, total = INTEGERS.rows(tables), 0
    for k in range(ISLANDS.used(tables)):
        work = _work(tables, ISLANDS.rows(tables)[k])
        size = min(int(sqrt(float(work))), limit + 1) if work >= 0 else limit + 1
        integers[limit + 1 + k] = size
        total += work if size <= limit else 0
    if total <= limit * limit:
        return limit
    for size in range(limit + 1):
        integers[size] = 0
    for k in range(ISLANDS.used(tables)):
        size = integers[limit + 1 + k]
        if size <= limit:
            integers[size] += _work(tables, ISLANDS.rows(tables)[k])
    left = limit * limit
    for size in range(limit + 1):
        left -= integers[size]
        if left < 0:
            return size - 1
    return limit


@kernel
def _work(tables, island):
    """Of an exact solution; -1 for too many loops."""
    loops = count_loops(tables, island)
    if loops > MAX_LOOPS:
        return -1
    if island.bounded_rows <= min(ROWS_A_PAIR + (island.rows - island.bounded_rows) // 2, MAX_ROWS):
        return 0
    return island.bounded_rows * min(island.bounded_rows, ROWS_A_PAIR * (1 + loops))


@entry(SOLVE)
def finish(tables, _):
    """Call `finish` of the solvers that islands were assigned to."""
    for number in range(1, CHOICES.used(tables)):
        entry_of_member = CHOICES.rows(tables)[number].finish
        if entry_of_member:
            call_solve(entry_of_member, tables, number)
    return 1
