"""Parameters of the soft step, and how many sub-steps an island takes. The API's `soft_...` settings are the parameters.

A layer on soft contacts is a spring, and a stack of layers is a column that sways the more slowly, and the less damped, the
higher it is. A column of n layers of height a, with contacts of frequency f, buckles under its own weight unless
(2 pi f)² > n³ g / a; with r times a layer's weight on top, unless (2 pi f)² > n² (n + 3 r) g / a. Tall islands therefore take
more sub-steps, in proportion to the square root of the right-hand side, unless the world sets their number; above MORE * FEWEST
sub-steps, the frequency of contacts rises in proportion as well. Slender columns, with few bodies in a layer, must be SLENDER
times as far from buckling, as they sway for seconds, while layers of many bodies damp each other; they may take more
sub-steps, as few bodies take little time. Small islands without joints take at least 8: two of twenty houses of cards fell
with 4 sub-steps, none with 8. A pyramid of 20 layers moves by 7 mm a minute with 4 sub-steps and comes to rest within 0.5 mm
with 8; one of 50 falls with 8 and stands with 28, at 2.5 times the time per step, as collision is detected only once.
"""

from __future__ import annotations

from math import ceil, sqrt

from opendynamics.core.algebra.vec3 import dot, get3, subtract
from opendynamics.core.arrays.bodies import MOTIONS, POSES
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import INTEGERS, REPORTS
from opendynamics.core.arrays.table import Role, Table
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.soft.plan.layout import REQUIRED

PARAMETER = [
    ("substeps", "i8"),  # 0: chosen by height and size, see substeps_in
    ("hertz", "f8"),  # Hz, of contacts, as long as a sub-step can follow
    ("damping_ratio", "f8"),  # of contacts
]

DEFAULTS = {"substeps": 0, "hertz": 60.0, "damping_ratio": 3.0}

PARAMETERS = Table("soft_parameters", PARAMETER, Role.STATE, room=1)

# Sub-steps of an island that is not tall.
FEWEST = 4

# Most bodies of an island without joints that takes twice as many sub-steps: it costs little.
FEW = 40

# Courses from which on an island is tall: columns of 14 cubes of 0.2 m are the highest that 4 sub-steps of 2.5 ms carry.
TALL = 14

# Factor of sub-steps from which contacts are stiffer as well: otherwise broad islands continue to sway.
MORE = 1.5

# By which factor a tall island takes more sub-steps at most: if its layers are broad, and if there is one body in each.
MAX_MORE, MAX_SLENDER = 8, 32

# How many times as far from buckling a column is to be.
SLENDER = 16.0

# How many layers at the bottom of a column a load at its top bends as much as.
LOADED = 3.2

# Layers from which an island is a stack and starts from a guess.
STACKED = 1.5

# Most sub-steps in which stops correct `stop_erp` of their error each; with more of them each corrects less, at the same rate. An
# arm overshoots its stop by what it moves in a whole step; thrown back within a short sub-step, it would be faster than it came.
MOST_CORRECTIONS = 4

# Over all constraints, in a sub-step: `island.iterations` counts them, and so says how many sub-steps an island takes.
PASSES = 2


@kernel
def substeps_of(tables, island):
    """The world's sub-steps, or those required by the island's height; and how many would be, without a limit."""
    if PARAMETERS.rows(tables)[0].substeps > 0:
        return PARAMETERS.rows(tables)[0].substeps, PARAMETERS.rows(tables)[0].substeps
    layers, heaviest, joined = layers_of(tables, island)
    substeps = substeps_in(tables, island, layers, heaviest, joined)
    slender = slenderness(island, layers) if not joined else 0.0
    return substeps, max(int(FEWEST * sqrt(buckling_of(layers, heaviest, slender) / TALL**3)), substeps)


@kernel
def substeps_in(tables, island, layers, heaviest, joined):
    """`substeps_of` an island of which these are known, see `layers_of`."""
    substeps = PARAMETERS.rows(tables)[0].substeps
    if substeps > 0:
        return substeps
    slender = slenderness(island, layers) if not joined else 0.0
    stiffness = buckling_of(layers, heaviest, slender) / TALL**3
    if stiffness <= 1.0:
        return FEWEST if joined or island.bodies > FEW else 2 * FEWEST
    return FEWEST * int(min(ceil(sqrt(stiffness)), MAX_MORE + slender * (MAX_SLENDER - MAX_MORE)))


@kernel
def stop_correction(substeps):
    """The fraction of its ERP that a stop corrects in a sub-step."""
    return min(MOST_CORRECTIONS / substeps, 1.0)


@kernel
def slenderness(island, layers):
    """1 for one body in each layer; otherwise inversely proportional to the square of the number of bodies in a layer."""
    width = max(island.bodies / layers, 1.0)
    return 1.0 / (width * width)


@kernel
def buckling_of(layers, heaviest, slender):
    """n³ of the broad stack that bends as an island does."""
    return layers * layers * (layers + slender * SLENDER * (layers + LOADED * heaviest))


@kernel
def frequency_of(tables, step):
    """Contact frequency, Hz, in sub-steps of `step` s: raised in proportion above MORE * FEWEST sub-steps.

    By less if the island would need more sub-steps than it takes: as stiff, a pyramid of 100 layers bursts.
    """
    parameters, h = PARAMETERS.rows(tables)[0], REPORTS.rows(tables)[0].h
    if parameters.substeps > 0:
        return parameters.hertz
    substeps = round(h / step)
    share = substeps / max(INTEGERS.rows(tables)[REQUIRED], substeps)
    return parameters.hertz * max(h / (step * MORE * FEWEST) * sqrt(share), 1.0)


@kernel
def layers_of(tables, island):
    """About how many layers an island has: its height, over that between bodies that are above each other. The largest ratio
    of the mass of one of them to that of the one below it. And whether any are joined."""
    g = get3(WORLDS.rows(tables)[0].gravity)
    strength = sqrt(dot(g, g))
    if strength == 0.0:
        return 1.0, 0.0, False
    lowest = highest = sums = squares = heaviest = 0.0
    for b in range(island.bodies):
        z = dot(g, get3(POSES.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body + b]].position)) / strength
        lowest, highest = (z, z) if b == 0 else (min(lowest, z), max(highest, z))
    joined, body0, body1 = False, -1, -1
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]  # those of a pair come one after the other
        if link.body0 == body0 and link.body1 == body1:
            continue
        joined |= link.kind != CONTACT
        body0, body1 = link.body0, link.body1
        one, other = _inverse_mass(tables, body0), _inverse_mass(tables, body1)
        if one > 0.0 and other > 0.0:
            between = subtract(get3(POSES.rows(tables)[body0].position), get3(POSES.rows(tables)[body1].position))
            fall = dot(g, between) / strength
            sums += abs(fall)
            squares += fall * fall
            if fall != 0.0:
                heaviest = max(heaviest, other / one if fall < 0.0 else one / other)
    layers = 1.0 + (highest - lowest) * sums / squares if squares > 0.0 else 1.0
    return layers, heaviest, joined


@kernel
def _inverse_mass(tables, body):
    """0 for what cannot be moved."""
    return MOTIONS.rows(tables)[body].inverse_mass if body > 0 else 0.0
