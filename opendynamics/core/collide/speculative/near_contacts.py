"""Stage: contacts across the gaps between geoms that are near, after those of what touches.

The geoms are put, as copies, where they would first meet in the step, or where they are if they would not; geom a is
pushed a little further along each direction in which it is near b, and the pair's own collider tells the contacts. Every
contact is carried back with the material of both geoms to where they are now: with a point of a going by u_a, one of b by
u_b, and the depth d there along the normal n (into a), the depth now is d + (u_a - u_b)·n, a gap if negative. So what
arrives flat has all its corners, and surfaces give no normals but their own.

Pairs that touch have their contacts; if they move, further corners that may touch in this step get theirs.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import get9, set9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, get3_from, length, negate, scale, set3, subtract
from opendynamics.core.arrays.bodies import ENABLED, MOTIONS
from opendynamics.core.arrays.contacts import CONTACTS, POINTS, SPECULATIVE
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.report import (
    BOUNDS_KERNELS,
    CHOICES,
    FLOATS,
    INTEGERS,
    PAIR_KERNELS,
    REPORTS,
    SHAPE_KINDS,
)
from opendynamics.core.arrays.table import ADDRESS, FIELDS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.triangles import GRID, MESH
from opendynamics.core.collide.bounds import call_bounds
from opendynamics.core.collide.contacts import can_push, make_contact, mark_active
from opendynamics.core.collide.narrowphase.dispatch import collide_two
from opendynamics.core.collide.narrowphase.supports import SPHERE
from opendynamics.core.collide.speculative import NEAR
from opendynamics.core.collide.speculative.aside import turn_aside
from opendynamics.core.collide.speculative.directions import (
    COPIES,
    DIRECTION,
    DIRECTIONS,
    MEMORY,
    find_direction,
    find_directions,
    floats_of,
    note_direction,
)
from opendynamics.core.collide.speculative.expected import expect_motion, expected_motion, headway
from opendynamics.core.collide.speculative.meeting import meeting_of_shapes, meeting_of_surface, sinks_along
from opendynamics.core.collide.speculative.surface import across_gap
from opendynamics.core.collide.sweeps.impact import shape_of
from opendynamics.core.collide.sweeps.motion import geoms_at, pace_of, place_at
from opendynamics.core.collide.sweeps.width import PLANE, is_convex, width_of_geom
from opendynamics.core.kernels import entry, kernel

FLOATS_ADDRESS = FIELDS * FLOATS.position + ADDRESS
POINTS_ADDRESS = FIELDS * POINTS.position + ADDRESS
POINT_BYTES = POINTS.dtype.itemsize
GEOM_BYTES = GEOMS.dtype.itemsize

# Part of the least width by which a gap may more than close, so that the next step finds all corners touching.
HAIR = 1.0e-7

# How far a copy is pushed on beyond touch, as part of the least width of the two, and by what it is pushed less where that
# is too far: what stands on another's rim is pushed out sideways.
PUSH = 0.25
LESS = 0.1
TRIES = 3

# Part of the least width by which what touches must move for further corners to be looked for; and number of contacts
# with which a face rests on a face.
MOVING = 0.005
FACE = 4

# How often geoms may meet in a step, and the clearance for looking further, as part of the width: else it is met again.
MEETINGS = 4
CLEARANCE = 1.0e-6

# Cosine between a contact's normal and the direction it was looked for along, at least; cosine from which on two normals,
# and part of the width up to which two points, are the same.
ALONG = 0.5
SAME_NORMAL = 0.999
SAME_PLACE = 0.02


@entry(NEAR)
def add_near_contacts(tables, h):
    if not (FLOATS.has_room(tables, MEMORY) and INTEGERS.has_room(tables, MOTIONS.used(tables))):
        return 0
    mark_active(tables)
    touching = POINTS.used(tables)
    at, count = 0, touching
    for k in range(PAIRS.used(tables)):
        pair = PAIRS.rows(tables)[k]
        own = at
        while at < touching and POINTS.rows(tables)[at].geom_a == pair.a and POINTS.rows(tables)[at].geom_b == pair.b:
            at += 1
        if can_push(tables, GEOMS.rows(tables)[pair.a].body, GEOMS.rows(tables)[pair.b].body) and has_gaps(
            tables, pair
        ):
            count = _add_of_pair(tables, pair, own, at, count, h)
            if count < 0:
                return 0
    POINTS.use(tables, count)
    REPORTS.rows(tables)[0].contacts = count
    REPORTS.rows(tables)[0].speculative = count - touching
    return 1


@kernel
def has_gaps(tables, pair):
    """Whether distances of the pair's kinds can be told, and its collider can be asked about copies."""
    a, b = GEOMS.rows(tables)[pair.a].kind, GEOMS.rows(tables)[pair.b].kind
    asks, kernels = CHOICES.rows(tables)[0].asks, PAIR_KERNELS.rows(tables)
    if kernels[a * SHAPE_KINDS + b] == asks or kernels[b * SHAPE_KINDS + a] == asks:
        return False
    return (is_convex(a) and _is_met(b)) or (is_convex(b) and _is_met(a))


