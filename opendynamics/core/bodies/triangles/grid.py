"""A heightfield in memory: heights over a rectangle, solid below.

The frame is ODE's: x along the width, z along the depth, y up, the rectangle centred on the origin. Height (i, k) is at
number i + k * width_samples. A cell has the corners A (i, k), B (i + 1, k), C (i, k + 1), D (i + 1, k + 1) and is cut
along B-C into the triangles A C B (half 0) and D B C (half 1). A field that wraps continues for ever: sample i + n - 1 is
sample i.

A triangle's key is 2 * (row * SPAN + column) + half, with row and column of its cell counted from -HALF_SPAN: a number
that a float can hold.
"""

from __future__ import annotations

from math import floor

import numpy as np

from opendynamics.core.algebra.vec3 import add, dot, normalize, subtract
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.triangles.mesh import ALONG
from opendynamics.core.bodies.triangles.oriented_box import is_outside_face, seen_in
from opendynamics.core.kernels import kernel

GRID = [
    ("heights", "i8"),  # address of float64, m
    ("columns", "i8"),  # samples along x
    ("rows", "i8"),  # samples along z
    ("wrap", "i8"),
    ("cell_x", "f8"),  # m
    ("cell_z", "f8"),
    ("first_x", "f8"),  # place of sample 0, m
    ("first_z", "f8"),
    ("low", "f8"),  # m, bounds of heights
    ("high", "f8"),
    ("thickness", "f8"),
]

SPAN = 1 << 25
HALF_SPAN = 1 << 24

# Coordinates beyond this, m, are clamped to it before cells are counted: an infinite box would have no number of cells.
FAR = 1.0e15

# Cells of a field that wraps, or those of the field itself if it has more, beyond which a box meets too many of them: going
# through these takes about a second.
MOST_CELLS = 1 << 26

# Factor on squared distances within which rounding leaves out nothing.
ROOMY = 1.0 + 1.0e-9

_grid_at = array_of(GRID, 1)
_floats_at = array_of(np.float64)


@kernel
def grid_at(address):
    """The grid record at `address`."""
    return _grid_at(address)[0]


@kernel
def key_of(i, k, half):
    """Key of half a cell."""
    return 2 * ((k + HALF_SPAN) * SPAN + i + HALF_SPAN) + half


@kernel
def cell_of(key):
    """Column, row and half."""
    cell = key >> 1
    return cell % SPAN - HALF_SPAN, cell // SPAN - HALF_SPAN, key & 1


@kernel
def side_of(grid, key):
    """Twice the cell's number, row by row, plus the half; cells of a field that wraps have their number in it."""
    i, k, half = cell_of(key)
    return 2 * ((k % (grid.rows - 1)) * (grid.columns - 1) + i % (grid.columns - 1)) + half


@kernel
def sample(grid, i, k):
    """The corner (i, k), which must be in the field unless it wraps."""
    column, row = i, k
    if grid.wrap != 0:
        column, row = i % (grid.columns - 1), k % (grid.rows - 1)
    height = _floats_at(grid.heights, grid.columns * grid.rows)[column + row * grid.columns]
    return grid.first_x + i * grid.cell_x, height, grid.first_z + k * grid.cell_z


@kernel
def has_sample(grid, i, k):
    return grid.wrap != 0 or (0 <= i < grid.columns and 0 <= k < grid.rows)


@kernel
def sample_or(grid, i, k, otherwise):
    return sample(grid, i, k) if has_sample(grid, i, k) else otherwise


@kernel
def corners_of(grid, key):
    i, k, half = cell_of(key)
    b, c = sample(grid, i + 1, k), sample(grid, i, k + 1)
    if half == 0:
        return sample(grid, i, k), c, b
    return sample(grid, i + 1, k + 1), b, c


@kernel
def triangle(grid, key):
    """Corners of a triangle, and the corners across its edges."""
    i, k, half = cell_of(key)
    corners = corners_of(grid, key)
    _, second, third = corners
    if half == 0:
        # Edges A C, C B, B A.
        beyond_ac, beyond_ba = sample_or(grid, i - 1, k + 1, third), sample_or(grid, i + 1, k - 1, second)
        return corners, (beyond_ac, sample(grid, i + 1, k + 1), beyond_ba)
    # Edges D B, B C, C D.
    beyond_db, beyond_cd = sample_or(grid, i + 2, k, third), sample_or(grid, i, k + 2, second)
    return corners, (beyond_db, sample(grid, i, k), beyond_cd)


