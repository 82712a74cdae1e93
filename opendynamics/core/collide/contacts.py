"""Pipeline stages: contact points of every candidate pair, and the contact constraints made of them.

Pairs that cannot move each other are skipped: rays, pairs without a body or connected by a joint, and sleeping pairs away from
anything that moves. Sleeping bodies connected to an awake body, directly or through the boxes and joints of other sleeping
bodies, get contacts: they may be woken in this step, and then need their supports at once.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.blocks.load_ahead import load_ahead
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.bodies import ENABLED, MOTIONS
from opendynamics.core.arrays.contacts import ALIVE as CONTACT_ALIVE
from opendynamics.core.arrays.contacts import CONTACTS, POINTS, REVERSED, SURFACES
from opendynamics.core.arrays.contacts import ENABLED as CONTACT_ENABLED
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.islands import FIRST_LINKS, JOINT, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.table import ADDRESS, FIELDS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shapes import RAY, has_trait
from opendynamics.core.collide.bounds import geom_address
from opendynamics.core.collide.narrowphase.dispatch import collide_two
from opendynamics.core.kernels import kernel

POINTS_ADDRESS = FIELDS * POINTS.position + ADDRESS
POINT_BYTES = POINTS.dtype.itemsize
FLOATS_ADDRESS = FIELDS * FLOATS.position + ADDRESS


@kernel
def collide_pairs(tables):
    """Collide all candidate pairs. False: out of memory, or a pair's kernel must be loaded."""
    if not (FLOATS.has_room(tables, SCRATCH) and INTEGERS.has_room(tables, MOTIONS.used(tables))):
        return False
    mark_active(tables)
    limit = WORLDS.rows(tables)[0].max_contacts
    count = 0
    for k in range(PAIRS.used(tables)):
        load_ahead(tables)
        pair = PAIRS.rows(tables)[k]
        a, b = GEOMS.rows(tables)[pair.a], GEOMS.rows(tables)[pair.b]
        if not can_push(tables, a.body, b.body) or has_trait(a.kind, RAY) or has_trait(b.kind, RAY):
            continue
        if not POINTS.has_room(tables, count + limit):
            return False
        first = tables[POINTS_ADDRESS] + count * POINT_BYTES
        here = geom_address(tables, pair.a)
        there = geom_address(tables, pair.b)
        found = collide_two(tables, a.kind, b.kind, here, there, limit, first, tables[FLOATS_ADDRESS])
        if found < 0:
            return False
        for p in range(count, count + found):
            POINTS.rows(tables)[p].geom_a = pair.a
            POINTS.rows(tables)[p].geom_b = pair.b
        count += found
    POINTS.use(tables, count)
    REPORTS.rows(tables)[0].pairs = PAIRS.used(tables)
    return True


@kernel
def can_push(tables, body_a, body_b):
    """Whether two bodies can push each other, and may do so in this step."""
    m, active = MOTIONS.rows(tables), INTEGERS.rows(tables)
    if m[body_a].inverse_mass == 0.0 and m[body_b].inverse_mass == 0.0:
        return False
    if not (active[body_a] or active[body_b]):
        return False
    return WORLDS.rows(tables)[0].collide_connected != 0 or not connected(tables, body_a, body_b)


@kernel
def mark_active(tables):
    """Mark active bodies in the integers with 1: awake and movable or moving, or connected to such a body."""
    m, active = MOTIONS.rows(tables), INTEGERS.rows(tables)
    at_rest = False
    for body in range(MOTIONS.used(tables)):
        active[body] = 0
        if m[body].flags & ENABLED:
            if m[body].inverse_mass > 0.0 or is_moving(m[body]):
                active[body] = 1
        elif m[body].inverse_mass > 0.0:
            at_rest = True
    while at_rest:
        at_rest = False
        for k in range(PAIRS.used(tables)):
            pair = PAIRS.rows(tables)[k]
            a, b = GEOMS.rows(tables)[pair.a].body, GEOMS.rows(tables)[pair.b].body
            at_rest |= _propagate_activity(m, active, a, b)
        for k in range(LINKS.used(tables)):
            link = LINKS.rows(tables)[k]
            at_rest |= _propagate_activity(m, active, link.body0, link.body1)


@kernel
def is_moving(motion):
    """Whether a body has any velocity."""
    v, w = get3(motion.linear_velocity), get3(motion.angular_velocity)
    return dot(v, v) + dot(w, w) > 0.0


@kernel
def _propagate_activity(m, active, a, b):
    """Propagate activity between two neighbouring bodies. Returns whether one became active."""
    if active[a] == active[b]:
        return False
    reached = b if active[a] else a
    if m[reached].inverse_mass == 0.0:
        return False
    active[reached] = 1
    return True


@kernel
def connected(tables, body_a, body_b):
    """Whether an enabled joint connects two bodies (links of this step have been listed)."""
    if body_a == 0 or body_b == 0:
        return False
    at = FIRST_LINKS.rows(tables)[body_a]
    while at >= 0:
        link = LINKS.rows(tables)[at]
        first = link.body0 == body_a
        if link.kind == JOINT and (link.body1 if first else link.body0) == body_b:
            return True
        at = link.next0 if first else link.next1
    return False


@kernel
def make_contacts(tables):
    """Make a contact constraint for each point, after the user's. False: out of memory."""
    first = CONTACTS.used(tables)
    count = POINTS.used(tables)
    if not CONTACTS.has_room(tables, first + count):
        return False
    deepest = 0.0
    for k in range(count):
        load_ahead(tables)
        make_contact(tables, CONTACTS.rows(tables)[first + k], POINTS.rows(tables)[k])
        deepest = max(deepest, POINTS.rows(tables)[k].depth)
    report = REPORTS.rows(tables)[0]
    report.contacts = count
    report.deepest = deepest
    return True


@kernel
def make_contact(tables, contact, point):
    """Make the constraint of one point, with the movable body first."""
    contact.point = point
    a, b = GEOMS.rows(tables)[point.geom_a], GEOMS.rows(tables)[point.geom_b]
    contact.surface = SURFACES.rows(tables)[a.material * _materials(tables) + b.material]
    contact.flags = CONTACT_ALIVE | CONTACT_ENABLED
    contact.body0 = a.body
    contact.body1 = b.body
    if a.body == 0:
        contact.body0 = b.body
        contact.body1 = 0
        contact.flags |= REVERSED


@kernel
def _materials(tables):
    """Number of materials: side of the square surfaces table."""
    side = 1
    while side * side < SURFACES.used(tables):
        side += 1
    return side
