"""Convex polyhedron. data: address of its block, see `arrays/blocks/hulls.py`. The sizes are not used."""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.argmax import MAX_PLACES, key_of, place_of
from opendynamics.core.algebra.mat3 import get9, row0, row1, row2, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, get3_from, negate, subtract
from opendynamics.core.arrays.blocks.hulls import hull_floats, hull_indices, hulls_at
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.hulls.nearest import nearest_on_hull
from opendynamics.core.bodies.shapes import BOUNDS, CONVEX, MAX_CORNERS, POINT_DEPTH, POLYHEDRON, geom_at
from opendynamics.core.kernels import entry, kernel

KIND = 6
TRAITS = CONVEX | POLYHEDRON

# Cosine between face and direction below which a face is too steep to carry anything.
STEEP = 0.2

# Fraction of the extent by which a vertex may miss the plane of a face that it is a corner of.
ON_FACE = 1.0e-9

# With no more vertices than FEW, going through them one by one is fastest, with more than MANY, climbing.
FEW = 16
MANY = 512


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r = get9(geom.rotation)
    rows = (row0(r), row1(r), row2(r))
    for axis in range(3):
        row = rows[axis]
        geom.bounds[2 * axis] = geom.position[axis] + dot(row, hull_support(geom.data, negate(row)))
        geom.bounds[2 * axis + 1] = geom.position[axis] + dot(row, hull_support(geom.data, row))


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """Distance to the nearest face inside; minus the Euclidean distance outside."""
    geom, point = geom_at(address), (x, y, z)
    p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
    gap, _, _ = nearest_on_hull(geom.data, p)
    return -gap


@kernel
def support(size, data, direction):
    """The vertex furthest along `direction`."""
    return hull_support(data, direction)


@kernel
def hull_support(data, direction):
    """The same, given the block alone."""
    vertices = hull_floats(data + hulls_at(data)[0].vertices_at, 3 * hulls_at(data)[0].vertices)
    return get3_from(vertices, 3 * furthest(data, direction))


@kernel
def furthest(data, direction):
    """Which vertex is furthest along `direction`, but for rounding."""
    hull = hulls_at(data)[0]
    if hull.vertices > MANY:
        return climbed(data, direction)
    if hull.vertices > FEW:
        return looked_for(data, direction)
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    best, height = 0, dot(get3_from(vertices, 0), direction)
    for k in range(1, hull.vertices):
        along = dot(get3_from(vertices, 3 * k), direction)
        if along > height:
            best, height = k, along
    return best


@kernel
def looked_for(data, direction):
    """The same among many vertices, several of which are processed at a time."""
    hull = hulls_at(data)[0]
    # The heights are made positive: no vertex is further below the origin than this.
    base = 0.0
    for axis in range(3):
        base += max(abs(hull.low[axis]), abs(hull.high[axis])) * abs(direction[axis])
    row, most, best = 8 * hull.vertices, -1, 0
    for first in range(0, hull.vertices, MAX_PLACES):
        at, count, key = data + hull.columns_at + 8 * first, min(MAX_PLACES, hull.vertices - first), 0
        x, y, z = hull_floats(at, count), hull_floats(at + row, count), hull_floats(at + 2 * row, count)
        for k in range(count):
            height = x[k] * direction[0] + y[k] * direction[1] + z[k] * direction[2] + base
            key = max(key, key_of(height if height > 0.0 else 0.0, k))
        if key > most:
            most, best = key, first + place_of(key)
    return best


@kernel
def climbed(data, direction):
    """The same from neighbour to neighbour: on a convex body uphill leads to the top."""
    hull = hulls_at(data)[0]
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    first = hull_indices(data + hull.first_neighbours_at, hull.vertices + 1)
    neighbours = hull_indices(data + hull.neighbours_at, 2 * hull.edges)
    best, height, climbing = 0, dot(get3_from(vertices, 0), direction), True
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
def feature(size, data, n, scratch, at):
    """Of the faces that the furthest vertex is a corner of, the one that looks most along n; or none if all are steep."""
    floats = floats_at(scratch)
    hull = hulls_at(data)[0]
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    top = get3_from(vertices, 3 * furthest(data, n))
    face, most = facing_at(data, n, top)
    if most < STEEP:
        return 0, n
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    first = hull_indices(data + hull.first_corners_at, hull.faces + 1)
    corners = hull_indices(data + hull.corners_at, 2 * hull.edges)
    count = first[face + 1] - first[face]
    taken = min(count, MAX_CORNERS)
    for c in range(taken):
        vertex = corners[first[face] + c * count // taken]
        for axis in range(3):
            floats[at + 3 * c + axis] = vertices[3 * vertex + axis]
    return taken, get3_from(planes, 4 * face)


@kernel
def facing_at(data, n, top):
    """Among the faces through the point `top`, the one that looks most along n, and the cosine."""
    hull = hulls_at(data)[0]
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    margin = ON_FACE * (hull.high[0] - hull.low[0] + hull.high[1] - hull.low[1] + hull.high[2] - hull.low[2])
    face = most_facing(data, n)
    normal = get3_from(planes, 4 * face)
    if planes[4 * face + 3] - dot(normal, top) <= margin:
        return face, dot(normal, n)
    face, most = 0, -inf
    for k in range(hull.faces):
        normal = get3_from(planes, 4 * k)
        facing = dot(normal, n)
        if facing > most and planes[4 * k + 3] - dot(normal, top) <= margin:
            face, most = k, facing
    return face, most


@kernel
def radius(size):
    """None: the core is the shape."""
    return 0.0


@kernel
def extent(size, data):
    top = hull_support(data, (1.0, 1.0, 1.0))
    low = hull_support(data, (-1.0, -1.0, -1.0))
    return abs(top[0] - low[0]) + abs(top[1] - low[1]) + abs(top[2] - low[2])


@kernel
def width(size, data):
    """Half the minimum width perpendicular to a face: between two edges it is no less."""
    hull = hulls_at(data)[0]
    planes, least = hull_floats(data + hull.planes_at, 4 * hull.faces), inf
    for k in range(hull.faces):
        n = get3_from(planes, 4 * k)
        least = min(least, planes[4 * k + 3] + dot(negate(n), hull_support(data, negate(n))))
    return 0.5 * least


@kernel
def is_thinner(data, length):
    """Whether it is somewhere thinner than this, perpendicular to one of its faces."""
    hull = hulls_at(data)[0]
    planes, inner, centre = hull_floats(data + hull.planes_at, 4 * hull.faces), inf, get3(hull.centroid)
    for k in range(hull.faces):
        inner = min(inner, planes[4 * k + 3] - dot(get3_from(planes, 4 * k), centre))
    # It holds a ball about its centroid; its width is dear.
    return 2.0 * inner < length and 2.0 * width((0.0, 0.0, 0.0, 0.0), data) < length


def mass_per_density(size):
    """Unknown to the sizes: the block of a hull has its volume, centroid and inertia."""
    return None
