"""Angular motor: stops and motors about up to three axes, with one row for each axis that has something to do.

In user mode the axes are `motor_axes` and the angles numbers[9:12], which the user sets. In Euler mode (the bit EULER
of the joint's mode) a0 turns with the user's first body and a2 with the second, a1 = (a2 x a0)/|a2 x a0|, and with r0,
a2 in the frame of a0 at rest (numbers[12:15]), and r2, a0 in that of a2 at rest (numbers[15:18]):

    θ0 = -atan2(a2·(a0 x r0), a2·r0)   θ1 = -atan2(a2·a0, a2·(a0 x a1))   θ2 = -atan2(r2·a1, r2·(a1 x a2))

Rows act about a1 x a2, a1 and a0 x a1. Each is at right angles to the other two angles' axes and feels its own angle
only: the rates about them are θ0' cos θ1, θ1' and θ2' cos θ1.

Motors turn the body in body0. In a reversed joint that is the user's second, whose turning makes Euler angles smaller:
the stop that an angle is at is then the other one for the row.
"""

from __future__ import annotations

from math import atan2

from opendynamics.core.algebra.vec3 import cross, dot, get3_from, normalize, put3_at
from opendynamics.core.arrays.joints import AT_HIGH, AT_LOW, FREE, JOINTS, REVERSED
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import rate_about, turned_by
from opendynamics.core.constrain.parts.limit_motor import angular_limit_row, needs_row, test_stops
from opendynamics.core.constrain.parts.motor_axes import axis_on, carrier, used
from opendynamics.core.kernels import entry, kernel

KIND = 9

EULER = 1  # bit of JOINT.mode
ANGLES = 9  # where in `numbers` the angles are: the user's, or in Euler mode those that the last step found
REST0, REST2 = 12, 15


@kernel
def euler_axes(tables, joint):
    a0 = axis_on(tables, joint, carrier(joint, 0), 0)
    a2 = axis_on(tables, joint, carrier(joint, 2), 2)
    return a0, normalize(cross(a2, a0)), a2


@kernel
def row_axes(tables, joint):
    """The three axes that rows act about."""
    if joint.mode & EULER:
        a0, a1, a2 = euler_axes(tables, joint)
        return cross(a1, a2), a1, cross(a0, a1)
    return (
        axis_on(tables, joint, carrier(joint, 0), 0),
        axis_on(tables, joint, carrier(joint, 1), 1),
        axis_on(tables, joint, carrier(joint, 2), 2),
    )


@kernel
def angles(tables, joint):
    if not joint.mode & EULER:
        return get3_from(joint.numbers, ANGLES)
    a0, a1, a2 = euler_axes(tables, joint)
    r0 = turned_by(tables, carrier(joint, 0), get3_from(joint.numbers, REST0))
    r2 = turned_by(tables, carrier(joint, 2), get3_from(joint.numbers, REST2))
    return (
        -atan2(dot(a2, cross(a0, r0)), dot(a2, r0)),
        -atan2(dot(a2, a0), dot(a2, cross(a0, a1))),
        -atan2(dot(r2, a1), dot(r2, cross(a1, a2))),
    )


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    against = joint.flags & REVERSED != 0 and joint.mode & EULER != 0
    now = angles(tables, joint)
    put3_at(joint.numbers, ANGLES, now)
    rows = 0
    for k in range(used(joint)):
        limit = joint.limits[k]
        test_stops(limit, now[k])  # whatever they are, as in ODE: angles that the user sets may exceed a turn
        if against:
            limit.error = -limit.error
            if limit.state != FREE:
                limit.state = AT_HIGH if limit.state == AT_LOW else AT_LOW
        rows += needs_row(limit)
    return rows


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    axes = row_axes(tables, joint)
    at = first
    for k in range(used(joint)):
        at += angular_limit_row(tables, joint, joint.limits[k], axes[k], at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what % 2 == 0:
        return angles(tables, joint)[what // 2]
    rate = rate_about(tables, joint, row_axes(tables, joint)[what // 2])
    return -rate if joint.flags & REVERSED else rate
