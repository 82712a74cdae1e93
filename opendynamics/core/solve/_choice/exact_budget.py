"""Which islands of a step are cheap enough to be solved exactly.

Sub-steps take time in proportion to the rows. What an exact solution takes depends on the bounded rows b (contacts, motors,
stops), and on how they hang together. With L loops among the pairs of bodies that touch or are joined, L = pairs - bodies, it was
measured to grow about as

    work = b min(b, c + ROWS_A_LOOP L)

up to the square of b in a pile, in proportion to b in a tower: c is small at rest, where the last step's solution is nearly the
next one's. Islands are taken in the order of their work, the least first, as long as all together take no more than a pile with
a given number of bounded rows, the limit. Islands with few bounded rows cost nothing in this account: an exact solution takes no
longer than sub-steps. Few are those of a pair of boxes, and one more for every two rows that hold joints, which sub-steps compute
four times, but no more than MAX_ROWS: vehicles and ragdolls are solved exactly.

In a crowd, a step with more than CROWD times the limit of bounded rows, exact solutions of what collides took as long as all the
rest. There the limit is lower, and islands in motion, whose contacts come and go, count with MOTION b².

Loops fill the factor in, whatever the bounds: beyond MAX_LOOPS of them an island is not solved exactly.

Reads islands, links and bodies; writes the integers and `solver` of islands.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.islands import ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve._choice.speed import is_slow

# Bounded rows of the pile that exact solutions of a step may take as long as: at most a few milliseconds.
EXACT_ROWS = 100

# What is a crowd, and the part of the limit that holds in it.
CROWD, CROWDED = 4, 0.6

# Slightly more loops than a net of 20 x 20 ball joints has: above it a direct solution takes longer than sub-steps.
MAX_LOOPS = 400

# Bounded rows of two boxes face to face.
ROWS_A_PAIR = 12

# c at rest and in motion, and what each loop adds to it. What squares take in motion in a crowd.
AT_REST, IN_MOTION, ROWS_A_LOOP, MOTION = 4, 12, 12, 4

# Steps of free fall up to whose speed an island is at rest.
REST = 2.0

# Bounded rows of an island with joints up to which an exact solution takes no longer than sub-steps.
MAX_ROWS = 64


@kernel
def assign_affordable(tables, limit, candidate, exact, otherwise):
    """Assign islands whose solver is `candidate`: to `exact` within the budget of `limit` bounded rows. False: no memory."""
    islands = ISLANDS.used(tables)
    if not INTEGERS.has_room(tables, limit + 1 + islands):
        return False
    bounded = 0
    for k in range(islands):
        bounded += ISLANDS.rows(tables)[k].bounded_rows
    crowded = bounded > CROWD * limit
    most = int(CROWDED * limit) if crowded else limit
    largest = _rate_islands(tables, most, candidate, crowded)
    for k in range(islands):
        island = ISLANDS.rows(tables)[k]
        if island.solver == candidate:
            island.solver = exact if INTEGERS.rows(tables)[most + 1 + k] <= largest else otherwise
    return True


@kernel
def _rate_islands(tables, limit, candidate, crowded):
    """The size of each island, the root of its work, behind a table of work by size. Returns the largest affordable one."""
    integers, total = INTEGERS.rows(tables), 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        work = _work(tables, island, crowded) if island.solver == candidate else -1
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
            integers[size] += _work(tables, ISLANDS.rows(tables)[k], crowded)
    left = limit * limit
    for size in range(limit + 1):
        left -= integers[size]
        if left < 0:
            return size - 1
    return limit


@kernel
def _work(tables, island, crowded):
    """Work of an exact solution of the island; -1 for too many loops."""
    loops = count_loops(tables, island)
    if loops > MAX_LOOPS:
        return -1
    if is_light(island):
        return 0
    b, resting = island.bounded_rows, is_slow(tables, island, REST)
    if crowded and not resting:
        return MOTION * b * b
    return b * min(b, (AT_REST if resting else IN_MOTION) + ROWS_A_LOOP * loops)


@kernel
def is_light(island):
    """Whether so few rows are bounded that an exact solution takes no longer than sub-steps."""
    return island.bounded_rows <= min(ROWS_A_PAIR + (island.rows - island.bounded_rows) // 2, MAX_ROWS)


@kernel
def count_loops(tables, island):
    """Number of loops of an island; 0 for a tree, or for a few bodies connected to the static world only."""
    pairs, body0, body1 = 0, -1, -1
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]  # those of a pair come one after the other
        pairs += link.body0 != body0 or link.body1 != body1
        body0, body1 = link.body0, link.body1
    return max(pairs - island.bodies, 0)
