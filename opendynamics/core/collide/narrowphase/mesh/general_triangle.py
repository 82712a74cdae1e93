"""Convex polyhedron, triangle of another mesh or support function, and triangle: minimum penetration along its directions.

Along n the overlap with the corner or edge v is f(n) = n·v - min n·x, n·x over the body. Directions are the triangle's
normal, those of the body's own faces, and along an edge all between the normals of its two triangles (`gauss_arc.py`).
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import column2, times, transposed_times
from opendynamics.core.algebra.vec3 import (
    dot,
    get3_from,
    negate,
)
from opendynamics.core.arrays.blocks.hulls import hull_floats
from opendynamics.core.bodies.shape import CONVEX, MAPPED, TRIANGLE, feature_of, radius_of
from opendynamics.core.bodies.triangles import is_peak, may_be_peak, normal_of, ridge_at
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER, min_on_arc, min_overlap_between
from opendynamics.core.collide.narrowphase.mesh.contact_points import POLYGON
from opendynamics.core.collide.narrowphase.mesh.polyhedron_triangle import best_of_faces, faces_mtv_bound
from opendynamics.core.collide.narrowphase.placed_shape import lowest, support_point
from opendynamics.core.kernels import kernel


@kernel
def core_mtv(body, surface, key, corners, across, normal, beyond, scratch):
    """Depth and direction of the minimum translation out of a triangle; a depth below zero: none.

    The triangle may still be apart from the body: see `core_is_apart` of `convex_triangle.py`, and `own_is_apart`, which is
    called before for a polyhedron.
    """
    level, foot = dot(normal, corners[0]), support_point(body, negate(normal))
    depth = level - dot(normal, foot) + radius_of(body.shape)
    if depth < 0.0:
        return -1.0, normal
    if not beyond and body.shape.kind != CONVEX and level + lowest(body, negate(normal)) > 0.0:
        return -1.0, normal
    best = (depth, normal)
    if body.shape.kind == CONVEX:
        best = best_of_faces(best, body, surface, key, corners, across, normal)
    else:
        n = own_direction(body, normal, scratch)
        if dot(n, normal) > 0.0:
            best = _along(best, body, surface, key, corners, across, n)
    for k in range(3):
        ridge, other = ridge_at(surface, key, corners, across, k, normal)
        if ridge:
            best = min_on_arc(best, body, corners[k], normal, other, foot)
    return best


@kernel
def core_mtv_bound(body, surface, key, corners, across, normal, beyond, scratch):
    """A lower bound of the penetration that `core_mtv` finds; below zero: there is none."""
    level, foot = dot(normal, corners[0]), support_point(body, negate(normal))
    least = level - dot(normal, foot) + radius_of(body.shape)
    if least < 0.0:
        return -1.0
    if not beyond and body.shape.kind != CONVEX and level + lowest(body, negate(normal)) > 0.0:
        return -1.0
    if body.shape.kind == CONVEX:
        least = faces_mtv_bound(least, body, corners, normal)
    else:
        n = own_direction(body, normal, scratch)
        if dot(n, normal) > 0.0:
            least = min(least, peak_depth(least, body, corners, across, n)[0])
    for k in range(3):
        ridge, other = ridge_at(surface, key, corners, across, k, normal)
        if ridge and least > 0.0:
            least = min(least, min_overlap_between(body, corners[k], normal, other, foot))
    return least


@kernel
def own_direction(body, normal, scratch):
    """The direction against the body's own face that looks most against a triangle's normal.

    Of a support function of the user's, its axis; it may have any faces. A direction that no face has is never the least.
    """
    if body.shape.kind == TRIANGLE:
        floats = hull_floats(body.shape.data, 9)
        return negate(normal_of((get3_from(floats, 0), get3_from(floats, 3), get3_from(floats, 6))))
    if body.shape.kind == MAPPED:
        axis = column2(body.rotation)
        return axis if dot(axis, normal) > 0.0 else negate(axis)
    _, m = feature_of(body.shape, negate(transposed_times(body.rotation, normal)), scratch, POLYGON)
    return negate(times(body.rotation, m))


@kernel
def _along(best, body, surface, key, corners, across, n):
    """`best` or the overlap along `n`, if one of the corners is a peak of the surface along it."""
    depth, corner = peak_depth(best[0], body, corners, across, n)
    if depth * BETTER < best[0] and is_peak(surface, key, corner, n):
        return depth, n
    return best


@kernel
def peak_depth(least, body, corners, across, n):
    """The overlap along `n` of the highest corner, and which one it is; infinity unless below `least` and maybe a peak."""
    a, b, c = dot(n, corners[0]), dot(n, corners[1]), dot(n, corners[2])
    top = max(a, max(b, c))
    corner = 0 if a == top else (1 if b == top else 2)
    if not may_be_peak(corners, across, corner, n):
        return inf, corner
    depth = top - lowest(body, n)
    return depth if 0.0 <= depth < least else inf, corner
