"""Plane joint: one body moves in the plane z = 0 of the world and turns about z only.

Three rows: J = (z | ) with e = -z·x0, and (0, x | ), (0, y | ) without error, so that a body keeps what tilt it has.
limits[0] and limits[1] are stops and motors along x and y of the world, limits[2] those about z. Positions are those of
the body in the world; the angle is 0 where `relative` was noted.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.arrays.bodies import MOTIONS, POSES
from opendynamics.core.arrays.joints import FREE, JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import world_of
from opendynamics.core.constrain.parts.limit_motor import (
    angular_limit_row,
    has_angular_stops,
    has_stops,
    linear_limit_row,
    needs_row,
    test_stops,
)
from opendynamics.core.constrain.parts.orientation import angle_since_rest
from opendynamics.core.constrain.parts.row import angular_row, point_row
from opendynamics.core.kernels import entry, kernel

KIND = 11
HARD_ROWS = 3


@kernel
def angle(tables, joint):
    up = transposed_times(get9(POSES.rows(tables)[joint.body0].rotation), (0.0, 0.0, 1.0))
    return angle_since_rest(tables, joint, up)


@entry(COUNT)
def count(tables, index):
    joint = JOINTS.rows(tables)[index]
    rows = HARD_ROWS
    for k in range(3):
        joint.limits[k].state = FREE
    for k in range(2):
        if has_stops(joint.limits[k]):
            test_stops(joint.limits[k], POSES.rows(tables)[joint.body0].position[k])
    if has_angular_stops(joint.limits[2]):
        test_stops(joint.limits[2], angle(tables, joint))
    for k in range(3):
        rows += needs_row(joint.limits[k])
    return rows


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = world_of(tables, joint.body0).erp / h
    x, y, z, zero = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    height = POSES.rows(tables)[joint.body0].position[2]
    point_row(ROWS.rows(tables)[first], z, zero, zero, -k * height)
    angular_row(ROWS.rows(tables)[first + 1], x, 0.0)
    angular_row(ROWS.rows(tables)[first + 2], y, 0.0)
    at = first + 3
    at += linear_limit_row(tables, joint, joint.limits[0], x, at, h)
    at += linear_limit_row(tables, joint, joint.limits[1], y, at, h)
    angular_limit_row(tables, joint, joint.limits[2], z, at, h)


@entry(MEASURE)
def measure(tables, index, what):
    joint = JOINTS.rows(tables)[index]
    if what == 4:
        return angle(tables, joint)
    if what == 5:
        return MOTIONS.rows(tables)[joint.body0].angular_velocity[2]
    if what % 2 == 0:
        return POSES.rows(tables)[joint.body0].position[what // 2]
    return MOTIONS.rows(tables)[joint.body0].linear_velocity[what // 2]
