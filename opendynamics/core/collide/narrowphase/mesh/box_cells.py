"""A box on a few cells of a heightfield: the same as `box_triangle.box_mtv_local`, computed in the box's frame.

Neighbouring triangles share their vertices. So the samples of the cells are transformed to the box's frame once, and stored by
coordinate: which triangles the box touches is decided for those of eight cells at a time.

Writes records of triangles as `few_triangles.py` has them.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from opendynamics.core.algebra.mat3 import transposed_times
from opendynamics.core.algebra.minmax import larger, smaller
from opendynamics.core.algebra.vec3 import cross, dot, get3, get3_from, magnitudes, put3_at, scale, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.triangles.grid import (
    beyond_edge,
    cell_of,
    column_and_row,
    column_range,
    has_sample,
    key_of,
    neighbour,
    row_range,
    sample,
)
from opendynamics.core.bodies.triangles.mesh import ALONG
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER, min_overlap_of_box_on_arc
from opendynamics.core.collide.narrowphase.mesh.box_triangle import edge_gap
from opendynamics.core.collide.narrowphase.mesh.contact_points import FOUND, KEYS, REMAINING, SLOT_POINTS
from opendynamics.core.kernels import kernel

# Record of a triangle, in floats: corners, unit normal, overlap, and the overlap's outward direction.
RECORD, RECORD_WIDTH = FOUND, 16
NORMAL, OVERLAP, OUTWARD = 9, 12, 13

# Cells whose triangles there is room for, instead of a number of triangles where there are more.
MAX_CELLS, TOO_MANY = 24, -1

# Samples by coordinate, row by row: room for those of the cells, up to 50, and for what is read after the last one.
SAMPLES, PLANE = SLOT_POINTS, 64

# Cells that are tested together, and where the results are, as bits.
LANES, MET = 8, REMAINING

_lanes_at = array_of(np.float64, LANES)


@kernel
def measure_on_cells(body, grid, low, high, scratch):
    """Record for each triangle in the box (low, high) that the body touches its data, in the body's frame.

    Returns how many there are, or TOO_MANY, and the minimum penetration.
    """
    keys, floats = integers_at(scratch), floats_at(scratch)
    i0, i1 = column_range(grid, low[0], high[0])
    k0, k1 = row_range(grid, low[2], high[2])
    width, length = i1 - i0 + 1, k1 - k0 + 1
    least = inf
    if width < 1 or length < 1:
        return 0, least
    if width * length > MAX_CELLS:
        return TOO_MANY, least
    half_lengths, stride = scale(0.5, get3(body.shape.size)), width + 1
    _place_samples(body, grid, i0, k0, width + 1, length + 1, floats)
    for first in range(0, stride * length - 1, LANES):
        a, c = scratch + 8 * (SAMPLES + first), scratch + 8 * (SAMPLES + first + stride)
        met, other = _triangles_met(a, c, a + 8, half_lengths), _triangles_met(c + 8, a + 8, c, half_lengths)
        keys[MET + first // LANES] = met | other << LANES
    left = _list_met(i0, k0, width, length, keys)
    # Square roots take long, and these need not wait for each other.
    for k in range(left):
        at, side = _place_of(keys[KEYS + k], i0, k0, stride)
        _begin_record(floats, at, side, stride, RECORD + RECORD_WIDTH * k)
    for k in range(left):
        at, side = _place_of(keys[KEYS + k], i0, k0, stride)
        opposite = _placed(floats, at + (1 - side) * (stride + 1))
        overlap = _measure(body, grid, floats, half_lengths, keys[KEYS + k], opposite, RECORD + RECORD_WIDTH * k)
        least = min(least, overlap)
    return left, least


@kernel
def _place_samples(body, grid, i0, k0, width, length, floats):
    """Write the samples from column i0 and row k0 on, as the body sees them."""
    at = SAMPLES
    for k in range(k0, k0 + length):
        for i in range(i0, i0 + width):
            x, y, z = _local_point(body, sample(grid, i, k))
            floats[at], floats[at + PLANE], floats[at + 2 * PLANE] = x, y, z
            at += 1


@kernel
def _local_point(body, place):
    return transposed_times(body.rotation, subtract(place, body.position))


@kernel
def _triangles_met(p, q, s, half):
    """Bits of the triangles that the box touches, of eight whose corners are at three addresses: by separating axes."""
    px, py, pz = _lanes_at(p), _lanes_at(p + 8 * PLANE), _lanes_at(p + 16 * PLANE)
    qx, qy, qz = _lanes_at(q), _lanes_at(q + 8 * PLANE), _lanes_at(q + 16 * PLANE)
    sx, sy, sz = _lanes_at(s), _lanes_at(s + 8 * PLANE), _lanes_at(s + 16 * PLANE)
    met = 0
    for k in range(LANES):
        a, b, c = (px[k], py[k], pz[k]), (qx[k], qy[k], qz[k]), (sx[k], sy[k], sz[k])
        across = cross(subtract(b, a), subtract(c, a))
        level, extent = dot(across, a), dot(magnitudes(across), half)
        gap = larger(level - extent, -level - extent)
        gap = larger(gap, _face_gap(a[0], b[0], c[0], half[0]))
        gap = larger(gap, larger(_face_gap(a[1], b[1], c[1], half[1]), _face_gap(a[2], b[2], c[2], half[2])))
        gap = larger(gap, larger(edge_gap(a, b, c, half), larger(edge_gap(b, c, a, half), edge_gap(c, a, b, half))))
        met |= (1 << k) if gap <= 0.0 else 0
    return met


@kernel
def _face_gap(p, q, s, half):
    """Gap between a triangle's corners and the box along an axis of the box; below zero: they overlap there."""
    return larger(smaller(p, smaller(q, s)), -larger(p, larger(q, s))) - half


