"""The place on the surface of a convex polyhedron that is nearest to a point.

The distance is no less than the height over any face's plane. So the face whose plane is furthest below the point contains
the nearest point, if the projection is within that face; otherwise it is on the nearest edge. Planes and edges are stored by
coordinate in the block, so that several are processed at a time.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.argmax import MAX_PLACES, NO_KEY, key_of, place_of
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3_from, subtract
from opendynamics.core.arrays.blocks.hulls import FILLED, hull_floats, hull_indices, hulls_at
from opendynamics.core.kernels import kernel


@kernel
def nearest_on_hull(data, p):
    """Signed distance of `p` (negative inside), the surface's nearest point, and the unit normal there towards outside."""
    hull = hulls_at(data)[0]
    face = highest_face(data, p)
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    normal = get3_from(planes, 4 * face)
    gap = dot(normal, p) - planes[4 * face + 3]
    if gap <= 0.0 or is_over(data, face, normal, p):
        return gap, add_scaled(p, -gap, normal), normal
    nearest = nearest_on_edges(data, p)
    away = subtract(p, nearest)
    distance = sqrt(dot(away, away))
    if distance == 0.0:
        return 0.0, nearest, normal
    return distance, nearest, (away[0] / distance, away[1] / distance, away[2] / distance)


@kernel
def highest_face(data, p):
    """The face over whose plane `p` is highest, but for rounding."""
    hull = hulls_at(data)[0]
    size = abs(p[0]) + abs(p[1]) + abs(p[2])
    for axis in range(3):
        size += max(abs(hull.low[axis]), abs(hull.high[axis]))
    filled = (hull.faces + FILLED - 1) // FILLED * FILLED
    row, best, face = 8 * filled, 0, 0
    for first in range(0, filled, MAX_PLACES):
        at, count, key = data + hull.plane_columns_at + 8 * first, min(MAX_PLACES, filled - first), 0
        a, b = hull_floats(at, count), hull_floats(at + row, count)
        c, d = hull_floats(at + 2 * row, count), hull_floats(at + 3 * row, count)
        for k in range(count):
            key = max(key, key_of(a[k] * p[0] + b[k] * p[1] + c[k] * p[2] - d[k] + size, k))
        if key > best:
            best, face = key, first + place_of(key)
    return min(face, hull.faces - 1)


@kernel
def is_over(data, face, normal, p):
    """Whether the foot of `p` on a face's plane is in the face."""
    hull = hulls_at(data)[0]
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    first = hull_indices(data + hull.first_corners_at, hull.faces + 1)
    corners = hull_indices(data + hull.corners_at, 2 * hull.edges)
    a = get3_from(vertices, 3 * corners[first[face + 1] - 1])
    for k in range(first[face], first[face + 1]):
        b = get3_from(vertices, 3 * corners[k])
        if dot(cross(normal, subtract(b, a)), subtract(p, a)) < 0.0:
            return False
        a = b
    return True


@kernel
def nearest_on_edges(data, p):
    """The point of the edges nearest to `p`: a + t u with t = u·(p - a) / u·u, from 0 to 1."""
    hull = hulls_at(data)[0]
    filled = (hull.edges + FILLED - 1) // FILLED * FILLED
    row, best, edge = 8 * filled, NO_KEY, 0
    for first in range(0, filled, MAX_PLACES):
        at, count, key = data + hull.edge_columns_at + 8 * first, min(MAX_PLACES, filled - first), NO_KEY
        x, y, z = hull_floats(at, count), hull_floats(at + row, count), hull_floats(at + 2 * row, count)
        at += 3 * row
        u, v, w = hull_floats(at, count), hull_floats(at + row, count), hull_floats(at + 2 * row, count)
        inverse = hull_floats(at + 3 * row, count)
        for k in range(count):
            a, b, c = p[0] - x[k], p[1] - y[k], p[2] - z[k]
            t = (a * u[k] + b * v[k] + c * w[k]) * inverse[k]
            t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
            a, b, c = a - t * u[k], b - t * v[k], c - t * w[k]
            key = min(key, key_of(a * a + b * b + c * c, k))
        if key < best:
            best, edge = key, first + place_of(key)
    ends = hull_indices(data + hull.edges_at, 4 * hull.edges)
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    edge = min(edge, hull.edges - 1)
    a, b = get3_from(vertices, 3 * ends[4 * edge]), get3_from(vertices, 3 * ends[4 * edge + 1])
    span = subtract(b, a)
    return add_scaled(a, min(max(dot(span, subtract(p, a)) / dot(span, span), 0.0), 1.0), span)
