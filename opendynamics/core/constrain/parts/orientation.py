"""Parts that hold bodies' orientations together, and the angle that is left.

`fixed_orientation_rows`: none of the three turns is left. The error quaternion q = (q0* q1) relative*, with its
scalar part made positive, is a turn of 2 asin|v| about v; e = 2 R0 v for small errors.

`parallel_axis_rows`: only turns about the axis are left. With p, q normal to axis0: e = (axis0 x axis1)·p, ·q.

`angle_since_rest`: by how much body0 has turned about an axis of its own against body1, 0 where `relative` was noted; the whole
turn, as ODE has it, also where it is not about that axis alone.

`twist_since_rest`: of the turn q = (w, v) the part about the axis a, 2 atan2(s, w) with s = v·a, and its gradient: the twist's
rate is d·(ω0 - ω1), in body0's frame with

    d = (w² a + w v x a + s v) / (w² + s²),

which is a as long as the bodies turn about nothing else. Only a torque along d is that of a potential of the twist.
"""

from __future__ import annotations

from math import atan2, pi

from opendynamics.core.algebra.mat3 import get9, times
from opendynamics.core.algebra.quat import angle_about, conjugate, get4, multiply
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, scale
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.parts.frame import across, relative_rotation
from opendynamics.core.constrain.parts.row import angular_row
from opendynamics.core.kernels import kernel

# w² + s² below which the axis points nearly against where it was: there is no twist then, and d would be infinite.
NEARLY_OPPOSITE = 1e-3


@kernel
def fixed_orientation_rows(tables, joint, first, k):
    q = multiply(relative_rotation(tables, joint.body0, joint.body1), conjugate(get4(joint.relative)))
    twice = 2.0 if q[0] >= 0.0 else -2.0
    error = times(get9(POSES.rows(tables)[joint.body0].rotation), (twice * q[1], twice * q[2], twice * q[3]))
    angular_row(ROWS.rows(tables)[first], (1.0, 0.0, 0.0), k * error[0])
    angular_row(ROWS.rows(tables)[first + 1], (0.0, 1.0, 0.0), k * error[1])
    angular_row(ROWS.rows(tables)[first + 2], (0.0, 0.0, 1.0), k * error[2])


@kernel
def parallel_axis_rows(tables, joint, axis0, axis1, first, k):
    """`axis0`, `axis1`: the axes of both bodies in the world."""
    p, q = across(tables, joint, joint.axis0, axis0)
    error = cross(axis0, axis1)
    angular_row(ROWS.rows(tables)[first], p, k * dot(error, p))
    angular_row(ROWS.rows(tables)[first + 1], q, k * dot(error, q))


@kernel
def angle_since_rest(tables, joint, axis):
    return -angle_about(_turn_since_rest(tables, joint), axis)


@kernel
def twist_since_rest(tables, joint, axis):
    """The twist, and its gradient in the world."""
    w, x, y, z = _turn_since_rest(tables, joint)
    v = (x, y, z)
    s = dot(v, axis)
    size = max(w * w + s * s, NEARLY_OPPOSITE)
    d = add(add_scaled(scale(w * w / size, axis), w / size, cross(v, axis)), scale(s / size, v))
    angle = -2.0 * atan2(s, w)
    return angle - 2.0 * pi * round(angle / (2.0 * pi)), times(get9(POSES.rows(tables)[joint.body0].rotation), d)


@kernel
def _turn_since_rest(tables, joint):
    return multiply(relative_rotation(tables, joint.body0, joint.body1), conjugate(get4(joint.relative)))