@kernel
def beyond_edge(grid, key, edge):
    """Whether there is a triangle across an edge (0, 1, 2 as in `triangle`), and its corner that is not on the edge."""
    i, k, half = cell_of(key)
    if half == 0:
        column, row = i - 1 if edge == 0 else i + 1, k - 1 if edge == 2 else k + 1
    else:
        column, row = i + 2 if edge == 0 else i, k + 2 if edge == 2 else k
    if not has_sample(grid, column, row):
        return False, (0.0, 0.0, 0.0)
    return True, sample(grid, column, row)


@kernel
def column_range(grid, low, high):
    """First and last cell along x that an interval meets."""
    low, high = max(low, -FAR), min(high, FAR)
    first, last = int(floor((low - grid.first_x) / grid.cell_x)), int(floor((high - grid.first_x) / grid.cell_x))
    if grid.wrap == 0:
        first, last = max(first, 0), min(last, grid.columns - 2)
    return first, last


@kernel
def row_range(grid, low, high):
    """First and last cell along z that an interval meets."""
    low, high = max(low, -FAR), min(high, FAR)
    first, last = int(floor((low - grid.first_z) / grid.cell_z)), int(floor((high - grid.first_z) / grid.cell_z))
    if grid.wrap == 0:
        first, last = max(first, 0), min(last, grid.rows - 2)
    return first, last


@kernel
def is_endless(grid, low, high):
    """Whether a box meets so many cells of a field that wraps that a step would not end."""
    if grid.wrap == 0 or low[1] > grid.high or high[1] < grid.low:
        return False
    across = (min(high[0], FAR) - max(low[0], -FAR)) / grid.cell_x + 1.0
    along = (min(high[2], FAR) - max(low[2], -FAR)) / grid.cell_z + 1.0
    return across * along > max(MOST_CELLS, (grid.columns - 1) * (grid.rows - 1))


@kernel
def is_skipped(grid, low, high):
    """Whether no triangle is gathered in a box: there is none, or there are too many."""
    return grid.wrap != 0 and (low[1] > grid.high or high[1] < grid.low or is_endless(grid, low, high))


@kernel
def gather(grid, low, high, keys, first, room, cursor):
    """See the package's `gather`; the cursor counts cells of the box, row by row. A grid is solid: only tops count."""
    i0, i1 = column_range(grid, low[0], high[0])
    k0, k1 = row_range(grid, low[2], high[2])
    if i1 < i0 or k1 < k0 or is_skipped(grid, low, high):
        return 0, -1
    width = i1 - i0 + 1
    count = 0
    for cell in range(cursor, width * (k1 - k0 + 1)):
        if count + 2 > room:
            return count, cell
        i, k = i0 + cell % width, k0 + cell // width
        for half in range(2):
            key = key_of(i, k, half)
            a, b, c = corners_of(grid, key)
            if max(a[1], max(b[1], c[1])) >= low[1] and min(a[1], min(b[1], c[1])) <= high[1]:
                keys[first + count] = key
                count += 1
    return count, -1


