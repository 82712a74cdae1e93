"""Any shape, through the contract in `shapes/__init__.py`.

The kinds named here are compiled into their callers: calls through addresses take 5 to 9 ns each, and a pair may need a
hundred. All others are called by address.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import row0, row1, row2, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, magnitudes, negate, subtract
from opendynamics.core.arrays.blocks.hulls import hull_floats, hulls_at
from opendynamics.core.bodies.shapes import (
    CURVED,
    EXTENT,
    FEATURE,
    FIRST_BY_ADDRESS,
    RADIUS,
    SIZE,
    SUPPORT,
    TRIANGLE_KIND,
    WIDTH,
    box,
    capsule,
    contracts,
    convex,
    cylinder,
    has_trait,
    ray,
    sphere,
    support,
)
from opendynamics.core.kernels import caller, kernel

call_support = caller(SUPPORT)
call_feature = caller(FEATURE)
call_radius = caller(RADIUS)
call_extent = caller(EXTENT)
call_width = caller(WIDTH)

SPHERE, BOX, CAPSULE, CYLINDER = sphere.KIND, box.KIND, capsule.KIND, cylinder.KIND
CONVEX, RAY, MAPPED = convex.KIND, ray.KIND, support.KIND
TRIANGLE = TRIANGLE_KIND  # data: address of nine floats, the corners

# Factor by which own boxes of shapes other than boxes are larger, so that rounding leaves out nothing that touches.
ROOMY = 1.0 + 1.0e-7


class Shape(NamedTuple):
    """Shape fields of a geom's record: kind, sizes (4), data."""

    kind: Any
    size: Any
    data: Any


# Type of a shape as an argument of entries.
SHAPE = types.NamedTuple((types.int64, SIZE, types.int64), Shape)


@kernel
def shape_of(geom):
    """The shape of a geom's record."""
    size = geom.size
    return Shape(np.int64(geom.kind), (size[0], size[1], size[2], size[3]), geom.data)


@kernel
def triangle_shape(address, size):
    """The triangle whose vertices are at an address; `size` is for the caller."""
    return Shape(np.int64(TRIANGLE), (size, 0.0, 0.0, 0.0), address)


@kernel
def point_shape():
    """The origin: a sphere without a radius."""
    return Shape(np.int64(SPHERE), (0.0, 0.0, 0.0, 0.0), np.int64(0))


@kernel
def hull_shape(address):
    """The convex polyhedron of a hull's block."""
    return Shape(np.int64(CONVEX), (0.0, 0.0, 0.0, 0.0), address)


@kernel
def core_of(shape):
    """A shape without its radius: for a capsule the segment, for others without a radius the shape itself."""
    if shape.kind == CAPSULE:
        return Shape(shape.kind, (0.0, shape.size[1], 0.0, 0.0), shape.data)
    return shape


@kernel
def radius_of(shape):
    """How far the shape reaches beyond its core, m."""
    if shape.kind >= FIRST_BY_ADDRESS:
        return call_radius(contracts()[shape.kind].radius, shape.size)
    return shape.size[0] if shape.kind == SPHERE or shape.kind == CAPSULE else 0.0


@kernel
def is_curved(shape):
    """Whether the core's surface may be curved."""
    if shape.kind >= FIRST_BY_ADDRESS:
        return has_trait(shape.kind, CURVED)
    return shape.kind == CYLINDER


@kernel
def core_support(shape, n):
    """The core's support point along `n`, both in its own frame."""
    kind, size, data = shape
    if kind == CONVEX:
        return convex.support(size, data, n)
    if kind == BOX:
        return box.support(size, data, n)
    if kind == CYLINDER:
        return cylinder.support(size, data, n)
    if kind == CAPSULE:
        return capsule.support(size, data, n)
    if kind == SPHERE:
        return 0.0, 0.0, 0.0
    if kind == RAY:
        return ray.support(size, data, n)
    if kind == TRIANGLE:
        return triangle_support(data, n)
    return call_support(contracts()[kind].support, size, data, n)


@kernel
def triangle_support(data, n):
    """The corner furthest along `n`."""
    floats = hull_floats(data, 9)
    a, b, c = get3_from(floats, 0), get3_from(floats, 3), get3_from(floats, 6)
    x, y, z = dot(a, n), dot(b, n), dot(c, n)
    if x >= y and x >= z:
        return a
    return b if y >= z else c


@kernel
def core_extent(shape):
    """A length of the order of the core's size: what rounding is measured by, m."""
    kind, size, data = shape
    if kind == CONVEX:
        return convex.extent(size, data)
    if kind == BOX:
        return box.extent(size, data)
    if kind == SPHERE:
        return 0.0
    if kind >= FIRST_BY_ADDRESS:
        return call_extent(contracts()[kind].extent, size, data)
    if kind == RAY:
        return ray.extent(size, data)
    if kind == TRIANGLE:
        side = subtract(triangle_support(data, (1.0, 1.0, 1.0)), triangle_support(data, (-1.0, -1.0, -1.0)))
        return abs(side[0]) + abs(side[1]) + abs(side[2])
    return size[1] + size[0]


