"""Unit quaternions as tuples (w, x, y, z); a quaternion turns body vectors into world vectors."""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from opendynamics.core.kernels import kernel

# Square of the angle below which series of five terms are as accurate as sine and cosine.
SMALL = 0.01


@kernel
def get4(array):
    """The first four numbers of `array` as a quaternion."""
    return array[0], array[1], array[2], array[3]


@kernel
def set4(array, q):
    """Write quaternion `q` to the first four places of `array`."""
    array[0] = q[0]
    array[1] = q[1]
    array[2] = q[2]
    array[3] = q[3]


@kernel
def conjugate(q):
    return q[0], -q[1], -q[2], -q[3]


@kernel
def multiply(a, b):
    """The Hamilton product a b: first `b`, then `a`."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    )


@kernel
def normalize4(q):
    """`q` at length one; the identity for a zero quaternion."""
    square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if square > 0.0:
        k = 1.0 / sqrt(square)
        return q[0] * k, q[1] * k, q[2] * k, q[3] * k
    return 1.0, 0.0, 0.0, 0.0


@kernel
def to_matrix(q):
    """Rotation matrix of a unit quaternion."""
    xx = 2.0 * q[1] * q[1]
    yy = 2.0 * q[2] * q[2]
    zz = 2.0 * q[3] * q[3]
    return (
        1.0 - yy - zz,
        2.0 * (q[1] * q[2] - q[0] * q[3]),
        2.0 * (q[1] * q[3] + q[0] * q[2]),
        2.0 * (q[1] * q[2] + q[0] * q[3]),
        1.0 - xx - zz,
        2.0 * (q[2] * q[3] - q[0] * q[1]),
        2.0 * (q[1] * q[3] - q[0] * q[2]),
        2.0 * (q[2] * q[3] + q[0] * q[1]),
        1.0 - xx - yy,
    )


@kernel
def from_spin(w, t):
    """The exact turn of an angular velocity `w` held for a time `t`."""
    half = 0.5 * t
    square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    x = square * (half * half)
    if x < SMALL:
        s = half * (1.0 - x * (1 / 6 - x * (1 / 120 - x * (1 / 5040 - x * (1 / 362880)))))
        c = 1.0 - x * (0.5 - x * (1 / 24 - x * (1 / 720 - x * (1 / 40320))))
        return c, w[0] * s, w[1] * s, w[2] * s
    angle = sqrt(square) * half
    s = half * (sin(angle) / angle)
    return cos(angle), w[0] * s, w[1] * s, w[2] * s


@kernel
def rate(w, q):
    """dq/dt of a body at orientation `q` turning with world angular velocity `w`: ½ (0, w) q."""
    return (
        0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]),
        0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]),
        0.5 * (-w[0] * q[3] + w[1] * q[0] + w[2] * q[1]),
        0.5 * (w[0] * q[2] - w[1] * q[1] + w[2] * q[0]),
    )


@kernel
def angle_about(q, axis):
    """Angle of `q` about `axis`, in (-pi, pi]."""
    s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2] >= 0.0:
        theta = 2.0 * atan2(s, q[0])
    else:
        theta = 2.0 * atan2(s, -q[0])
    if theta > pi:
        theta -= 2.0 * pi
    return theta
