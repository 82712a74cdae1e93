"""Stage: which bodies and constraints belong together.

Reads joints, contacts and bodies; writes links, islands and slots. Bodies that an awake one is linked to are members of its
island, and wake when they are moved. Where islands sleep as a whole, these have been woken (`update/sleeping.py`), and links to
bodies that are still asleep, which only lead to them from kinematic ones, are passed over.

The order of bodies and constraints within islands is ODE's, so that a sequential solver meets the rows in the same
order: bodies are visited newest first, a body's links newest first, bodies found are taken last in, first out. Large islands of
solvers that do not need this order are not walked, and are in the order of memory (`components.py`).
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.blocks.load_ahead import prefetch_beginning, prefetch_two_lines
from opendynamics.core.arrays.bodies import BODY_ORDER, ENABLED, FAULTY, HELD, MOTIONS
from opendynamics.core.arrays.contacts import CONTACTS, ROLLING
from opendynamics.core.arrays.islands import (
    CONTACT,
    FIRST_LINKS,
    ISLAND_BODIES,
    ISLAND_LINKS,
    ISLANDS,
    JOINT,
    LINKS,
    SLOTS,
)
from opendynamics.core.arrays.joints import BEHIND, JOINT_ORDER, JOINTS
from opendynamics.core.arrays.joints import ENABLED as LINK_ENABLED
from opendynamics.core.arrays.report import INTEGERS, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import ISLANDS_SLEEP, WORLDS
from opendynamics.core.constrain.components import (
    INTEGERS_A_BODY,
    begin_component,
    find_components,
    is_asleep,
    is_begun,
    list_components,
    most_islands,
    root_of,
)
from opendynamics.core.constrain.look_ahead import AHEAD
from opendynamics.core.constrain.parts.contact import count_bounded_rows, count_contact_rows
from opendynamics.core.kernels import entry, kernel

# Bits of an element of JOINT_ORDER that are the joint's row; and a number of contacts that no world reaches.
ROW, MAX_CONTACTS = (1 << BEHIND) - 1, 1 << 31


@entry(types.boolean(TABLES))
def list_links(tables):
    """List every enabled joint and contact, and thread them into their bodies' lists. False: no memory."""
    bodies = MOTIONS.used(tables)
    most = JOINT_ORDER.used(tables) + CONTACTS.used(tables) + REPORTS.rows(tables)[0].contacts
    if not (FIRST_LINKS.has_room(tables, bodies) and LINKS.has_room(tables, most)):
        return False
    heads, motions = FIRST_LINKS.rows(tables), MOTIONS.rows(tables)
    for body in range(bodies):
        heads[body] = -1
        motions[body].flags &= ~HELD
    rolling = 0
    count, next_joint = _add_joints(tables, 0, 0, 0)
    for k in range(CONTACTS.used(tables) + REPORTS.rows(tables)[0].contacts):
        if next_joint < JOINT_ORDER.used(tables):
            count, next_joint = _add_joints(tables, count, next_joint, k)
        prefetch_two_lines(CONTACTS.rows(tables), k + AHEAD)
        contact, before = CONTACTS.rows(tables)[k], count
        if contact.flags & LINK_ENABLED and contact.body0 != 0:
            link = LINKS.rows(tables)[count]  # its rows are counted here, in the order of memory
            rolling |= contact.surface.mode & ROLLING
            link.row_count = count_contact_rows(tables, contact.surface)
            link.first_row = count_bounded_rows(tables, contact.surface)  # until they have a place
            count = _add_link(tables, count, CONTACT, k, contact.body0, contact.body1)
        if count == before:
            contact.row_count = 0
    count, next_joint = _add_joints(tables, count, next_joint, MAX_CONTACTS)
    LINKS.use(tables, count)
    REPORTS.rows(tables)[0].rolling = rolling != 0
    return True


