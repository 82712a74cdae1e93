"""Prismatic and universal joint: a slider along axisP, numbers[6:9] of body0, with a universal joint at its end.

Three rows: `held_angle_row` for axis0 and axis1, and point rows along p and q, normal to axisP. limits[0] and
limits[1] are the stops and motors about axis0 and axis1, limits[2] that along axisP.

The rows pull at both bodies in one point, body1's anchor. ODE lets them pull at body0's own anchor, which is another
point once the slider is out; LIKE_ODE has it so, and the rate of the position then counts, as ODE's does, the turning of
body1 in the wrong sense.

In a reversed joint the user's first axis is axis1, and position and its rate have the other sign.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import get3_from, negate, subtract
from opendynamics.core.arrays.joints import FREE, JOINTS, REVERSED
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.cross import (
    held_angle_row,
    test_turns,
    turn_of_first,
    turn_of_second,
)
from opendynamics.core.constrain.parts.frame import across, rate_about, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import (
    angular_limit_row,
    has_stops,
    needs_row,
    point_limit_row,
    test_stops,
)
from opendynamics.core.constrain.parts.sliding import LIKE_ODE, anchor_displacement, extension, sideways_row, slip_rate
from opendynamics.core.kernels import entry, kernel

KIND = 13
HARD_ROWS = 3

SLIDE = 6  # where in `numbers` body0 has the prismatic axis


@kernel
def slide_axis(tables, joint):
    return turned_by(tables, joint.body0, get3_from(joint.numbers, SLIDE))


@kernel
def position(tables, joint):
    value = extension(tables, joint, slide_axis(tables, joint))
    return -value if joint.flags & REVERSED else value


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    test_turns(tables, joint)
    along = joint.limits[2]
    along.state = FREE
    if has_stops(along):
        test_stops(along, position(tables, joint))
    return HARD_ROWS + needs_row(joint.limits[0]) + needs_row(joint.limits[1]) + needs_row(along)


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    axis0 = turned_by(tables, joint.body0, joint.axis0)
    axis1 = turned_by(tables, joint.body1, joint.axis1)
    slide = slide_axis(tables, joint)
    displacement, r1, gap = anchor_displacement(tables, joint)
    arm = subtract(displacement, gap) if joint.mode & LIKE_ODE else displacement
    p, q = across(tables, joint, get3_from(joint.numbers, SLIDE), slide)
    held_angle_row(ROWS.rows(tables)[first], axis0, axis1, 1.0, 0.0, k)
    sideways_row(ROWS.rows(tables)[first + 1], p, arm, r1, gap, k)
    sideways_row(ROWS.rows(tables)[first + 2], q, arm, r1, gap, k)
    at = first + 3
    at += angular_limit_row(tables, joint, joint.limits[0], axis0, at, h)
    at += angular_limit_row(tables, joint, joint.limits[1], axis1, at, h)
    if joint.flags & REVERSED:
        slide = negate(slide)
    point_limit_row(tables, joint, joint.limits[2], slide, arm, r1, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what >= 4:
        if what == 4:
            return position(tables, joint)
        rate = slip_rate(tables, joint, slide_axis(tables, joint), 1.0, -1.0)
        return -rate if joint.flags & REVERSED else rate
    if (what < 2) != (joint.flags & REVERSED != 0):
        value = turn_of_first(tables, joint)
        axis = turned_by(tables, joint.body0, joint.axis0)
    else:
        value = turn_of_second(tables, joint)
        axis = turned_by(tables, joint.body1, joint.axis1)
    return rate_about(tables, joint, axis) if what % 2 == 1 else value
