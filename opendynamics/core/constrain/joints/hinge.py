"""Hinge: anchors stay together and an axis of each body stays parallel to the other's.

Five rows: `ball_rows` and `parallel_axis_rows`; limits[0] is the stop and motor about the axis. The angle is that of
body0 about axis0 relative to body1, 0 where `relative` was noted.

With stops near half a turn, or beyond it, the angle is counted: it continues beyond π, as the one nearest to the last step's.
ODE's returns to -π there, so that the low stop of (-1, ∞) or (0, 3.1) is suddenly exceeded, a hinge with the stops (-3.1, 3.1)
passes both in one step, and stops of (-2π, 2π) are ignored. A motor at a stop of ODE's stays there when the stops are removed.
"""

from __future__ import annotations

from math import pi

from opendynamics.core.algebra.vec3 import get3
from opendynamics.core.arrays.joints import FREE, JOINTS, ODES_RULES, REVERSED
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.ball import ball_rows
from opendynamics.core.constrain.parts.frame import rate_about, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import (
    angular_limit_row,
    has_angular_stops,
    has_stops,
    needs_row,
    test_stops,
)
from opendynamics.core.constrain.parts.orientation import angle_since_rest, parallel_axis_rows
from opendynamics.core.kernels import entry, kernel

KIND = 2
HARD_ROWS = 5

# Place in `numbers`: the angle in the last step if it is counted, 0 otherwise.
ANGLE = 0

# Stops, rad, that are so near half a turn that a step may lead from before them to beyond it.
NEAR = pi - 0.5


@kernel
def is_counted(joint):
    """Whether the angle continues beyond half a turn."""
    limit = joint.limits[0]
    return joint.flags & ODES_RULES == 0 and has_stops(limit) and (limit.low < -NEAR or limit.high > NEAR)


@kernel
def hinge_angle(tables, joint):
    """Angle of body0 relative to body1, rad: from -π to π, or counted."""
    angle = angle_since_rest(tables, joint, get3(joint.axis0))
    if is_counted(joint):
        angle += 2.0 * pi * round((joint.numbers[ANGLE] - angle) / (2.0 * pi))
    return angle


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    limit = joint.limits[0]
    if joint.flags & ODES_RULES == 0 or limit.max_force <= 0.0:  # ODE's motor stays at stops that were removed
        limit.state = FREE
    angle, counted = 0.0, is_counted(joint)
    if counted or has_angular_stops(limit):
        angle = hinge_angle(tables, joint)
        test_stops(limit, angle)
    joint.numbers[ANGLE] = angle if counted else 0.0
    return HARD_ROWS + needs_row(limit)


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    axis0 = turned_by(tables, joint.body0, joint.axis0)
    axis1 = turned_by(tables, joint.body1, joint.axis1)
    ball_rows(tables, joint, first, k)
    parallel_axis_rows(tables, joint, axis0, axis1, first + 3, k)
    angular_limit_row(tables, joint, joint.limits[0], axis0, first + 5, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what == 0:
        value = hinge_angle(tables, joint)
    else:
        value = rate_about(tables, joint, turned_by(tables, joint.body0, joint.axis0))
    return -value if joint.flags & REVERSED else value
