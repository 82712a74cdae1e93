"""Cylinder and triangle, seen from the cylinder's own frame: its axis is z, r its radius, h half its length.

Along a unit vector n the overlap with the triangle's corner v is f(n) = n·v + r |(n_x, n_y)| + h |n_z|. It is least along
the triangle's normal, out of a cap or straight out of the barrel at a corner, or between the normals of an edge's two
sides, where the slope of f changes sign: smoothly, or by a jump where n leaves one cap for the other (`circle_arc.py`).

The part of a triangle between the planes of the caps is a convex polygon. It meets the cylinder if and only if its projection
on those planes comes as near to the axis as the radius: at a point of the triangle's edges, at a point where a cap's
plane cuts it, or where the axis goes through it.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import column2, times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, dot, scale, subtract
from opendynamics.core.bodies.triangles import is_peak, may_be_peak, ridge_at
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER
from opendynamics.core.collide.narrowphase.cylinder.circle_arc import min_overlap_of_cylinder_on_arc
from opendynamics.core.collide.narrowphase.placed_shape import local_corners
from opendynamics.core.kernels import kernel


@kernel
def cylinder_mtv(body, surface, key, corners, across, normal, beyond):
    """Depth and direction of the minimum translation out of a triangle; a depth below zero: none. With `beyond`, as for a box."""
    turn, local, n = body.rotation, local_corners(body, corners), transposed_times(body.rotation, normal)
    radius, half = body.shape.size[0], 0.5 * body.shape.size[1]
    depth, extent = dot(n, local[0]), _extent(n, radius, half)
    if depth + extent < 0.0 or (depth - extent > 0.0 and not beyond):
        return -1.0, normal
    best = depth + extent, normal
    depth, corner, axis = _out_of_cap(local, half, n, turn)
    if depth * BETTER < best[0] and may_be_peak(corners, across, corner, axis) and is_peak(surface, key, corner, axis):
        best = depth, axis
    for k in range(3):
        depth, out = _out_of_barrel(local[k], radius, half, n)
        if depth * BETTER < best[0]:
            out = times(turn, out)
            if may_be_peak(corners, across, k, out) and is_peak(surface, key, k, out):
                best = depth, out
    for k in range(3):
        ridge, other = ridge_at(surface, key, corners, across, k, normal)
        if ridge:
            m = transposed_times(turn, other)
            if _min_overlap_between(local[k], n, m, radius, half) * BETTER < best[0]:
                depth, out = min_overlap_of_cylinder_on_arc(
                    (best[0], n), body.shape.size, (0.0, 0.0, 1.0), local[k], n, m
                )
                if depth < best[0]:
                    best = depth, times(turn, out)
    return best


@kernel
def cylinder_mtv_bound(body, surface, key, corners, across, normal, beyond):
    """A lower bound of the penetration that `cylinder_mtv` finds; below zero: there is none."""
    turn, local, n = body.rotation, local_corners(body, corners), transposed_times(body.rotation, normal)
    radius, half = body.shape.size[0], 0.5 * body.shape.size[1]
    depth, extent = dot(n, local[0]), _extent(n, radius, half)
    if depth + extent < 0.0 or (depth - extent > 0.0 and not beyond):
        return -1.0
    least = depth + extent
    depth, corner, axis = _out_of_cap(local, half, n, turn)
    if depth < least and may_be_peak(corners, across, corner, axis):
        least = depth
    for k in range(3):
        depth, out = _out_of_barrel(local[k], radius, half, n)
        if depth < least and may_be_peak(corners, across, k, times(turn, out)):
            least = depth
    for k in range(3):
        ridge, other = ridge_at(surface, key, corners, across, k, normal)
        if ridge and least > 0.0:
            least = min(least, _min_overlap_between(local[k], n, transposed_times(turn, other), radius, half))
    return least


@kernel
def _extent(n, radius, half):
    """Extent of the cylinder from its centre along n."""
    return radius * sqrt(n[0] * n[0] + n[1] * n[1]) + half * abs(n[2])


@kernel
def _out_of_cap(local, half, n, turn):
    """The overlap of the highest corner along the axis that looks along n, which corner, and that axis."""
    sign = 1.0 if n[2] > 0.0 else -1.0
    a, b, c = sign * local[0][2], sign * local[1][2], sign * local[2][2]
    top = max(a, max(b, c))
    depth = top + half
    return depth if depth >= 0.0 else inf, 0 if a == top else (1 if b == top else 2), scale(sign, column2(turn))


@kernel
def _out_of_barrel(p, radius, half, n):
    """The overlap of a corner straight out of the barrel, and the direction; infinity: it is not in, or looks against n."""
    out = sqrt(p[0] * p[0] + p[1] * p[1])
    if out == 0.0 or out > radius or abs(p[2]) > half or p[0] * n[0] + p[1] * n[1] >= 0.0:
        return inf, n
    return radius - out, (-p[0] / out, -p[1] / out, 0.0)


@kernel
def _arm(v, n, radius, half):
    """From the cylinder's lowest point along n to v."""
    across = sqrt(n[0] * n[0] + n[1] * n[1])
    k = radius / across if across > 0.0 else 0.0
    return v[0] + k * n[0], v[1] + k * n[1], v[2] + (half if n[2] >= 0.0 else -half)


