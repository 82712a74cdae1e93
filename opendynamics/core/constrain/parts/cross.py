"""The cross of two axes, one on each body: the angle between them is held, and each body may turn about its own.

With u = axis0 x axis1 at length one, s = |axis0 x axis1|, c = axis0·axis1, and s', c' what they shall be:

    u·(w0 - w1) = k e,   e = c' s - s' c        `held_angle_row`, the sine of the angle that is missing

How far each body has turned about its axis is read off the other body's axis. The direction of that at rest is kept in each
body's own frame, at right angles to the body's axis: numbers[0:3] in body0's, numbers[3:6] in body1's.
"""

from __future__ import annotations

from math import atan2

from opendynamics.core.algebra.vec3 import cross, dot, get3_from, length, scale
from opendynamics.core.arrays.joints import FREE
from opendynamics.core.constrain.parts.frame import turned_by
from opendynamics.core.constrain.parts.limit_motor import has_angular_stops, test_stops
from opendynamics.core.constrain.parts.row import angular_row
from opendynamics.core.kernels import kernel

REST0, REST1 = 0, 3
ROUNDING = 2.0**-50


@kernel
def held_angle_row(row, axis0, axis1, sine, cosine, k):
    """The axes keep the angle that has this sine and cosine."""
    across = cross(axis0, axis1)
    s = length(across)
    u = (0.0, 0.0, 0.0) if s == 0.0 else scale(1.0 / s, across)
    angular_row(row, u, k * (cosine * s - sine * dot(axis0, axis1)))


@kernel
def turn_of_first(tables, joint):
    """Angle of body0 about axis0, against the cross."""
    axis0 = turned_by(tables, joint.body0, joint.axis0)
    rest = turned_by(tables, joint.body0, get3_from(joint.numbers, REST0))
    return -_turn(axis0, rest, turned_by(tables, joint.body1, joint.axis1))


@kernel
def turn_of_second(tables, joint):
    """Angle of the cross, and body0 with it, about axis1, against body1."""
    axis1 = turned_by(tables, joint.body1, joint.axis1)
    rest = turned_by(tables, joint.body1, get3_from(joint.numbers, REST1))
    return _turn(axis1, rest, turned_by(tables, joint.body0, joint.axis0))


@kernel
def _turn(axis, rest, now):
    """Angle about `axis` from `rest`, which is at right angles to it, to `now`."""
    sine, cosine = dot(cross(axis, rest), now), dot(rest, now)
    if abs(sine) < ROUNDING * cosine:
        return 0.0  # exactly, so that a stop at the rest position acts from the start, as in ODE
    return atan2(sine, cosine)


@kernel
def test_turns(tables, joint):
    """Note at which stops the two turns, whose limits are the first two, are."""
    first, second = joint.limits[0], joint.limits[1]
    first.state = FREE
    second.state = FREE
    if has_angular_stops(first):
        test_stops(first, turn_of_first(tables, joint))
    if has_angular_stops(second):
        test_stops(second, turn_of_second(tables, joint))
