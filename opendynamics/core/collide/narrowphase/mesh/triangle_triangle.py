"""Triangle-triangle overlap test by the separating axis theorem, over eleven axes (Gottschalk, Lin and Manocha, OBBTree, 1996).

The axes are the triangles' normals and the cross products of their edges. Along one of those all of an edge of either
triangle is at one place, so that three places suffice. Axes need not be of length one: only of a gap that there is, the
width is asked for.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.vec3 import cross, dot, subtract
from opendynamics.core.kernels import kernel


@kernel
def triangles_touch(one, normal, two, near):
    """Whether two triangles, the first with this normal, are nowhere further apart than `near`."""
    origin, a, b = one[0], subtract(one[1], one[0]), subtract(one[2], one[0])
    p, q, r = subtract(two[0], origin), subtract(two[1], origin), subtract(two[2], origin)
    u, v, w = dot(normal, p), dot(normal, q), dot(normal, r)
    if is_gap(0.0, 0.0, min(u, min(v, w)), max(u, max(v, w)), normal, near):
        return False
    c, d = subtract(q, p), subtract(r, p)
    other = cross(c, d)
    u, v, w = -dot(other, p), dot(other, subtract(a, p)), dot(other, subtract(b, p))
    if is_gap(0.0, 0.0, min(u, min(v, w)), max(u, max(v, w)), other, near):
        return False
    if are_parted(a, b, p, q, r, near) or are_parted(b, a, p, q, r, near):
        return False
    back = subtract(b, a)
    # The third edge, with its own beginning as the origin.
    return not are_parted(back, (-a[0], -a[1], -a[2]), subtract(p, a), subtract(q, a), subtract(r, a), near)


@kernel
def are_parted(edge, third, p, q, r, near):
    """Whether an axis across `edge`, which begins at the origin, and an edge of the triangle p, q, r has a gap."""
    if is_axis_of_gap(cross(edge, subtract(q, p)), third, p, r, near):
        return True
    if is_axis_of_gap(cross(edge, subtract(r, q)), third, q, p, near):
        return True
    return is_axis_of_gap(cross(edge, subtract(p, r)), third, r, q, near)


@kernel
def is_axis_of_gap(axis, third, start, other, near):
    top, u, v = dot(axis, third), dot(axis, start), dot(axis, other)
    return is_gap(min(top, 0.0), max(top, 0.0), min(u, v), max(u, v), axis, near)


@kernel
def is_gap(low, high, least, most, axis, near):
    """Whether two intervals of places along an axis are more than `near` times its length apart."""
    gap = max(least - high, low - most)
    return gap > 0.0 and gap > near * sqrt(dot(axis, axis))