@kernel
def _min_overlap_between(v, n, m, radius, half):
    """As `gauss_arc.min_overlap_between`."""
    d, first, last = subtract(m, n), _arm(v, n, radius, half), _arm(v, m, radius, half)
    here, there = dot(first, d), dot(last, d)
    if here >= 0.0 or there <= 0.0:
        return inf
    level = dot(first, n)
    return max(level + here * (dot(last, n) - level) / (here - there), 0.0)


@kernel
def cylinder_is_apart(a, b, c, radius, half):
    """Whether the triangle a, b, c has no point in the cylinder; `half`: half its length."""
    square = radius * radius
    if _edge_square(a, b, half) <= square or _edge_square(b, c, half) <= square or _edge_square(c, a, half) <= square:
        return False
    # No edge comes near: only the interior of the triangle can.
    if _goes_through(a, b, c, half):
        return False
    return _cut_square(a, b, c, half) > square and _cut_square(a, b, c, -half) > square


@kernel
def _square_near_axis(p, d, first, last):
    """Least squared distance from the axis of p + t d, t between `first` and `last`."""
    dd = d[0] * d[0] + d[1] * d[1]
    t = -(p[0] * d[0] + p[1] * d[1]) / dd if dd > 0.0 else first
    t = min(max(t, first), last)
    x, y = p[0] + t * d[0], p[1] + t * d[1]
    return x * x + y * y


@kernel
def _edge_square(p, q, half):
    """Least squared distance from the axis of the part of an edge between the caps' planes; infinity: there is none."""
    low, high = min(p[2], q[2]), max(p[2], q[2])
    if low > half or high < -half:
        return inf
    first, last = 0.0, 1.0
    if low < -half or high > half:
        one, two = (-half - p[2]) / (q[2] - p[2]), (half - p[2]) / (q[2] - p[2])
        first, last = max(min(one, two), 0.0), min(max(one, two), 1.0)
    return _square_near_axis(p, subtract(q, p), first, last)


@kernel
def _cut_square(a, b, c, level):
    """Least squared distance from the axis of what the plane z = `level` has of the triangle; infinity: nothing."""
    if (a[2] > level) == (b[2] > level):
        a, b, c = c, a, b  # the first corner is the one that is alone, if there is one
    if (a[2] > level) == (b[2] > level):
        return inf
    if (a[2] > level) == (c[2] > level):
        a, b, c = b, c, a
    p = add_scaled(a, (level - a[2]) / (b[2] - a[2]), subtract(b, a))
    q = add_scaled(a, (level - a[2]) / (c[2] - a[2]), subtract(c, a))
    return _square_near_axis(p, subtract(q, p), 0.0, 1.0)


@kernel
def _goes_through(a, b, c, half):
    """Whether the axis goes through the triangle between the caps."""
    u = b[0] * c[1] - b[1] * c[0]
    v = c[0] * a[1] - c[1] * a[0]
    w = a[0] * b[1] - a[1] * b[0]
    area = u + v + w
    if area == 0.0 or min(u, min(v, w)) * max(u, max(v, w)) < 0.0:
        return False
    return abs(u * a[2] + v * b[2] + w * c[2]) <= half * abs(area)
