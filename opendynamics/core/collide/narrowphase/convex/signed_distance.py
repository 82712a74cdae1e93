"""Signed distance of two shapes and their closest points; for overlapping shapes minus the depth, and the deepest points."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, negate, set3, subtract
from opendynamics.core.bodies.shape import core_support, radius_of, shape_of
from opendynamics.core.bodies.shapes import HALF_SPACE, geom_at, has_trait
from opendynamics.core.collide.narrowphase.convex.convex_convex import core_penetration
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.convex.refinement import refined
from opendynamics.core.collide.narrowphase.cylinder.cylinder_sat import cylinder_penetration, is_cylinder_pair
from opendynamics.core.collide.narrowphase.shape_pair import shape_pair, supports
from opendynamics.core.kernels import entry, kernel

VECTORS = types.Array(types.float64, 2, "C")


@entry(types.float64(types.int64, types.int64, types.int64, VECTORS))
def signed_distance(a, b, scratch, closest):
    """Distance of the geoms whose records are at two addresses; writes the closest point of each to `closest` (2 x 3).

    Either shape may be a plane, if the other is convex and bounded.
    """
    if has_trait(geom_at(a).kind, HALF_SPACE):
        return above_plane(b, a, closest[1], closest[0])
    if has_trait(geom_at(b).kind, HALF_SPACE):
        return above_plane(a, b, closest[0], closest[1])
    pair = shape_pair(a, b)
    overlap, n, on_a, on_b = nearest_along(pair, scratch)
    one = geom_at(a)
    r, place = get9(one.rotation), get3(one.position)
    radius_a, radius_b = radius_of(pair.a), radius_of(pair.b)
    set3(closest[0], add(place, times(r, add_scaled(on_a, radius_a, n))))
    set3(closest[1], add(place, times(r, add_scaled(on_b, -radius_b, n))))
    return -overlap - radius_a - radius_b


@kernel
def nearest_along(pair, scratch):
    """Overlap of the cores (negative: apart), its direction from the first to the second, and a point of each there."""
    distance, toward, on_a, on_b = closest_points(pair, scratch)
    if distance > 0.0:
        a, b = supports(pair, toward)
        return refined(pair, dot(subtract(a, b), toward), toward, on_a, on_b, scratch)
    if is_cylinder_pair(pair):
        overlap, n, deep_a, deep_b = cylinder_penetration(pair, 0.0, scratch)
    else:
        overlap, n, deep_a, deep_b = core_penetration(pair, scratch)
    if overlap < 0.0:
        # The cores touch, or their Minkowski difference has no volume.
        return 0.0, n, on_a, on_b
    return overlap, n, deep_a, deep_b


@kernel
def above_plane(body, flat, on_body, on_plane):
    """The same for a shape above a plane."""
    geom, ground = geom_at(body), geom_at(flat)
    shape, r, normal = shape_of(geom), get9(geom.rotation), get3(ground.size)
    low = core_support(shape, transposed_times(r, negate(normal)))
    low = add_scaled(add(get3(geom.position), times(r, low)), -radius_of(shape), normal)
    height = dot(normal, low) - ground.size[3]
    set3(on_body, low)
    set3(on_plane, add_scaled(low, -height, normal))
    return height
