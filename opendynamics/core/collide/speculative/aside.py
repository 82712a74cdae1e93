"""How bodies go on that their contacts turn aside, for what else they may then meet in the step.

Each contact asks for the least headway along its normal n (into body0) that its row will: none closer than the gap, or
what a bounce gives. What lacks is added to the motion of both bodies in parts by their inverse masses, contact after
contact and round after round, as far as the motion of centres goes; turning is left as it was.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, add_scaled, get3, negate, set3
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import BOUNCE, CONTACTS, REVERSED, SPECULATIVE
from opendynamics.core.arrays.sweeps import SWEEPS
from opendynamics.core.collide.speculative.expected import headway
from opendynamics.core.kernels import kernel

ROUNDS = 8


@kernel
def turn_aside(tables, runs, count, clearance, h):
    """Let the contacts of two runs of points, those from `runs[2]` up to `count` the second, turn their bodies aside."""
    first = CONTACTS.used(tables)
    for _ in range(ROUNDS):
        for k in range(runs[0], runs[1]):
            _turn(tables, CONTACTS.rows(tables)[first + k], clearance, h)
        for k in range(runs[2], count):
            _turn(tables, CONTACTS.rows(tables)[first + k], clearance, h)


@kernel
def _turn(tables, contact, clearance, h):
    n, place, surface = get3(contact.point.normal), get3(contact.point.position), contact.surface
    if contact.flags & REVERSED:
        n = negate(n)
    other_place = add(place, get3(contact.apart)) if contact.flags & SPECULATIVE else place
    expected0, present0, _ = headway(tables, contact.body0, place, n, h)
    expected1, present1, _ = headway(tables, contact.body1, other_place, n, h)
    least, approach = clearance + min(contact.point.depth, 0.0), present1 - present0
    if surface.mode & BOUNCE and approach > h * surface.bounce_velocity >= 0.0:
        least = max(least, surface.bounce * approach)
    lack = least - (expected0 - expected1)
    share0 = MOTIONS.rows(tables)[contact.body0].inverse_mass
    share1 = MOTIONS.rows(tables)[contact.body1].inverse_mass
    if lack > 0.0 and share0 + share1 > 0.0:
        lack /= share0 + share1
        _push(SWEEPS.rows(tables)[contact.body0], lack * share0, n)
        _push(SWEEPS.rows(tables)[contact.body1], -lack * share1, n)


@kernel
def _push(sweep, by, n):
    set3(sweep.travel, add_scaled(get3(sweep.travel), by, n))
