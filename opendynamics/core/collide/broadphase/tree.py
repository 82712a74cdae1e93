"""Dynamic tree, which persists between steps. Best for many geoms, especially if most of them are at rest.

Pairs of geoms with overlapping fat boxes (see `dynamic_tree.py`) persist as well: only geoms that have left their fat boxes are
queried in the tree, and a step without any is one pass over the geoms and one over the near pairs.
"""

from __future__ import annotations

from opendynamics.core.algebra.boxes import are_apart
from opendynamics.core.arrays.dynamic_tree import LEAVES, NEAR_PAIRS, NODES, PROXIES, REMOVED, TIGHT_BOXES, TREE
from opendynamics.core.arrays.geoms import GEOM_ORDER, PAIRS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.collide.broadphase import FIND_PAIRS, sort_pairs
from opendynamics.core.collide.contact_filter import may_collide
from opendynamics.core.collide.dynamic_tree import refresh_tree
from opendynamics.core.kernels import entry, kernel


@entry(FIND_PAIRS)
def find_pairs(tables):
    moved = refresh_tree(tables)
    if moved < 0:
        return 0
    tree = TREE.rows(tables)[0]
    if moved > 0 or not tree.knows_pairs:
        if not _find_near_pairs(tables, moved):
            tree.knows_pairs = 0
            return 0
        tree.knows_pairs = 1
    return _list_touching(tables)


@kernel
def _find_near_pairs(tables, moved):
    """Update the near pairs of geoms that have moved, or find all; 0: out of memory."""
    count = 0
    if TREE.rows(tables)[0].knows_pairs:
        for k in range(NEAR_PAIRS.used(tables)):
            pair = NEAR_PAIRS.rows(tables)[k]
            if not (PROXIES.rows(tables)[pair.a].moved or PROXIES.rows(tables)[pair.b].moved):
                NEAR_PAIRS.rows(tables)[count] = pair
                count += 1
        for k in range(moved):
            count = _look_up(tables, count, INTEGERS.rows(tables)[k])
    else:
        for i in range(TREE.rows(tables)[0].geoms):
            PROXIES.rows(tables)[i].moved = 1
        for i in range(TREE.rows(tables)[0].geoms):
            count = _look_up(tables, count, i)
    NEAR_PAIRS.use(tables, min(count, NEAR_PAIRS.capacity(tables)))
    return NEAR_PAIRS.has_room(tables, count) and sort_pairs(tables, NEAR_PAIRS.rows(tables), count)


@kernel
def _look_up(tables, count, i):
    """Store the near pairs of the geom at index `i`; a pair of two moved geoms belongs to the first."""
    tree, leaves = TREE.rows(tables)[0], LEAVES.rows(tables)
    fat = PROXIES.rows(tables)[i].fat
    first = 1 << tree.levels
    k = 1
    while True:
        if not are_apart(NODES.rows(tables)[k].bounds, fat):
            if k < first:
                k *= 2
                continue
            j = k - first
            for at in range(j * tree.bounded >> tree.levels, (j + 1) * tree.bounded >> tree.levels):
                if leaves[at] != REMOVED:
                    count = _note_near(tables, count, i, leaves[at])
        # On to the next node on the right, of this level or, if there is none below the parent, of one above.
        k += 1
        while not k & 1:
            k >>= 1
        if k == 1:
            break
    for at in range(tree.bounded, tree.listed):
        count = _note_near(tables, count, i, leaves[at])
    return count


@kernel
def _note_near(tables, count, i, j):
    a, b = PROXIES.rows(tables)[i], PROXIES.rows(tables)[j]
    if (b.moved and j <= i) or j == i or are_apart(a.fat, b.fat) or not may_collide(a, b):
        return count
    if count < NEAR_PAIRS.capacity(tables):
        pair = NEAR_PAIRS.rows(tables)[count]
        pair.a = min(i, j)
        pair.b = max(i, j)
    return count + 1


@kernel
def _list_touching(tables):
    """List the near pairs whose boxes overlap, in the same order."""
    count = NEAR_PAIRS.used(tables)
    if not PAIRS.has_room(tables, count):
        return 0
    order, found = GEOM_ORDER.rows(tables), 0
    for k in range(count):
        near = NEAR_PAIRS.rows(tables)[k]
        if not are_apart(TIGHT_BOXES.rows(tables)[near.a].bounds, TIGHT_BOXES.rows(tables)[near.b].bounds):
            pair = PAIRS.rows(tables)[found]
            pair.a = order[near.a]
            pair.b = order[near.b]
            found += 1
    PAIRS.use(tables, found)
    return 1