@kernel
def _add_joints(tables, count, k, contacts):
    """Add the links of joints from place k on that were attached before contact number `contacts`. Returns both numbers."""
    order, joints, motions = JOINT_ORDER.rows(tables), JOINT_ORDER.used(tables), MOTIONS.rows(tables)
    while k < joints and order[k] >> BEHIND <= contacts:
        prefetch_beginning(JOINTS.rows(tables), order[min(k + AHEAD, joints - 1)] & ROW)
        row = order[k] & ROW
        joint, before = JOINTS.rows(tables)[row], count
        if joint.flags & LINK_ENABLED:
            count = _add_link(tables, count, JOINT, row, joint.body0, joint.body1)
            motions[joint.body0].flags |= HELD
            motions[joint.body1].flags |= HELD
        if count == before:  # the others' rows are noted when islands are known
            joint.row_count = 0
        k += 1
    return count, k


@kernel
def _add_link(tables, count, kind, index, body0, body1):
    """Add a link if it can move anything; returns the number of links."""
    m = MOTIONS.rows(tables)
    if m[body0].inverse_mass == 0.0 and m[body1].inverse_mass == 0.0:
        return count
    link = LINKS.rows(tables)[count]
    link.kind = kind
    link.index = index
    link.body0 = body0
    link.body1 = body1
    link.visited = 0
    heads = FIRST_LINKS.rows(tables)
    link.next0 = heads[body0]
    heads[body0] = count
    if body1 != 0:
        link.next1 = heads[body1]
        heads[body1] = count
    return count + 1


@entry(types.boolean(TABLES))
def find_islands(tables):
    """Traverse the links from every enabled body. False: no memory."""
    bodies = MOTIONS.used(tables)
    if not (
        SLOTS.has_room(tables, bodies)
        and ISLAND_BODIES.has_room(tables, bodies)
        and ISLAND_LINKS.has_room(tables, LINKS.used(tables))
        and INTEGERS.has_room(tables, INTEGERS_A_BODY * bodies)
    ):
        return False
    large = find_components(tables)
    if not ISLANDS.has_room(tables, most_islands(tables) if large else bodies):
        return False
    place = SLOTS.rows(tables)
    for body in range(bodies):
        place[body] = -1
    count = first_body = first_link = 0
    order = BODY_ORDER.rows(tables)
    for k in range(BODY_ORDER.used(tables) - 1, -1, -1):
        seed = order[k]
        if not MOTIONS.rows(tables)[seed].flags & ENABLED or place[seed] >= 0:
            continue
        root = root_of(tables, seed) if large else -1
        if root >= 0 and is_begun(tables, root):
            continue
        island = ISLANDS.rows(tables)[count]
        island.solver = island.bodies = island.links = 0
        island.first_body, island.first_link = first_body, first_link
        if root >= 0:
            first_body, first_link = begin_component(tables, root, count)
        else:
            first_body, first_link = _walk(tables, seed, first_body, first_link)
            island.bodies, island.links = first_body - island.first_body, first_link - island.first_link
        count += 1
    if large:
        list_components(tables)
    ISLANDS.use(tables, count)
    REPORTS.rows(tables)[0].islands = count
    return True


@kernel
def _walk(tables, seed, first_body, first_link):
    """Collect the island of `seed`; returns the ends of the runs of its bodies and links."""
    place, motions = SLOTS.rows(tables), MOTIONS.rows(tables)
    members, links = ISLAND_BODIES.rows(tables), ISLAND_LINKS.rows(tables)
    stack = INTEGERS.rows(tables)
    pass_sleepers = WORLDS.rows(tables)[0].sleep_rule & ISLANDS_SLEEP
    start = first_body
    stack[0] = seed
    depth = 1
    while depth > 0:
        depth -= 1
        body = stack[depth]
        place[body] = first_body - start
        members[first_body] = body
        first_body += 1
        at = FIRST_LINKS.rows(tables)[body]
        while at >= 0:
            link = LINKS.rows(tables)[at]
            is_first = link.body0 == body
            other = link.body1 if is_first else link.body0
            if link.visited == 0 and not (pass_sleepers and is_asleep(motions[other])):
                link.visited = 1
                links[first_link] = at
                first_link += 1
                if other != 0 and place[other] < 0 and not motions[other].flags & FAULTY:
                    place[other] = 0  # found; its place follows when it is taken
                    stack[depth] = other
                    depth += 1
            at = link.next0 if is_first else link.next1
    return first_body, first_link
