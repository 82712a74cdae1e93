"""Builds the tree of boxes over the triangles of a mesh.

Reads corners, writes NODE records in preorder and the order of triangles. A range of triangles is split between two of
sixteen bins of their centres where area times number is least (surface area heuristic: Wald, On fast Construction of
SAH-based Bounding Volume Hierarchies, 2007), or in the middle where centres coincide or the tree has got deep: at most
O(n log n), and the same tree for the same mesh on every machine.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.triangles.mesh import LEAF, NODE
from opendynamics.core.kernels import entry, kernel

BINS = 16
# Floats of scratch: for every bin a box and a number, and the costs from the right; then the ranges still to be split.
BIN = 7
COSTS = BINS * BIN
PENDING = COSTS + BINS
RANGE = 4
MAX_PENDING = 160
WORK = PENDING + RANGE * MAX_PENDING

FLOATS = types.Array(types.float64, 1, "C")
BOXES = types.Array(types.float64, 2, "C")
PLACES = types.Array(types.int32, 1, "C")

_nodes_at = array_of(NODE)


@entry(types.int64(BOXES, PLACES, types.int64, FLOATS))
def build_tree(boxes, order, address, work):
    """Sort `order` (triangle indices) into leaves and write the nodes (room for 2n) to `address`; returns their number.

    `boxes`: x min, x max, y min, ... of each triangle. `work`: WORK floats.
    """
    nodes = _nodes_at(address, 2 * order.size)
    deepest = 8
    while (1 << (deepest // 2)) < order.size:
        deepest += 2
    count = 0
    _push(work, 0, 0, order.size, 0, -1)
    pending = 1
    while pending > 0:
        pending -= 1
        at = PENDING + RANGE * pending
        first, size, depth, parent = int(work[at]), int(work[at + 1]), int(work[at + 2]), int(work[at + 3])
        node = nodes[count]
        _bound(boxes, order, first, size, node.box)
        node.first = first
        node.parent = parent
        node.skip = 1
        node.count = size if size <= LEAF else 0
        if size > LEAF:
            left = _split(boxes, order, first, size, work) if depth < deepest else size // 2
            _push(work, pending, first + left, size - left, depth + 1, count)
            _push(work, pending + 1, first, left, depth + 1, count)
            pending += 2
        count += 1
    for k in range(count - 1, 0, -1):
        nodes[nodes[k].parent].skip += nodes[k].skip
    return count


@kernel
def _push(work, pending, first, size, depth, parent):
    at = PENDING + RANGE * pending
    work[at], work[at + 1], work[at + 2], work[at + 3] = first, size, depth, parent


@kernel
def _bound(boxes, order, first, size, box):
    for side in range(0, 6, 2):
        low, high = inf, -inf
        for k in range(first, first + size):
            low, high = min(low, boxes[order[k], side]), max(high, boxes[order[k], side + 1])
        box[side], box[side + 1] = low, high


@kernel
def _centre(boxes, triangle, axis):
    return 0.5 * (boxes[triangle, 2 * axis] + boxes[triangle, 2 * axis + 1])


@kernel
def _split(boxes, order, first, size, work):
    """Bring the triangles of the left part to the front of the range; returns how many they are."""
    axis, low, width = 0, 0.0, 0.0
    for a in range(3):
        least, most = inf, -inf
        for k in range(first, first + size):
            c = _centre(boxes, order[k], a)
            least, most = min(least, c), max(most, c)
        if most - least > width:
            axis, low, width = a, least, most - least
    if not width > 0.0:
        return size // 2
    factor = BINS * (1.0 - 1e-12) / width  # the last centre is in the last bin
    border = _best_border(boxes, order, first, size, axis, low, factor, work)
    left, right = first, first + size - 1
    while left <= right:
        if int((_centre(boxes, order[left], axis) - low) * factor) < border:
            left += 1
        else:
            order[left], order[right] = order[right], order[left]
            right -= 1
    count = left - first
    return count if 0 < count < size else size // 2


@kernel
def _best_border(boxes, order, first, size, axis, low, factor, work):
    """The bin at which the right part begins."""
    for b in range(BINS):
        _empty(work, b * BIN)
    for k in range(first, first + size):
        at = BIN * int((_centre(boxes, order[k], axis) - low) * factor)
        for side in range(0, 6, 2):
            work[at + side] = min(work[at + side], boxes[order[k], side])
            work[at + side + 1] = max(work[at + side + 1], boxes[order[k], side + 1])
        work[at + 6] += 1.0
    # Unions of bins, from the right and then from the left; in the room of the last two ranges, which no tree is deep enough for.
    gathered = PENDING + RANGE * (MAX_PENDING - 2)
    _empty(work, gathered)
    for b in range(BINS - 1, 0, -1):
        _unite(work, gathered, b * BIN)
        work[COSTS + b] = _cost(work, gathered)
    _empty(work, gathered)
    best, border = inf, 1
    for b in range(1, BINS):
        _unite(work, gathered, (b - 1) * BIN)
        cost = _cost(work, gathered) + work[COSTS + b]
        if cost < best:
            best, border = cost, b
    return border


@kernel
def _empty(work, at):
    for side in range(0, 6, 2):
        work[at + side], work[at + side + 1] = inf, -inf
    work[at + 6] = 0.0


@kernel
def _unite(work, target, source):
    for side in range(0, 6, 2):
        work[target + side] = min(work[target + side], work[source + side])
        work[target + side + 1] = max(work[target + side + 1], work[source + side + 1])
    work[target + 6] += work[source + 6]


@kernel
def _cost(work, at):
    """Number times surface area."""
    if work[at + 6] == 0.0:
        return 0.0
    x, y, z = work[at + 1] - work[at], work[at + 3] - work[at + 2], work[at + 5] - work[at + 4]
    return work[at + 6] * (x * y + y * z + z * x)
