"""Box with rounded edges and corners. size[0:3]: overall lengths along x, y, z, m; size[3]: radius of the edges, m.

Its core is a box, shorter by twice the radius along each axis.
"""

from __future__ import annotations

from math import pi, sqrt

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import get3, subtract
from opendynamics.core.bodies.shapes import (
    BOUNDS,
    CONVEX,
    EXTENT,
    FEATURE,
    POINT_DEPTH,
    RADIUS,
    SUPPORT,
    WIDTH,
    box,
    geom_at,
    set_bounds,
)
from opendynamics.core.kernels import entry, kernel

KIND = 22
TRAITS = CONVEX
EXAMPLES = ((0.5, 0.8, 0.6, 0.1), (1.1, 0.4, 0.5, 0.19))


@kernel
def _core(size):
    """Sizes of the box inside."""
    more = 2.0 * size[3]
    return size[0] - more, size[1] - more, size[2] - more, 0.0


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r, size, radius = get9(geom.rotation), _core(geom.size), geom.size[3]
    x, y, z = 0.5 * size[0], 0.5 * size[1], 0.5 * size[2]
    half_extents = (
        abs(r[0]) * x + abs(r[1]) * y + abs(r[2]) * z + radius,
        abs(r[3]) * x + abs(r[4]) * y + abs(r[5]) * z + radius,
        abs(r[6]) * x + abs(r[7]) * y + abs(r[8]) * z + radius,
    )
    set_bounds(geom, get3(geom.position), half_extents)


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """That of the core, and the radius: inside the core, the nearest face is the nearest exit."""
    geom = geom_at(address)
    p = transposed_times(get9(geom.rotation), subtract((x, y, z), get3(geom.position)))
    size = _core(geom.size)
    u, v, w = abs(p[0]) - 0.5 * size[0], abs(p[1]) - 0.5 * size[1], abs(p[2]) - 0.5 * size[2]
    nearest = max(u, max(v, w))
    if nearest <= 0.0:
        return geom.size[3] - nearest
    return geom.size[3] - sqrt(max(u, 0.0) ** 2 + max(v, 0.0) ** 2 + max(w, 0.0) ** 2)


@entry(SUPPORT)
def support(size, data, direction):
    return box.support(_core(size), data, direction)


@entry(FEATURE)
def feature(size, data, n, scratch, at):
    """A face of the core."""
    return box.feature(_core(size), data, n, scratch, at)


@entry(RADIUS)
def radius(size):
    return size[3]


@entry(EXTENT)
def extent(size, data):
    return box.extent(_core(size), data)


@entry(WIDTH)
def width(size, data):
    return min(size[0], min(size[1], size[2]))


def mass_per_density(size):
    """Volume and principal moments, from the second moments ∫ x², ∫ y², ∫ z² of its parts.

    The parts are the core, a slab on each face, quarters of cylinders along the edges, and eighths of a ball at the corners.
    """
    r = size[3]
    x, y, z = (length - 2.0 * r for length in size[:3])
    volume = x * y * z + 2.0 * r * (x * y + y * z + z * x) + pi * r * r * (x + y + z) + 4.0 / 3.0 * pi * r**3
    xx, yy, zz = _second(x, y, z, r), _second(y, z, x, r), _second(z, x, y, r)
    return volume, (yy + zz, zz + xx, xx + yy)


def _second(x, y, z, r):
    """∫ x² over all parts; the centroids of half a disc's and half a ball's parts lie 4r/3π and 3r/8 from their middle."""
    half, disc, ball = 0.5 * x, pi * r * r, 4.0 / 3.0 * pi * r**3
    along = x * (y * z + 2.0 * r * (y + z) + disc) * x * x / 12.0
    slabs = 2.0 * r * y * z * ((half + 0.5 * r) ** 2 + r * r / 12.0)
    edges = disc * (y + z) * (half * half + half * 8.0 * r / (3.0 * pi) + 0.25 * r * r)
    corners = ball * (half * half + 0.75 * half * r + 0.2 * r * r)
    return along + slabs + edges + corners
