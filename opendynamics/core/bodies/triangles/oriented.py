"""Boxes in any orientation, and what lies wholly beside one of their sides.

`oriented` is (place, turn, low, high): a point p is in the box where low <= turnᵀ (p - place) <= high. A side may be
infinitely far out.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import transposed_times
from opendynamics.core.algebra.vec3 import subtract
from opendynamics.core.kernels import kernel


@kernel
def seen_in(oriented, p):
    """A place as the box sees it."""
    return transposed_times(oriented[1], subtract(p, oriented[0]))


@kernel
def is_beside(corners, oriented):
    """Whether a triangle lies beside the box."""
    return are_beside(
        seen_in(oriented, corners[0]), seen_in(oriented, corners[1]), seen_in(oriented, corners[2]), oriented
    )


@kernel
def are_beside(a, b, c, oriented):
    """The same, for corners as the box sees them."""
    low, high = oriented[2], oriented[3]
    if min(a[0], min(b[0], c[0])) > high[0] or max(a[0], max(b[0], c[0])) < low[0]:
        return True
    if min(a[1], min(b[1], c[1])) > high[1] or max(a[1], max(b[1], c[1])) < low[1]:
        return True
    return min(a[2], min(b[2], c[2])) > high[2] or max(a[2], max(b[2], c[2])) < low[2]


@kernel
def node_is_beside(box, oriented):
    """Whether a box along the axes (x min, x max, y min, ...) lies beside one of the sides."""
    _, r, low, high = oriented
    centre = seen_in(oriented, (0.5 * (box[0] + box[1]), 0.5 * (box[2] + box[3]), 0.5 * (box[4] + box[5])))
    x, y, z = 0.5 * (box[1] - box[0]), 0.5 * (box[3] - box[2]), 0.5 * (box[5] - box[4])
    reach = abs(r[0]) * x + abs(r[3]) * y + abs(r[6]) * z
    if centre[0] - reach > high[0] or centre[0] + reach < low[0]:
        return True
    reach = abs(r[1]) * x + abs(r[4]) * y + abs(r[7]) * z
    if centre[1] - reach > high[1] or centre[1] + reach < low[1]:
        return True
    reach = abs(r[2]) * x + abs(r[5]) * y + abs(r[8]) * z
    return centre[2] - reach > high[2] or centre[2] + reach < low[2]
