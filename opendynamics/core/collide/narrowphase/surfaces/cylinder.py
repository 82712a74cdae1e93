"""Cylinder and triangle, seen from the cylinder's own frame: its axis is z.

The part of a triangle between the planes of the caps is a convex polygon. It meets the cylinder if and only if its shadow
on those planes comes as near to the axis as the radius: at a point of the triangle's edges, at a point where a cap's
plane cuts it, or where the axis goes through it.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import add_scaled, subtract
from opendynamics.core.kernels import kernel


@kernel
def cylinder_is_apart(a, b, c, radius, half):
    """Whether the triangle a, b, c has no point in the cylinder; `half`: half its length."""
    square = radius * radius
    if _edge_square(a, b, half) <= square or _edge_square(b, c, half) <= square or _edge_square(c, a, half) <= square:
        return False
    # No edge comes near: only what is inside the triangle can.
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
