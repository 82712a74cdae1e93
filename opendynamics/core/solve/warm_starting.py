"""Warm starting: cached forces of the last step are the initial guess of this one.

A joint's forces are cached row by row; if rows were added or removed, those without bounds, which come first, still match. A new
contact takes the force of the nearest cached contact of the same two bodies, in body coordinates: at most MATCHED times the
distance to the centre of mass away, and each cached contact only once. Its force is projected on the new directions. Forces
of a much smaller step are scaled down.

Contacts are cached in creation order, so that those of a pair are contiguous; hash buckets list the first of each such run. The
cache needs the forces of contacts, not their rows.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, length, plane_space, scale, set3, subtract
from opendynamics.core.arrays.blocks.load_ahead import prefetch, prefetch_two_lines
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.contact_cache import (
    CONTACT_BUCKETS,
    CONTACT_FORCES,
    CONTACT_TORQUES,
    JOINT_FORCES,
    JOINT_ROWS,
)
from opendynamics.core.arrays.contacts import CONTACTS, SPECULATIVE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, ISLANDS, LINK_RECORD, LINKS
from opendynamics.core.arrays.report import CACHE_JOB, CHOICES, REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.team.jobs import JOB, is_shared, run_jointly
from opendynamics.core.bodies.shapes import CURVED, has_trait
from opendynamics.core.constrain.look_ahead import AHEAD
from opendynamics.core.constrain.parts.contact import apart_of, contact_normal, wrench_of_rows
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE

MATCHED = 0.3

# Factor by which impulses may grow with the size of the step. The force of a weight lasts as long as the step, but what stopped a
# body within a small step would, as a force, drive it in a larger one: after a step of a nanosecond, a million times as fast.
MOST_GROWTH = 4.0

# Added to the second moments of contact points, relative to them: points on a line take no moment about it.
REGULAR = 1.0e-6

# Tolerance within which normals are equal.
SAME = 1.0e-7

# Contacts of a part of the job that caches them.
CONTACTS_OF_PART = 512

# More islands than there can be: stamps of two solutions differ in at least this.
MAX_ISLANDS = 1 << 32

# Solutions of an island in one attempt, see `solve/impacts.py`.
MAX_SOLUTIONS = 4

# Attempts have numbers from 1 up to this one, and then again: CONTACT_FORCE.taken is 0 until a contact takes the force.
MAX_ATTEMPTS = (1 << 31) - 1

ZERO = (0.0, 0.0, 0.0)


@kernel
def has_room_in_cache(tables):
    """Whether the cache has room for this step's forces; checked before solving."""
    links = LINKS.used(tables)
    torques = links if REPORTS.rows(tables)[0].rolling else 0
    return (
        CONTACT_FORCES.has_room(tables, links)
        and CONTACT_TORQUES.has_room(tables, torques)
        and CONTACT_BUCKETS.has_room(tables, _bucket_count(links))
    )


@kernel
def _bucket_count(contacts):
    """Number of buckets for that many contacts: a power of two."""
    size = 16
    while size < contacts:
        size *= 2
    return size


@kernel
def _bucket(low, high, size):
    """Bucket of a pair of bodies, with primes of spatial hashing (see `broadphase/hash.py`)."""
    return ((low * 73856093) ^ (high * 19349663)) & (size - 1)


@entry(SOLVE)
def cache_forces(tables, _):
    """Write the forces of all joints and contacts to the contact cache, before bodies move."""
    report = REPORTS.rows(tables)[0]
    report.cached_at, report.cached_step = report.moves, report.h
    _leave_out_faulty_islands(tables)
    count = _list_contacts(tables)
    CONTACT_FORCES.use(tables, count)
    CONTACT_TORQUES.use(tables, count if REPORTS.rows(tables)[0].rolling else 0)
    if is_shared(tables, count, CONTACTS_OF_PART):
        run_jointly(tables, CHOICES.rows(tables)[0].jobs[CACHE_JOB], 0, count, CONTACTS_OF_PART)
    else:
        _cache_contacts(tables, 0, count)
    return 1


