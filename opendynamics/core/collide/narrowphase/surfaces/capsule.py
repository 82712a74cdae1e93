"""Capsule and triangle.

Beside a triangle, the least overlap lies along the line from the triangle's nearest point to the axis' nearest point, if
the surface has that direction there, otherwise along the triangle's normal. An axis that crosses the triangle, or is
behind it, leaves along the normal or across an edge.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import column2
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, negate, scale, subtract
from opendynamics.core.bodies.triangles import is_below, ridge_at
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.collide.narrowphase.arcs import BETTER
from opendynamics.core.collide.narrowphase.segments import closest_on_segments
from opendynamics.core.collide.narrowphase.surfaces.sphere import SEAM, has_normal
from opendynamics.core.kernels import kernel

# Squared sine below which the axis and an edge count as parallel.
PARALLEL = 1.0e-12

# Factor on squared distances within which rounding leaves out nothing.
ROOMY = 1.0 + 1.0e-9


@kernel
def meet_capsule(body, surface, key, corners, across, normal, beyond):
    """Least overlap with a triangle and its direction; a depth below zero: none. With `beyond`, as for a box."""
    radius, reach = body[1][0], scale(0.5 * body[1][1], column2(body[4]))
    one, two = add(body[3], reach), subtract(body[3], reach)
    level = dot(normal, corners[0])
    high, low = dot(normal, one) - level, dot(normal, two) - level
    if min(high, low) > radius or (not beyond and is_beside(one, two, radius, corners, normal, max(high, low))):
        return -1.0, normal
    square, on_axis, q, where = nearest_places(one, two, high, low, corners)
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
def is_beside(one, two, radius, corners, normal, high):
    """Whether the axis is behind the triangle's plane, or beyond one of its edges, by more than the radius."""
    if high < -radius:
        return True
    for k in range(3):
        start, end = corners[k], corners[k + 1 if k < 2 else 0]
        edge = subtract(end, start)
        outward = cross(edge, normal)
        gap = min(dot(subtract(one, start), outward), dot(subtract(two, start), outward))
        if gap > 0.0 and gap * gap > radius * radius * dot(edge, edge) * ROOMY:
            return True
    return False


@kernel
def nearest_places(one, two, high, low, corners):
    """Squared distance of the axis from a triangle, the nearest places of both, and where on the triangle that is.

    `high` and `low` are the heights of the ends. Distance 0 if the axis crosses the triangle.
    """
    if high * low < 0.0:
        place = add_scaled(one, high / (high - low), subtract(two, one))
        _, where = closest_on_triangle(place, corners)
        if where == 0:
            return 0.0, place, place, 0
    q, where = closest_on_triangle(one, corners)
    gap = subtract(one, q)
    best = (dot(gap, gap), one, q, where)
    q, where = closest_on_triangle(two, corners)
    gap = subtract(two, q)
    if dot(gap, gap) < best[0]:
        best = (dot(gap, gap), two, q, where)
    for k in range(3):
        start, end = corners[k], corners[k + 1 if k < 2 else 0]
        on_axis, q = closest_on_segments(one, two, start, end)
        gap = subtract(on_axis, q)
        if dot(gap, gap) < best[0] * (1.0 - 1e-12):
            _, where = closest_on_triangle(q, corners)
            best = (dot(gap, gap), on_axis, q, where if where & (1 << k) else 1 << k)
    return best


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
