"""The tree of boxes again, each node with the boxes of up to eight others: what rays, boxes and spheres go through.

Three levels of the binary tree become one, and boxes and the triangles of leaves are stored by coordinate, so that a query is
tested against several of them at a time (Wald, Benthin and Boulos, Getting Rid of Packets, 2008). The boxes and triangles that
it meets are returned as bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.core.algebra.mat3 import column0, column1, column2
from opendynamics.core.algebra.minmax import larger, smaller
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.triangles.bvh8_overlaps import BRANCHES
from opendynamics.core.bodies.triangles.mesh import LEAF
from opendynamics.core.bodies.triangles.oriented_box import box_past, triangle_past
from opendynamics.core.kernels import kernel

Floats = npt.NDArray[np.float64]

GENERATIONS = 3

# Floats of a node: x, y, z of the lower corners, of the upper corners, and, as integers, the contents of the boxes: the index
# of a node, or that of a leaf, counted from -1 downwards.
WIDTH = 7 * BRANCHES
INSIDE = 6 * BRANCHES

# Floats of a leaf: x, y, z of the first corners of its triangles, of the second and third ones, and, as integers, their
# keys. Where there are fewer than LEAF, all corners are one, no ray meets it, and the key is NO_TRIANGLE.
LEAF_WIDTH = 10 * LEAF
KEYS = 9 * LEAF
NO_TRIANGLE = -1

# Where boxes that there are not are: no ray comes there, not even one that stays where it is.
NOWHERE = 1.0e300

# Fraction of a ray by which it may miss a box, and of a triangle's volume with it by which it may nearly miss an edge.
EDGE = 1.0e-12
NEARLY = 2.0e-12

node_at = array_of(np.float64, WIDTH)
_numbers_at = array_of(np.int64, WIDTH)
leaf_at = array_of(np.float64, LEAF_WIDTH)
_keys_at = array_of(np.int64, LEAF_WIDTH)


def wide_nodes(nodes: npt.NDArray[np.void]) -> Floats:
    """The nodes (n, WIDTH) of a tree of NODE records in preorder."""
    skip, is_leaf = nodes["skip"].astype(np.int64), nodes["count"] > 0
    numbers = np.cumsum(is_leaf) - 1
    boxes = np.append(nodes["box"], np.full((1, 6), NOWHERE), axis=0)
    levels: list[Floats] = []
    front, count = np.zeros(1, np.int64), 1
    while len(front):
        slots = front[:, None]
        for _ in range(GENERATIONS):
            inner = (slots >= 0) & ~is_leaf[slots]
            left = np.where(inner, slots + 1, slots)
            right = np.where(inner, left + skip[left], -1)
            slots = np.stack([left, right], axis=2).reshape(len(front), -1)
        inner = (slots >= 0) & ~is_leaf[slots]
        front = slots[inner]
        inside = np.where(slots >= 0, -1 - numbers[slots], 0)
        inside[inner] = count + np.arange(len(front))
        count += len(front)
        level = np.empty((len(slots), WIDTH))
        level[:, :INSIDE] = boxes[slots][:, :, [0, 2, 4, 1, 3, 5]].swapaxes(1, 2).reshape(len(slots), -1)
        level[:, INSIDE:].view(np.int64)[:] = inside
        levels.append(level)
    return np.concatenate(levels)


def leaves(nodes: npt.NDArray[np.void], order: npt.NDArray[np.int32], corners: Floats) -> Floats:
    """The leaves (m, LEAF_WIDTH) of a tree, in its order; `corners` (t, 3, 3) of each triangle."""
    found = nodes[nodes["count"] > 0]
    lane = np.arange(LEAF)
    here = lane < found["count"][:, None]
    keys = order[np.where(here, found["first"][:, None] + lane, 0)].astype(np.int64)
    places = np.where(here[:, :, None, None], corners[keys], corners[keys][:, :, :1])
    made = np.empty((len(found), LEAF_WIDTH))
    made[:, :KEYS] = places.reshape(len(found), LEAF, 9).swapaxes(1, 2).reshape(len(found), -1)
    made[:, KEYS:].view(np.int64)[:] = np.where(here, keys, NO_TRIANGLE)
    return made


@kernel
def boxes_passed(address, start, pace, max_distance):
    """Bit mask of a node's boxes that a ray hits within `max_distance`; `pace`: reciprocals of its direction, finite."""
    box, passed = node_at(address), 0
    for k in range(BRANCHES):
        u, x = (box[k] - start[0]) * pace[0], (box[3 * BRANCHES + k] - start[0]) * pace[0]
        v, y = (box[BRANCHES + k] - start[1]) * pace[1], (box[4 * BRANCHES + k] - start[1]) * pace[1]
        w, z = (box[2 * BRANCHES + k] - start[2]) * pace[2], (box[5 * BRANCHES + k] - start[2]) * pace[2]
        first = larger(larger(smaller(u, x), smaller(v, y)), larger(smaller(w, z), 0.0))
        last = smaller(smaller(larger(u, x), larger(v, y)), smaller(larger(w, z), max_distance))
        passed |= (1 << k) if first <= last * (1.0 + EDGE) else 0
    return passed


