"""Deflection: predicted motion of bodies after their first contacts, for further impacts in the step.

Each contact requires the same least displacement along its normal n (into body0) as its row: the gap may close, or restitution
applies. The missing displacement s is added by pushing impulses, in Gauss-Seidel iterations over the contacts without clamping
back: with the bodies' arms r, λ = s / Σ (1/m + (r x n)·I⁻¹(r x n)) adds λ n/m to the translation of each and λ I⁻¹(r x n) to its
rotation. There is no friction.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times, turned
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3, length, negate, set3, subtract
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.contacts import BOUNCE, CONTACT_DETAILS, CONTACTS, REVERSED, SPECULATIVE
from opendynamics.core.arrays.swept_motion import SWEEPS
from opendynamics.core.collide.speculative.predicted_motion import headway
from opendynamics.core.kernels import kernel

ROUNDS = 8
ENOUGH = 0.5  # fraction of the clearance that may be missing


@kernel
def deflect(tables, runs, count, clearance, h):
    """Deflect bodies by the contacts of two ranges of points; the second is from `runs[2]` up to `count`."""
    first = CONTACTS.used(tables)
    for _ in range(ROUNDS):
        deflected = False
        for k in range(runs[0], runs[1]):
            deflected |= _deflect_at(tables, CONTACTS.rows(tables)[first + k], clearance, h)
        for k in range(runs[2], count):
            deflected |= _deflect_at(tables, CONTACTS.rows(tables)[first + k], clearance, h)
        if not deflected:
            break


@kernel
def _deflect_at(tables, contact, clearance, h):
    """Deflect the bodies of one contact, if the displacement along its normal is too small; returns whether it was."""
    n, place, surface = get3(contact.point.normal), get3(contact.point.position), contact.surface
    if contact.flags & REVERSED:
        n = negate(n)
    other_place = place
    if contact.flags & SPECULATIVE:
        other_place = add(place, get3(CONTACT_DETAILS.rows(tables)[surface.detail].apart))
    expected0, present0, _ = headway(tables, contact.body0, place, n, h)
    expected1, present1, _ = headway(tables, contact.body1, other_place, n, h)
    least, approach = clearance + min(contact.point.depth, 0.0), present1 - present0
    if surface.mode & BOUNCE and approach > h * surface.bounce_velocity >= 0.0:
        least = max(least, surface.bounce * approach)
    missing = least - (expected0 - expected1)
    if missing > ENOUGH * clearance:
        turn0, mobility0 = _response(tables, contact.body0, place, n)
        turn1, mobility1 = _response(tables, contact.body1, other_place, n)
        if mobility0 + mobility1 > 0.0:
            _push(tables, contact.body0, missing / (mobility0 + mobility1), n, turn0)
            _push(tables, contact.body1, -missing / (mobility0 + mobility1), n, turn1)
            return True
    return False


@kernel
def _response(tables, body, place, n):
    """Rotation of a body by a unit impulse along `n` at a point, and the displacement of the point along `n`."""
    motion = MOTIONS.rows(tables)[body]
    if motion.inverse_mass == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    arm = cross(subtract(place, get3(SWEEPS.rows(tables)[body].position)), n)
    inverse = turned(get9(POSES.rows(tables)[body].rotation), get9(INERTIAS.rows(tables)[body].inverse))
    turn = times(inverse, arm)
    return turn, motion.inverse_mass + dot(arm, turn)


@kernel
def _push(tables, body, impulse, n, turn):
    """Add an impulse along `n` to the predicted motion of a body; `turn`: its rotation by a unit impulse."""
    sweep = SWEEPS.rows(tables)[body]
    inverse_mass = MOTIONS.rows(tables)[body].inverse_mass
    if inverse_mass > 0.0:
        set3(sweep.travel, add_scaled(get3(sweep.travel), impulse * inverse_mass, n))
        set3(sweep.spin, add_scaled(get3(sweep.spin), impulse, turn))
        sweep.angle = length(get3(sweep.spin))
