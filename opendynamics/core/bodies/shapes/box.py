"""Box. size[0:3]: lengths along x, y, z, m."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import get3, subtract
from opendynamics.core.bodies.shapes import BOUNDS, POINT_DEPTH, geom_at, set_bounds
from opendynamics.core.kernels import entry, kernel

KIND = 1


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r = get9(geom.rotation)
    x, y, z = 0.5 * geom.size[0], 0.5 * geom.size[1], 0.5 * geom.size[2]
    reach = (
        abs(r[0]) * x + abs(r[1]) * y + abs(r[2]) * z,
        abs(r[3]) * x + abs(r[4]) * y + abs(r[5]) * z,
        abs(r[6]) * x + abs(r[7]) * y + abs(r[8]) * z,
    )
    set_bounds(geom, get3(geom.position), reach)


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
def support(size, direction):
    x, y, z = 0.5 * size[0], 0.5 * size[1], 0.5 * size[2]
    return (
        x if direction[0] >= 0.0 else -x,
        y if direction[1] >= 0.0 else -y,
        z if direction[2] >= 0.0 else -z,
    )


def mass_per_density(size):
    """Volume and principal moments: m (b² + c²) / 12 about the axis of length a, and so on round."""
    a, b, c = size[0], size[1], size[2]
    volume = a * b * c
    k = volume / 12.0
    return volume, (k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b))
