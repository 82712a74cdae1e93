"""Capsule and triangle.

Outside a triangle, the minimum penetration lies along the line from the triangle's nearest point to the axis' nearest point, if
the surface has that direction there, otherwise along the triangle's normal. An axis that crosses the triangle, or is
behind it, leaves along the normal or across an edge.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import column2, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, negate, scale, subtract
from opendynamics.core.bodies.triangles import is_below, normal_at, ridge_at, triangle
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER
from opendynamics.core.collide.narrowphase.mesh.sphere_mesh import SEAM, has_normal
from opendynamics.core.collide.narrowphase.primitives.segments import closest_on_segments
from opendynamics.core.kernels import kernel

# Squared sine below which the axis and an edge count as parallel.
PARALLEL = 1.0e-12

# Factor on squared distances so that rounding excludes no triangle, and squared distance, relative to an edge's square, that may
# be rounding. Of distances that differ by less than NEARER, the first is taken.
ROOMY = 1.0 + 1.0e-9
ROUNDING = 1.0e-24
NEARER = 1.0 - 1.0e-12


@kernel
def capsule_mtv(body, surface, key, corners, across, normal, beyond):
    """Depth and direction of the minimum translation out of a triangle; a depth below zero: none. With `beyond`, as for a box."""
    radius, half_axis = body.shape.size[0], scale(0.5 * body.shape.size[1], column2(body.rotation))
    one, two = add(body.position, half_axis), subtract(body.position, half_axis)
    level = dot(normal, corners[0])
    high, low = dot(normal, one) - level, dot(normal, two) - level
    if min(high, low) > radius:
        return -1.0, normal
    square, on_axis, q, where = nearest_places(one, two, high, low, corners, normal, inf if beyond else radius)
    if square > radius * radius and not beyond:
        return -1.0, normal
    if beyond or square == 0.0 or dot(subtract(on_axis, q), normal) < 0.0:
        best = (radius - min(high, low), normal)
        for k in range(3):
            if ridge_at(surface, key, corners, across, k, normal)[0]:
                best = _across_edge(best, one, two, radius, normal, corners, k, across[k])
        return best
    distance = sqrt(square)
    direction = scale(1.0 / distance, subtract(on_axis, q))
    if distance > SEAM * radius:
        if where == 0:
            return radius - distance, normal
        if has_normal(surface, key, where, q, direction):
            return radius - distance, direction
    height = lowest_over(one, two, corners, normal)
    return (radius - height if height < inf else -1.0), normal


@kernel
def capsule_mtv_local(body, surface, key, local, n):
    """`capsule_mtv` in the capsule's frame, in which the corners `local` and the normal n are."""
    radius, half = body.shape.size[0], 0.5 * body.shape.size[1]
    one, two, level = (0.0, 0.0, half), (0.0, 0.0, -half), dot(n, local[0])
    high, low = n[2] * half - level, -n[2] * half - level
    if min(high, low) > radius:
        return -1.0, n
    square, on_axis, q, where = nearest_places(one, two, high, low, local, n, radius)
    if square > radius * radius:
        return -1.0, n
    gap = subtract(on_axis, q)
    if square == 0.0 or dot(gap, n) < 0.0:
        corners, across = triangle(surface, key)
        depth, direction = capsule_mtv(body, surface, key, corners, across, normal_at(surface, key), False)
        return depth, transposed_times(body.rotation, direction)
    distance = sqrt(square)
    if distance > SEAM * radius:
        if where == 0:
            return radius - distance, n
        direction = scale(1.0 / distance, gap)
        at = add(body.position, times(body.rotation, q))
        if has_normal(surface, key, where, at, times(body.rotation, direction)):
            return radius - distance, direction
    height = lowest_over(one, two, local, n)
    return (radius - height if height < inf else -1.0), n