@kernel
def _is_met(kind):
    return is_convex(kind) or kind == PLANE or kind == MESH or kind == GRID


@kernel
def _add_of_pair(tables, pair, own, end, count, h):
    """Add contacts of a pair that has the points from `own` up to `end`; returns the number of points, -1: no room."""
    flipped = not is_convex(GEOMS.rows(tables)[pair.a].kind)
    a, b = (pair.b, pair.a) if flipped else (pair.a, pair.b)
    one, other = GEOMS.rows(tables)[a], GEOMS.rows(tables)[b]
    flat = is_convex(other.kind) or other.kind == PLANE
    if end > own and flat and (end - own >= FACE or one.kind == SPHERE or other.kind == SPHERE):
        return count
    width = width_of_geom(one)
    if is_convex(other.kind):
        width = min(width, width_of_geom(other))
    if end > own and _present_motion(tables, a, b, h) < MOVING * width:
        return count
    motion_one, motion_other = expected_motion(tables, one.body), expected_motion(tables, other.body)
    count = _add_while_met(tables, pair, (a, b, flipped, width, flat), (own, end, count), h)
    expect_motion(tables, one.body, motion_one)
    expect_motion(tables, other.body, motion_other)
    return count


@kernel
def _add_while_met(tables, pair, geoms, runs, h):
    """The same, which may change the motion expected of the pair: what was turned aside may meet the other again."""
    a, b, _, width, flat = geoms
    touching, count, scratch = runs[1] > runs[0], runs[2], tables[FLOATS_ADDRESS]
    for k in range(1 if GEOMS.rows(tables)[b].kind == PLANE else MEETINGS):
        if touching or k > 0:
            turn_aside(tables, runs, count, CLEARANCE * width, h)
        reach = _reach(tables, a, b, touching)
        if touching and reach < MOVING * width:
            break
        part = inf
        if not flat:
            part = meeting_of_surface(tables, a, b, width, touching, scratch)
        elif not touching:
            part, gap = meeting_of_shapes(tables, a, b, shape_of(GEOMS.rows(tables)[b]), width, reach, 1.0, scratch)
            if gap > reach:
                break
        elif sinks_along(tables, a, b, _deepest_normal(tables, geoms, runs), width):
            part = 1.0
        if part == inf and (touching or k > 0 or _passes_unseen(tables, a, b)):
            break
        before = count
        count = _add_at(tables, pair, geoms, reach, part, runs, count, h)
        if count == before and part < 1.0:
            # There again is what was known: the end of the step shows what else.
            count = _add_at(tables, pair, geoms, reach, 1.0, runs, count, h)
        if part == inf or count <= before:
            break
    return count


@kernel
def _deepest_normal(tables, geoms, runs):
    """Normal, into geom a, of the deepest contact that a pair has."""
    deepest = runs[0]
    for k in range(runs[0] + 1, runs[1]):
        if POINTS.rows(tables)[k].depth > POINTS.rows(tables)[deepest].depth:
            deepest = k
    n = get3(POINTS.rows(tables)[deepest].normal)
    return negate(n) if geoms[2] else n


@kernel
def _add_at(tables, pair, geoms, reach, part, runs, count, h):
    """Add the contacts of a pair that meets after a part of the step, infinity: not at all; returns as `_add_of_pair`."""
    a, b, _, width, flat = geoms
    passing, scratch = part == inf, tables[FLOATS_ADDRESS]
    if passing:
        part = 0.0
    floats = floats_of(scratch)
    more = reach if GEOMS.rows(tables)[b].kind == PLANE else min(reach, PUSH * width)
    if not flat:
        found = find_directions(tables, a, b, part, reach if passing else more, scratch)
    elif runs[1] == runs[0]:
        found = find_direction(tables, a, b, part, reach, scratch)
    else:
        found = note_direction(floats, 0, negate(_deepest_normal(tables, geoms, runs)), 0.0)
    for k in range(found):
        at = DIRECTIONS + DIRECTION * k
        toward, gap, push = get3_from(floats, at), max(floats[at + 3], 0.0), more
        for _ in range(TRIES):
            before = count
            count = _add_along(tables, pair, geoms, (part, passing, reach, scale(gap + push, toward)), runs, count, h)
            if count != before:
                break
            push *= LESS
        if count < 0:
            break
    return count


@kernel
def _reach(tables, a, b, touching):
    """Gap, m, up to which a pair may have contacts: the margin, and for what touches not more than it may move."""
    margin = WORLDS.rows(tables)[0].margin
    if margin < inf and not touching:
        return margin
    travel_a, turning_a = pace_of(tables, a)
    travel_b, turning_b = pace_of(tables, b)
    return min(margin, length(subtract(travel_a, travel_b)) + turning_a + turning_b)


