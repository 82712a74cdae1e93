"""Three-vectors as tuples (x, y, z)."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.kernels import kernel

SQRT_HALF = sqrt(0.5)


@kernel
def get3(array):
    """The first three numbers of `array` as a vector."""
    return array[0], array[1], array[2]


@kernel
def get3_from(array, start):
    """Three numbers of `array` from `start` on as a vector."""
    return array[start], array[start + 1], array[start + 2]


@kernel
def set3(array, v):
    """Write vector `v` to the first three places of `array`."""
    array[0] = v[0]
    array[1] = v[1]
    array[2] = v[2]


@kernel
def put3_at(array, start, v):
    """Write vector `v` to three places of `array` from `start` on."""
    array[start] = v[0]
    array[start + 1] = v[1]
    array[start + 2] = v[2]


@kernel
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


@kernel
def negate(a):
    return -a[0], -a[1], -a[2]


@kernel
def magnitudes(v):
    """Absolute values of the coordinates."""
    return abs(v[0]), abs(v[1]), abs(v[2])


@kernel
def add_scaled(a, s, b):
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def length(a):
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def normalize(a):
    """`a` at length one; scaled by its largest component first, so that neither tiny nor huge vectors are lost."""
    largest = max(abs(a[0]), max(abs(a[1]), abs(a[2])))
    if largest == 0.0:
        return 1.0, 0.0, 0.0
    b = (a[0] / largest, a[1] / largest, a[2] / largest)
    return scale(1.0 / length(b), b)


@kernel
def plane_space(n):
    """Two unit vectors p, q with p, q, n orthogonal and q = n x p (the same choice as ODE's dPlaneSpace)."""
    if abs(n[2]) > SQRT_HALF:
        a = n[1] * n[1] + n[2] * n[2]
        k = 1.0 / sqrt(a)
        p = (0.0, -n[2] * k, n[1] * k)
        return p, (a * k, -n[0] * p[2], n[0] * p[1])
    a = n[0] * n[0] + n[1] * n[1]
    k = 1.0 / sqrt(a)
    p = (-n[1] * k, n[0] * k, 0.0)
    return p, (-n[2] * p[1], n[2] * p[0], a * k)