@kernel
def min_width(shape):
    """A length below which the shape is nowhere thinner, m."""
    kind, size, data = shape
    if kind == SPHERE or kind == CAPSULE:
        return capsule.width(size, data)
    if kind == BOX:
        return box.width(size, data)
    if kind == CONVEX:
        return convex.width(size, data)
    if kind >= FIRST_BY_ADDRESS:
        return call_width(contracts()[kind].width, size, data)
    return cylinder.width(size, data)


@kernel
def is_thinner(shape, length):
    """Whether the shape is somewhere thinner than this."""
    if shape.kind == CONVEX:
        return convex.is_thinner(shape.data, length)
    return min_width(shape) < length


@kernel
def feature_of(shape, n, scratch, at):
    """Write the corners of the core's feature along the unit vector `n`; returns how many, and their plane's normal."""
    kind, size, data = shape
    if kind == CONVEX:
        return convex.feature(size, data, n, scratch, at)
    if kind == BOX:
        return box.feature(size, data, n, scratch, at)
    if kind == CYLINDER:
        return cylinder.feature(size, data, n, scratch, at)
    if kind >= FIRST_BY_ADDRESS:
        return call_feature(contracts()[kind].feature, size, data, n, scratch, at)
    if kind == CAPSULE:
        return capsule.feature(size, data, n, scratch, at)
    return 0, n


@kernel
def ruling_of(shape, n):
    """Along what a curved core's surface is known to be straight where n leads to; zeros: nothing."""
    if shape.kind == CYLINDER:
        return cylinder.ruling(n)
    return 0.0, 0.0, 0.0


@kernel
def lowest_along(shape, position, rotation, n):
    """The least n·x of the placed core."""
    if shape.kind == BOX:
        return dot(n, position) - 0.5 * dot(magnitudes(transposed_times(rotation, n)), get3(shape.size))
    return dot(n, add(position, times(rotation, core_support(shape, transposed_times(rotation, negate(n))))))


@kernel
def box_around(shape, position, rotation):
    """Lowest and highest coordinates of the placed shape."""
    if shape.kind == BOX:
        half = get3(shape.size)
        x, y = dot(magnitudes(row0(rotation)), half), dot(magnitudes(row1(rotation)), half)
        z = dot(magnitudes(row2(rotation)), half)
        p = position
        return (p[0] - 0.5 * x, p[1] - 0.5 * y, p[2] - 0.5 * z), (p[0] + 0.5 * x, p[1] + 0.5 * y, p[2] + 0.5 * z)
    r = radius_of(shape)
    x = lowest_along(shape, position, rotation, (1.0, 0.0, 0.0)) - r
    y = lowest_along(shape, position, rotation, (0.0, 1.0, 0.0)) - r
    z = lowest_along(shape, position, rotation, (0.0, 0.0, 1.0)) - r
    u = lowest_along(shape, position, rotation, (-1.0, 0.0, 0.0)) - r
    v = lowest_along(shape, position, rotation, (0.0, -1.0, 0.0)) - r
    w = lowest_along(shape, position, rotation, (0.0, 0.0, -1.0)) - r
    return (x, y, z), (-u, -v, -w)


@kernel
def own_box(shape, margin):
    """Lowest and highest coordinates in the shape's frame with a margin around, a little larger still unless it is a box.

    Infinite if the extent is not known.
    """
    kind, size, data = shape
    if kind == CONVEX:
        hull = hulls_at(data)[0]
        low, high = get3(hull.low), get3(hull.high)
        more = (ROOMY - 1.0) * (high[0] - low[0] + high[1] - low[1] + high[2] - low[2]) + margin
        return (low[0] - more, low[1] - more, low[2] - more), (high[0] + more, high[1] + more, high[2] + more)
    if kind >= FIRST_BY_ADDRESS:
        more = (ROOMY - 1.0) * core_extent(shape) + ROOMY * radius_of(shape) + margin
        x, y = core_support(shape, (1.0, 0.0, 0.0))[0] + more, core_support(shape, (0.0, 1.0, 0.0))[1] + more
        u, v = core_support(shape, (-1.0, 0.0, 0.0))[0] - more, core_support(shape, (0.0, -1.0, 0.0))[1] - more
        z, w = core_support(shape, (0.0, 0.0, 1.0))[2] + more, core_support(shape, (0.0, 0.0, -1.0))[2] - more
        return (u, v, w), (x, y, z)
    half = (inf, inf, inf)
    if kind == BOX:
        half = (0.5 * size[0] + margin, 0.5 * size[1] + margin, 0.5 * size[2] + margin)
    elif kind == CYLINDER or kind == CAPSULE:
        along = 0.5 * size[1] + (size[0] if kind == CAPSULE else 0.0)
        half = (ROOMY * size[0] + margin, ROOMY * size[0] + margin, ROOMY * along + margin)
    return negate(half), half
