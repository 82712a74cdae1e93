"""Where everything of an island stands in the scratch memory.

Floats: a record of BODY numbers for each body and one for the static world, KEPT numbers for each body, ROW numbers for each row,
JOINT numbers for each joint. Integers: PLACE numbers for each row, then LINK numbers for each link.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.warm_starting import has_room_in_cache

# Of a body, each linear 3 and angular 3: velocity, displacement since the step began, what a sub-step without constraints
# adds to the velocity, velocity at the beginning.
VELOCITY, MOVED, FREE, START = 0, 6, 12, 18
BODY = 24

# Of a body, to be put back after the sub-steps: position 3, quaternion 4, rotation 9, velocities 6.
KEPT = 22

# Of a row: J0 and J1 (6 each), M⁻¹ J0ᵀ and M⁻¹ J1ᵀ (6 each), 1 / (J M⁻¹ Jᵀ + softness), softness (CFM over the sub-step),
# velocities that it aims at with bias and by relaxation, bounds, impulse of the sub-step, sum of impulses; of a normal row the
# rate at which overlap is mended, 1/s, the parts of a soft constraint (see `passes`), the separation at the beginning; of a
# joint's row the velocity that it asks for without errors.
RESPONSE, EFFECTIVE_MASS, SOFTNESS, TARGET, REST, LO, HI, IMPULSE, TOTAL = 12, 24, 25, 26, 27, 28, 29, 30, 31
RATE, MASS_SCALE, IMPULSE_SCALE, SEPARATION = 32, 33, 34, 35
DRIVE = 32
ROW = 36

# Numbers of its bodies (that of the static world is the last) and of its normal row (-1: none), and `row.pair`.
BODY0, BODY1, NORMAL, PAIR = range(4)
PLACE = 4

# Of a link: its first row in the island, its number of rows, how many of the first are hard and solved as a block, and where
# their factor stands in the floats; -1 for contacts.
FIRST, COUNT, HARD, AT = range(4)
LINK = 4

# Most rows of a block, and the numbers of a joint: the factor of the block, and a vector.
MOST_HARD = 6
FACTOR = MOST_HARD * MOST_HARD
JOINT = FACTOR + MOST_HARD


@kernel
def has_room(tables, island):
    """Whether the scratch memory will do, and there are rows beyond those of the step to fill joints' in anew."""
    joints = 0
    for at in range(island.first_link, island.first_link + island.links):
        joints += LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]].kind != CONTACT
    floats = BODY * (island.bodies + 1) + KEPT * island.bodies + ROW * island.rows + JOINT * joints
    if not (FLOATS.has_room(tables, floats) and INTEGERS.has_room(tables, PLACE * island.rows + LINK * island.links)):
        return False
    return ROWS.has_room(tables, 2 * ROWS.used(tables)) and has_room_in_cache(tables)


class Scratch(NamedTuple):
    """The parts of it."""

    floats: Any  # begin with the bodies' records
    kept: Any
    rows: Any
    places: Any
    links: Any


@kernel
def scratch_of(tables, island):
    """An island's parts."""
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    return Scratch(
        floats,
        piece(floats, first_row(island) - KEPT * island.bodies, KEPT * island.bodies),
        piece(floats, first_row(island), ROW * island.rows),
        piece(integers, 0, PLACE * island.rows),
        piece(integers, PLACE * island.rows, LINK * island.links),
    )


@kernel
def first_row(island):
    """Where the first row's record stands in the floats."""
    return BODY * (island.bodies + 1) + KEPT * island.bodies


@kernel
def first_joint(island):
    """Where the first joint's factor stands in the floats."""
    return first_row(island) + ROW * island.rows
