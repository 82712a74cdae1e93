"""Slider: bodies keep their relative orientation and move against each other along one axis only.

Five rows: `fixed_orientation_rows`, and `halfway_row` along p, q normal to axis0, with the errors p·(x1 - x0 + R1 anchor1)
and q·(...). limits[0] is the stop and motor along the axis.
The position is that of body0 along axis0 relative to body1, 0 where `anchor1` (x0 seen from body1) was noted. With LIKE_ODE
its rate is, as ODE's, that of the centres, as if the bodies did not turn.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, dot, negate, subtract
from opendynamics.core.arrays.joints import FREE, JOINTS, REVERSED
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import across, centre, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import has_stops, linear_limit_row, needs_row, test_stops
from opendynamics.core.constrain.parts.orientation import fixed_orientation_rows
from opendynamics.core.constrain.parts.row import halfway_row
from opendynamics.core.constrain.parts.sliding import slip_rate
from opendynamics.core.kernels import entry, kernel

KIND = 3
HARD_ROWS = 5


@kernel
def gap(tables, joint):
    """From body0's centre to where it was set, carried along by body1."""
    target = add(centre(tables, joint.body1), turned_by(tables, joint.body1, joint.anchor1))
    return subtract(target, centre(tables, joint.body0))


@kernel
def position(tables, joint):
    value = -dot(turned_by(tables, joint.body0, joint.axis0), gap(tables, joint))
    return -value if joint.flags & REVERSED else value


@kernel
def rate(tables, joint):
    value = slip_rate(tables, joint, turned_by(tables, joint.body0, joint.axis0), 0.0, 0.0)
    return -value if joint.flags & REVERSED else value


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    limit = joint.limits[0]
    limit.state = FREE
    if has_stops(limit):
        test_stops(limit, position(tables, joint))
    return HARD_ROWS + needs_row(limit)


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    axis = turned_by(tables, joint.body0, joint.axis0)
    fixed_orientation_rows(tables, joint, first, k)
    error = gap(tables, joint)
    p, q = across(tables, joint, joint.axis0, axis)
    halfway_row(tables, joint, ROWS.rows(tables)[first + 3], p, k * dot(p, error))
    halfway_row(tables, joint, ROWS.rows(tables)[first + 4], q, k * dot(q, error))
    if joint.flags & REVERSED:
        axis = negate(axis)
    linear_limit_row(tables, joint, joint.limits[0], axis, first + 5, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    return position(tables, joint) if what == 0 else rate(tables, joint)
