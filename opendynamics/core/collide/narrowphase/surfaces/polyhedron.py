"""Convex polyhedron and triangle: what the polyhedron's faces tell, in its own frame.

A face with normal a and level d, a·x <= d inside, tells the overlap d - min a·v over the triangle's corners v along -a, if
the lowest corner is a peak of the surface along it.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3_from, negate, put3_at, subtract
from opendynamics.core.arrays.hulls import hull_floats, hulls_at
from opendynamics.core.bodies.triangles import is_peak, may_be_peak
from opendynamics.core.collide.narrowphase.arcs import BETTER
from opendynamics.core.collide.narrowphase.pairs import floats_at
from opendynamics.core.collide.narrowphase.surfaces import BETWEEN, CORNERS, OTHER_POLYGON, POLYGON
from opendynamics.core.collide.narrowphase.surfaces.bodies import seen_by
from opendynamics.core.kernels import kernel


@kernel
def faces_of(data):
    """The planes of the faces, (a, b, c, d) each, and how many there are."""
    hull = hulls_at(data)[0]
    return hull_floats(data + hull.planes_at, 4 * hull.faces), hull.faces


@kernel
def polyhedron_is_apart(data, seen, near, scratch):
    """Whether the planes of the faces, moved out by `near`, leave nothing of the triangle (Sutherland and Hodgman 1974).

    The face that has been between the body and the triangle before is asked first.
    """
    floats, (planes, faces) = floats_at(scratch), faces_of(data)
    before = int(floats[BETWEEN])
    a, b, c = seen
    n = get3_from(planes, 4 * before)
    if min(dot(n, a), min(dot(n, b), dot(n, c))) > planes[4 * before + 3] + near:
        return True
    source, target, count = POLYGON, OTHER_POLYGON, 3
    put3_at(floats, source, a)
    put3_at(floats, source + 3, b)
    put3_at(floats, source + 6, c)
    for k in range(faces):
        n, level = get3_from(planes, 4 * k), planes[4 * k + 3] + near
        if max(dot(n, a), max(dot(n, b), dot(n, c))) <= level:
            continue
        count = _below(floats, source, target, count, n, level)
        source, target = target, source
        if count == 0:
            floats[BETWEEN] = k
            return True
        if count >= CORNERS - 1:
            return False
    return False


@kernel
def _below(floats, source, target, count, n, level):
    """Keep the part of a polygon with n·x <= level; returns its corners."""
    kept = 0
    last = get3_from(floats, source + 3 * (count - 1))
    behind = dot(n, last) - level
    for k in range(count):
        here = get3_from(floats, source + 3 * k)
        ahead = dot(n, here) - level
        if behind * ahead < 0.0:
            put3_at(floats, target + 3 * kept, add_scaled(last, behind / (behind - ahead), subtract(here, last)))
            kept += 1
        if ahead <= 0.0:
            put3_at(floats, target + 3 * kept, here)
            kept += 1
        last, behind = here, ahead
    return kept


@kernel
def least_of_faces(least, body, corners, across, normal):
    """`least` or less: the least overlap along the normals of faces that corners may be peaks along."""
    planes, faces = faces_of(body[2])
    a, b, c = seen_by(body, corners)
    m = transposed_times(body[4], normal)
    for k in range(faces):
        n = get3_from(planes, 4 * k)
        if dot(n, m) >= 0.0:
            continue
        depth, corner = _overlap(planes[4 * k + 3], n, a, b, c)
        if 0.0 <= depth < least and may_be_peak(corners, across, corner, negate(times(body[4], n))):
            least = depth
    return least


@kernel
def best_of_faces(best, body, surface, key, corners, across, normal):
    """`best` or the least overlap along the normals of faces, and its direction."""
    planes, faces = faces_of(body[2])
    a, b, c = seen_by(body, corners)
    m = transposed_times(body[4], normal)
    for k in range(faces):
        n = get3_from(planes, 4 * k)
        if dot(n, m) >= 0.0:
            continue
        depth, corner = _overlap(planes[4 * k + 3], n, a, b, c)
        if 0.0 <= depth * BETTER < best[0]:
            out = negate(times(body[4], n))
            if may_be_peak(corners, across, corner, out) and is_peak(surface, key, corner, out):
                best = depth, out
    return best


@kernel
def _overlap(level, n, a, b, c):
    """That with a face's plane, and which corner is the lowest."""
    u, v, w = dot(n, a), dot(n, b), dot(n, c)
    low = min(u, min(v, w))
    return level - low, 0 if u == low else (1 if v == low else 2)
