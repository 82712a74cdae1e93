"""Convex shape and half-space: the core's lowest point, and the corners of the feature there that are below the plane.

depth = d - n·x + r, with r the radius around the core. Handles all convex shapes without a file in `planes/`.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, get3_from, length, negate, put3_at, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import core_extent, core_support, feature_of, radius_of, shape_of
from opendynamics.core.bodies.shapes import MAX_CORNERS, geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, points_at, set_point
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, reduce_manifold
from opendynamics.core.kernels import entry

# Fraction of the extent below which two points are one.
SAME = 1.0e-6


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    geom, plane = geom_at(a), geom_at(b)
    shape, place, r, normal = shape_of(geom), get3(geom.position), get9(geom.rotation), get3(plane.size)
    radius, extent = radius_of(shape), core_extent(shape)
    n = transposed_times(r, normal)
    level = plane.size[3] - dot(normal, place) + radius
    low = core_support(shape, negate(n))
    depth, near = level - dot(n, low), NEAR * (extent + radius)
    if depth < -near:
        return 0
    floats = floats_at(scratch)
    corners = MAX_CORNERS * POINT_FLOATS + POINT_FLOATS
    faces, _ = feature_of(shape, negate(n), scratch, corners)
    put3_at(floats, 0, low)
    floats[3] = max(depth, 0.0)
    count = 1
    for k in range(faces):
        corner = get3_from(floats, corners + 3 * k)
        deep = level - dot(n, corner)
        if deep >= -near and length(subtract(corner, low)) > SAME * extent:
            put3_at(floats, count * POINT_FLOATS, corner)
            floats[count * POINT_FLOATS + 3] = max(deep, 0.0)
            count += 1
    found = points_at(points, limit)
    for k in range(reduce_manifold(scratch, 0, count, limit)):
        at = k * POINT_FLOATS
        lowest = add_scaled(add(place, times(r, get3_from(floats, at))), -radius, normal)
        set_point(found[k], lowest, normal, floats[at + 3])
    return count
