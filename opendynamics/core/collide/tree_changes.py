"""Geoms that are added or removed between steps, without building the tree anew.

Proxies are in the order of the geoms, and move to their geom's new place. Leaves of removed geoms stay empty; added geoms are
listed outside the tree, where every query tests them, until there are enough of them for a new tree to pay. Whether the geom in a
row is the same as before does not matter: what follows only depends on boxes, owners and bits, which are compared.

Reads geom_order, writes the tables of arrays/dynamic_tree.py. Layout of the integers: the old place of each geom's row, then the
new place of each old one.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.arrays.dynamic_tree import (
    KNOWN_ORDER,
    LEAVES,
    LOOSE,
    NEAR_PAIRS,
    PROXIES,
    REMOVED,
    TIGHT_BOXES,
    TREE,
)
from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import kernel

# What `follow_changes` returns.
SAME, FOLLOWED, LOST, NO_MEMORY = range(4)

NOWHERE = REMOVED


@kernel
def follow_changes(tables):
    """Bring proxies, leaves and near pairs into the present order of the geoms.

    Returns SAME if it is the one that the tree knows, FOLLOWED, LOST if geoms have changed places, or NO_MEMORY.
    """
    tree, n = TREE.rows(tables)[0], GEOM_ORDER.used(tables)
    if tree.geoms == n and _is_known(tables, n):
        return SAME
    known = tree.geoms
    if known == 0 or abs(n - known) > known // 2:
        return LOST
    rows, most = GEOMS.used(tables), max(n, known)
    if not (
        PROXIES.has_room(tables, most + known)
        and TIGHT_BOXES.has_room(tables, most + known)
        and LEAVES.has_room(tables, tree.listed + n)
        and INTEGERS.has_room(tables, rows + known)
    ):
        return NO_MEMORY
    if not _match(tables, rows, known):
        return LOST
    _move_proxies(tables, known, most)
    _renumber_leaves(tables, rows)
    if tree.knows_pairs:
        _renumber_pairs(tables, rows)
    tree.geoms = n
    note_order(tables)
    return FOLLOWED


@kernel
def _is_known(tables, n):
    known, order, same = KNOWN_ORDER.rows(tables), GEOM_ORDER.rows(tables), True
    for i in range(n):
        same &= known[i] == order[i]
    return same


@kernel
def note_order(tables):
    """Note the order of the geoms, which KNOWN_ORDER has room for."""
    known, order = KNOWN_ORDER.rows(tables), GEOM_ORDER.rows(tables)
    for i in range(GEOM_ORDER.used(tables)):
        known[i] = order[i]


@kernel
def _match(tables, rows, known):
    """Note the old and the new places. False: geoms that stay have changed their order."""
    memory, order = INTEGERS.rows(tables), KNOWN_ORDER.rows(tables)
    for k in range(rows + known):
        memory[k] = NOWHERE
    for i in range(known):
        if order[i] < rows:
            memory[order[i]] = i
    last = NOWHERE
    for j in range(GEOM_ORDER.used(tables)):
        i = memory[GEOM_ORDER.rows(tables)[j]]
        if i != NOWHERE:
            if i < last:
                return False
            memory[rows + i], last = j, i
    return True


@kernel
def _move_proxies(tables, known, most):
    """Move the proxies to their new places, by way of the rows from `most` on; make those of added geoms."""
    proxies, boxes, tree = PROXIES.rows(tables), TIGHT_BOXES.rows(tables), TREE.rows(tables)[0]
    for i in range(known):
        proxies[most + i], boxes[most + i] = proxies[i], boxes[i]
    stayed = 0
    for j in range(GEOM_ORDER.used(tables)):
        i = INTEGERS.rows(tables)[GEOM_ORDER.rows(tables)[j]]
        if i != NOWHERE:
            proxies[j], boxes[j] = proxies[most + i], boxes[most + i]
            stayed += 1
        else:
            proxy = proxies[j]
            proxy.fat[0] = proxy.fat[2] = proxy.fat[4] = inf
            proxy.fat[1] = proxy.fat[3] = proxy.fat[5] = -inf
            proxy.node = LOOSE
            box = GEOMS.rows(tables)[GEOM_ORDER.rows(tables)[j]].bounds
            for c in range(6):  # it has not moved yet
                boxes[j].bounds[c] = box[c]
    tree.changes += known + GEOM_ORDER.used(tables) - 2 * stayed


@kernel
def _renumber_leaves(tables, rows):
    leaves, tree, new = LEAVES.rows(tables), TREE.rows(tables)[0], INTEGERS.rows(tables)
    for at in range(tree.bounded):
        if leaves[at] != REMOVED:
            leaves[at] = new[rows + leaves[at]]
    end = tree.bounded
    for at in range(tree.bounded, tree.listed):
        place = new[rows + leaves[at]]
        if place != NOWHERE:
            leaves[end] = place
            end += 1
    for j in range(GEOM_ORDER.used(tables)):
        if new[GEOM_ORDER.rows(tables)[j]] == NOWHERE:
            leaves[end] = j
            end += 1
    tree.listed = end


@kernel
def _renumber_pairs(tables, rows):
    """Keep the near pairs of geoms that are still there, in their order."""
    pairs, new, count = NEAR_PAIRS.rows(tables), INTEGERS.rows(tables), 0
    for k in range(NEAR_PAIRS.used(tables)):
        a, b = new[rows + pairs[k].a], new[rows + pairs[k].b]
        if a != NOWHERE and b != NOWHERE:
            pairs[count].a, pairs[count].b = a, b
            count += 1
    NEAR_PAIRS.use(tables, count)
