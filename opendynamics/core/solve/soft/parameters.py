"""Parameters of the soft step (the API's `soft_...` settings), and how many sub-steps an island takes.

Soft contacts between layers are springs: a stack of n layers sways like a column, more slowly and with less damping the higher it
is. With layers of height a and contacts of frequency f, it buckles under its own weight unless (2 pi f)² > n³ g / a; with r times
a layer's weight on top, unless (2 pi f)² > n² (n + 3 r) g / a. The number of sub-steps is proportional to the square root of the
right-hand side, unless the world sets it; above STIFFEN_FROM * MIN_SUBSTEPS sub-steps, the frequency of contacts rises in
proportion, too.

* Slender columns, with few bodies in a layer, must be SLENDER_MARGIN times as far from buckling: they sway for seconds, while
  wide layers damp each other. They may take more sub-steps, as few bodies take little time.
* Small islands without joints take at least 8: two of twenty houses of cards fell with 4 sub-steps, none with 8.
* A pyramid of 20 layers moves by 7 mm a minute with 4 sub-steps and comes to rest within 0.5 mm with 8; one of 50 falls with 8
  and stands with 28, at 2.5 times the time per step, as collision is detected only once.
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
MIN_SUBSTEPS = 4

# Islands without joints of up to this many bodies take at least twice as many sub-steps: it costs little.
SMALL_ISLAND = 40

# Layers above which an island is tall: a column of 14 cubes of 0.2 m is the highest that stands with 4 sub-steps of 2.5 ms.
TALL = 14

# Multiple of MIN_SUBSTEPS above which contacts are stiffer as well: otherwise broad islands continue to sway.
STIFFEN_FROM = 1.5

# Largest multiple of MIN_SUBSTEPS that a tall island takes: if its layers are broad, and if there is one body in each.
MAX_FACTOR, MAX_SLENDER_FACTOR = 8, 32

# How many times as far from buckling a slender column must be.
SLENDER_MARGIN = 16.0

# Weight of a load on top of a column, relative to that of further layers which bend it as much: 3 in theory.
TOP_LOAD = 3.2

# Layers above which an island is a stack, and starts from a guess of the contact forces (`solve/load_paths`).
STACKED = 1.5

# Number of sub-steps up to which each corrects `stop_erp` of a stop's error; if there are more, each corrects less, at the same
# rate: an arm overshoots its stop by what it moves in a whole step, and would be thrown back faster than it came.
MOST_CORRECTIONS = 4

# With bias, and without (relaxation). `island.iterations` counts them, which gives the number of sub-steps.
ITERATIONS_PER_SUBSTEP = 2


@kernel
def substeps_of(tables, island):
    """Sub-steps set by the world or required by the island's height; and how many its height would require without a limit."""
    if PARAMETERS.rows(tables)[0].substeps > 0:
        return PARAMETERS.rows(tables)[0].substeps, PARAMETERS.rows(tables)[0].substeps
    layers, heaviest, joined = layers_of(tables, island)
    substeps = substeps_in(tables, island, layers, heaviest, joined)
    slender = slenderness(island, layers) if not joined else 0.0
    return substeps, max(int(MIN_SUBSTEPS * sqrt(buckling_of(layers, heaviest, slender) / TALL**3)), substeps)


@kernel
def substeps_in(tables, island, layers, heaviest, joined):
    """Sub-steps of an island with these results of `layers_of`."""
    substeps = PARAMETERS.rows(tables)[0].substeps
    if substeps > 0:
        return substeps
    slender = slenderness(island, layers) if not joined else 0.0
    stiffness = buckling_of(layers, heaviest, slender) / TALL**3
    if stiffness <= 1.0:
        return MIN_SUBSTEPS if joined or island.bodies > SMALL_ISLAND else 2 * MIN_SUBSTEPS
    return MIN_SUBSTEPS * int(min(ceil(sqrt(stiffness)), MAX_FACTOR + slender * (MAX_SLENDER_FACTOR - MAX_FACTOR)))


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
    """n³ of the broad stack that is as close to buckling as the island."""
    return layers * layers * (layers + slender * SLENDER_MARGIN * (layers + TOP_LOAD * heaviest))


@kernel
def frequency_of(tables, step):
    """Contact frequency, Hz, in sub-steps of `step` s: proportional to their number above STIFFEN_FROM * MIN_SUBSTEPS of them.

    Less if the island would need more sub-steps than it takes: otherwise, a pyramid of 100 layers bursts.
    """
    parameters, h = PARAMETERS.rows(tables)[0], REPORTS.rows(tables)[0].h
    if parameters.substeps > 0:
        return parameters.hertz
    substeps = round(h / step)
    share = substeps / max(INTEGERS.rows(tables)[REQUIRED], substeps)
    return parameters.hertz * max(h / (step * STIFFEN_FROM * MIN_SUBSTEPS) * sqrt(share), 1.0)


@kernel
def layers_of(tables, island):
    """Estimates of an island's stack: number of layers, largest mass ratio of a body to one below it, and whether it has joints.

    The number of layers is its height over the mean height between bodies in contact, weighted by that height.
    """
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
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]  # contacts of one pair are consecutive
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
    """0 for immovable bodies."""
    return MOTIONS.rows(tables)[body].inverse_mass if body > 0 else 0.0
