"""Pipeline stage: speculative contacts across the gaps between near geoms, after the contacts of touching ones.

Pairs are evaluated at their predicted time of impact in the step (`predicted_impact.py`), along each direction in which they are
near there (`directions.py`), and get the contacts of their own collider for copies pushed together there (`copies.py`). These
contacts then deflect the predicted motion (`deflection.py`), for later impacts.

Touching pairs have contacts already; if they move, further corners that may touch in this step get contacts. If the margin is a
distance, all corners within it get contacts, also of pairs without a predicted impact, since other constraints may change their
motion.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import get3, get3_from, length, negate, scale, subtract
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.report import CHOICES, FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shape import shape_of
from opendynamics.core.bodies.shapes import CONVEX, HALF_SPACE, OBSTACLE, SMOOTH, has_trait
from opendynamics.core.collide.ccd.swept_motion import pace_of
from opendynamics.core.collide.ccd.width import width_of_geom
from opendynamics.core.collide.contacts import can_push, mark_active
from opendynamics.core.collide.narrowphase.dispatch import colliders_of
from opendynamics.core.collide.speculative import NEAR
from opendynamics.core.collide.speculative.copies import add_along
from opendynamics.core.collide.speculative.deflection import deflect
from opendynamics.core.collide.speculative.directions import (
    DIRECTION,
    DIRECTIONS,
    MEMORY,
    find_direction,
    find_directions,
    floats_of,
    note_direction,
)
from opendynamics.core.collide.speculative.predicted_impact import impact_of_shapes, impact_of_triangles, sinks_along
from opendynamics.core.collide.speculative.predicted_motion import expect_motion, expected_motion, is_asleep
from opendynamics.core.kernels import entry, kernel

# How far a copy is pushed beyond touch, relative to the least width of the two, and the factor for a second try where that is
# too far: a body standing on another's edge would be pushed out sideways.
PUSH = 0.25
LESS = 0.1
TRIES = 3

# Fraction of the least width by which what touches must move for further corners to be looked for; and number of contacts
# with which a face rests on a face.
MOVING = 0.005
FACE = 4

# How often geoms may meet in a step, and the clearance for looking further, relative to the width: else it is met again.
MEETINGS = 4
CLEARANCE = 1.0e-6


@entry(NEAR)
def add_near_contacts(tables, h):
    """Add contacts across gaps to POINTS and CONTACTS. 0: out of memory, or a kernel is not loaded; otherwise 1."""
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
        body_a, body_b = GEOMS.rows(tables)[pair.a].body, GEOMS.rows(tables)[pair.b].body
        if can_push(tables, body_a, body_b) and _has_gaps(tables, pair):
            count = _add_of_pair(tables, pair, own, at, count, h)
            if count < 0:
                return 0
    POINTS.use(tables, count)
    REPORTS.rows(tables)[0].contacts = count
    REPORTS.rows(tables)[0].speculative = count - touching
    return 1


@kernel
def _has_gaps(tables, pair):
    """Whether distances of the pair's kinds can be computed, and its collider can be called for copies."""
    a, b = GEOMS.rows(tables)[pair.a].kind, GEOMS.rows(tables)[pair.b].kind
    excluded, (forward, backward) = CHOICES.rows(tables)[0].python_collider, colliders_of(tables, a, b)
    if forward == excluded or backward == excluded:
        return False
    return (has_trait(a, CONVEX) and has_trait(b, OBSTACLE)) or (has_trait(b, CONVEX) and has_trait(a, OBSTACLE))


@kernel
def _add_of_pair(tables, pair, own, end, count, h):
    """Add contacts of a pair that has the points from `own` up to `end`; returns the number of points, -1: no room."""
    flipped = not has_trait(GEOMS.rows(tables)[pair.a].kind, CONVEX)
    a, b = (pair.b, pair.a) if flipped else (pair.a, pair.b)
    one, other = GEOMS.rows(tables)[a], GEOMS.rows(tables)[b]
    flat = has_trait(other.kind, CONVEX | HALF_SPACE)
    if end > own and flat and (end - own >= FACE or has_trait(one.kind, SMOOTH) or has_trait(other.kind, SMOOTH)):
        return count
    if end == own and WORLDS.rows(tables)[0].margin == inf and not _boxes_may_meet(tables, a, b):
        return count
    width = width_of_geom(one)
    if has_trait(other.kind, CONVEX):
        width = min(width, width_of_geom(other))
    margin = WORLDS.rows(tables)[0].margin
    if end > own and not (flat and margin < inf) and _present_motion(tables, a, b, h) < MOVING * width:
        return count
    geoms, runs = (a, b, flipped, width, flat), (own, end, count)
    motion_one, motion_other = expected_motion(tables, one.body), expected_motion(tables, other.body)
    count = _add_while_met(tables, pair, geoms, runs, h)
    if end > own and flat and margin < inf and count == runs[2]:
        count = _add_at(tables, pair, geoms, margin, 0.0, runs, count, h)
    expect_motion(tables, one.body, motion_one)
    expect_motion(tables, other.body, motion_other)
    return count