@kernel
def nearest_places(one, two, high, low, corners, normal, limit):
    """Squared distance of the axis from a triangle, the nearest places of both, and where on the triangle that is.

    `high` and `low` are the heights of the ends. Distance 0 if the axis crosses the triangle; infinity if all of it is
    behind the plane, or beyond one edge, by more than `limit`. Places beyond no edge have theirs inside the triangle; the
    nearest place on the boundary is on an edge that some of the axis is beyond.
    """
    none = (inf, one, one, 0)
    a, b, c = (
        _beyond(one, two, corners, 0, normal),
        _beyond(one, two, corners, 1, normal),
        _beyond(one, two, corners, 2, normal),
    )
    far = max(_gap(a), max(_gap(b), _gap(c)))
    if max(high, low) < -limit or far > limit * limit * ROOMY:
        return none
    if high * low < 0.0:
        t = high / (high - low)
        if max(_part(a, t), max(_part(b, t), _part(c, t))) <= 0.0:
            place = add_scaled(one, t, subtract(two, one))
            return 0.0, place, place, 0
    best = none
    if max(a[0], max(b[0], c[0])) <= 0.0:
        best = high * high, one, add_scaled(one, -high, normal), 0
    if max(a[1], max(b[1], c[1])) <= 0.0 and low * low < best[0]:
        best = low * low, two, add_scaled(two, -low, normal), 0
    edge = -1
    for k in range(3):
        beyond = a if k == 0 else (b if k == 1 else c)
        if max(beyond[0], beyond[1]) > 0.0:
            on_axis, q = closest_on_segments(one, two, corners[k], corners[k + 1 if k < 2 else 0])
            gap = subtract(on_axis, q)
            if dot(gap, gap) < best[0] * NEARER:
                best, edge = (dot(gap, gap), on_axis, q, 0), k
    return best if edge < 0 else (best[0], best[1], best[2], _where_on(best[2], corners, edge))


@kernel
def _where_on(q, corners, edge):
    """Location of a point of an edge, as `closest_on_triangle` encodes it: a corner, if it is so near that rounding decides."""
    last = edge + 1 if edge < 2 else 0
    along, here, there = subtract(corners[last], corners[edge]), subtract(q, corners[edge]), subtract(q, corners[last])
    near = ROUNDING * dot(along, along)
    if dot(here, here) > near and dot(there, there) > near:
        return 1 << edge
    corner = edge if dot(here, here) <= near else last
    return 5 if corner == 0 else (3 if corner == 1 else 6)


@kernel
def _beyond(one, two, corners, k, normal):
    """Distance of the axis' ends beyond edge k, times the edge's length, and the square of that length."""
    start, end = corners[k], corners[k + 1 if k < 2 else 0]
    edge = subtract(end, start)
    outward = cross(edge, normal)
    return dot(subtract(one, start), outward), dot(subtract(two, start), outward), dot(edge, edge)


@kernel
def _gap(beyond):
    """The square of how far the whole axis is beyond an edge."""
    near = max(min(beyond[0], beyond[1]), 0.0)
    return near * near / beyond[2]


@kernel
def _part(beyond, t):
    return beyond[0] + t * (beyond[1] - beyond[0])


@kernel
def lowest_over(one, two, corners, normal):
    """The least height above the triangle's plane of the part of the axis that is over the triangle; inf: none is."""
    first, last = 0.0, 1.0
    along = subtract(two, one)
    for k in range(3):
        start, end = corners[k], corners[k + 1 if k < 2 else 0]
        outward = cross(subtract(end, start), normal)
        here, change = dot(subtract(one, start), outward), dot(along, outward)
        if change > 0.0:
            last = min(last, -here / change)
        elif change < 0.0:
            first = max(first, -here / change)
        elif here > 0.0:
            return inf
    if first > last:
        return inf
    height, rise = dot(normal, subtract(one, corners[0])), dot(normal, along)
    return height + min(first * rise, last * rise)


@kernel
def _across_edge(best, one, two, radius, normal, corners, k, across):
    """`best` or the overlap along the cross product of an edge and the axis."""
    start, end, other = corners[k], corners[k + 1 if k < 2 else 0], corners[k - 1 if k > 0 else 2]
    edge, axis = subtract(end, start), subtract(two, one)
    m = cross(edge, axis)
    mm = dot(m, m)
    if mm <= PARALLEL * dot(edge, edge) * dot(axis, axis):
        return best
    m = scale(1.0 / sqrt(mm), m)
    if dot(m, subtract(other, start)) > 0.0:
        m = negate(m)
    depth = dot(m, subtract(start, one)) + radius
    if depth >= 0.0 and depth * BETTER < best[0] and dot(m, normal) > 0.0 and is_below(m, start, across):
        return depth, m
    return best
