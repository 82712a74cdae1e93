"""Prismatic and rotoide joint: a slider along axis0 of body0 with a hinge at its end.

Four rows. With a = axis0, b = numbers[0:3] of body0, to which axis1 of body1 is held parallel, and q = b x a at length
one: `angular_row` along q x b and q, errors the parts of b x axis1 along them; `sideways_row` along a x q and q.
limits[0] is the stop and motor along a, which pulls at both bodies in body1's anchor, limits[1] that about b.

LIKE_ODE has ODE's rows. They are meant for axes at right angles, with a for q x b, b for a x q, and q not at length
one; the third has on body1 the lever of a force along axis1; and the stop and motor along a act halfway between the
centres, as if the bodies could not turn against each other. The rate of the position leaves out the turning of body0.

Of a reversed joint the position, the angle and their rates have the other sign.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import cross, dot, get3_from, negate, normalize
from opendynamics.core.arrays.joints import FREE, JOINTS, REVERSED
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import rate_about, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import (
    angular_limit_row,
    has_angular_stops,
    has_stops,
    linear_limit_row,
    needs_row,
    point_limit_row,
    test_stops,
)
from opendynamics.core.constrain.parts.orientation import angle_since_rest
from opendynamics.core.constrain.parts.row import angular_row
from opendynamics.core.constrain.parts.sliding import LIKE_ODE, anchor_displacement, extension, sideways_row, slip_rate
from opendynamics.core.kernels import entry, kernel

KIND = 12
HARD_ROWS = 4

HINGE = 0  # where in `numbers` body0 has the hinge's axis


@kernel
def position(tables, joint):
    value = extension(tables, joint, turned_by(tables, joint.body0, joint.axis0))
    return -value if joint.flags & REVERSED else value


@kernel
def angle(tables, joint):
    value = angle_since_rest(tables, joint, get3_from(joint.numbers, HINGE))
    return -value if joint.flags & REVERSED else value


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    along, about = joint.limits[0], joint.limits[1]
    along.state = FREE
    about.state = FREE
    if has_stops(along):
        test_stops(along, position(tables, joint))
    if has_angular_stops(about):
        test_stops(about, angle(tables, joint))
    return HARD_ROWS + needs_row(along) + needs_row(about)


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    slide = turned_by(tables, joint.body0, joint.axis0)
    hinge = turned_by(tables, joint.body0, get3_from(joint.numbers, HINGE))
    hinge1 = turned_by(tables, joint.body1, joint.axis1)
    like_ode = joint.mode & LIKE_ODE != 0
    q = cross(hinge, slide)
    around, aside = slide, hinge
    if not like_ode:
        q = normalize(q)
        around, aside = cross(q, hinge), cross(slide, q)
    error = cross(hinge, hinge1)
    angular_row(ROWS.rows(tables)[first], around, k * dot(error, around))
    angular_row(ROWS.rows(tables)[first + 1], q, k * dot(error, q))
    displacement, r1, gap = anchor_displacement(tables, joint)
    sideways_row(ROWS.rows(tables)[first + 2], aside, displacement, r1, gap, k)
    sideways_row(ROWS.rows(tables)[first + 3], q, displacement, r1, gap, k)
    if like_ode:
        lever = cross(hinge1, r1)
        for i in range(3):
            ROWS.rows(tables)[first + 2].j1[3 + i] = lever[i]
    at = first + 4
    if joint.flags & REVERSED:
        slide, hinge = negate(slide), negate(hinge)
    if like_ode:
        at += linear_limit_row(tables, joint, joint.limits[0], slide, at, h)
    else:
        at += point_limit_row(tables, joint, joint.limits[0], slide, displacement, r1, at, h)
    angular_limit_row(tables, joint, joint.limits[1], hinge, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what == 0:
        return position(tables, joint)
    if what == 2:
        return angle(tables, joint)
    if what == 1:
        rate = slip_rate(tables, joint, turned_by(tables, joint.body0, joint.axis0), 0.0, 1.0)
    else:
        rate = rate_about(tables, joint, turned_by(tables, joint.body0, get3_from(joint.numbers, HINGE)))
    return -rate if joint.flags & REVERSED else rate
