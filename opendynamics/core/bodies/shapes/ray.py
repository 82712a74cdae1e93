"""Ray: from its position along the z axis of its frame. size[0]: length, m; size[1]: sum of the flags below.

A ray is not a solid: it detects geoms without forces, and has no mass.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, length, subtract
from opendynamics.core.bodies.shapes import BOUNDS, POINT_DEPTH, RAY, geom_at
from opendynamics.core.kernels import entry, kernel

KIND = 5
TRAITS = RAY

# Which hits of a mesh or a heightfield to find; other shapes have one.
FIRST_CONTACT = 1
BACKFACE_CULL = 2
CLOSEST_HIT = 4


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    start = get3(geom.position)
    end = add_scaled(start, geom.size[0], column2(get9(geom.rotation)))
    for axis in range(3):
        geom.bounds[2 * axis] = min(start[axis], end[axis])
        geom.bounds[2 * axis + 1] = max(start[axis], end[axis])


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """A ray has no inside: minus the distance from it."""
    geom, point = geom_at(address), (x, y, z)
    axis = column2(get9(geom.rotation))
    offset = subtract(point, get3(geom.position))
    return -length(add_scaled(offset, -min(max(dot(offset, axis), 0.0), geom.size[0]), axis))


@kernel
def support(size, data, direction):
    """Of the segment, for distances."""
    return 0.0, 0.0, size[0] if direction[2] >= 0.0 else 0.0


@kernel
def extent(size, data):
    return size[0]


def mass_per_density(size):
    """A ray has no mass."""
    return None
