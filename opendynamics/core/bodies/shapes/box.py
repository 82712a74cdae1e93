"""Box. size[0:3]: lengths along x, y, z, m."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import get3, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shapes import BASIC, BOUNDS, CONVEX, POINT_DEPTH, POLYHEDRON, geom_at, set_bounds
from opendynamics.core.kernels import entry, kernel

KIND = 1
TRAITS = CONVEX | POLYHEDRON | BASIC
EXAMPLES = ((0.5, 0.8, 0.6), (1.1, 0.3, 0.4))


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r = get9(geom.rotation)
    x, y, z = 0.5 * geom.size[0], 0.5 * geom.size[1], 0.5 * geom.size[2]
    half_extents = (
        abs(r[0]) * x + abs(r[1]) * y + abs(r[2]) * z,
        abs(r[3]) * x + abs(r[4]) * y + abs(r[5]) * z,
        abs(r[6]) * x + abs(r[7]) * y + abs(r[8]) * z,
    )
    set_bounds(geom, get3(geom.position), half_extents)


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """Distance to the nearest face inside; minus the Euclidean distance outside."""
    geom, point = geom_at(address), (x, y, z)
    p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
    beyond_x = abs(p[0]) - 0.5 * geom.size[0]
    beyond_y = abs(p[1]) - 0.5 * geom.size[1]
    beyond_z = abs(p[2]) - 0.5 * geom.size[2]
    nearest = max(beyond_x, max(beyond_y, beyond_z))
    if nearest <= 0.0:
        return -nearest
    return -sqrt(max(beyond_x, 0.0) ** 2 + max(beyond_y, 0.0) ** 2 + max(beyond_z, 0.0) ** 2)


@kernel
def support(size, data, direction):
    x, y, z = 0.5 * size[0], 0.5 * size[1], 0.5 * size[2]
    return (
        x if direction[0] >= 0.0 else -x,
        y if direction[1] >= 0.0 else -y,
        z if direction[2] >= 0.0 else -z,
    )


@kernel
def feature(size, data, n, scratch, at):
    """The face that looks most along n, counterclockwise from outside."""
    floats = floats_at(scratch)
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    i = 0 if x >= y and x >= z else (1 if y >= z else 2)
    j, k = (i + 1) % 3, (i + 2) % 3
    out = 1.0 if n[i] >= 0.0 else -1.0
    for c in range(4):
        p = 1.0 if c == 1 or c == 2 else -1.0
        q = 1.0 if c >= 2 else -1.0
        floats[at + 3 * c + i] = 0.5 * out * size[i]
        floats[at + 3 * c + j] = 0.5 * p * out * size[j]
        floats[at + 3 * c + k] = 0.5 * q * size[k]
    return 4, (out if i == 0 else 0.0, out if i == 1 else 0.0, out if i == 2 else 0.0)


@kernel
def radius(size):
    """None: the core is the shape."""
    return 0.0


@kernel
def extent(size, data):
    return size[0] + size[1] + size[2]


@kernel
def width(size, data):
    return min(size[0], min(size[1], size[2]))


def mass_per_density(size):
    """Volume and principal moments: m (b² + c²) / 12 about the axis of length a, and so on round."""
    a, b, c = size[0], size[1], size[2]
    volume = a * b * c
    k = volume / 12.0
    return volume, (k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b))
