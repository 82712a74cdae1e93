"""Servo: a spring and a damper that hold an angle or a distance at a target, with bounded force. One row.

The force λ = k (target - q⁺) + d (rate - v⁺) is that at the end of the step, q⁺ = q + h v⁺, so that it is stable for all k, d
and h (implicit Euler, as ODE's ERP and CFM of a spring):

    J v⁺ + λ / (h k + d) = (k (target - q) + d rate) / (h k + d),   |λ| <= max_force

q is the angle of body0 about axis0 or its position along it, as of a hinge or a slider: of the joint that it drives, whose
record it reads, or of its own: then nothing keeps the bodies from turning about other axes, the angle is the twist about axis0,
and J the gradient of q: the force acts on both bodies in body1's anchor. A torque along the axis, or a force halfway between the
centres, would not be that of a spring, and could drive the bodies for ever. An angle without stops takes the shorter turn. What
`numbers` hold is said below.
"""

from __future__ import annotations

from math import pi

from opendynamics.core.algebra.vec3 import get3, negate
from opendynamics.core.arrays.joints import ENABLED, JOINTS, REVERSED
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.joints.hinge import hinge_angle, is_counted
from opendynamics.core.constrain.joints.slider import position, rate
from opendynamics.core.constrain.parts.frame import rate_about, turned_by
from opendynamics.core.constrain.parts.limit_motor import has_angular_stops
from opendynamics.core.constrain.parts.orientation import twist_since_rest
from opendynamics.core.constrain.parts.row import angular_row, halfway_row, point_row
from opendynamics.core.constrain.parts.sliding import anchor_displacement
from opendynamics.core.kernels import entry, kernel

KIND = 18

# Places in `numbers`. DRIVEN: 1 + row of the joint that it drives, 0: none. LINEAR: whether it acts along the axis.
STIFFNESS, DAMPING, TARGET, RATE, MAX_FORCE, DRIVEN, LINEAR = range(7)


@kernel
def driven_row(tables, index):
    """Row of the joint that the servo drives, or its own."""
    joint = JOINTS.rows(tables)[index]
    driven = joint.numbers[DRIVEN]
    if not 0.5 < driven < JOINTS.used(tables) + 0.5:
        return index
    other = JOINTS.rows(tables)[int(driven + 0.5) - 1]
    if other.body0 != joint.body0 or other.body1 != joint.body1:
        return index
    return int(driven + 0.5) - 1


@kernel
def _twists(tables, index):
    """Whether the servo holds an angle of bodies that no joint keeps from turning about other axes."""
    return JOINTS.rows(tables)[index].numbers[LINEAR] == 0.0 and driven_row(tables, index) == index


@kernel
def axis_of(tables, joint, twists):
    """The axis in the world, turned so that the coordinate grows along it; of a twist, its gradient."""
    axis = turned_by(tables, joint.body0, joint.axis0)
    if twists:
        _, axis = twist_since_rest(tables, joint, get3(joint.axis0))
    return negate(axis) if joint.flags & REVERSED else axis


@kernel
def coordinate(tables, joint, linear, twists):
    if linear:
        return position(tables, joint)
    if twists:
        angle, _ = twist_since_rest(tables, joint, get3(joint.axis0))
    else:
        angle = hinge_angle(tables, joint)
    return -angle if joint.flags & REVERSED else angle


@kernel
def way_to_target(numbers, driven, value):
    """Distance to the target; by the shorter turn if there is no stop."""
    error = numbers[TARGET] - value
    if numbers[LINEAR] == 0.0 and not (is_counted(driven) or has_angular_stops(driven.limits[0])):
        error -= 2.0 * pi * round(error / (2.0 * pi))
    return error


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    numbers = joint.numbers
    if numbers[MAX_FORCE] <= 0.0 or numbers[STIFFNESS] + numbers[DAMPING] <= 0.0:
        return 0
    driven = JOINTS.rows(tables)[driven_row(tables, index)]
    return 1 if driven.flags & ENABLED else 0


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    numbers = joint.numbers
    driven, twists = JOINTS.rows(tables)[driven_row(tables, index)], _twists(tables, index)
    row = ROWS.rows(tables)[first]
    axis = axis_of(tables, driven, twists)
    if numbers[LINEAR] != 0.0 and driven_row(tables, index) == index:
        r0, r1, _ = anchor_displacement(tables, joint)
        point_row(row, axis, r0, r1, 0.0)
    elif numbers[LINEAR] != 0.0:
        halfway_row(tables, joint, row, axis, 0.0)  # as a slider's motor
    else:
        angular_row(row, axis, 0.0)
    value = coordinate(tables, driven, numbers[LINEAR] != 0.0, twists)
    k, d = numbers[STIFFNESS], numbers[DAMPING]
    row.cfm = 1.0 / (h * k + d if k > 0.0 else d)  # h may be infinite
    row.bias = row.cfm * (k * way_to_target(numbers, driven, value) + d * numbers[RATE])
    row.lo, row.hi = -numbers[MAX_FORCE], numbers[MAX_FORCE]


@entry(MEASURE)
def measure(tables, index, what):
    linear = JOINTS.rows(tables)[index].numbers[LINEAR] != 0.0
    driven, twists = JOINTS.rows(tables)[driven_row(tables, index)], _twists(tables, index)
    if what == 0:
        return coordinate(tables, driven, linear, twists)
    if linear:
        return rate(tables, driven)
    return rate_about(tables, driven, axis_of(tables, driven, twists))
