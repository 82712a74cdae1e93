"""Friction and restitution of a speculative contact.

If the gap will close, the contact has friction, bounded by the normal force as usual; infinite bounds independent of the normal
force are made to follow it. If the gap will stay open by the bodies' own motion, as between bodies of a falling stack, the
contact has no restitution, and friction only if its bounds follow the normal force.

Restitution is applied at once, at the gap g in front of the surface: a step later the approach speed would be g/h, and
restitution lost. Steps of h with acceleration a towards the surface, v' = v - a h and x' = x + h v', conserve v² - a h v + 2 a x:
a body that falls from rest at height H touches with E = 2 a H. A bounce leaves e² E, so that a ball rises to e² H. With s² + a h
s = E(s), it arrives with speed v and leaves with u,

    E(V) = E(v) + 2 a g,    E(u) = e² E(V) - 2 a g

where V is the speed at touch. If E(u) <= 0 it would not rise as high as the gap, and it bounces in the next step instead.
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
