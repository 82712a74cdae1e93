"""Convex polyhedron and plane: every vertex that is not above the plane, each with depth d - n·x.

If there are more than the scratch holds, the deepest of them are looked at.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, put3_at
from opendynamics.core.arrays.hulls import hull_floats, hulls_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.pairs import PAIR, SCRATCH, floats_at, points_at, set_point
from opendynamics.core.collide.narrowphase.reduction import POINT_FLOATS, keep_spread
from opendynamics.core.kernels import entry, kernel

MOST = SCRATCH // POINT_FLOATS


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    convex, plane = geom_at(a), geom_at(b)
    place, r, normal = get3(convex.position), get9(convex.rotation), get3(plane.size)
    n, level = transposed_times(r, normal), plane.size[3] - dot(normal, place)
    hull, floats = hulls_at(convex.data)[0], floats_at(scratch)
    vertices = hull_floats(convex.data + hull.vertices_at, 3 * hull.vertices)
    count = 0
    for k in range(hull.vertices):
        vertex = get3_from(vertices, 3 * k)
        depth = level - dot(n, vertex)
        if depth >= 0.0:
            at = count if count < MOST else shallowest(floats)
            if count < MOST or depth > floats[at * POINT_FLOATS + 3]:
                put3_at(floats, at * POINT_FLOATS, vertex)
                floats[at * POINT_FLOATS + 3] = depth
                count = min(count + 1, MOST)
    found = points_at(points, limit)
    for k in range(keep_spread(scratch, 0, count, limit)):
        at = k * POINT_FLOATS
        set_point(found[k], add(place, times(r, get3_from(floats, at))), normal, floats[at + 3])
    return count


@kernel
def shallowest(floats):
    best = 0
    for k in range(1, MOST):
        if floats[k * POINT_FLOATS + 3] < floats[best * POINT_FLOATS + 3]:
            best = k
    return best