@kernel
def boxes_inside_faces(address, oriented):
    """Bit mask of a node's boxes that do not lie wholly outside a face of an oriented box, see `oriented_box.py`."""
    box, met = node_at(address), 0
    origin, turn, least, most = oriented
    x, y, z = column0(turn), column1(turn), column2(turn)
    for k in range(BRANCHES):
        a, b, c = box[k], box[BRANCHES + k], box[2 * BRANCHES + k]
        d, e, f = box[3 * BRANCHES + k], box[4 * BRANCHES + k], box[5 * BRANCHES + k]
        centre = 0.5 * (a + d) - origin[0], 0.5 * (b + e) - origin[1], 0.5 * (c + f) - origin[2]
        half = 0.5 * (d - a), 0.5 * (e - b), 0.5 * (f - c)
        u, v = box_past(x, least[0], most[0], centre, half), box_past(y, least[1], most[1], centre, half)
        met |= (1 << k) if larger(u, larger(v, box_past(z, least[2], most[2], centre, half))) <= 0.0 else 0
    return met


@kernel
def distance_to_box(address, k, start, pace):
    """How far along a ray that comes through a box of a node it is until there."""
    box = node_at(address)
    u = smaller((box[k] - start[0]) * pace[0], (box[3 * BRANCHES + k] - start[0]) * pace[0])
    v = smaller((box[BRANCHES + k] - start[1]) * pace[1], (box[4 * BRANCHES + k] - start[1]) * pace[1])
    w = smaller((box[2 * BRANCHES + k] - start[2]) * pace[2], (box[5 * BRANCHES + k] - start[2]) * pace[2])
    return larger(larger(u, v), larger(w, 0.0))


@kernel
def inside_of(address, k):
    """Contents of a box of a node."""
    return _numbers_at(address)[INSIDE + k]


@kernel
def triangles_met(address, start, along):
    """Bits of the triangles of a leaf that a line meets, or nearly so: of which all volumes with it have one sign."""
    corner, met = leaf_at(address), 0
    d, e, f = along
    for k in range(LEAF):
        a, b, c = corner[k] - start[0], corner[LEAF + k] - start[1], corner[2 * LEAF + k] - start[2]
        p, q, r = corner[3 * LEAF + k] - start[0], corner[4 * LEAF + k] - start[1], corner[5 * LEAF + k] - start[2]
        x, y, z = corner[6 * LEAF + k] - start[0], corner[7 * LEAF + k] - start[1], corner[8 * LEAF + k] - start[2]
        u = d * (q * c - r * b) + e * (r * a - p * c) + f * (p * b - q * a)
        v = d * (y * r - z * q) + e * (z * p - x * r) + f * (x * q - y * p)
        w = d * (b * z - c * y) + e * (c * x - a * z) + f * (a * y - b * x)
        slack = NEARLY * abs(u + v + w)
        above, below = smaller(u, smaller(v, w)) >= -slack, larger(u, larger(v, w)) <= slack
        met |= (1 << k) if (above or below) and u + v + w != 0.0 else 0
    return met


@kernel
def triangles_inside_faces(address, oriented):
    """Bits of the triangles of a leaf that do not lie wholly outside a face of an oriented box."""
    corner, met = leaf_at(address), 0
    origin, turn, least, most = oriented
    x, y, z = column0(turn), column1(turn), column2(turn)
    for k in range(LEAF):
        a = corner[k] - origin[0], corner[LEAF + k] - origin[1], corner[2 * LEAF + k] - origin[2]
        b = corner[3 * LEAF + k] - origin[0], corner[4 * LEAF + k] - origin[1], corner[5 * LEAF + k] - origin[2]
        c = corner[6 * LEAF + k] - origin[0], corner[7 * LEAF + k] - origin[1], corner[8 * LEAF + k] - origin[2]
        u, v = triangle_past(x, least[0], most[0], a, b, c), triangle_past(y, least[1], most[1], a, b, c)
        met |= (1 << k) if larger(u, larger(v, triangle_past(z, least[2], most[2], a, b, c))) <= 0.0 else 0
    return met


@kernel
def key_in(address, k):
    """The key of a triangle of a leaf; NO_TRIANGLE where it has fewer."""
    return _keys_at(address)[KEYS + k]
