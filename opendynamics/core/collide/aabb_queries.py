"""Batched box and point queries against the geoms of geom_order.

Reads boxes (n, 6): x min, x max, y min, y max, z min, z max; and the geom after those listed, which holds the query's bits.
Writes box_hits, box by box.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.boxes import are_apart
from opendynamics.core.arrays.dynamic_tree import LEAVES, NODES, PROXIES, REMOVED, TIGHT_BOXES, TREE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import BOX_HITS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.bodies.shapes import POINT_DEPTH, contracts
from opendynamics.core.collide.contact_filter import bits_match
from opendynamics.core.collide.dynamic_tree import refresh_tree
from opendynamics.core.kernels import caller, entry, kernel

BOXES = types.Array(types.float64, 2, "C")

call_depth = caller(POINT_DEPTH)


@entry(types.int64(TABLES, BOXES, types.boolean))
def search_boxes(tables, boxes, inside):
    """Return the number of hits. With `inside`, boxes are points, which hit the geoms that contain them. -1: out of memory."""
    if refresh_tree(tables) < 0:
        return -1
    count = 0
    for k in range(boxes.shape[0]):
        count = _search(tables, count, k, boxes[k], inside)
    return count if BOX_HITS.has_room(tables, count) else -1


@kernel
def _search(tables, count, number, box, inside):
    tree, leaves = TREE.rows(tables)[0], LEAVES.rows(tables)
    first, k = 1 << tree.levels, 1
    for at in range(tree.bounded, tree.listed):
        count = _test(tables, count, number, box, leaves[at], inside)
    while True:
        if not are_apart(NODES.rows(tables)[k].bounds, box):
            if k < first:
                k *= 2
                continue
            j = k - first
            for at in range(j * tree.bounded >> tree.levels, (j + 1) * tree.bounded >> tree.levels):
                if leaves[at] != REMOVED:
                    count = _test(tables, count, number, box, leaves[at], inside)
        k += 1
        while not k & 1:
            k >>= 1
        if k == 1:
            return count


@kernel
def _test(tables, count, number, box, j, inside):
    proxy, probe = PROXIES.rows(tables)[j], GEOMS.rows(tables)[TREE.rows(tables)[0].geoms]
    if are_apart(TIGHT_BOXES.rows(tables)[j].bounds, box):
        return count
    if not bits_match(proxy, probe):
        return count
    depth = 0.0
    if inside:
        address = contracts()[GEOMS.rows(tables)[j].kind].point_depth
        if address == 0:
            return count
        depth = call_depth(address, GEOMS.address(tables, j), box[0], box[2], box[4])
        if depth < 0.0:
            return count
    if count < BOX_HITS.capacity(tables):
        hit = BOX_HITS.rows(tables)[count]
        hit.box, hit.geom, hit.depth = number, j, depth
    return count + 1
