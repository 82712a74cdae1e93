"""The last step's forces as the first guess of this one's.

A joint keeps its forces row by row; if rows have come or gone, those without bounds, which come first, are still the
same. A contact made anew takes over the force of the contact of the same two bodies that was nearest, seen from the
body: at most MATCHED times as far away as the body's centre of mass, and each only once. Its force is turned into that
of the new directions.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, length, scale, set3, subtract
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.contacts import CONTACTS, SPECULATIVE
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.kept import CONTACT_FORCES, CONTACT_HEADS, JOINT_FORCES, JOINT_ROWS
from opendynamics.core.arrays.report import FLOATS, REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel

MATCHED = 0.3


@kernel
def has_room_to_keep(tables):
    """Room for this step's forces, asked for before anything is solved."""
    links = LINKS.used(tables)
    return CONTACT_FORCES.has_room(tables, links) and CONTACT_HEADS.has_room(tables, _heads(links))


@kernel
def _heads(contacts):
    """Places for that many contacts: a power of two."""
    size = 16
    while size < 2 * contacts:
        size *= 2
    return size


@kernel
def _head(low, high, size):
    return ((low * 73856093) ^ (high * 19349663)) & (size - 1)


@kernel
def keep_all(tables):
    """Keep the forces of all joints and contacts; before the bodies move."""
    heads = CONTACT_HEADS.rows(tables)
    REPORTS.rows(tables)[0].kept_at = REPORTS.rows(tables)[0].moves
    size = _heads(LINKS.used(tables))
    CONTACT_HEADS.use(tables, size)
    for k in range(size):
        heads[k] = -1
    count = 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        for at in range(island.first_link, island.first_link + island.links):
            link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
            if island.faulty or link.row_count == 0:
                continue
            if link.kind == CONTACT:
                _keep_contact(tables, link, CONTACT_FORCES.rows(tables)[count])
                kept = CONTACT_FORCES.rows(tables)[count]
                place = _head(kept.low, kept.high, size)
                kept.next = heads[place]
                heads[place] = count
                count += 1
            else:
                _keep_joint(tables, link)
    CONTACT_FORCES.use(tables, count)


@kernel
def _keep_joint(tables, link):
    kept = JOINT_FORCES.rows(tables)[link.index]
    kept.stamp = REPORTS.rows(tables)[0].moves
    kept.rows = min(link.row_count, JOINT_ROWS)
    kept.free_rows = free_rows(tables, link)
    for r in range(kept.rows):
        kept.forces[r] = FORCES.rows(tables)[link.first_row + r]


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
def _keep_contact(tables, link, kept):
    contact = CONTACTS.rows(tables)[link.index]
    sign = 1.0 if link.body0 > link.body1 else -1.0
    kept.low, kept.high = min(link.body0, link.body1), max(link.body0, link.body1)
    arm = _seen_from_body(tables, contact, kept.high)
    set3(kept.position, arm)
    kept.reach = length(arm)
    kept.taken = 0
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for r in range(link.first_row, link.first_row + link.row_count):
        row = ROWS.rows(tables)[r]
        own = sign * FORCES.rows(tables)[r]
        if _is_rolling(row):
            torque = add_scaled(torque, own, (row.j0[3], row.j0[4], row.j0[5]))
        else:
            force = add_scaled(force, own, (row.j0[0], row.j0[1], row.j0[2]))
    set3(kept.force, force)
    set3(kept.torque, torque)


@kernel
def recall_joint(tables, link, first, positions, part):
    """Set the forces of a joint, at `positions` in the floats for its rows from `first` on, to `part` of the last."""
    kept = JOINT_FORCES.rows(tables)[link.index]
    if kept.stamp != REPORTS.rows(tables)[0].moves:
        return
    count = kept.rows
    if count != link.row_count:
        count = min(kept.free_rows, free_rows(tables, link), kept.rows)
    for r in range(count):
        FLOATS.rows(tables)[positions[first + r]] = part * kept.forces[r]


@kernel
def recall_contact(tables, link, first, positions, part):
    """The same for a contact."""
    nearest = _nearest(tables, link)
    if nearest < 0:
        return
    kept = CONTACT_FORCES.rows(tables)[nearest]
    kept.taken = REPORTS.rows(tables)[0].attempts
    sign = part if link.body0 > link.body1 else -part
    force, torque = scale(sign, get3(kept.force)), scale(sign, get3(kept.torque))
    for r in range(link.row_count):
        row = ROWS.rows(tables)[link.first_row + r]
        along, about = (row.j0[0], row.j0[1], row.j0[2]), (row.j0[3], row.j0[4], row.j0[5])
        if _is_rolling(row):
            value = dot(torque, about)
        else:
            value = dot(force, along) / dot(along, along)
        FLOATS.rows(tables)[positions[first + r]] = min(max(value, row.lo), row.hi) if row.normal < 0 else value


@kernel
def _nearest(tables, link):
    """The kept contact to start from; -1: none."""
    report = REPORTS.rows(tables)[0]
    if CONTACT_FORCES.used(tables) == 0 or report.kept_at != report.moves:
        return -1
    low, high = min(link.body0, link.body1), max(link.body0, link.body1)
    here = _seen_from_body(tables, CONTACTS.rows(tables)[link.index], high)
    at = CONTACT_HEADS.rows(tables)[_head(low, high, CONTACT_HEADS.used(tables))]
    best, best_distance = -1, 0.0
    while at >= 0:
        kept = CONTACT_FORCES.rows(tables)[at]
        if kept.low == low and kept.high == high and kept.taken != report.attempts:
            away = subtract(get3(kept.position), here)
            distance = dot(away, away)
            if distance <= MATCHED * MATCHED * kept.reach * kept.reach and (best < 0 or distance <= best_distance):
                best, best_distance = at, distance
        at = kept.next
    return best
