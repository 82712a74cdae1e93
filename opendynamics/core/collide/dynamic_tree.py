"""Dynamic tree: a bounding volume hierarchy over the geoms of geom_order that persists between steps.

Every geom has a fat box, larger than its own by a fraction of its size and its expected motion; while the geom stays inside, the
tree is unchanged. The tree is complete and binary: node k has the children 2k and 2k + 1, and the j-th of 2**l nodes of level l
holds the leaves from j n / 2**l up to (j + 1) n / 2**l. It is built by median splits of the centres along the axis of their
largest extent (k-d tree, Bentley 1975). When a geom leaves its fat box, the boxes of its ancestors are enlarged; after as many
such updates as there are geoms, the tree is rebuilt. Geoms with unbounded boxes are in no node, nor are those that were added
since the tree was built (`tree_changes.py`).

Reads geom_order and geoms with updated boxes; writes the tables of arrays/dynamic_tree.py.
"""

from __future__ import annotations

from math import inf

import numpy as np

from opendynamics.core.arrays.dynamic_tree import KNOWN_ORDER, LEAVES, NODES, PROXIES, TIGHT_BOXES, TREE, UNBOUNDED
from opendynamics.core.arrays.geoms import ENABLED, GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.collide.tree_changes import FOLLOWED, LOST, NO_MEMORY, follow_changes, note_order
from opendynamics.core.kernels import kernel

# Margin of a fat box, relative to the longest side, and number of moves like that since the last update by which it is extended,
# at most by the longest side. Measured on piles and walls.
MARGIN = 0.05
LOOK_AHEAD = 6.0

LEAF = 4  # geoms in a leaf, at most

# The tree is rebuilt once more than FEW_CHANGES + n / MANY_CHANGES of its n geoms were added or removed.
FEW_CHANGES, MANY_CHANGES = 8, 64


@kernel
def refresh_tree(tables):
    """Update the tree. Returns the number of geoms with new fat boxes, listed first in the integers; -1: out of memory."""
    n = GEOM_ORDER.used(tables)
    levels = 0
    while n >> levels > LEAF:
        levels += 1
    if not (
        PROXIES.has_room(tables, n)
        and TIGHT_BOXES.has_room(tables, n)
        and LEAVES.has_room(tables, n)
        and NODES.has_room(tables, 2 << levels)
        and FLOATS.has_room(tables, n)
        and INTEGERS.has_room(tables, n)
        and KNOWN_ORDER.has_room(tables, n)
    ):
        return -1
    changed, tree = follow_changes(tables), TREE.rows(tables)[0]
    if changed == NO_MEMORY:
        return -1
    anew = changed == LOST
    if anew:
        tree.geoms = n
        tree.knows_pairs = 0
        note_order(tables)
        for i in range(n):
            _set_box(PROXIES.rows(tables)[i].fat, inf, -inf)
            PROXIES.rows(tables)[i].node = UNBOUNDED
    moved = 0
    for i in range(n):
        if _has_moved(tables, i, anew):
            INTEGERS.rows(tables)[moved] = i
            moved += 1
    rebuild = anew or tree.changes > FEW_CHANGES + n // MANY_CHANGES
    rebuild |= changed == FOLLOWED and 2 * moved > n  # copies of geoms, whose rows have changed
    for k in range(moved):
        proxy = PROXIES.rows(tables)[INTEGERS.rows(tables)[k]]
        rebuild |= _is_bounded(proxy.fat) != (proxy.node != UNBOUNDED)
    tree.moves += moved
    if rebuild or tree.moves > n:
        _build(tables, n)
    else:
        for k in range(moved):
            _grow(tables, PROXIES.rows(tables)[INTEGERS.rows(tables)[k]])
    return moved


@kernel
def _set_box(box, low, high):
    box[0] = box[2] = box[4] = low
    box[1] = box[3] = box[5] = high


@kernel
def _is_bounded(box):
    """Whether a box is finite, or empty."""
    return -inf < box[0] and box[1] < inf and -inf < box[2] and box[3] < inf and -inf < box[4] and box[5] < inf