@kernel
def _add_while_met(tables, pair, geoms, runs, h):
    """As `_add_of_pair`, but changes the predicted motion of the pair: after a deflection it may touch again."""
    a, b, _, width, flat = geoms
    touching, count, scratch = runs[1] > runs[0], runs[2], FLOATS.address(tables, 0)
    for k in range(1 if has_trait(GEOMS.rows(tables)[b].kind, HALF_SPACE) else MEETINGS):
        if touching or k > 0:
            deflect(tables, runs, count, CLEARANCE * width, h)
        max_gap = _max_gap(tables, a, b, touching)
        if touching and max_gap < MOVING * width:
            break
        t = inf
        if not flat:
            t = impact_of_triangles(tables, a, b, width, touching, scratch)
        elif not touching:
            t, gap = impact_of_shapes(tables, a, b, shape_of(GEOMS.rows(tables)[b]), width, max_gap, 1.0, scratch)
            if gap > max_gap:
                break
        elif sinks_along(tables, a, b, _deepest_normal(tables, geoms, runs), width):
            t = 1.0
        if t == inf and (touching or k > 0 or _passes_unseen(tables, a, b)):
            break
        before = count
        count = _add_at(tables, pair, geoms, max_gap, t, runs, count, h)
        if count == before and t < 1.0:
            # There again is what was known: the end of the step shows what else.
            count = _add_at(tables, pair, geoms, max_gap, 1.0, runs, count, h)
        if t == inf or count <= before:
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
def _add_at(tables, pair, geoms, max_gap, t, runs, count, h):
    """Add the contacts of a pair that meets after the fraction t of the step, infinity: not at all; returns as `_add_of_pair`."""
    a, b, _, width, flat = geoms
    passing, scratch = t == inf, FLOATS.address(tables, 0)
    if passing:
        t = 0.0
    floats = floats_of(scratch)
    more = max_gap if has_trait(GEOMS.rows(tables)[b].kind, HALF_SPACE) else min(max_gap, PUSH * width)
    if not flat:
        found = find_directions(tables, a, b, t, max_gap if passing else more, scratch)
    elif runs[1] == runs[0]:
        found = find_direction(tables, a, b, t, max_gap, scratch)
    else:
        found = note_direction(floats, 0, negate(_deepest_normal(tables, geoms, runs)), 0.0)
    for k in range(found):
        at = DIRECTIONS + DIRECTION * k
        toward, gap, push = get3_from(floats, at), max(floats[at + 3], 0.0), more
        for _ in range(TRIES):
            before = count
            count = add_along(tables, pair, geoms, (t, passing, max_gap, scale(gap + push, toward)), runs, count, h)
            if count != before:
                break
            push *= LESS
        if count < 0:
            break
    return count


@kernel
def _max_gap(tables, a, b, touching):
    """Gap, m, up to which a pair may have contacts: the margin, and for what touches not more than it may move."""
    margin = WORLDS.rows(tables)[0].margin
    if margin < inf and not touching:
        return margin
    travel_a, turning_a = pace_of(tables, a)
    travel_b, turning_b = pace_of(tables, b)
    return min(margin, length(subtract(travel_a, travel_b)) + turning_a + turning_b)


@kernel
def _boxes_may_meet(tables, a, b):
    """Whether the boxes of two geoms may overlap in the step, as they move against each other."""
    travel_a, turning_a = pace_of(tables, a)
    travel_b, turning_b = pace_of(tables, b)
    travel, turning = subtract(travel_a, travel_b), turning_a + turning_b
    x, y = GEOMS.rows(tables)[a].bounds, GEOMS.rows(tables)[b].bounds
    apart = False
    for axis in range(3):
        apart |= x[2 * axis] + min(travel[axis], 0.0) - turning > y[2 * axis + 1]
        apart |= x[2 * axis + 1] + max(travel[axis], 0.0) + turning < y[2 * axis]
    return not apart


@kernel
def _present_motion(tables, a, b, h):
    """How far the geoms of a pair move against each other with the velocities that they have, m, at most."""
    one, other = GEOMS.rows(tables)[a].body, GEOMS.rows(tables)[b].body
    v = subtract(get3(MOTIONS.rows(tables)[one].linear_velocity), get3(MOTIONS.rows(tables)[other].linear_velocity))
    return h * length(v) + pace_of(tables, a)[1] + pace_of(tables, b)[1]


@kernel
def _passes_unseen(tables, a, b):
    """Whether geoms that will not touch get no contacts: with their own margin they do, unless one sleeps."""
    return WORLDS.rows(tables)[0].margin == inf or is_asleep(tables, a) or is_asleep(tables, b)
