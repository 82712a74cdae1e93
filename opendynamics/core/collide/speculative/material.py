"""Friction and restitution of a speculative contact.

Where the gap would close, it has friction from now on, bounded by the normal force as elsewhere; a bound that is infinite
whatever that force is is made to follow it. Where the gap would stay open if nothing else touched, as between bodies of a stack,
which all fall alike, it does not bounce, and has friction only if its bounds follow the normal force: open, it has neither.

A bounce is done at once, in front of the surface by the gap g: a step later the speed of the approach would be g/h, and
restitution lost. Steps of h with the acceleration a towards the surface, v' = v - a h and x' = x + h v', keep
v² - a h v + 2 a x, as a short calculation shows: what falls from rest at the height H touches with E = 2 a H. Of that a
bounce is to leave e² E, for a ball that rises to e² H. With s² + a h s = E(s) it comes with the speed v and goes with u,

    E(V) = E(v) + 2 a g,    E(u) = e² E(V) - 2 a g

V being the speed with which it would touch. If E(u) <= 0 it would not rise as high as the gap, and there is none: it bounces in
the next step.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.arrays.contacts import APPROX1_1, APPROX1_2, BOUNCE, MU2, ROLLING
from opendynamics.core.kernels import kernel

# Both friction bounds follow the normal force.
FOLLOWS = APPROX1_1 | APPROX1_2


@kernel
def adapt_material(surface, gap, approach, h):
    """Change a contact's surface; `approach`: that of its points in the step, see `headway`."""
    expected, present, fall = approach
    if expected <= gap:
        surface.mode &= ~(BOUNCE | ROLLING)
        if surface.mode & FOLLOWS != FOLLOWS:
            surface.mode &= ~MU2
            surface.mu = 0.0
        return
    if surface.mode & MU2:
        if surface.mu2 == inf:
            surface.mode |= APPROX1_2
    elif surface.mu == inf:
        surface.mode |= APPROX1_2
    if surface.mu == inf:
        surface.mode |= APPROX1_1
    if surface.mode & BOUNCE:
        speed = present / h
        at_touch, bounced = _bounce(surface.bounce, speed, fall / h, gap / h)
        if speed > 0.0 and bounced > 0.0 and at_touch > surface.bounce_velocity >= 0.0:
            surface.bounce = bounced / speed
            surface.bounce_velocity = 0.0
        else:
            surface.mode &= ~BOUNCE


@kernel
def _bounce(e, v, gain, gap):
    """V and u; `gain` is a h, the speed gained in a step, and `gap` g/h."""
    above = 2.0 * gain * gap
    energy = v * v + gain * v + above
    return _speed(energy, gain), _speed(e * e * energy - above, gain)


@kernel
def _speed(energy, gain):
    """The s > 0 with s² + gain s = energy, or 0."""
    if energy <= 0.0:
        return 0.0
    return max(0.0, sqrt(0.25 * gain * gain + energy) - 0.5 * gain)