@kernel
def _list_contacts(tables):
    """Cache joints; list contacts in runs of the same bodies, and the runs in buckets. Returns the number of contacts."""
    buckets, size = CONTACT_BUCKETS.rows(tables), _bucket_count(LINKS.used(tables))
    CONTACT_BUCKETS.use(tables, size)
    for k in range(size):
        buckets[k] = -1
    low = high = -1
    count = 0
    for at in range(LINKS.used(tables)):
        link = LINKS.rows(tables)[at]
        if not link.visited or link.row_count == 0:
            continue
        if link.kind != CONTACT:
            _cache_joint(tables, link)
            continue
        cached = CONTACT_FORCES.rows(tables)[count]
        cached.low, cached.high = min(link.body0, link.body1), max(link.body0, link.body1)
        cached.next, cached.taken = -1, at  # the link, until the contact is cached
        if cached.low != low or cached.high != high:
            low, high = cached.low, cached.high
            bucket = _bucket(low, high, size)
            cached.next = buckets[bucket]
            buckets[bucket] = count
        count += 1
    return count


@entry(JOB, nogil=True)
def cache_part(tables, first, end, _):
    """Cache the contacts of a part of the list."""
    _cache_contacts(tables, first, end)


@kernel
def _cache_contacts(tables, first, end):
    """Cache the contacts of the list from `first` up to `end`."""
    for k in range(first, end):
        cached = CONTACT_FORCES.rows(tables)[k]
        link, cached.taken = LINKS.rows(tables)[cached.taken], 0
        prefetch_two_lines(CONTACTS.rows(tables), link.index + AHEAD)  # the list is in the order of the contacts
        torque = _cache_contact(tables, link, cached)
        if k < CONTACT_TORQUES.used(tables):
            set3(CONTACT_TORQUES.rows(tables)[k].torque, torque)


@kernel
def _leave_out_faulty_islands(tables):
    """Remove the links of islands whose solution is not finite from their islands."""
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.faulty:
            for at in range(island.first_link, island.first_link + island.links):
                LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]].visited = 0


@kernel
def _cache_joint(tables, link):
    cached = JOINT_FORCES.rows(tables)[link.index]
    cached.stamp = REPORTS.rows(tables)[0].moves
    cached.rows = min(link.row_count, JOINT_ROWS)
    cached.free_rows = link.free_rows
    for r in range(cached.rows):
        cached.forces[r] = FORCES.rows(tables)[link.first_row + r]


@kernel
def seen_from_body(tables, contact, body):
    centre = get3(POSES.rows(tables)[body].position)
    arm = subtract(get3(contact.point.position), centre)
    if contact.flags & SPECULATIVE and body == contact.body1:
        arm = add(arm, apart_of(tables, contact))
    return transposed_times(get9(POSES.rows(tables)[body].rotation), arm)


@kernel
def _cache_contact(tables, link, cached):
    """Cache where a contact is, and its force; returns its torque, of the same sign."""
    contact = CONTACTS.rows(tables)[link.index]
    sign = 1.0 if link.body0 > link.body1 else -1.0
    arm = seen_from_body(tables, contact, cached.high)
    set3(cached.position, arm)
    force, torque = wrench_of_rows(tables, contact, link.first_row)
    set3(cached.force, scale(sign, force))
    return scale(sign, torque)


@kernel
def start_island(tables, island, fraction):
    """Set the island's forces to a fraction of the cached ones, 0 without. Returns the number of links that had cached forces."""
    attempt, started = attempt_to_solve(tables, island), 0
    for k in range(island.first_link, island.first_link + island.links):
        started += start_link(tables, LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]], fraction, attempt)
    return started


@entry(types.int64(TABLES, LINK_RECORD, types.float64, types.int64))
def start_link(tables, link, fraction, attempt):
    """`start_island` for one link whose rows are filled in: 1 or 0."""
    for r in range(link.first_row, link.first_row + link.row_count):
        FORCES.rows(tables)[r] = 0.0
    if link.row_count == 0:
        return 0
    if link.kind == CONTACT:
        return _start_contact(tables, link, fraction, attempt)
    return _start_joint(tables, link, fraction)


@kernel
def lasting_fraction(tables):
    """What remains of the cached forces in a step of this size."""
    report = REPORTS.rows(tables)[0]
    most = MOST_GROWTH * report.cached_step
    return most / report.h if report.h > most else 1.0


@kernel
def _start_joint(tables, link, fraction):
    """`start_link` for a joint: 1 or 0."""
    cached = JOINT_FORCES.rows(tables)[link.index]
    if cached.stamp != REPORTS.rows(tables)[0].moves:
        return 0
    count = cached.rows
    if count != link.row_count:
        count = min(cached.free_rows, link.free_rows, cached.rows)
    fraction *= lasting_fraction(tables)
    for r in range(count):
        FORCES.rows(tables)[link.first_row + r] = fraction * cached.forces[r]
    return 1


