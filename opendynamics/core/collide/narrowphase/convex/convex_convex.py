"""Convex-convex: penetration depth and direction (minimum translation vector, MTV) of any two convex shapes, and the manifold.

Core shapes that are apart by less than the shapes' radii touch along their closest points (GJK). Cores that overlap touch
along the MTV, found by SAT where both are known, else by EPA; if it is a face's normal up to rounding, it is made exactly that.

`collide` handles all pairs without a separate file, so it is compiled once.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, dot, negate, subtract
from opendynamics.core.bodies.shape import feature_of, radius_of
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR
from opendynamics.core.collide.narrowphase.convex.epa import epa_penetration
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.convex.manifold import make_contacts
from opendynamics.core.collide.narrowphase.convex.refinement import refined
from opendynamics.core.collide.narrowphase.convex.sat import sat_penetration, sat_side
from opendynamics.core.collide.narrowphase.cylinder.cylinder_sat import cylinder_penetration, is_cylinder_pair
from opendynamics.core.collide.narrowphase.shape_pair import FOUND, SHAPE_PAIR, pair_extent, shape_pair, supports
from opendynamics.core.kernels import entry, kernel

# Squared sine between a direction and a face's normal below which they may be the same; they are if the shapes overlap
# no more along the normal, up to this fraction of their extent. A point this near to a support plane is in the touching feature.
SAME_DIRECTION = 1.0e-6
ROUNDING = 4.0e-15
TOUCHING = 1.0e-9


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    return collide_shapes(shape_pair(a, b), a, limit, points, scratch)


@entry(types.int64(SHAPE_PAIR, types.int64, types.int64, types.int64, types.int64))
def collide_shapes(pair, a, limit, points, scratch):
    """Contacts of a pair in the frame of the geom at address `a`; shapes apart by NEAR of their extent touch."""
    radii = (radius_of(pair.a), radius_of(pair.b))
    depth, n, on_a, on_b = penetration(pair, radii[0] + radii[1], scratch)
    if depth < -near_of(pair, radii[0] + radii[1]):
        return 0
    return make_contacts(pair, radii, n, max(depth, 0.0), on_a, on_b, a, limit, points, scratch)


@kernel
def near_of(pair, radius):
    """Distance, m, up to which shapes count as touching."""
    return NEAR * (pair_extent(pair) + radius)


@kernel
def penetration(pair, radius, scratch):
    """Penetration depth of two shapes, its direction, and the deepest points of both cores; a depth below zero: apart.

    `radius`: the sum of the radii around their cores.
    """
    if is_cylinder_pair(pair):
        overlap, n, on_a, on_b = cylinder_penetration(pair, radius + near_of(pair, radius), scratch)
        return overlap + radius, n, on_a, on_b
    return general_penetration(pair, radius, scratch)


@entry(FOUND(SHAPE_PAIR, types.float64, types.int64))
def general_penetration(pair, radius, scratch):
    """The same for pairs that `cylinder_sat.py` does not serve."""
    if radius > 0.0:
        distance, n, on_a, on_b = closest_points(pair, scratch)
        if distance > radius + near_of(pair, radius):
            return radius - distance, n, on_a, on_b
        if distance > 0.0:
            a_most, b_most = supports(pair, n)
            overlap = dot(subtract(a_most, b_most), n)
            overlap, n, on_a, on_b = refined(pair, overlap, n, on_a, on_b, scratch)
            return overlap + radius, n, on_a, on_b
    overlap, n, on_a, on_b = core_penetration(pair, scratch)
    return overlap + radius, n, on_a, on_b


@kernel
def core_penetration(pair, scratch):
    """The minimum penetration of two cores, its direction and the penetration points.

    A negative one proves the cores apart; it is infinite where they may touch, but do not intersect.
    """
    first = sat_side(pair)
    if first >= 0:
        return sat_penetration(pair, first, scratch)
    overlap, n, on_a, on_b = epa_penetration(pair, scratch)
    if overlap < 0.0:
        return -inf, n, on_a, on_b
    return snapped_to_face(pair, overlap, n, on_a, on_b, scratch)


@kernel
def snapped_to_face(pair, overlap, n, on_a, on_b, scratch):
    """Overlap, direction and penetration points along a face's normal of either shape, if n means that; otherwise refined."""
    most = overlap + ROUNDING * pair_extent(pair)
    corners, here = feature_of(pair.a, n, scratch, 0)
    if corners > 2 and is_parallel(here, n):
        a, b = supports(pair, here)
        along = dot(subtract(a, b), here)
        if along <= most:
            b = touching_point(pair, b, on_b, here)
            return along, here, add_scaled(b, along, here), b
    corners, m = feature_of(pair.b, negate(transposed_times(pair.rotation, n)), scratch, 0)
    there = negate(times(pair.rotation, m))
    if corners > 2 and is_parallel(there, n):
        a, b = supports(pair, there)
        along = dot(subtract(a, b), there)
        if along <= most:
            a = touching_point(pair, a, on_a, there)
            return along, there, a, add_scaled(a, -along, there)
    return refined(pair, overlap, n, on_a, on_b, scratch)


@kernel
def touching_point(pair, support, found, n):
    """Point of a core that touches along n: `found`, over the other core, if its feature is perpendicular to n; else a vertex."""
    short = dot(subtract(support, found), n)
    return add_scaled(found, short, n) if abs(short) <= TOUCHING * pair_extent(pair) else support


@kernel
def is_parallel(m, n):
    d = subtract(m, n)
    return dot(d, d) <= SAME_DIRECTION
