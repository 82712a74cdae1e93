"""Contacts across a gap, from copies of two geoms pushed together where they meet.

The copies stand where the geoms are after a fraction t of the step, and geom a is pushed on until it overlaps b, so that the
pair's own collider finds the contacts: what arrives flat has all its corners, and surfaces give no normals but their own. Every
contact is carried back with the material of both geoms to where they are now: with a point of a going by u_a, one of b by u_b,
and the depth d there along the normal n (into a), the depth now is d - (u_b - u_a)·n, a gap if negative.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, set9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, length, negate, set3, subtract
from opendynamics.core.arrays.contacts import CONTACT_DETAILS, CONTACTS, POINTS, SPECULATIVE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import FLOATS, REPORTS
from opendynamics.core.arrays.swept_motion import SWEEPS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shapes import contracts
from opendynamics.core.collide.bounds import call_bounds
from opendynamics.core.collide.ccd.swept_motion import geoms_at, place_at
from opendynamics.core.collide.contacts import make_contact
from opendynamics.core.collide.narrowphase.dispatch import MISSING, collide_two
from opendynamics.core.collide.speculative.directions import COPIES
from opendynamics.core.collide.speculative.material import adapt_material
from opendynamics.core.collide.speculative.predicted_motion import headway, is_asleep
from opendynamics.core.kernels import kernel

GEOM_BYTES = GEOMS.dtype.itemsize

# Fraction of the least width, up to 1 m, by which a gap may more than close, so that the next step finds all corners touching.
OVERCLOSURE = 1.0e-7

# Cosine between a contact's normal and the direction it was looked for along, at least; cosine from which on two normals,
# and fraction of the width up to which two points, are the same.
ALONG = 0.5
SAME_NORMAL = 0.999
SAME_PLACE = 0.02

# Turn in a step, rad, from which on its linear part says nothing of where points go: then they are carried back without it.
MAX_TURN = 1.0


@kernel
def add_along(tables, pair, geoms, meeting, runs, count, h):
    """Add the contacts of the pair where its geoms meet, with geom a pushed on; returns the number of points, -1: no room."""
    a, b, flipped, _, flat = geoms
    t, _, _, push = meeting
    room = WORLDS.rows(tables)[0].max_contacts - (runs[1] - runs[0]) - (count - runs[2])
    if not flat:
        room = (room + 1) // 2  # others may be met in the same step
    if room <= 0:
        return count
    users, details = CONTACTS.used(tables), REPORTS.rows(tables)[0].details
    has_room = POINTS.has_room(tables, count + room) and CONTACTS.has_room(tables, users + count + room)
    if not (has_room and CONTACT_DETAILS.has_room(tables, users + details + room)):
        return -1
    here = FLOATS.address(tables, COPIES)
    there = here + GEOM_BYTES
    _put_copy(tables, a, t, push, here)
    _put_copy(tables, b, t, (0.0, 0.0, 0.0), there)
    if flipped:
        here, there = there, here
    kind_a, kind_b = GEOMS.rows(tables)[pair.a].kind, GEOMS.rows(tables)[pair.b].kind
    left_out = REPORTS.rows(tables)[0].contacts_left_out
    points, scratch = POINTS.address(tables, count), FLOATS.address(tables, 0)
    found = collide_two(tables, kind_a, kind_b, here, there, room, points, scratch)
    REPORTS.rows(tables)[0].contacts_left_out = left_out
    if found == MISSING:
        return -1
    for k in range(count, count + found):  # none if they are refused, which is an error once they touch
        POINTS.rows(tables)[count] = POINTS.rows(tables)[k]
        POINTS.rows(tables)[count].geom_a, POINTS.rows(tables)[count].geom_b = pair.a, pair.b
        count += _is_added(tables, count, geoms, meeting, runs, h)
    return count


@kernel
def _put_copy(tables, index, t, push, address):
    """Write a geom's record, placed where it is after the fraction t of the step and pushed on, to an address."""
    copy = geoms_at(address)
    copy[0] = GEOMS.rows(tables)[index]
    place, r = place_at(tables, index, t)
    set3(copy[0].position, add(place, push))
    set9(copy[0].rotation, r)
    call_bounds(contracts()[copy[0].kind].bounds, address)


@kernel
def _is_added(tables, k, geoms, meeting, runs, h):
    """Carry point k back to where the geoms are now, and make a contact of it, if it is one across a gap."""
    a, b, flipped, width, _ = geoms
    t, passing, max_gap, push = meeting
    point = POINTS.rows(tables)[k]
    n = get3(point.normal)
    if flipped:
        n = negate(n)
    if -dot(n, push) < ALONG * length(push):
        return 0
    place = get3(point.position)
    on_a, on_b = _carried_back(tables, a, t, subtract(place, push)), _carried_back(tables, b, t, place)
    gap = dot(n, subtract(on_a, on_b)) - point.depth
    own, end, begin = runs
    if gap > max_gap or gap < -SAME_PLACE * width or (gap <= 0.0 and end > own):
        return 0
    gap = max(gap, 0.0)
    one, other = GEOMS.rows(tables)[a].body, GEOMS.rows(tables)[b].body
    approach = subtract(headway(tables, other, on_b, n, h), headway(tables, one, on_a, n, h))
    if approach[0] > gap:
        if passing:
            return 0
    elif is_asleep(tables, a) or is_asleep(tables, b):
        return 0
    contact = CONTACTS.rows(tables)[CONTACTS.used(tables) + k]
    point.depth = -gap - OVERCLOSURE * min(width, 1.0)
    detail = CONTACTS.used(tables) + REPORTS.rows(tables)[0].details
    make_contact(tables, contact, point, detail)
    if contact.body0 != one:
        on_a, on_b = on_b, on_a
    set3(point.position, on_a)
    if _is_known(tables, point, own, end, width) or _is_known(tables, point, begin, k, width):
        return 0
    contact.point = point
    contact.flags |= SPECULATIVE
    contact.surface.detail = detail
    set3(CONTACT_DETAILS.rows(tables)[detail].apart, subtract(on_b, on_a))
    REPORTS.rows(tables)[0].details += 1
    adapt_material(contact.surface, gap, approach, h)
    return 1


@kernel
def _carried_back(tables, index, t, point):
    """Where the point of a geom is now that is at `point` after the fraction t of the step."""
    geom = GEOMS.rows(tables)[index]
    sweep = SWEEPS.rows(tables)[geom.body]
    if sweep.angle > MAX_TURN:
        return add_scaled(point, -t, get3(sweep.travel))
    place, r = place_at(tables, index, t)
    return add(get3(geom.position), times(get9(geom.rotation), transposed_times(r, subtract(point, place))))


@kernel
def _is_known(tables, point, first, end, width):
    """Whether a contact like it is among the points from `first` up to `end`."""
    for k in range(first, end):
        known = POINTS.rows(tables)[k]
        n, away = get3(point.normal), subtract(get3(known.position), get3(point.position))
        if dot(get3(known.normal), n) > SAME_NORMAL:
            # Where along the normal it is, between the two, makes no difference.
            across = add_scaled(away, -dot(away, n), n)
            if length(across) < SAME_PLACE * width:
                return True
    return False
