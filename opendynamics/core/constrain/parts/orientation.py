"""Parts that hold bodies' orientations together, and the angle that is left.

`fixed_orientation_rows`: none of the three turns is left. The error quaternion q = (q0* q1) relative*, with its
scalar part made positive, is a turn of 2 asin|v| about v; e = 2 R0 v for small errors.

`parallel_axis_rows`: only turns about the axis are left. With p, q normal to axis0: e = (axis0 x axis1)·p, ·q.

`angle_since_rest`: by how much body0 has turned about an axis of its own against body1, 0 where `relative` was noted.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times
from opendynamics.core.algebra.quat import angle_about, conjugate, get4, multiply
from opendynamics.core.algebra.vec3 import cross, dot, plane_space
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.parts.frame import relative_rotation
from opendynamics.core.constrain.parts.row import angular_row
from opendynamics.core.kernels import kernel


@kernel
def fixed_orientation_rows(tables, joint, first, k):
    q = multiply(relative_rotation(tables, joint.body0, joint.body1), conjugate(get4(joint.relative)))
    twice = 2.0 if q[0] >= 0.0 else -2.0
    error = times(get9(POSES.rows(tables)[joint.body0].rotation), (twice * q[1], twice * q[2], twice * q[3]))
    angular_row(ROWS.rows(tables)[first], (1.0, 0.0, 0.0), k * error[0])
    angular_row(ROWS.rows(tables)[first + 1], (0.0, 1.0, 0.0), k * error[1])
    angular_row(ROWS.rows(tables)[first + 2], (0.0, 0.0, 1.0), k * error[2])


@kernel
def parallel_axis_rows(tables, axis0, axis1, first, k):
    p, q = plane_space(axis0)
    error = cross(axis0, axis1)
    angular_row(ROWS.rows(tables)[first], p, k * dot(error, p))
    angular_row(ROWS.rows(tables)[first + 1], q, k * dot(error, q))


@kernel
def angle_since_rest(tables, joint, axis):
    turn = multiply(relative_rotation(tables, joint.body0, joint.body1), conjugate(get4(joint.relative)))
    return -angle_about(turn, axis)