@kernel
def _present_motion(tables, a, b, h):
    """How far the geoms of a pair move against each other with the velocities that they have, m, at most."""
    one, other = GEOMS.rows(tables)[a].body, GEOMS.rows(tables)[b].body
    v = subtract(get3(MOTIONS.rows(tables)[one].linear_velocity), get3(MOTIONS.rows(tables)[other].linear_velocity))
    return h * length(v) + pace_of(tables, a)[1] + pace_of(tables, b)[1]


@kernel
def _passes_unseen(tables, a, b):
    """Whether geoms that will not meet are to have no contacts: with a margin of their own they have, unless one sleeps."""
    return WORLDS.rows(tables)[0].margin == inf or _is_asleep(tables, a) or _is_asleep(tables, b)


@kernel
def _is_asleep(tables, geom):
    motion = MOTIONS.rows(tables)[GEOMS.rows(tables)[geom].body]
    return motion.inverse_mass > 0.0 and not motion.flags & ENABLED


@kernel
def _add_along(tables, pair, geoms, meeting, runs, count, h):
    """Add the contacts of the pair where its geoms meet, with geom a pushed on; returns as `_add_of_pair`."""
    a, b, flipped, _, flat = geoms
    part, _, _, push = meeting
    room = WORLDS.rows(tables)[0].max_contacts - (runs[1] - runs[0]) - (count - runs[2])
    if not flat:
        room = (room + 1) // 2  # others may be met in the same step
    if room <= 0:
        return count
    if not (POINTS.has_room(tables, count + room) and CONTACTS.has_room(tables, CONTACTS.used(tables) + count + room)):
        return -1
    here = tables[FLOATS_ADDRESS] + 8 * COPIES
    there = here + GEOM_BYTES
    _put_copy(tables, a, part, push, here)
    _put_copy(tables, b, part, (0.0, 0.0, 0.0), there)
    if flipped:
        here, there = there, here
    kind_a, kind_b = GEOMS.rows(tables)[pair.a].kind, GEOMS.rows(tables)[pair.b].kind
    left_out = REPORTS.rows(tables)[0].contacts_left_out
    points = tables[POINTS_ADDRESS] + count * POINT_BYTES
    found = collide_two(tables, kind_a, kind_b, here, there, room, points, tables[FLOATS_ADDRESS])
    REPORTS.rows(tables)[0].contacts_left_out = left_out
    if found < 0:
        return -1
    for k in range(count, count + found):
        POINTS.rows(tables)[count] = POINTS.rows(tables)[k]
        POINTS.rows(tables)[count].geom_a, POINTS.rows(tables)[count].geom_b = pair.a, pair.b
        count += _is_added(tables, count, geoms, meeting, runs, h)
    return count


@kernel
def _put_copy(tables, index, part, push, address):
    """Write a geom's record, placed where it is after a part of the step and pushed on, to an address."""
    copy = geoms_at(address)
    copy[0] = GEOMS.rows(tables)[index]
    place, r = place_at(tables, index, part)
    set3(copy[0].position, add(place, push))
    set9(copy[0].rotation, r)
    call_bounds(BOUNDS_KERNELS.rows(tables)[copy[0].kind], address)


@kernel
def _is_added(tables, k, geoms, meeting, runs, h):
    """Carry point k back to where the geoms are now, and make a contact of it, if it is one across a gap."""
    a, b, flipped, width, _ = geoms
    part, passing, reach, push = meeting
    point = POINTS.rows(tables)[k]
    n = get3(point.normal)
    if flipped:
        n = negate(n)
    if -dot(n, push) < ALONG * length(push):
        return 0
    place = get3(point.position)
    on_a, on_b = _carried_back(tables, a, part, subtract(place, push)), _carried_back(tables, b, part, place)
    gap = dot(n, subtract(on_a, on_b)) - point.depth
    own, end, begin = runs
    if gap > reach or gap < -SAME_PLACE * width or (gap <= 0.0 and end > own):
        return 0
    gap = max(gap, 0.0)
    one, other = GEOMS.rows(tables)[a].body, GEOMS.rows(tables)[b].body
    approach = subtract(headway(tables, other, on_b, n, h), headway(tables, one, on_a, n, h))
    if approach[0] > gap:
        if passing:
            return 0
    elif _is_asleep(tables, a) or _is_asleep(tables, b):
        return 0
    contact = CONTACTS.rows(tables)[CONTACTS.used(tables) + k]
    point.depth = -gap - HAIR * width
    make_contact(tables, contact, point)
    if contact.body0 != one:
        on_a, on_b = on_b, on_a
    set3(point.position, on_a)
    if _is_known(tables, point, own, end, width) or _is_known(tables, point, begin, k, width):
        return 0
    contact.point = point
    contact.flags |= SPECULATIVE
    set3(contact.apart, subtract(on_b, on_a))
    across_gap(contact.surface, gap, approach, h)
    return 1


@kernel
def _carried_back(tables, index, part, point):
    """Where the point of a geom is now that is at `point` after a part of the step."""
    geom = GEOMS.rows(tables)[index]
    place, r = place_at(tables, index, part)
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