@kernel
def _list_met(i0, k0, width, length, keys):
    """Write the keys of the triangles that the box touches; returns how many there are."""
    found = 0
    for k in range(length):
        for i in range(width):
            at = k * (width + 1) + i
            met = keys[MET + at // LANES] >> at % LANES
            keys[KEYS + found] = key_of(i0 + i, k0 + k, 0)
            found += met & 1
            keys[KEYS + found] = key_of(i0 + i, k0 + k, 1)
            found += met >> LANES & 1
    return found


@kernel
def _place_of(key, i0, k0, stride):
    """Place of the first corner of a triangle's cell, and which half of the cell it is."""
    i, k, side = cell_of(key)
    return SAMPLES + stride * (k - k0) + i - i0, side


@kernel
def _begin_record(floats, at, side, stride, to):
    """Write corners and normal of a triangle."""
    p = _placed(floats, at + side * (stride + 1))
    q, s = _placed(floats, at + (stride if side == 0 else 1)), _placed(floats, at + (1 if side == 0 else stride))
    across = cross(subtract(q, p), subtract(s, p))
    put3_at(floats, to, p)
    put3_at(floats, to + 3, q)
    put3_at(floats, to + 6, s)
    put3_at(floats, to + NORMAL, scale(1.0 / sqrt(dot(across, across)), across))


@kernel
def _measure(body, grid, floats, half, key, opposite, to):
    """Complete the record of a triangle that the box touches; returns the overlap. `opposite`: the cell's other corner."""
    p, q, s, n = (
        get3_from(floats, to),
        get3_from(floats, to + 3),
        get3_from(floats, to + 6),
        get3_from(floats, to + NORMAL),
    )
    best = max(dot(n, p) + dot(magnitudes(n), half), 0.0), n
    for axis in range(3):
        best = _min_on_axis(best, body, grid, key, (p[axis], q[axis], s[axis]), half[axis], n[axis], axis)
    for edge in range(3):
        start, end = (p if edge == 0 else (q if edge == 1 else s)), (q if edge == 0 else (s if edge == 1 else p))
        found, beyond = True, opposite
        if edge != 1:
            found, place = beyond_edge(grid, key, edge)
            beyond = _local_point(body, place)
        ridge, m = _ridge(start, end, found, beyond, n)
        if ridge:
            overlap, direction = min_overlap_of_box_on_arc(best[0], half, start, n, m)
            if overlap < best[0]:
                best = overlap, direction
    floats[to + OVERLAP] = best[0]
    put3_at(floats, to + OUTWARD, best[1])
    return best[0]


@kernel
def _placed(floats, at):
    return floats[at], floats[at + PLANE], floats[at + 2 * PLANE]


@kernel
def _min_on_axis(best, body, grid, key, along, half, facing, axis):
    """`best`, or the overlap along the box's normal on an axis that faces the triangle, if it is less, and that normal."""
    sign = 1.0 if facing > 0.0 else -1.0
    top = larger(sign * along[0], larger(sign * along[1], sign * along[2]))
    overlap = half + top
    if facing == 0.0 or overlap < 0.0 or overlap * BETTER >= best[0]:
        return best
    corner = 0 if sign * along[0] == top else (1 if sign * along[1] == top else 2)
    if not _is_peak(body, grid, key, corner, sign, axis):
        return best
    return overlap, (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)


@kernel
def _is_peak(body, grid, key, corner, sign, axis):
    """As `triangles.is_peak`, along an axis of the box or against it."""
    i, k = column_and_row(key, corner)
    r, here = body.rotation, _local_point(body, sample(grid, i, k))
    out, level = (r[axis], r[axis + 3], r[axis + 6]), here[axis]
    for side in range(6):
        column, row = neighbour(i, k, side)
        if has_sample(grid, column, row):
            place = subtract(sample(grid, column, row), body.position)
            rise = sign * (dot(out, place) - level)
            if rise > 0.0:
                edge = subtract(transposed_times(r, place), here)
                if rise > ALONG * (abs(edge[0]) + abs(edge[1]) + abs(edge[2])):
                    return False
    return True


@kernel
def _ridge(start, end, found, beyond, n):
    """As `triangles.ridge_at`; the returned direction may have any length. `beyond`: the corner across, if it is found."""
    edge = subtract(end, start)
    if not found:
        return True, cross(edge, n)
    across = subtract(beyond, start)
    if dot(n, across) >= -ALONG * (abs(across[0]) + abs(across[1]) + abs(across[2])):
        return False, n
    return True, cross(across, edge)
