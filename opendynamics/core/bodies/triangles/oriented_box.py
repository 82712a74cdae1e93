"""Oriented boxes, and tests for triangles and boxes that lie wholly outside one of their faces.

`oriented` is (place, turn, low, high): a point p is in the box where low <= turnᵀ (p - place) <= high. A side may be
infinitely far out.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import transposed_times
from opendynamics.core.algebra.minmax import larger, smaller
from opendynamics.core.algebra.vec3 import dot, subtract
from opendynamics.core.kernels import kernel


@kernel
def seen_in(oriented, p):
    """A place as the box sees it."""
    return transposed_times(oriented[1], subtract(p, oriented[0]))


@kernel
def triangle_past(axis, low, high, a, b, c):
    """How far a triangle's corners are all above `high`, or all below `low`, along an axis; negative if they are not."""
    u, v, w = dot(axis, a), dot(axis, b), dot(axis, c)
    return larger(smaller(u, smaller(v, w)) - high, low - larger(u, larger(v, w)))


@kernel
def box_past(axis, low, high, centre, half):
    """The same for a box along the axes of the frame, of which centre and half lengths are given."""
    level = dot(axis, centre)
    extent = abs(axis[0]) * half[0] + abs(axis[1]) * half[1] + abs(axis[2]) * half[2]
    return larger(level - extent - high, low - level - extent)


@kernel
def is_outside_face(a, b, c, oriented):
    """Whether a triangle lies outside one face of the box, given its corners in the box's frame."""
    low, high = oriented[2], oriented[3]
    if min(a[0], min(b[0], c[0])) > high[0] or max(a[0], max(b[0], c[0])) < low[0]:
        return True
    if min(a[1], min(b[1], c[1])) > high[1] or max(a[1], max(b[1], c[1])) < low[1]:
        return True
    return min(a[2], min(b[2], c[2])) > high[2] or max(a[2], max(b[2], c[2])) < low[2]
