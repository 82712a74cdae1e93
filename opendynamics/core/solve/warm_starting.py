"""Warm starting: the cached forces of the last step as the first guess of this one's.

A joint's forces are cached row by row; if rows have come or gone, those without bounds, which come first, are still the
same. A contact made anew takes over the force of the cached contact of the same two bodies that was nearest, seen from
the body: at most MATCHED times as far away as the body's centre of mass, and each only once. Its force is projected on
the new directions.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, length, scale, set3, subtract
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.contact_cache import CONTACT_BUCKETS, CONTACT_FORCES, JOINT_FORCES, JOINT_ROWS
from opendynamics.core.arrays.contacts import CONTACTS, SPECULATIVE
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE

MATCHED = 0.3

# Of an island in one attempt, see `solve/impacts.py`.
MOST_SOLUTIONS = 4


@kernel
def has_room_in_cache(tables):
    """Whether there is room for this step's forces; asked before anything is solved."""
    links = LINKS.used(tables)
    return CONTACT_FORCES.has_room(tables, links) and CONTACT_BUCKETS.has_room(tables, _bucket_count(links))


@kernel
def _bucket_count(contacts):
    """Buckets for that many contacts: a power of two."""
    size = 16
    while size < 2 * contacts:
        size *= 2
    return size


@kernel
def _bucket(low, high, size):
    return ((low * 73856093) ^ (high * 19349663)) & (size - 1)


@entry(SOLVE)
def keep(tables, _):
    """Write the forces of all joints and contacts to the contact cache; before the bodies move."""
    buckets = CONTACT_BUCKETS.rows(tables)
    REPORTS.rows(tables)[0].cached_at = REPORTS.rows(tables)[0].moves
    size = _bucket_count(LINKS.used(tables))
    CONTACT_BUCKETS.use(tables, size)
    for k in range(size):
        buckets[k] = -1
    count = 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        for at in range(island.first_link, island.first_link + island.links):
            link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
            if island.faulty or link.row_count == 0:
                continue
            if link.kind == CONTACT:
                _cache_contact(tables, link, CONTACT_FORCES.rows(tables)[count])
                cached = CONTACT_FORCES.rows(tables)[count]
                bucket = _bucket(cached.low, cached.high, size)
                cached.next = buckets[bucket]
                buckets[bucket] = count
                count += 1
            else:
                _cache_joint(tables, link)
    CONTACT_FORCES.use(tables, count)
    return 1


@kernel
def _cache_joint(tables, link):
    cached = JOINT_FORCES.rows(tables)[link.index]
    cached.stamp = REPORTS.rows(tables)[0].moves
    cached.rows = min(link.row_count, JOINT_ROWS)
    cached.free_rows = free_rows(tables, link)
    for r in range(cached.rows):
        cached.forces[r] = FORCES.rows(tables)[link.first_row + r]


@kernel
def free_rows(tables, link):
    """How many of the first rows have no bounds."""
    for r in range(link.row_count):
        if is_bounded(ROWS.rows(tables)[link.first_row + r]):
            return r
    return link.row_count


@kernel
def _seen_from_body(tables, contact, body):
    centre = get3(POSES.rows(tables)[body].position)
    arm = subtract(get3(contact.point.position), centre)
    if contact.flags & SPECULATIVE and body == contact.body1:
        arm = add(arm, get3(contact.apart))
    return transposed_times(get9(POSES.rows(tables)[body].rotation), arm)


@kernel
def _is_rolling(row):
    return row.j0[0] == 0.0 and row.j0[1] == 0.0 and row.j0[2] == 0.0


@kernel
def _cache_contact(tables, link, cached):
    contact = CONTACTS.rows(tables)[link.index]
    sign = 1.0 if link.body0 > link.body1 else -1.0
    cached.low, cached.high = min(link.body0, link.body1), max(link.body0, link.body1)
    arm = _seen_from_body(tables, contact, cached.high)
    set3(cached.position, arm)
    cached.reach = length(arm)
    cached.taken = 0
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for r in range(link.first_row, link.first_row + link.row_count):
        row = ROWS.rows(tables)[r]
        own = sign * FORCES.rows(tables)[r]
        if _is_rolling(row):
            torque = add_scaled(torque, own, (row.j0[3], row.j0[4], row.j0[5]))
        else:
            force = add_scaled(force, own, (row.j0[0], row.j0[1], row.j0[2]))
    set3(cached.force, force)
    set3(cached.torque, torque)


@kernel
def start_island(tables, island, fraction):
    """Set the island's forces to a fraction of the cached ones, and 0 where there are none. Returns how many links have some."""
    forces = FORCES.rows(tables)
    for r in range(island.first_row, island.first_row + island.rows):
        forces[r] = 0.0
    attempt = _attempt_to_solve(tables, island)
    started = 0
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if link.row_count > 0 and link.kind == CONTACT:
            started += _start_contact(tables, link, fraction, attempt)
        elif link.row_count > 0:
            started += _start_joint(tables, link, fraction)
    return started


@kernel
def _start_joint(tables, link, fraction):
    """The same for a joint: 1 or 0."""
    cached = JOINT_FORCES.rows(tables)[link.index]
    if cached.stamp != REPORTS.rows(tables)[0].moves:
        return 0
    count = cached.rows
    if count != link.row_count:
        count = min(cached.free_rows, free_rows(tables, link), cached.rows)
    for r in range(count):
        FORCES.rows(tables)[link.first_row + r] = fraction * cached.forces[r]
    return 1


@kernel
def _attempt_to_solve(tables, island):
    """Distinguishes every solution of an island, also those of one step: each takes the cached forces."""
    return MOST_SOLUTIONS * REPORTS.rows(tables)[0].attempts + island.solutions


@kernel
def _start_contact(tables, link, fraction, attempt):
    """The same for a contact."""
    nearest = _nearest(tables, link, attempt)
    if nearest < 0:
        return 0
    cached = CONTACT_FORCES.rows(tables)[nearest]
    cached.taken = attempt
    sign = fraction if link.body0 > link.body1 else -fraction
    force, torque = scale(sign, get3(cached.force)), scale(sign, get3(cached.torque))
    for r in range(link.row_count):
        row = ROWS.rows(tables)[link.first_row + r]
        along, about = (row.j0[0], row.j0[1], row.j0[2]), (row.j0[3], row.j0[4], row.j0[5])
        if _is_rolling(row):
            value = dot(torque, about)
        else:
            value = dot(force, along) / dot(along, along)
        FORCES.rows(tables)[link.first_row + r] = min(max(value, row.lo), row.hi) if row.normal < 0 else value
    return 1


@kernel
def _nearest(tables, link, attempt):
    """The cached contact to start from; -1: none."""
    report = REPORTS.rows(tables)[0]
    if CONTACT_FORCES.used(tables) == 0 or report.cached_at != report.moves:
        return -1
    low, high = min(link.body0, link.body1), max(link.body0, link.body1)
    here = _seen_from_body(tables, CONTACTS.rows(tables)[link.index], high)
    at = CONTACT_BUCKETS.rows(tables)[_bucket(low, high, CONTACT_BUCKETS.used(tables))]
    best, best_distance = -1, 0.0
    while at >= 0:
        cached = CONTACT_FORCES.rows(tables)[at]
        if cached.low == low and cached.high == high and cached.taken != attempt:
            away = subtract(get3(cached.position), here)
            distance = dot(away, away)
            if distance <= MATCHED * MATCHED * cached.reach * cached.reach and (best < 0 or distance <= best_distance):
                best, best_distance = at, distance
        at = cached.next
    return best
