"""Contact points of a run of candidate pairs, and the contact constraints made of them.

Pairs that cannot move each other are skipped: rays, pairs without a body or connected by a joint, and sleeping pairs away from
anything that moves. Sleeping bodies connected to an awake body, directly or through the boxes and joints of other sleeping
bodies, get contacts: they may be woken in this step, and then need their supports at once.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.blocks.load_ahead import load_ahead
from opendynamics.core.arrays.bodies import ENABLED, MOTIONS
from opendynamics.core.arrays.contacts import ALIVE as CONTACT_ALIVE
from opendynamics.core.arrays.contacts import (
    CONTACT_DETAILS,
    CONTACTS,
    DETAILED,
    FOUND_PAIRS,
    POINTS,
    REVERSED,
    SURFACES,
)
from opendynamics.core.arrays.contacts import ENABLED as CONTACT_ENABLED
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.islands import FIRST_LINKS, JOINT, LINKS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shapes import RAY, has_trait
from opendynamics.core.collide.narrowphase.collider import points_at
from opendynamics.core.collide.narrowphase.dispatch import are_loaded, collide_by, colliders_of
from opendynamics.core.collide.recycling import COLLIDED, NOT_RECYCLABLE, is_recyclable, recycle, recycles
from opendynamics.core.kernels import kernel

POINT_BYTES = POINTS.dtype.itemsize


@kernel
def collide_run(tables, first, end, at, room, scratch, excluded):
    """Collide the candidate pairs from `first` up to `end`; write their points to address `at`, with room for `room`.

    Returns the pair it stopped at, `end` if it did not; the number of points; and how many were left out. It stops where there
    may be no room, where no collider is loaded or one failed, and at pairs with the collider at address `excluded`.
    """
    limit, count, left_out, known = WORLDS.rows(tables)[0].max_contacts, 0, 0, recycles(tables)
    for k in range(first, end):
        load_ahead(tables)
        pair, result = PAIRS.rows(tables)[k], FOUND_PAIRS.rows(tables)[k]
        result.count, result.recycling = 0, NOT_RECYCLABLE
        a, b = GEOMS.rows(tables)[pair.a], GEOMS.rows(tables)[pair.b]
        if not can_push(tables, a.body, b.body) or has_trait(a.kind, RAY) or has_trait(b.kind, RAY):
            continue
        forward, backward = colliders_of(tables, a.kind, b.kind)
        missing = not are_loaded(forward, backward)
        if missing or count + limit > room or (excluded != 0 and (forward == excluded or backward == excluded)):
            return k, count, left_out
        points = points_at(at + count * POINT_BYTES, limit)
        recyclable = known and is_recyclable(tables, a.kind, b.kind, forward, backward)
        if not (recyclable and recycle(tables, pair.a, pair.b, result, points)):
            here, there = GEOMS.address(tables, pair.a), GEOMS.address(tables, pair.b)
            found = collide_by(forward, backward, here, there, limit, at + count * POINT_BYTES, scratch)
            if found < 0:
                result.count = found  # why it stopped
                return k, count, left_out
            left_out += max(found - limit, 0)
            result.count, result.moved = min(found, limit), 0.0
            if recyclable and 0 < found <= limit:
                result.recycling = COLLIDED
        for p in range(result.count):
            points[p].geom_a = pair.a
            points[p].geom_b = pair.b
        count += result.count
    return end, count, left_out


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
def make_run(tables, begin, end):
    """Make the contact constraints of the points from `begin` up to `end`, after the user's. Returns the largest depth."""
    first, deepest = CONTACTS.used(tables), 0.0
    for k in range(begin, end):
        load_ahead(tables)
        make_contact(tables, CONTACTS.rows(tables)[first + k], POINTS.rows(tables)[k], first + k)
        deepest = max(deepest, POINTS.rows(tables)[k].depth)
    return deepest


@kernel
def make_contact(tables, contact, point, detail):
    """Make the constraint of one point, with the movable body first; its details, if it has any, are to be in row `detail`."""
    contact.point = point
    a, b = GEOMS.rows(tables)[point.geom_a], GEOMS.rows(tables)[point.geom_b]
    put_surface(tables, contact.surface, SURFACES.rows(tables)[a.material * _materials(tables) + b.material], detail)
    contact.flags = CONTACT_ALIVE | CONTACT_ENABLED
    contact.body0 = a.body
    contact.body1 = b.body
    if a.body == 0:
        contact.body0 = b.body
        contact.body1 = 0
        contact.flags |= REVERSED


@kernel
def put_surface(tables, own, surface, detail):
    """Let a contact's own surface be like another one, with its details, if it has any, in row `detail`."""
    own.mode, own.detail = surface.mode, -1
    own.mu, own.mu2 = surface.mu, surface.mu2
    own.bounce, own.bounce_velocity = surface.bounce, surface.bounce_velocity
    if surface.mode & DETAILED:
        own.detail = detail
        put_details(CONTACT_DETAILS.rows(tables)[detail], surface)


@kernel
def put_details(own, surface):
    """Let the details of a contact be those of a surface, which has no directions."""
    own.soft_erp, own.soft_cfm = surface.soft_erp, surface.soft_cfm
    own.motion1, own.motion2, own.motion_normal = surface.motion1, surface.motion2, surface.motion_normal
    own.slip1, own.slip2 = surface.slip1, surface.slip2
    own.rho, own.rho2, own.rho_normal = surface.rho, surface.rho2, surface.rho_normal


@kernel
def any_has_details(tables):
    """Whether any surface of materials has what is in the details of its contacts."""
    modes = 0
    for k in range(SURFACES.used(tables)):
        modes |= SURFACES.rows(tables)[k].mode
    return modes & DETAILED != 0


@kernel
def _materials(tables):
    """Number of materials: side of the square surfaces table."""
    side = 1
    while side * side < SURFACES.used(tables):
        side += 1
    return side
