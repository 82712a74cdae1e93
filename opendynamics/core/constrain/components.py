"""Connected components of bodies and links, for large islands in the order of memory.

The walk over an island's links (`islands.py`) jumps back and forth in the tables, and so does every later pass in its order.
Where an island is larger than the processor's caches, all of them wait for memory. Solvers that have an order of their own
(`solves_impacts` of the choices) take its links in the order of the tables: then passes run through contacts, poses, forces and
the contact cache from the beginning to the end. Contacts of the newest geoms come first, so that passes lead down what was built
from the ground up; in the other direction pyramids crept ten times as fast.

Such islands are not walked: a forest of bodies, each with a parent in its component, is merged by one pass over the links
(union-find with path halving: R. E. Tarjan, J. van Leeuwen, Worst-case analysis of set union algorithms, 1984). The roots are the
lowest rows of their components, whatever the order of the links.

Reads links and bodies; writes the large islands' runs of ISLAND_BODIES and ISLAND_LINKS, and SLOTS. In the integers, behind the
walk's stack, are three numbers per body: its parent, or why it has none; of roots, the links of the component, or the number of
its island, and its bodies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.arrays.bodies import ENABLED, FAULTY, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS, SLOTS
from opendynamics.core.arrays.report import CHOICES, INTEGERS
from opendynamics.core.arrays.worlds import ISLANDS_SLEEP, WORLDS
from opendynamics.core.kernels import kernel

# Links from which on an island is put in order: the tables of smaller ones fit into the caches.
LARGE = 256

# Integers a body, the walk's included.
INTEGERS_A_BODY = 4

# Parents of bodies that are in no component: they take no part at all, or sleep and end the island.
NO_COMPONENT, ASLEEP = -1, -2


class Components(NamedTuple):
    """The components of the bodies, by body."""

    parent: Any  # a body of the same component; itself: the root
    links: Any  # of roots: links of the component (first of each body: its own); once it is an island, -1 - its number
    bodies: Any  # of roots: bodies of the component


@kernel
def components_of(tables):
    """Those that `find_components` has found."""
    n = MOTIONS.used(tables)
    integers = INTEGERS.rows(tables)
    return Components(integers[n : 2 * n], integers[2 * n : 3 * n], integers[3 * n : 4 * n])


@kernel
def find_components(tables):
    """Merge the bodies that links hold together. Returns whether any island may be large, and is wanted in memory's order."""
    if LINKS.used(tables) < LARGE or not _is_wanted(tables):
        return False
    own, motions = components_of(tables), MOTIONS.rows(tables)
    pass_sleepers = WORLDS.rows(tables)[0].sleep_rule & ISLANDS_SLEEP
    own.parent[0] = NO_COMPONENT
    for body in range(1, MOTIONS.used(tables)):
        own.parent[body], own.links[body], own.bodies[body] = body, 0, 0
        if motions[body].flags & FAULTY:
            own.parent[body] = NO_COMPONENT
        elif pass_sleepers and is_asleep(motions[body]):
            own.parent[body] = ASLEEP
    member = body0 = body1 = -1
    for at in range(LINKS.used(tables)):
        link = LINKS.rows(tables)[at]
        if link.body0 != body0 or link.body1 != body1:  # those of a pair come one after the other
            body0, body1, member = link.body0, link.body1, _member_of(own.parent, link)
            if own.parent[body0] >= 0 and own.parent[body1] >= 0:
                one, other = _root(own.parent, body0), _root(own.parent, body1)
                own.parent[max(one, other)] = min(one, other)
        if member >= 0:
            own.links[member] += 1
    for body in range(1, MOTIONS.used(tables)):
        if own.parent[body] >= 0:
            root = _root(own.parent, body)
            own.bodies[root] += 1
            if root != body:
                own.links[root] += own.links[body]
    return True


@kernel
def most_islands(tables):
    """As many islands as there may be: no component is in two of them, and other bodies may be alone."""
    own, most = components_of(tables), 0
    for body in range(1, MOTIONS.used(tables)):
        most += own.parent[body] < 0 or own.parent[body] == body
    return most


@kernel
def is_asleep(motion):
    """Whether a body that is neither fixed nor kinematic takes no part in the step, though nothing is wrong with it."""
    return motion.inverse_mass > 0.0 and not motion.flags & (ENABLED | FAULTY)


@kernel
def root_of(tables, body):
    """The root of a body's component if that is a large one, or else -1."""
    own = components_of(tables)
    if own.parent[body] < 0:
        return -1
    root = _root(own.parent, body)
    return root if own.links[root] < 0 or own.links[root] >= LARGE else -1


@kernel
def begin_component(tables, root, number):
    """Let a component be an island whose runs begin where it says; returns their ends."""
    own, island = components_of(tables), ISLANDS.rows(tables)[number]
    first_body, first_link = island.first_body + own.bodies[root], island.first_link + own.links[root]
    own.links[root] = -1 - number
    return first_body, first_link


@kernel
def is_begun(tables, root):
    """Whether a component is an island already."""
    return components_of(tables).links[root] < 0


@kernel
def list_components(tables):
    """Fill in the runs of all components that have become islands."""
    own, places = components_of(tables), SLOTS.rows(tables)
    for body in range(1, MOTIONS.used(tables)):
        root = _root(own.parent, body) if own.parent[body] >= 0 else 0
        if root > 0 and own.links[root] < 0:
            island = ISLANDS.rows(tables)[-1 - own.links[root]]  # which has neither bodies nor links yet
            ISLAND_BODIES.rows(tables)[island.first_body + island.bodies] = body
            places[body] = island.bodies
            island.bodies += 1
    root = body0 = body1 = -1
    for at in range(LINKS.used(tables)):
        link = LINKS.rows(tables)[at]
        if link.body0 != body0 or link.body1 != body1:
            body0, body1, root = link.body0, link.body1, _component_of(own.parent, link)
        if root >= 0 and own.links[root] < 0:
            island = ISLANDS.rows(tables)[-1 - own.links[root]]
            ISLAND_LINKS.rows(tables)[island.first_link + island.links] = at
            link.visited = 1
            island.links += 1


@kernel
def _root(parent, body):
    while parent[body] != body:
        parent[body] = parent[parent[body]]
        body = parent[body]
    return body


@kernel
def _member_of(parent, link):
    """A body of the component that has a link; -1: none has, as it leads to a body that is asleep, or from none."""
    one, other = parent[link.body0], parent[link.body1]
    if one == ASLEEP or other == ASLEEP:
        return -1
    if one >= 0:
        return link.body0
    return link.body1 if other >= 0 else -1


@kernel
def _component_of(parent, link):
    """The root of the component that has a link, or -1: see `_member_of`."""
    member = _member_of(parent, link)
    return _root(parent, member) if member >= 0 else -1


@kernel
def _is_wanted(tables):
    wanted = False
    for k in range(CHOICES.used(tables)):
        wanted |= CHOICES.rows(tables)[k].solves_impacts != 0
    return wanted
