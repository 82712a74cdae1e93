"""A box on a few cells of a heightfield: the same as `box_triangle.box_penetration`, computed in the box's frame.

Neighbouring triangles share their vertices, and each one needs those across its edges. So the samples of the cells and of a
ring around them are transformed to the box's frame once, and everything else is read from there.

Writes records of triangles as `few_triangles.py` has them.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import transposed_times
from opendynamics.core.algebra.vec3 import cross, dot, get3, get3_from, magnitudes, put3_at, scale, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.triangles.grid import column_range, has_sample, key_of, row_range, sample
from opendynamics.core.bodies.triangles.mesh import ALONG
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER, min_overlap_of_box_on_arc
from opendynamics.core.collide.narrowphase.mesh.box_triangle import edges_separate
from opendynamics.core.collide.narrowphase.mesh.contact_points import FOUND, KEYS, SLOT_POINTS
from opendynamics.core.kernels import kernel

# A triangle, in floats: corners, normal, overlap, its direction.
RECORD, RECORD_WIDTH = FOUND, 16

# Cells whose triangles there is room for, instead of a number of triangles where there are more, and the samples' place: with
# the ring no more than 108.
MAX_CELLS, TOO_MANY, SAMPLES = 24, -1, SLOT_POINTS

# The first coordinate of a sample that the field does not have.
MISSING = inf


@kernel
def measure_on_cells(body, grid, low, high, scratch):
    """Record for each triangle in the box (low, high) that the body touches its data, in the body's frame.

    Returns how many there are, or TOO_MANY, and the minimum penetration.
    """
    keys, floats = integers_at(scratch), floats_at(scratch)
    i0, i1 = column_range(grid, max(low[0], -1.0e15), min(high[0], 1.0e15))
    k0, k1 = row_range(grid, max(low[2], -1.0e15), min(high[2], 1.0e15))
    width, length = i1 - i0 + 1, k1 - k0 + 1
    left, least = 0, inf
    if width < 1 or length < 1:
        return left, least
    if width * length > MAX_CELLS:
        return TOO_MANY, least
    _place_samples(body, grid, i0 - 1, k0 - 1, width + 3, length + 3, floats)
    stride, half_lengths = 3 * (width + 3), scale(0.5, get3(body.shape.size))
    for cell in range(2 * width * length):
        half, i, k = cell & 1, (cell >> 1) % width, (cell >> 1) // width
        at = SAMPLES + stride * (k + 1) + 3 * (i + 1)
        corners, beyond = (at, at + stride, at + 3), (at + stride - 3, at + stride + 3, at - stride + 3)
        if half == 1:
            corners, beyond = (at + stride + 3, at + 3, at + stride), (at + 6, at, at + 2 * stride)
        to = RECORD + RECORD_WIDTH * left
        overlap = _measure(floats, half_lengths, corners, beyond, stride, to)
        if overlap >= 0.0:
            keys[KEYS + left] = key_of(i0 + i, k0 + k, half)
            left += 1
            least = min(least, overlap)
    return left, least


@kernel
def _place_samples(body, grid, i0, k0, width, length, floats):
    """Write the samples from column i0 and row k0 on, as the body sees them."""
    at = SAMPLES
    for k in range(k0, k0 + length):
        for i in range(i0, i0 + width):
            if has_sample(grid, i, k):
                put3_at(floats, at, transposed_times(body.rotation, subtract(sample(grid, i, k), body.position)))
            else:
                floats[at] = MISSING
            at += 3


@kernel
def _measure(floats, half, corners, beyond, stride, to):
    """Write a triangle's record, if the box touches it. Returns the overlap; below zero: it does not."""
    p, q, s = get3_from(floats, corners[0]), get3_from(floats, corners[1]), get3_from(floats, corners[2])
    across = cross(subtract(q, p), subtract(s, p))
    level, extent = dot(across, p), dot(magnitudes(across), half)
    gap = max(max(_gap(p, q, s, half, 0), _gap(p, q, s, half, 1)), _gap(p, q, s, half, 2))
    if max(max(level - extent, -level - extent), gap) > 0.0 or edges_separate((p, q, s), scale(2.0, half)):
        return -1.0
    n = scale(1.0 / sqrt(dot(across, across)), across)
    best = max(dot(n, p) + dot(magnitudes(n), half), 0.0), n
    for axis in range(3):
        best = _min_on_axis(best, floats, half[axis], corners, stride, n[axis], axis)
    for k in range(3):
        ridge, m = _ridge(floats, corners[k], corners[k + 1 if k < 2 else 0], beyond[k], n)
        if ridge:
            overlap, direction = min_overlap_of_box_on_arc(best[0], half, get3_from(floats, corners[k]), n, m)
            if overlap < best[0]:
                best = overlap, direction
    put3_at(floats, to, p)
    put3_at(floats, to + 3, q)
    put3_at(floats, to + 6, s)
    put3_at(floats, to + 9, n)
    floats[to + 12] = best[0]
    put3_at(floats, to + 13, best[1])
    return best[0]


@kernel
def _gap(p, q, s, half, axis):
    """Gap between a triangle and the box along an axis; below zero: they overlap there."""
    low, high = min(p[axis], min(q[axis], s[axis])), max(p[axis], max(q[axis], s[axis]))
    return max(low, -high) - half[axis]


@kernel
def _min_on_axis(best, floats, half, corners, stride, facing, axis):
    """`best`, or the overlap along the box's normal on an axis that faces the triangle, if it is less, and that normal."""
    sign = 1.0 if facing > 0.0 else -1.0
    p, q, s = floats[corners[0] + axis], floats[corners[1] + axis], floats[corners[2] + axis]
    top = max(sign * p, max(sign * q, sign * s))
    overlap = half + top
    if facing == 0.0 or overlap < 0.0 or overlap * BETTER >= best[0]:
        return best
    corner = corners[0] if sign * p == top else (corners[1] if sign * q == top else corners[2])
    if not _is_peak(floats, corner, stride, sign, axis):
        return best
    return overlap, (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)


@kernel
def _is_peak(floats, at, stride, sign, axis):
    """As `triangles.is_peak`, along an axis or against it."""
    for side in range(6):
        # In the order of `grid.is_peak`.
        other = at + (3 if side == 0 or side == 5 else 0) - (3 if side == 2 or side == 3 else 0)
        other += (stride if side == 1 or side == 2 else 0) - (stride if side >= 4 else 0)
        if floats[other] != MISSING:
            edge = subtract(get3_from(floats, other), get3_from(floats, at))
            rise = edge[0] if axis == 0 else (edge[1] if axis == 1 else edge[2])
            if sign * rise > ALONG * (abs(edge[0]) + abs(edge[1]) + abs(edge[2])):
                return False
    return True


@kernel
def _ridge(floats, start, end, beyond, n):
    """As `triangles.ridge_at`; what the directions end at may have any length."""
    edge = subtract(get3_from(floats, end), get3_from(floats, start))
    if floats[beyond] == MISSING:
        return True, cross(edge, n)
    across = subtract(get3_from(floats, beyond), get3_from(floats, start))
    if dot(n, across) >= -ALONG * (abs(across[0]) + abs(across[1]) + abs(across[2])):
        return False, n
    return True, cross(across, edge)