@kernel
def _has_moved(tables, i, rebuild):
    """Give the geom at index `i` a new fat box if it has left the old one or has changed; returns whether it got one."""
    geom = GEOMS.rows(tables)[GEOM_ORDER.rows(tables)[i]]
    proxy, tight = PROXIES.rows(tables)[i], TIGHT_BOXES.rows(tables)[i].bounds
    category, collide = geom.category, geom.collide
    if not geom.flags & ENABLED:
        category = collide = np.uint64(0)
    box, fat = geom.bounds, proxy.fat
    inside = fat[0] <= box[0] and box[1] <= fat[1] and fat[2] <= box[2] and box[3] <= fat[3]
    inside = inside and fat[4] <= box[4] and box[5] <= fat[5]
    same = proxy.category == category and proxy.collide == collide and proxy.owner == geom.owner
    off = category == 0 and collide == 0
    proxy.moved = 0
    if same and (inside or off) and not rebuild:
        for c in range(6):
            tight[c] = box[c]
        return False
    proxy.category, proxy.collide, proxy.owner = category, collide, geom.owner
    proxy.moved = 1
    longest = max(box[1] - box[0], max(box[3] - box[2], box[5] - box[4]))
    if longest == inf:
        longest = 0.0
    for axis in range(3):
        low, high = 2 * axis, 2 * axis + 1
        ahead = 0.0 if rebuild else LOOK_AHEAD * (box[low] - tight[low])
        fat[low] = box[low] - MARGIN * longest + min(0.0, max(ahead, -longest))
        fat[high] = box[high] + MARGIN * longest + max(0.0, min(ahead, longest))
        tight[low] = box[low]
        tight[high] = box[high]
    return True


@kernel
def _build(tables, n):
    """Build the tree by median splits, level by level, and bound the nodes bottom up."""
    leaves, tree = LEAVES.rows(tables), TREE.rows(tables)[0]
    bounded, end = 0, n
    for i in range(n):
        if _is_bounded(PROXIES.rows(tables)[i].fat):
            leaves[bounded] = i
            bounded += 1
        else:
            end -= 1
            leaves[end] = i
            PROXIES.rows(tables)[i].node = UNBOUNDED
    levels = 0
    while bounded >> levels > LEAF:
        levels += 1
    tree.bounded, tree.listed, tree.levels = bounded, n, levels
    tree.moves = tree.changes = 0
    for level in range(levels):
        for j in range(1 << level):
            _partition(tables, (1 << level) + j, j * bounded >> level, (j + 1) * bounded >> level)
    first = 1 << levels
    for k in range(2 * first - 1, 0, -1):
        node = NODES.rows(tables)[k]
        if k < first:
            _join(node.bounds, NODES.rows(tables)[2 * k].bounds, NODES.rows(tables)[2 * k + 1].bounds)
        else:
            _set_box(node.bounds, inf, -inf)
            for at in range((k - first) * bounded >> levels, (k - first + 1) * bounded >> levels):
                proxy = PROXIES.rows(tables)[leaves[at]]
                proxy.node = k
                _join(node.bounds, node.bounds, proxy.fat)


@kernel
def _partition(tables, k, start, end):
    """Partition the leaves from `start` up to `end` at their median along the axis of node `k`.

    Hoare's selection algorithm (quickselect) on twice the centres, which are stored with the leaves in the floats.
    """
    leaves, keys = LEAVES.rows(tables), FLOATS.rows(tables)
    axis, widest = 0, -inf
    for c in range(3):
        low, high = inf, -inf
        for at in range(start, end):
            fat = PROXIES.rows(tables)[leaves[at]].fat
            centre = fat[2 * c] + fat[2 * c + 1]
            low, high = min(low, centre), max(high, centre)
        if high - low > widest:
            axis, widest = c, high - low
    NODES.rows(tables)[k].axis = axis
    for at in range(start, end):
        fat = PROXIES.rows(tables)[leaves[at]].fat
        keys[at] = fat[2 * axis] + fat[2 * axis + 1]
    middle = (start + end) >> 1
    low, high = start, end - 1
    while low < high:
        pivot = keys[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                leaves[i], leaves[j] = leaves[j], leaves[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            break


@kernel
def _join(box, one, other):
    """Make a box the union of two others."""
    for c in range(0, 6, 2):
        box[c] = min(one[c], other[c])
        box[c + 1] = max(one[c + 1], other[c + 1])


@kernel
def _grow(tables, proxy):
    """Enlarge the ancestors of a geom to its fat box."""
    k, fat = proxy.node, proxy.fat
    while k >= 1:
        box = NODES.rows(tables)[k].bounds
        if not sticks_out(fat, box):
            break
        _join(box, box, fat)
        k >>= 1


@kernel
def sticks_out(x, y):
    """Whether box x is not contained in box y."""
    return x[0] < y[0] or x[1] > y[1] or x[2] < y[2] or x[3] > y[3] or x[4] < y[4] or x[5] > y[5]
