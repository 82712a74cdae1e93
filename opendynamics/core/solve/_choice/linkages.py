"""Whether an island has an overconstrained linkage: closed loops of joints with more rows than they leave free.

Redundant rows carry forces against each other, which iterations find slowly and which do work once the linkage moves: sub-steps
that start from the last ones' forces tear it apart. Direct elimination does without the redundant rows.

The joints of an island are the edges of a graph of its bodies; what forces cannot move, kinematic bodies included, is one vertex,
the ground. A linkage is what is connected by more than one path, and is found by merging the bodies along the path between both
ends of each edge outside a spanning tree. It is overconstrained if its joints have more rows than its n bodies have degrees of
freedom, 6 n with the ground and 6 n - 6 in the air (the Grübler-Kutzbach criterion). Several joints of the same two bodies are
one edge. Nets of ball joints, of three rows each, are not examined.

Reads islands, links and masses; writes `solver` of islands, and the integers.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import CONTACT, FIRST_LINKS, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS, SLOTS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece

# Integers of each vertex, and of one more for the ground: the next towards the root of the tree, -1 for a root, and its distance;
# the vertex that stands for its linkage, or leads to it; the degrees of freedom of a linkage less its rows; a queue.
VERTEX = 5
UNKNOWN = -2

BALL_ROWS = 3


@kernel
def assign_linkages(tables, exact):
    """Assign islands with overconstrained linkages to the solver `exact`. False: no memory."""
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.solver != exact and _has_rigid_joints(tables, island):
            if not INTEGERS.has_room(tables, VERTEX * (island.bodies + 1)):
                return False
            if _is_overconstrained(tables, island):
                island.solver = exact
    return True


@kernel
def _has_rigid_joints(tables, island):
    """Whether any joint has more rows than a ball joint."""
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT and link.free_rows > BALL_ROWS:
            return True
    return False


@kernel
def _is_overconstrained(tables, island):
    """Whether any linkage of an island is."""
    n, integers = island.bodies + 1, INTEGERS.rows(tables)
    parents, depths, leads = piece(integers, 0, n), piece(integers, n, n), piece(integers, 2 * n, n)
    free, queue = piece(integers, 3 * n, n), piece(integers, 4 * n, n)
    if not _has_loop(tables, island, leads):
        return False
    for k in range(n):
        parents[k], depths[k], leads[k], free[k] = UNKNOWN, 0, k, 0
    _grow_trees(tables, island, parents, depths, queue)
    _merge_loops(tables, island, parents, depths, leads)
    ground = _leader(leads, n - 1)
    for k in range(n - 1):
        free[_leader(leads, k)] += 6
    for k in range(n):
        if leads[k] == k and k != ground:
            free[k] -= 6
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            a, b = _vertex(tables, link.body0, n - 1), _vertex(tables, link.body1, n - 1)
            if _leader(leads, a) == _leader(leads, b) and not _is_double(tables, ISLAND_LINKS.rows(tables)[at]):
                free[_leader(leads, a)] -= link.free_rows
    least = 0
    for k in range(n):
        least = min(least, free[k])
    return least < 0


@kernel
def _has_loop(tables, island, leads):
    """Whether joints connect bodies by more than one path; several joints of the same two may count as such.

    Most islands have no loop, which merging sets of connected bodies finds out in a quarter of the time of spanning trees.
    """
    ground, last_a, last_b = island.bodies, -1, -1
    for k in range(ground + 1):
        leads[k] = k
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT:
            continue
        a, b = _vertex(tables, link.body0, ground), _vertex(tables, link.body1, ground)
        one, other = _leader(leads, a), _leader(leads, b)
        if one != other:
            leads[one] = other
        elif a != b and (a != last_a or b != last_b):  # joints of the same bodies mostly follow each other
            return True
        last_a, last_b = a, b
    return False


@kernel
def _vertex(tables, body, ground):
    """The number of a body's vertex."""
    moving = _moving(tables, body)
    slot = SLOTS.rows(tables)[moving] if moving != 0 else -1
    return slot if slot >= 0 else ground


@kernel
def _moving(tables, body):
    """The body; 0 if forces cannot move it."""
    return body if MOTIONS.rows(tables)[body].inverse_mass > 0.0 else 0


@kernel
def _grow_trees(tables, island, parents, depths, queue):
    """Spanning trees, breadth first: that of the ground, and of whatever is not connected to it."""
    ground = island.bodies
    parents[ground], count, done = -1, 0, 0
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            a, b = _vertex(tables, link.body0, ground), _vertex(tables, link.body1, ground)
            if (a == ground or b == ground) and parents[min(a, b)] == UNKNOWN:
                parents[min(a, b)], depths[min(a, b)], queue[count] = ground, 1, min(a, b)
                count += 1
    for root in range(ground + 1):
        while done < count:
            count = _grow(tables, island, queue[done], parents, depths, queue, count)
            done += 1
        if root < ground and parents[root] == UNKNOWN:
            parents[root], queue[count] = -1, root
            count += 1


@kernel
def _grow(tables, island, vertex, parents, depths, queue, count):
    """Let the tree grow from a vertex. Returns how many have been queued."""
    body = ISLAND_BODIES.rows(tables)[island.first_body + vertex]
    k = FIRST_LINKS.rows(tables)[body]
    while k >= 0:
        link = LINKS.rows(tables)[k]
        other = _vertex(tables, link.body1 if link.body0 == body else link.body0, island.bodies)
        if link.kind != CONTACT and parents[other] == UNKNOWN:
            parents[other], depths[other], queue[count] = vertex, depths[vertex] + 1, other
            count += 1
        k = link.next0 if link.body0 == body else link.next1
    return count


@kernel
def _merge_loops(tables, island, parents, depths, leads):
    """Merge the vertices of each loop."""
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        a, b = _vertex(tables, link.body0, island.bodies), _vertex(tables, link.body1, island.bodies)
        if link.kind == CONTACT or parents[a] == b or parents[b] == a:
            continue
        a, b = _leader(leads, a), _leader(leads, b)
        while a != b:  # the leader is the vertex next to the root
            if depths[a] >= depths[b]:
                leads[a] = _leader(leads, parents[a])
                a = leads[a]
            else:
                leads[b] = _leader(leads, parents[b])
                b = leads[b]


@kernel
def _leader(leads, k):
    """The vertex that stands for k's linkage."""
    while leads[k] != k:
        leads[k] = leads[leads[k]]
        k = leads[k]
    return k


@kernel
def _is_double(tables, at):
    """Whether another joint of the same bodies has more rows than that of link `at`, or as many and is listed before it."""
    own, before = LINKS.rows(tables)[at], True
    one, two = _moving(tables, own.body0), _moving(tables, own.body1)
    body = one if one != 0 else two
    k = FIRST_LINKS.rows(tables)[body]
    while k >= 0:
        link = LINKS.rows(tables)[k]
        a, b = _moving(tables, link.body0), _moving(tables, link.body1)
        same = min(a, b) == min(one, two) and max(a, b) == max(one, two) and link.kind != CONTACT
        more = link.free_rows > own.free_rows or (before and link.free_rows == own.free_rows)
        if k == at:
            before = False
        elif same and more:
            return True
        k = link.next0 if link.body0 == body else link.next1
    return False