@kernel
def attempt_to_solve(tables, island):
    """Unique number of a solution of an island, also within a step: each solution may use every cached contact once."""
    number = MAX_SOLUTIONS * REPORTS.rows(tables)[0].attempts + island.solutions
    return 1 + number % MAX_ATTEMPTS


@kernel
def stamp_of(tables, record, island):
    """Number that marks scratch memory as data of a solution of an island; larger than all other integers there."""
    return MAX_ISLANDS * (1 + attempt_to_solve(tables, record)) + island


@kernel
def _is_rolling(row):
    return row.j0[0] == 0.0 and row.j0[1] == 0.0 and row.j0[2] == 0.0


@kernel
def _start_contact(tables, link, fraction, attempt):
    """`start_link` for a contact."""
    found, force, torque = take_cached(tables, link, first_cached(tables, link), attempt)
    if found:
        put_contact_force(tables, link, scale(fraction, force), scale(fraction, torque))
    return 1 if found else 0


@kernel
def put_contact_force(tables, link, force, torque):
    """Write a contact's force and rolling torque to its rows, within their bounds."""
    for r in range(link.row_count):
        row = ROWS.rows(tables)[link.first_row + r]
        along, about = (row.j0[0], row.j0[1], row.j0[2]), (row.j0[3], row.j0[4], row.j0[5])
        if _is_rolling(row):
            value = dot(torque, about)
        else:
            value = dot(force, along) / dot(along, along)
        FORCES.rows(tables)[link.first_row + r] = min(max(value, row.lo), row.hi) if row.normal < 0 else value


@kernel
def first_cached(tables, link):
    """First cached contact of the link's two bodies; -1: none."""
    return _run_of(tables, _head(tables, link), min(link.body0, link.body1), max(link.body0, link.body1))


@kernel
def _head(tables, link):
    """First cached contact in the bucket of the link's two bodies; -1: none."""
    report, size = REPORTS.rows(tables)[0], CONTACT_BUCKETS.used(tables)
    if CONTACT_FORCES.used(tables) == 0 or report.cached_at != report.moves:
        return -1
    return CONTACT_BUCKETS.rows(tables)[_bucket(min(link.body0, link.body1), max(link.body0, link.body1), size)]


@kernel
def look_ahead_at_bucket(tables, link):
    """Prefetch the bucket of the link's bodies."""
    size = CONTACT_BUCKETS.used(tables)
    if size > 0:
        low, high = min(link.body0, link.body1), max(link.body0, link.body1)
        prefetch(CONTACT_BUCKETS.rows(tables), _bucket(low, high, size))


@kernel
def look_ahead_in_cache(tables, link, count):
    """Prefetch the cached contacts that `count` contacts of the link's bodies will probably start from."""
    first = _head(tables, link)
    for k in range(first, first + count if first >= 0 else first):
        prefetch(CONTACT_FORCES.rows(tables), k)


@kernel
def _run_of(tables, at, low, high):
    """First run of two bodies in a bucket, from cached contact `at`; -1: none."""
    while at >= 0:
        first = CONTACT_FORCES.rows(tables)[at]
        if first.low == low and first.high == high:
            return at
        at = first.next
    return -1


@kernel
def take_cached(tables, link, first, attempt):
    """Take the nearest cached contact, which is then used up: whether there is one, its force and its torque on body0.

    `first`: what `first_cached` returned for these bodies.
    """
    if first < 0:
        return False, ZERO, ZERO
    nearest = _nearest(tables, link, first, attempt)
    if nearest < 0:
        return False, ZERO, ZERO
    cached = CONTACT_FORCES.rows(tables)[nearest]
    cached.taken = attempt
    scaling = lasting_fraction(tables) * (1.0 if link.body0 > link.body1 else -1.0)
    torque = ZERO
    if nearest < CONTACT_TORQUES.used(tables):
        torque = scale(scaling, get3(CONTACT_TORQUES.rows(tables)[nearest].torque))
    return True, scale(scaling, get3(cached.force)), torque


@kernel
def cached_load(tables, link, first, normal):
    """Number of cached contacts of the link's bodies, their force on body0, and their normal forces times their positions."""
    count, total, moment = 0, ZERO, ZERO
    used, low, high = CONTACT_FORCES.used(tables), min(link.body0, link.body1), max(link.body0, link.body1)
    scaling = lasting_fraction(tables) * (1.0 if link.body0 > link.body1 else -1.0)
    while first >= 0:
        for k in range(first, used):
            cached = CONTACT_FORCES.rows(tables)[k]
            if cached.low != low or cached.high != high:
                break
            force = scale(scaling, get3(cached.force))
            moment = add_scaled(moment, dot(force, normal), get3(cached.position))
            count, total = count + 1, add(total, force)
        first = _run_of(tables, CONTACT_FORCES.rows(tables)[first].next, low, high)
    return count, total, moment