@kernel
def gather_in(grid, low, high, oriented, keys, first, room, cursor):
    """See the package's `gather_in`; the cursor is that of `gather`."""
    i0, i1 = column_range(grid, low[0], high[0])
    k0, k1 = row_range(grid, low[2], high[2])
    if i1 < i0 or k1 < k0 or is_skipped(grid, low, high):
        return 0, -1
    width, count = i1 - i0 + 1, 0
    for k in range(k0 + cursor // width, k1 + 1):
        for i in range(i0 + cursor % width if k == k0 + cursor // width else i0, i1 + 1):
            if count + 2 > room:
                return count, (k - k0) * width + i - i0
            a, b, c, d = sample(grid, i, k), sample(grid, i + 1, k), sample(grid, i, k + 1), sample(grid, i + 1, k + 1)
            least, most = min(b[1], c[1]), max(b[1], c[1])
            if max(most, max(a[1], d[1])) < low[1] or min(least, min(a[1], d[1])) > high[1]:
                continue
            p, q = seen_in(oriented, b), seen_in(oriented, c)
            level = max(most, a[1]) >= low[1] and min(least, a[1]) <= high[1]
            if level and not is_outside_face(seen_in(oriented, a), p, q, oriented):
                keys[first + count] = key_of(i, k, 0)
                count += 1
            level = max(most, d[1]) >= low[1] and min(least, d[1]) <= high[1]
            if level and not is_outside_face(seen_in(oriented, d), p, q, oriented):
                keys[first + count] = key_of(i, k, 1)
                count += 1
    return count, -1


@kernel
def gather_near(grid, p, distance, keys, first, room, cursor):
    """See the package's `gather_near`; the cursor is that of `gather`."""
    i0, i1 = column_range(grid, p[0] - distance, p[0] + distance)
    k0, k1 = row_range(grid, p[2] - distance, p[2] + distance)
    reach = distance, distance, distance
    if i1 < i0 or k1 < k0 or is_skipped(grid, subtract(p, reach), add(p, reach)):
        return 0, -1
    width, count, square = i1 - i0 + 1, 0, distance * distance * ROOMY
    for k in range(k0 + cursor // width, k1 + 1):
        z = grid.first_z + k * grid.cell_z
        across = max(max(z - p[2], p[2] - z - grid.cell_z), 0.0)
        for i in range(i0 + cursor % width if k == k0 + cursor // width else i0, i1 + 1):
            if count + 2 > room:
                return count, (k - k0) * width + i - i0
            x = grid.first_x + i * grid.cell_x
            along = max(max(x - p[0], p[0] - x - grid.cell_x), 0.0)
            left = square - along * along - across * across
            if left < 0.0:
                continue
            b, c = sample(grid, i + 1, k)[1], sample(grid, i, k + 1)[1]
            for half in range(2):
                other = sample(grid, i + half, k + half)[1]
                over = max(p[1] - max(other, max(b, c)), min(other, min(b, c)) - p[1])
                if over > 0.0 and over * over > left:
                    continue
                u, v = (other - b, other - c) if half == 0 else (c - other, b - other)
                normal = u * grid.cell_z, grid.cell_x * grid.cell_z, v * grid.cell_x
                corner = x + half * grid.cell_x, other, z + half * grid.cell_z
                height = dot(normal, subtract(p, corner))
                if height * height <= square * dot(normal, normal):
                    keys[first + count] = key_of(i, k, half)
                    count += 1
    return count, -1


@kernel
def normal_at(grid, key):
    """Unit normal of a triangle: from the heights' slopes."""
    i, k, half = cell_of(key)
    b, c = sample(grid, i + 1, k)[1], sample(grid, i, k + 1)[1]
    if half == 0:
        a = sample(grid, i, k)[1]
        return normalize(((a - b) * grid.cell_z, grid.cell_x * grid.cell_z, (a - c) * grid.cell_x))
    d = sample(grid, i + 1, k + 1)[1]
    return normalize(((c - d) * grid.cell_z, grid.cell_x * grid.cell_z, (b - d) * grid.cell_x))


@kernel
def column_and_row(key, corner):
    """The sample that a corner (0, 1, 2) of a triangle is."""
    i, k, half = cell_of(key)
    if half == 0:
        return i + (1 if corner == 2 else 0), k + (1 if corner == 1 else 0)
    return i + (0 if corner == 2 else 1), k + (0 if corner == 1 else 1)


@kernel
def neighbour(i, k, side):
    """A sample that shares an edge with sample (i, k), of six; counterclockwise from +x."""
    # (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1).
    column = i + (1 if side == 0 or side == 5 else 0) - (1 if side == 2 or side == 3 else 0)
    return column, k + (1 if side == 1 or side == 2 else 0) - (1 if side >= 4 else 0)


@kernel
def is_peak(grid, key, corner, n):
    """See the package's `is_peak`. A corner has six neighbours."""
    i, k = column_and_row(key, corner)
    here = sample(grid, i, k)
    for side in range(6):
        column, row = neighbour(i, k, side)
        if has_sample(grid, column, row):
            edge = subtract(sample(grid, column, row), here)
            if dot(n, edge) > ALONG * (abs(edge[0]) + abs(edge[1]) + abs(edge[2])):
                return False
    return True


@kernel
def place_in(grid, x, z):
    """Whether there is a surface above or below (x, z), its cell, and where in the cell, each from 0 to 1."""
    u, v = (x - grid.first_x) / grid.cell_x, (z - grid.first_z) / grid.cell_z
    i, k = int(floor(u)), int(floor(v))
    if grid.wrap == 0:
        if not (0.0 <= u <= grid.columns - 1.0 and 0.0 <= v <= grid.rows - 1.0):
            return False, 0, 0, 0.0, 0.0
        i, k = min(i, grid.columns - 2), min(k, grid.rows - 2)
    return True, i, k, u - i, v - k


@kernel
def height_at(grid, x, z):
    """Whether there is a surface above or below (x, z), and its height, m."""
    inside, i, k, u, v = place_in(grid, x, z)
    if not inside:
        return False, 0.0
    b, c = sample(grid, i + 1, k)[1], sample(grid, i, k + 1)[1]
    if u + v <= 1.0:
        a = sample(grid, i, k)[1]
        return True, a + u * (b - a) + v * (c - a)
    d = sample(grid, i + 1, k + 1)[1]
    return True, d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d)


@kernel
def key_at(grid, x, z):
    """Key of the triangle above or below (x, z), where there is one."""
    _, i, k, u, v = place_in(grid, x, z)
    return key_of(i, k, 0 if u + v <= 1.0 else 1)
