"""Parameters of the soft step, and how many sub-steps an island takes. The API's `soft_...` settings are the parameters.

A course on soft contacts is a spring, and courses on each other a column that sways more slowly, and is damped less, the more
there are; under its own weight a column of n courses of height a buckles unless (2 pi f)² > n³ g / a, with f the frequency of its
contacts. So tall islands take more sub-steps, in proportion to n^(3/2), and from twice as many on contacts as much stiffer,
unless the world says how many. A pyramid of 20 courses moves by 7 mm a minute with 4 sub-steps, and comes to rest within 0.9 mm
with 8; one of 50 falls with 8, and stands with 28, which take two and a half times as long, as collision takes no more.
Towers, which are slender, "auto" solves exactly.
"""

from __future__ import annotations

from math import ceil, sqrt

from opendynamics.core.algebra.vec3 import dot, get3, subtract
from opendynamics.core.arrays.bodies import MOTIONS, POSES
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.table import Role, Table
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel

PARAMETER = [
    ("substeps", "i8"),  # 0: FEWEST, and more for tall islands
    ("hertz", "f8"),  # Hz, of contacts, as long as a sub-step can follow
    ("damping_ratio", "f8"),  # of contacts
]

DEFAULTS = {"substeps": 0, "hertz": 60.0, "damping_ratio": 3.0}

PARAMETERS = Table("soft_parameters", PARAMETER, Role.STATE, room=1)

# Sub-steps of an island that is not tall.
FEWEST = 4

# Courses from which on an island is tall: columns of 14 cubes of 0.2 m are the highest that 4 sub-steps of 2.5 ms carry.
TALL = 14

# By which factor a tall island takes more sub-steps, from the first on and at most.
MORE, MOST_MORE = 2, 8

# Over all constraints, in a sub-step: `island.iterations` counts them, and so says how many sub-steps an island takes.
PASSES = 2


@kernel
def substeps_of(tables, island):
    """The world's sub-steps, or what the island's height asks for."""
    substeps = PARAMETERS.rows(tables)[0].substeps
    if substeps > 0:
        return substeps
    height = courses_of(tables, island) / TALL
    return FEWEST * min(int(ceil(height * sqrt(height))), MOST_MORE) if height > 1.0 else FEWEST


@kernel
def frequency_of(tables, step):
    """Hz, of contacts in sub-steps of `step` s: as many times stiffer as a tall island takes more than MORE times FEWEST."""
    parameters, h = PARAMETERS.rows(tables)[0], REPORTS.rows(tables)[0].h
    return parameters.hertz * (max(h / (step * MORE * FEWEST), 1.0) if parameters.substeps == 0 else 1.0)


@kernel
def courses_of(tables, island):
    """About how many courses an island has: its height, over that between bodies that are above each other."""
    g = get3(WORLDS.rows(tables)[0].gravity)
    strength = sqrt(dot(g, g))
    if strength == 0.0:
        return 0.0
    lowest = highest = sums = squares = 0.0
    for b in range(island.bodies):
        z = dot(g, get3(POSES.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body + b]].position)) / strength
        lowest, highest = (z, z) if b == 0 else (min(lowest, z), max(highest, z))
    body0 = body1 = -1
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]  # those of a pair come one after the other
        if link.body0 == body0 and link.body1 == body1:
            continue
        body0, body1 = link.body0, link.body1
        if _is_movable(tables, body0) and _is_movable(tables, body1):
            between = subtract(get3(POSES.rows(tables)[body0].position), get3(POSES.rows(tables)[body1].position))
            rise = abs(dot(g, between)) / strength
            sums += rise
            squares += rise * rise
    return 1.0 + (highest - lowest) * sums / squares if squares > 0.0 else 1.0


@kernel
def _is_movable(tables, body):
    return body > 0 and MOTIONS.rows(tables)[body].inverse_mass > 0.0
