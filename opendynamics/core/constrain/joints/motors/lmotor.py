"""Linear motor: stops and motors along up to three axes, with one row for each axis that has something to do.

The axes are `motor_axes`. An axis that is to turn with a body that is not there turns, as in ODE, with the one that is.

A motor's row acts, as ODE's, halfway between the centres: `linear_limit_row`. ODE knows no positions, and so no stops.
Here the position along axis a is p = a·(x0 - o) - rest, with the other centre o = x1, or against the static world the
place anchor1 where body0 was, and a row at a stop has the gradient of p: the force a acts at x0 and o, where the body
that carries the axis is pushed at the other's place (`point_limit_row` with the arms that `arms` returns).
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, cross, dot, get3, negate, subtract
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.joints import FREE, JOINTS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import centre, turned_by
from opendynamics.core.constrain.parts.limit_motor import (
    has_stops,
    linear_limit_row,
    needs_row,
    point_limit_row,
    test_stops,
)
from opendynamics.core.constrain.parts.motor_axes import FRAMES, WORLD, axis_on, carrier, used
from opendynamics.core.kernels import entry, kernel

KIND = 10

REST = 9  # where in `numbers` the positions at rest are


@kernel
def bearer(joint, axis):
    """The body that `axis` turns with; 0: none."""
    body = carrier(joint, axis)
    return joint.body0 if body == 0 and joint.numbers[FRAMES + axis] != WORLD else body


@kernel
def offset(tables, joint):
    """The displacement x0 - o."""
    other = add(centre(tables, joint.body1), turned_by(tables, joint.body1, joint.anchor1))
    return subtract(centre(tables, joint.body0), other)


@kernel
def position(tables, joint, axis):
    a = axis_on(tables, joint, bearer(joint, axis), axis)
    return dot(a, offset(tables, joint)) - joint.numbers[REST + axis]


@kernel
def arms(tables, joint, axis):
    """Arms at which body0 and body1 are pushed, so that the row is the gradient of the position."""
    zero = (0.0, 0.0, 0.0)
    body = bearer(joint, axis)
    if body == 0:
        return zero, zero
    displacement = offset(tables, joint)
    if body == joint.body0:
        return negate(displacement), zero
    return zero, displacement


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    rows = 0
    for k in range(used(joint)):
        limit = joint.limits[k]
        limit.state = FREE
        if has_stops(limit):
            test_stops(limit, position(tables, joint, k))
        rows += needs_row(limit)
    return rows


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    at = first
    for k in range(used(joint)):
        limit = joint.limits[k]
        a = axis_on(tables, joint, bearer(joint, k), k)
        if limit.state == FREE:
            at += linear_limit_row(tables, joint, limit, a, at, h)
        else:
            r0, r1 = arms(tables, joint, k)
            at += point_limit_row(tables, joint, limit, a, r0, r1, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    k = what // 2
    if what % 2 == 0:
        return position(tables, joint, k)
    a = axis_on(tables, joint, bearer(joint, k), k)
    r0, r1 = arms(tables, joint, k)
    m = MOTIONS.rows(tables)
    motion0, motion1 = m[joint.body0], m[joint.body1]
    velocity0 = add(get3(motion0.linear_velocity), cross(get3(motion0.angular_velocity), r0))
    velocity1 = add(get3(motion1.linear_velocity), cross(get3(motion1.angular_velocity), r1))
    return dot(a, subtract(velocity0, velocity1))
