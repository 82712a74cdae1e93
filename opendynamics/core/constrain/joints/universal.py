"""Universal joint: anchors stay together, and axis0 on body0 stays at right angles to axis1 on body1.

Four rows: `ball_rows` and `held_angle_row`. limits[0] is the stop and motor about axis0, limits[1] that about axis1;
see `cross` for the angles. In a reversed joint the user's first axis is axis1, and the angle about the second grows,
as in ODE, against its rate.
"""

from __future__ import annotations

from opendynamics.core.arrays.joints import JOINTS, REVERSED
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.ball import ball_rows
from opendynamics.core.constrain.parts.cross import (
    held_angle_row,
    test_turns,
    turn_of_first,
    turn_of_second,
)
from opendynamics.core.constrain.parts.frame import rate_about, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import angular_limit_row, needs_row
from opendynamics.core.kernels import entry

KIND = 5
HARD_ROWS = 4


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    test_turns(tables, joint)
    return HARD_ROWS + needs_row(joint.limits[0]) + needs_row(joint.limits[1])


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    axis0 = turned_by(tables, joint.body0, joint.axis0)
    axis1 = turned_by(tables, joint.body1, joint.axis1)
    ball_rows(tables, joint, first, k)
    held_angle_row(ROWS.rows(tables)[first + 3], axis0, axis1, 1.0, 0.0, k)
    at = first + 4
    at += angular_limit_row(tables, joint, joint.limits[0], axis0, at, h)
    angular_limit_row(tables, joint, joint.limits[1], axis1, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    is_reversed = joint.flags & REVERSED != 0
    if (what < 2) != is_reversed:
        value = turn_of_first(tables, joint)
        axis = turned_by(tables, joint.body0, joint.axis0)
    else:
        value = turn_of_second(tables, joint)
        axis = turned_by(tables, joint.body1, joint.axis1)
    if what % 2 == 1:
        return rate_about(tables, joint, axis)
    return -value if is_reversed and what == 2 else value
