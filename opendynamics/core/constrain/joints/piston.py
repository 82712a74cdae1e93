"""Piston: a slider that may also turn about its axis.

Four rows: `parallel_axis_rows`, and `sideways_row` along p and q, normal to axis0. limits[0] is the stop and motor
along the axis, limits[1] that about it. Of a reversed joint the position, the angle and their rates have the other
sign. With LIKE_ODE the rate of the position is, as ODE's, that of the centres, as if the bodies did not turn.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import get3, negate
from opendynamics.core.arrays.joints import FREE, JOINTS, REVERSED
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import across, rate_about, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import (
    angular_limit_row,
    has_stops,
    linear_limit_row,
    needs_row,
    test_stops,
)
from opendynamics.core.constrain.parts.orientation import angle_since_rest, parallel_axis_rows
from opendynamics.core.constrain.parts.sliding import anchor_displacement, extension, sideways_row, slip_rate
from opendynamics.core.kernels import entry, kernel

KIND = 14
HARD_ROWS = 4


@kernel
def position(tables, joint):
    value = extension(tables, joint, turned_by(tables, joint.body0, joint.axis0))
    return -value if joint.flags & REVERSED else value


@kernel
def angle(tables, joint):
    value = angle_since_rest(tables, joint, get3(joint.axis0))
    return -value if joint.flags & REVERSED else value


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    along, about = joint.limits[0], joint.limits[1]
    along.state = FREE
    about.state = FREE
    if has_stops(along):
        test_stops(along, position(tables, joint))
    if has_stops(about):
        test_stops(about, angle(tables, joint))
    return HARD_ROWS + needs_row(along) + needs_row(about)


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    axis = turned_by(tables, joint.body0, joint.axis0)
    parallel_axis_rows(tables, joint, axis, turned_by(tables, joint.body1, joint.axis1), first, k)
    displacement, r1, gap = anchor_displacement(tables, joint)
    p, q = across(tables, joint, joint.axis0, axis)
    sideways_row(ROWS.rows(tables)[first + 2], p, displacement, r1, gap, k)
    sideways_row(ROWS.rows(tables)[first + 3], q, displacement, r1, gap, k)
    at = first + 4
    if joint.flags & REVERSED:
        axis = negate(axis)
    at += linear_limit_row(tables, joint, joint.limits[0], axis, at, h)
    angular_limit_row(tables, joint, joint.limits[1], axis, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what == 0:
        return position(tables, joint)
    if what == 2:
        return angle(tables, joint)
    axis = turned_by(tables, joint.body0, joint.axis0)
    if what == 1:
        rate = slip_rate(tables, joint, axis, 0.0, 0.0)
    else:
        rate = rate_about(tables, joint, axis)
    return -rate if joint.flags & REVERSED else rate
