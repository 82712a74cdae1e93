"""Any two convex shapes: how far apart or how deep, along which direction, and the contacts there.

Cores that are apart by less than the shapes' radii touch along their shortest connection. Cores that overlap touch along
the direction of least overlap; if that is a face's normal up to rounding, it is made exactly that.

`collide` serves all pairs that have nothing simpler: their files in `pairs/` name it. So it is compiled once.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3_from, negate, subtract
from opendynamics.core.arrays.hulls import hull_floats, hulls_at
from opendynamics.core.bodies.shapes.convex import most_facing
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.convex.epa import least_overlap
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.convex.manifold import make_contacts
from opendynamics.core.collide.narrowphase.convex.refinement import polished
from opendynamics.core.collide.narrowphase.convex.sat import has_few_directions, least_overlap_by_directions
from opendynamics.core.collide.narrowphase.cylinder.cylinder_sat import is_symmetric, least_overlap_of_symmetric
from opendynamics.core.collide.narrowphase.shape_pair import (
    BOX,
    CONVEX,
    CYLINDER,
    core_extent,
    couple_of,
    radius_of,
    supports,
)
from opendynamics.core.kernels import entry, kernel

# Squared sine between a direction and a face's normal below which they may be the same; they are if the shapes overlap
# no more along the normal, up to this part of their extent.
SAME_WAY = 1.0e-6
ROUNDING = 4.0e-15


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    return collide_couple(couple_of(a, b), a, limit, points, scratch)


@kernel
def collide_couple(couple, a, limit, points, scratch):
    """Contacts of a couple told in the frame of the geom at address `a`."""
    radii = (radius_of(couple[0], couple[1]), radius_of(couple[3], couple[4]))
    depth, n, on_a, on_b = deepest(couple, radii[0] + radii[1], scratch)
    if depth < 0.0:
        return 0
    return make_contacts(couple, radii, n, depth, on_a, on_b, a, limit, points, scratch)


@kernel
def deepest(couple, reach, scratch):
    """How deep two shapes overlap, along which direction, and the points of both cores there; a depth below zero: apart.

    `reach`: the sum of their radii, how far they go beyond their cores.
    """
    if is_symmetric(couple):
        overlap, n, on_a, on_b = least_overlap_of_symmetric(couple, reach, scratch)
        return overlap + reach, n, on_a, on_b
    return deepest_generally(couple, reach, scratch)


@kernel
def deepest_generally(couple, reach, scratch):
    """The same for couples that `cylinder_sat.py` does not serve."""
    if reach > 0.0:
        distance, n, on_a, on_b = closest_points(couple, scratch)
        if distance > reach:
            return reach - distance, n, on_a, on_b
        if distance > 0.0:
            a_most, b_most = supports(couple, n)
            overlap = dot(subtract(a_most, b_most), n)
            overlap, n, on_a, on_b = polished(couple, overlap, n, on_a, on_b)
            return overlap + reach, n, on_a, on_b
    overlap, n, on_a, on_b = core_overlap(couple, scratch)
    return overlap + reach, n, on_a, on_b


@kernel
def core_overlap(couple, scratch):
    """The least overlap of two cores, its direction and the deepest points.

    A negative one proves the cores apart; it is infinite where they may touch, but have no volume in common.
    """
    first = has_few_directions(couple)
    if first >= 0:
        return least_overlap_by_directions(couple, first, scratch)
    overlap, n, on_a, on_b = least_overlap(couple, scratch)
    if overlap < 0.0:
        return -inf, n, on_a, on_b
    return straightened(couple, overlap, n, on_a, on_b)


@kernel
def straightened(couple, overlap, n, on_a, on_b):
    """Overlap, direction and deepest points along a face's normal of either shape, if n means that; otherwise polished."""
    most = overlap + ROUNDING * (
        core_extent(couple[0], couple[1], couple[2]) + core_extent(couple[3], couple[4], couple[5])
    )
    here = face_normal(couple[0], couple[2], n)
    if same_way(here, n):
        a, b = supports(couple, here)
        along = dot(subtract(a, b), here)
        if along <= most:
            return along, here, add_scaled(b, along, here), b
    there = negate(times(couple[7], face_normal(couple[3], couple[5], negate(transposed_times(couple[7], n)))))
    if same_way(there, n):
        a, b = supports(couple, there)
        along = dot(subtract(a, b), there)
        if along <= most:
            return along, there, a, add_scaled(a, -along, there)
    return polished(couple, overlap, n, on_a, on_b)


@kernel
def same_way(m, n):
    d = subtract(m, n)
    return dot(d, d) <= SAME_WAY


@kernel
def face_normal(kind, data, n):
    """The normal of a core's face that is nearest to n; n turned round if there are no faces."""
    if kind == CONVEX:
        planes = hull_floats(data + hulls_at(data)[0].planes_at, 4 * hulls_at(data)[0].faces)
        return get3_from(planes, 4 * most_facing(data, n))
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    if kind == BOX and x >= y and x >= z:
        return 1.0 if n[0] > 0.0 else -1.0, 0.0, 0.0
    if kind == BOX and y >= z:
        return 0.0, 1.0 if n[1] > 0.0 else -1.0, 0.0
    if kind == BOX or kind == CYLINDER:
        return 0.0, 0.0, 1.0 if n[2] > 0.0 else -1.0
    return negate(n)
