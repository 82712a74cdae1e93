"""Hinge-2: anchors stay together, softly along axis0 on body0, and axis0 keeps its angle to axis1 on body1.

Four rows: point rows along axis0 (the suspension, with the joint's own ERP and CFM) and along p, q normal to it, and
`held_angle_row` with the sine numbers[6] and the cosine numbers[7] of the angle at rest. limits[0] is the stop and
motor about axis0, limits[1] the motor about axis1, which never has stops; see `cross` for the angles. ODE's second
angle grows against its rate, and so does this one.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot
from opendynamics.core.arrays.joints import FREE, JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.ball import anchor_gap
from opendynamics.core.constrain.parts.cross import held_angle_row, turn_of_first, turn_of_second
from opendynamics.core.constrain.parts.frame import across, rate_about, turned_by, world_of
from opendynamics.core.constrain.parts.limit_motor import angular_limit_row, has_angular_stops, needs_row, test_stops
from opendynamics.core.constrain.parts.row import point_row
from opendynamics.core.kernels import entry

KIND = 6
HARD_ROWS = 4

SINE, COSINE = 6, 7


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    first, second = joint.limits[0], joint.limits[1]
    first.state = FREE
    second.state = FREE
    if has_angular_stops(first):
        test_stops(first, turn_of_first(tables, joint))
    return HARD_ROWS + needs_row(first) + needs_row(second)


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    axis0 = turned_by(tables, joint.body0, joint.axis0)
    axis1 = turned_by(tables, joint.body1, joint.axis1)
    r0, r1, gap = anchor_gap(tables, joint)
    p, q = across(tables, joint, joint.axis0, axis0)
    point_row(ROWS.rows(tables)[first], axis0, r0, r1, joint.erp / h * dot(axis0, gap))
    ROWS.rows(tables)[first].cfm = joint.cfm
    point_row(ROWS.rows(tables)[first + 1], p, r0, r1, k * dot(p, gap))
    point_row(ROWS.rows(tables)[first + 2], q, r0, r1, k * dot(q, gap))
    held_angle_row(ROWS.rows(tables)[first + 3], axis0, axis1, joint.numbers[SINE], joint.numbers[COSINE], k)
    at = first + 4
    at += angular_limit_row(tables, joint, joint.limits[0], axis0, at, h)
    angular_limit_row(tables, joint, joint.limits[1], axis1, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what == 0:
        return turn_of_first(tables, joint)
    if what == 1:
        return rate_about(tables, joint, turned_by(tables, joint.body0, joint.axis0))
    if what == 2:
        return -turn_of_second(tables, joint)
    return rate_about(tables, joint, turned_by(tables, joint.body1, joint.axis1))
