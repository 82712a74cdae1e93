"""Convex polyhedron and triangle: what the polyhedron's faces find, in its own frame.

A face with normal a and level d, a·x <= d inside, gives the overlap d - min a·v over the triangle's corners v along -a, if
the lowest corner is a peak of the surface along it.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3_from, negate, put3_at
from opendynamics.core.arrays.blocks.hulls import hull_floats, hulls_at
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.triangles import is_peak, may_be_peak
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER
from opendynamics.core.collide.narrowphase.mesh.contact_points import (
    BETWEEN,
    CORNERS,
    CUTTING,
    MAX_CUTTING,
    OTHER_POLYGON,
    POLYGON,
)
from opendynamics.core.collide.narrowphase.placed_shape import local_corners
from opendynamics.core.collide.narrowphase.primitives.clipping import cut_by_plane
from opendynamics.core.kernels import kernel


@kernel
def faces_of(data):
    """The planes of the faces, (a, b, c, d) each, and how many there are."""
    hull = hulls_at(data)[0]
    return hull_floats(data + hull.planes_at, 4 * hull.faces), hull.faces


@kernel
def polyhedron_is_apart(data, local, near, scratch):
    """Whether the planes of the faces, moved out by `near`, leave nothing of the triangle (Sutherland and Hodgman 1974).

    The face that was between the body and the previous triangle is tested first.
    """
    floats, (planes, faces) = floats_at(scratch), faces_of(data)
    before = int(floats[BETWEEN])
    a, b, c = local
    n = get3_from(planes, 4 * before)
    if min(dot(n, a), min(dot(n, b), dot(n, c))) > planes[4 * before + 3] + near:
        return True
    cutting, apart, listed = 0, -1, faces <= MAX_CUTTING
    for k in range(faces):  # without a branch that depends on the pose: those cost more than all the products
        n, level = get3_from(planes, 4 * k), planes[4 * k + 3] + near
        u, v, w = dot(n, a), dot(n, b), dot(n, c)
        if listed:
            floats[CUTTING + cutting] = k
            cutting += 1 if max(u, max(v, w)) > level else 0
        apart = k if min(u, min(v, w)) > level else apart
    if apart >= 0:
        floats[BETWEEN] = apart
        return True
    source, target, count = POLYGON, OTHER_POLYGON, 3
    put3_at(floats, source, a)
    put3_at(floats, source + 3, b)
    put3_at(floats, source + 6, c)
    for place in range(cutting if listed else faces):
        k = int(floats[CUTTING + place]) if listed else place
        n, level = get3_from(planes, 4 * k), planes[4 * k + 3] + near
        count = cut_by_plane(floats, source, target, count, (0.0, 0.0, 0.0), n, level)
        source, target = target, source
        if count == 0:
            floats[BETWEEN] = k
            return True
        if count >= CORNERS - 1:
            return False
    return False


@kernel
def faces_mtv_bound(least, body, corners, normal):
    """`least` or the minimum penetration along the normals of faces, whether corners are peaks along them or not."""
    planes, faces = faces_of(body.shape.data)
    local, m = local_corners(body, corners), transposed_times(body.rotation, normal)
    for k in range(faces):
        least = min(least, _depth(planes, k, local, m))
    return max(least, 0.0)


@kernel
def best_of_faces(best, body, surface, key, corners, across, normal):
    """`best` or the minimum penetration along the normals of faces, and its direction."""
    planes, faces = faces_of(body.shape.data)
    local, m = local_corners(body, corners), transposed_times(body.rotation, normal)
    for k in range(faces):
        depth = _depth(planes, k, local, m)
        if depth * BETTER < best[0] and depth >= 0.0:
            n = get3_from(planes, 4 * k)
            u, v, w = dot(n, local[0]), dot(n, local[1]), dot(n, local[2])
            corner = 0 if u <= min(v, w) else (1 if v <= w else 2)
            out = negate(times(body.rotation, n))
            if may_be_peak(corners, across, corner, out) and is_peak(surface, key, corner, out):
                best = depth, out
    return best


@kernel
def _depth(planes, k, local, m):
    """That along the normal of face k; infinity if the face does not look against the triangle's normal m."""
    n = get3_from(planes, 4 * k)
    depth = planes[4 * k + 3] - min(dot(n, local[0]), min(dot(n, local[1]), dot(n, local[2])))
    return depth if dot(n, m) < 0.0 else inf