@kernel
def _nearest(tables, link, first, attempt):
    """Nearest cached contact that is within the limit and not used up; -1: none."""
    used, low, high = CONTACT_FORCES.used(tables), min(link.body0, link.body1), max(link.body0, link.body1)
    here = seen_from_body(tables, CONTACTS.rows(tables)[link.index], high)
    best, best_distance = -1, inf
    while first >= 0:
        for k in range(first, used):
            cached = CONTACT_FORCES.rows(tables)[k]
            if cached.low != low or cached.high != high:
                break
            if cached.taken == attempt:
                continue
            arm = get3(cached.position)
            away = subtract(arm, here)
            distance = dot(away, away)
            if distance < best_distance and _is_near(distance, arm):
                best, best_distance = k, distance
        first = _run_of(tables, CONTACT_FORCES.rows(tables)[first].next, low, high)
    return best


@kernel
def _is_near(distance, arm):
    """Whether a squared distance is small enough for a contact that is there on its body."""
    arm_length = length(arm)
    return distance <= MATCHED * MATCHED * arm_length * arm_length


@kernel
def _link(tables, island, k):
    """Link k of the island."""
    return LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]


@kernel
def manifold_size(tables, island, first):
    """How many links from place `first` on are contacts of one pair of bodies with one normal, one of which is round.

    0: the bodies have other contacts too, or both are polyhedra, whose corners move with them.
    """
    link = _link(tables, island, first)
    point = CONTACTS.rows(tables)[link.index].point
    if not (_is_round(tables, point.geom_a) or _is_round(tables, point.geom_b)):
        return 0
    normal = contact_normal(CONTACTS.rows(tables)[link.index])
    if first > 0 and _is_of(tables, island, first - 1, link):
        return 0
    end = first
    while end < island.links and _is_of(tables, island, end, link):
        away = subtract(contact_normal(CONTACTS.rows(tables)[_link(tables, island, end).index]), normal)
        if dot(away, away) > SAME * SAME:
            return 0
        end += 1
    return end - first


@kernel
def _is_round(tables, geom):
    return geom >= 0 and has_trait(GEOMS.rows(tables)[geom].kind, CURVED)


@kernel
def _is_of(tables, island, k, link):
    """Whether link k of the island is a contact of the link's bodies."""
    other = _link(tables, island, k)
    return other.kind == CONTACT and other.body0 == link.body0 and other.body1 == link.body1


@kernel
def spread_load(tables, island, first, count, started):
    """Whether cached contacts are left over, and a, b and the mean friction of `count` contacts from link `first` on.

    `started`: how many of them took a cached contact each.
    """
    link = _link(tables, island, first)
    normal = contact_normal(CONTACTS.rows(tables)[link.index])
    cached, total, moment = cached_load(tables, link, first_cached(tables, link), normal)
    if cached <= started:
        return False, 0.0, ZERO, ZERO
    load = dot(total, normal)
    centre = ZERO
    for k in range(first, first + count):
        centre = add(centre, scale(1.0 / count, place_of(tables, island, k)))
    t, u = plane_space(transposed_times(get9(POSES.rows(tables)[max(link.body0, link.body1)].rotation), normal))
    tt = tu = uu = 0.0
    for k in range(first, first + count):
        away = subtract(place_of(tables, island, k), centre)
        x, y = dot(away, t), dot(away, u)
        tt, tu, uu = tt + x * x, tu + x * y, uu + y * y
    trace = REGULAR * (tt + uu)
    tt, uu, moment = tt + trace, uu + trace, add_scaled(moment, -load, centre)
    det, f, g = tt * uu - tu * tu, dot(moment, t), dot(moment, u)
    b = ZERO
    if det > 0.0:
        b = add_scaled(scale((f * uu - g * tu) / det, t), (g * tt - f * tu) / det, u)
    return True, load / count - dot(b, centre), b, scale(1.0 / count, add_scaled(total, -load, normal))


@kernel
def place_of(tables, island, k):
    """Position of link k's contact in the frame of the body whose row is the higher."""
    link = _link(tables, island, k)
    return seen_from_body(tables, CONTACTS.rows(tables)[link.index], max(link.body0, link.body1))
