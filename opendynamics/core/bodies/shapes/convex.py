"""Convex polyhedron. data: address of its block, see `arrays/hulls.py`. The sizes are not used."""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import get9, row0, row1, row2, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3, get3_from, negate, subtract
from opendynamics.core.arrays.hulls import hull_floats, hull_indices, hulls_at
from opendynamics.core.bodies.shapes import BOUNDS, POINT_DEPTH, geom_at
from opendynamics.core.kernels import entry, kernel

KIND = 6

# With fewer vertices, looking at all is faster than climbing from neighbour to neighbour.
FEW = 100


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r = get9(geom.rotation)
    rows = (row0(r), row1(r), row2(r))
    for axis in range(3):
        way = rows[axis]
        geom.bounds[2 * axis] = geom.position[axis] + dot(way, support(geom.data, negate(way)))
        geom.bounds[2 * axis + 1] = geom.position[axis] + dot(way, support(geom.data, way))


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """Distance to the nearest face inside; minus the Euclidean distance outside."""
    geom, point = geom_at(address), (x, y, z)
    p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
    gap, _, _ = nearest_on_hull(geom.data, p)
    return -gap


@kernel
def support(data, direction):
    """The vertex furthest along `direction`, in the hull's frame."""
    vertices = hull_floats(data + hulls_at(data)[0].vertices_at, 3 * hulls_at(data)[0].vertices)
    return get3_from(vertices, 3 * furthest(data, direction))


@kernel
def furthest(data, direction):
    """Which vertex is furthest along `direction`. Among neighbours of a convex body, uphill leads to the top."""
    hull = hulls_at(data)[0]
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    best, height = 0, dot(get3_from(vertices, 0), direction)
    if hull.vertices < FEW:
        for k in range(1, hull.vertices):
            along = dot(get3_from(vertices, 3 * k), direction)
            if along > height:
                best, height = k, along
        return best
    first = hull_indices(data + hull.first_neighbours_at, hull.vertices + 1)
    neighbours = hull_indices(data + hull.neighbours_at, 2 * hull.edges)
    climbing = True
    while climbing:
        climbing = False
        for n in range(first[best], first[best + 1]):
            along = dot(get3_from(vertices, 3 * neighbours[n]), direction)
            if along > height:
                best, height = neighbours[n], along
                climbing = True
                break
    return best


@kernel
def most_facing(data, direction):
    """Which face looks most directly along `direction`."""
    hull = hulls_at(data)[0]
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    best, most = 0, -inf
    for face in range(hull.faces):
        facing = dot(get3_from(planes, 4 * face), direction)
        if facing > most:
            best, most = face, facing
    return best


@kernel
def nearest_on_hull(data, p):
    """Signed distance of `p` (negative inside), the surface's nearest point, and the unit normal there towards outside.

    Inside, and outside where the foot on some face lies in that face, the answer is that face. Otherwise the nearest
    point is on an edge of a face that `p` is in front of.
    """
    hull = hulls_at(data)[0]
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    face, gap = 0, -inf
    for k in range(hull.faces):
        here = dot(get3_from(planes, 4 * k), p) - planes[4 * k + 3]
        if here > gap:
            face, gap = k, here
    normal = get3_from(planes, 4 * face)
    if gap <= 0.0:
        return gap, add_scaled(p, -gap, normal), normal
    square, nearest = inf, p
    for k in range(hull.faces):
        n = get3_from(planes, 4 * k)
        here = dot(n, p) - planes[4 * k + 3]
        if here > 0.0:
            inside, square, nearest = _nearest_on_rim(data, k, n, p, square, nearest)
            if inside:
                return here, add_scaled(p, -here, n), n
    away = subtract(p, nearest)
    distance = sqrt(square)
    if distance == 0.0:
        return 0.0, nearest, normal
    return distance, nearest, (away[0] / distance, away[1] / distance, away[2] / distance)


@kernel
def _nearest_on_rim(data, face, n, p, square, nearest):
    """Whether the foot of `p` is inside a face, and the nearest point (squared distance, point) with its edges."""
    hull = hulls_at(data)[0]
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    first = hull_indices(data + hull.first_corners_at, hull.faces + 1)
    corners = hull_indices(data + hull.corners_at, 2 * hull.edges)
    inside = True
    a = get3_from(vertices, 3 * corners[first[face + 1] - 1])
    for k in range(first[face], first[face + 1]):
        b = get3_from(vertices, 3 * corners[k])
        u, w = subtract(b, a), subtract(p, a)
        if dot(cross(n, u), w) < 0.0:
            inside = False
            q = add_scaled(a, min(max(dot(w, u) / dot(u, u), 0.0), 1.0), u)
            away = subtract(p, q)
            here = dot(away, away)
            if here < square:
                square, nearest = here, q
        a = b
    return inside, square, nearest


def mass_per_density(size):
    """Unknown to the sizes: the block of a hull has its volume, centroid and inertia."""
    return None
