"""The vertices of a mesh by coordinate, in patches of neighbours: for queries of all of them at once.

A patch is SIDE vertices that lie close together: they are repeatedly split across the longest side of their box. The
last patch is filled up with copies of its last vertex. Stored are, each as an array of its own so that a processor
reads several numbers at a time: x, y, z of all vertices, and of every patch's box the centre and half the extent.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.core.algebra.argmax import key_of
from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import kernel

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

# Vertices of a patch.
SIDE = 16

# Fraction of its place and extent by which a box is larger than its vertices, so that rounding leaves none outside.
ROUNDING = 1.0e-14

_floats_at = array_of(np.float64)
_numbers_at = array_of(np.int64)


def patches(vertices: Floats, corners: Integers) -> tuple[int, Floats, Places]:
    """Number of vertices that a triangle has, the arrays one after another, and the first triangle of each vertex.

    `vertices` (V, 3), `corners` (T, 3) of each triangle.
    """
    listed = _split(vertices, np.unique(corners))
    owners = np.full(len(vertices), len(corners))
    np.minimum.at(owners, corners, np.arange(len(corners))[:, None])
    filled = np.concatenate([listed, np.repeat(listed[-1:], -len(listed) % SIDE)])
    points = vertices[filled]
    boxes = points.reshape(-1, SIDE, 3)
    low, high = boxes.min(axis=1), boxes.max(axis=1)
    centre, half = 0.5 * (low + high), 0.5 * (high - low)
    half += ROUNDING * (half + abs(centre)).max(axis=1, keepdims=True)
    floats = np.concatenate([array.T.reshape(-1) for array in (points, centre, half)])
    return len(listed), floats, owners[filled].astype(np.int32)


def _split(vertices: Floats, numbers: Integers) -> Integers:
    """The numbers of vertices in the order of their patches."""
    done: list[Integers] = []
    waiting = [numbers]
    while waiting:
        part = waiting.pop()
        if len(part) <= SIDE:
            done.append(part)
            continue
        places = vertices[part]
        axis = int(np.argmax(np.ptp(places, axis=0)))
        part = part[np.argsort(places[:, axis], kind="stable")]
        middle = SIDE * (-(-len(part) // SIDE) // 2)
        waiting += [part[middle:], part[:middle]]
    return np.concatenate(done)


@kernel
def patch_count(mesh):
    return (mesh.point_count + SIDE - 1) // SIDE


@kernel
def cloud_of(mesh):
    """(address, length of a row, number of vertices, address of their owners): all x from the address on, all y, all z."""
    return mesh.points, SIDE * patch_count(mesh), mesh.point_count, mesh.owners


@kernel
def vertices_of(mesh, patch):
    """x, y, z of the vertices of a patch."""
    row, points = 8 * SIDE * patch_count(mesh), mesh.points + 8 * SIDE * patch
    return _floats_at(points, SIDE), _floats_at(points + row, SIDE), _floats_at(points + 2 * row, SIDE)


@kernel
def boxes_of(mesh, first, count):
    """Of the boxes of `count` patches: x, y, z of the centres, and half the extents."""
    row = 8 * patch_count(mesh)
    centre = mesh.points + 3 * SIDE * row + 8 * first
    half = centre + 3 * row
    x, y, z = _floats_at(centre, count), _floats_at(centre + row, count), _floats_at(centre + 2 * row, count)
    return x, y, z, _floats_at(half, count), _floats_at(half + row, count), _floats_at(half + 2 * row, count)


@kernel
def lows_and_highs(mesh, first, count, n, lows, highs):
    """n·x at the lowest and highest corner of the boxes of `count` patches, to floats at the addresses `lows`, `highs`."""
    x, y, z, u, v, w = boxes_of(mesh, first, count)
    low, high = _floats_at(lows, count), _floats_at(highs, count)
    a, b, c = abs(n[0]), abs(n[1]), abs(n[2])
    for k in range(count):
        middle, extent = n[0] * x[k] + n[1] * y[k] + n[2] * z[k], a * u[k] + b * v[k] + c * w[k]
        low[k], high[k] = middle - extent, middle + extent


@kernel
def count_below(mesh, patch, n, level):
    """How many vertices of a patch have n·x <= level."""
    count, (x, y, z) = 0, vertices_of(mesh, patch)
    for k in range(SIDE):
        count += 1 if n[0] * x[k] + n[1] * y[k] + n[2] * z[k] <= level else 0
    return count


@kernel
def furthest_below(mesh, patch, n, level, along, size):
    """Key of the vertex of a patch that is furthest along a direction, of those with n·x <= level; below SIDE: there is none."""
    best, (x, y, z) = 0, vertices_of(mesh, patch)
    for k in range(SIDE):
        projection = along[0] * x[k] + along[1] * y[k] + along[2] * z[k] + size
        below = n[0] * x[k] + n[1] * y[k] + n[2] * z[k] <= level
        best = max(best, key_of(projection if below else 0.0, k))
    return best


@kernel
def order_ends(mesh, first, count, along, size, lows, level, keys):
    """Keys of how far the boxes of `count` patches reach along a direction, to integers at an address; 0 where lows > level.

    Returns the largest.
    """
    x, y, z, u, v, w = boxes_of(mesh, first, count)
    low, key = _floats_at(lows, count), _numbers_at(keys, count)
    a, b, c, best = abs(along[0]), abs(along[1]), abs(along[2]), 0
    for k in range(count):
        middle, extent = along[0] * x[k] + along[1] * y[k] + along[2] * z[k], a * u[k] + b * v[k] + c * w[k]
        here = key_of(middle + extent + size if low[k] <= level else 0.0, k)
        key[k] = here
        best = max(best, here)
    return best


@kernel
def next_key(keys, count, before):
    """The largest of `count` keys at an address that is less than `before`."""
    key, best = _numbers_at(keys, count), 0
    for k in range(count):
        best = max(best, key[k] if key[k] < before else 0)
    return best
