"""Whether two near geoms will meet in the step, where they then are, and along which directions they are near there.

The contact's plane is that of the place where they would first meet, not of where they are now: what flies past a corner
is not held up by the plane between them, and what hits it behind the corner is held by the plane that it hits
(conservative advancement, `sweeps/impact.py`). Geoms that would pass each other keep the planes of where they are now.

A convex geom is near another in one direction. It may be near a surface in several, as in a valley: the direction of the
nearest triangle, and those along the normals of further ones. They are kept in scratch memory, four numbers each:
the direction from the first geom to the second, in the world's frame, and the gap.
"""

from __future__ import annotations

from math import inf

import numpy as np

from opendynamics.core.algebra.mat3 import product, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3_from, put3_at, subtract
from opendynamics.core.arrays.geoms import GEOM, GEOMS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.triangles import corners_of, gather, normal_of
from opendynamics.core.collide.narrowphase.pairs import SCRATCH, floats_at
from opendynamics.core.collide.narrowphase.supports import TRIANGLE
from opendynamics.core.collide.narrowphase.surfaces import keys_at, surface_of
from opendynamics.core.collide.narrowphase.surfaces.bodies import box_of, lowest
from opendynamics.core.collide.sweeps.impact import (
    CORNERS,
    KEYS,
    MOST_SKIN,
    ROOM,
    advance_pair,
    separation,
    shape_of,
)
from opendynamics.core.collide.sweeps.motion import pace_of, place_at
from opendynamics.core.collide.sweeps.width import PLANE, is_convex
from opendynamics.core.kernels import kernel

# Where directions stand in scratch memory, in units of 8 bytes, behind what a pair works with.
DIRECTIONS = SCRATCH
MOST_DIRECTIONS = 4
DIRECTION = 4  # floats
COPIES = DIRECTIONS + MOST_DIRECTIONS * DIRECTION  # of both geoms, where they meet
MEMORY = COPIES + 2 * np.dtype(GEOM).itemsize // 8

floats_of = array_of(np.float64, MEMORY)

# Overlap by which geoms have met, as part of the least width of the two.
MET = 1.0e-3

# Cosines of the angles below which a direction is a triangle's normal, and two directions are one.
STRAIGHT = 0.9999
SAME = 0.99


@kernel
def meeting_of(tables, a, b, width, reach, touching, scratch):
    """Part of the step after which geom a, which is convex, meets b, infinity: it does not; and the gap between them now.

    `width`: the least of the two; what is further away than `reach` is not looked at. If they are `touching`, triangles that
    are touched are met where they end, if they are then deeper.
    """
    other = GEOMS.rows(tables)[b]
    skins = MET * width, MOST_SKIN * width
    if is_convex(other.kind) or other.kind == PLANE:
        return _meeting_of_shapes(tables, a, b, shape_of(other), skins, reach, 1.0, scratch)
    part = nearest = inf
    cursor = 0
    while cursor >= 0:
        count, cursor = _gather_near(tables, a, b, 0.0, reach, cursor, scratch)
        for k in range(KEYS, KEYS + count):
            triangle, _ = _triangle_in_reach(tables, a, b, 0.0, reach, k, scratch)
            if triangle[0] == TRIANGLE:
                end = min(part, 1.0)
                meets, gap = _meeting_of_shapes(tables, a, b, triangle, skins, reach, end, scratch)
                nearest = min(nearest, gap)
                if touching and gap <= 0.0:
                    meets = _sinking_of_shapes(tables, a, b, triangle, skins[0], scratch)
                part = min(part, meets)
    return part, nearest


@kernel
def _meeting_of_shapes(tables, a, b, other, skins, reach, end, scratch):
    """The same for geom a and a shape carried along with geom b, until the part `end` of the step."""
    one = shape_of(GEOMS.rows(tables)[a])
    gap, n = separation(one, other, place_at(tables, a, 0.0), place_at(tables, b, 0.0), scratch)
    if gap > reach:
        return inf, gap
    if gap <= 0.0:
        return 0.0, gap
    travel_a, turning_a = pace_of(tables, a)
    travel_b, turning_b = pace_of(tables, b)
    if (dot(n, subtract(travel_a, travel_b)) + turning_a + turning_b) * end <= gap:
        return inf, gap
    part, _, _ = advance_pair(tables, a, b, other, skins, 0.0, end, scratch)
    if part == inf and separation(one, other, place_at(tables, a, end), place_at(tables, b, end), scratch)[0] < 0.0:
        part = end
    return part, gap


@kernel
def sinking_of(tables, a, b, width, scratch):
    """For geoms that touch, and have no triangles, 1 if they overlap more after the step than now, otherwise infinity.

    Their distance tells of one place only. What else they meet is looked for where they end.
    """
    return _sinking_of_shapes(tables, a, b, shape_of(GEOMS.rows(tables)[b]), MET * width, scratch)


@kernel
def _sinking_of_shapes(tables, a, b, other, least, scratch):
    one = shape_of(GEOMS.rows(tables)[a])
    now = separation(one, other, place_at(tables, a, 0.0), place_at(tables, b, 0.0), scratch)[0]
    then = separation(one, other, place_at(tables, a, 1.0), place_at(tables, b, 1.0), scratch)[0]
    return 1.0 if then < min(now, 0.0) - least else inf


@kernel
def find_directions(tables, a, b, part, reach, scratch):
    """Along which directions geom a is within `reach` of b after a part of the step; returns their number."""
    one, other, floats = shape_of(GEOMS.rows(tables)[a]), GEOMS.rows(tables)[b], floats_of(scratch)
    here, there = place_at(tables, a, part), place_at(tables, b, part)
    if is_convex(other.kind) or other.kind == PLANE:
        gap, n = separation(one, shape_of(other), here, there, scratch)
        return _note_direction(floats, 0, n, gap) if gap <= reach and dot(n, n) > 0.0 else 0
    count, nearest, toward = 0, inf, (0.0, 0.0, 0.0)
    cursor = 0
    while cursor >= 0:
        found, cursor = _gather_near(tables, a, b, part, reach, cursor, scratch)
        for k in range(KEYS, KEYS + found):
            triangle, normal = _triangle_in_reach(tables, a, b, part, reach, k, scratch)
            if triangle[0] != TRIANGLE:
                continue
            gap, n = separation(one, triangle, here, there, scratch)
            if gap > reach or dot(n, n) == 0.0:
                continue
            if gap < nearest:
                nearest, toward = gap, n
            if -dot(n, times(there[1], normal)) > STRAIGHT:
                count = _note_direction(floats, count, n, gap)
    return _note_direction(floats, count, toward, nearest) if nearest < inf else count


@kernel
def _note_direction(floats, count, n, gap):
    """Note a direction that is not known, or nearer than one like it, or than the furthest; returns how many there are."""
    furthest = DIRECTIONS
    for at in range(DIRECTIONS, DIRECTIONS + DIRECTION * count, DIRECTION):
        if dot(n, get3_from(floats, at)) > SAME:
            if gap < floats[at + 3]:
                put3_at(floats, at, n)
                floats[at + 3] = gap
            return count
        if floats[at + 3] > floats[furthest + 3]:
            furthest = at
    if count < MOST_DIRECTIONS:
        furthest = DIRECTIONS + DIRECTION * count
        count += 1
    elif gap >= floats[furthest + 3]:
        return count
    put3_at(floats, furthest, n)
    floats[furthest + 3] = gap
    return count


@kernel
def _gather_near(tables, a, b, part, reach, cursor, scratch):
    """Keys of triangles of b near the box of geom a after a part of the step; their number, and a cursor."""
    body = _seen_from(tables, a, b, part)
    low, high = box_of(body)
    low = low[0] - reach, low[1] - reach, low[2] - reach
    high = high[0] + reach, high[1] + reach, high[2] + reach
    return gather(surface_of(GEOMS.rows(tables)[b]), low, high, keys_at(scratch), KEYS, ROOM, cursor)


@kernel
def _seen_from(tables, a, b, part):
    """Geom a as a body in the frame of b."""
    kind, size, data, _ = shape_of(GEOMS.rows(tables)[a])
    place, r = place_at(tables, a, part)
    origin, turn = place_at(tables, b, part)
    return kind, size, data, transposed_times(turn, subtract(place, origin)), product(transposed(turn), r)


@kernel
def _triangle_in_reach(tables, a, b, part, reach, k, scratch):
    """The triangle of a key as a shape, and its normal; no shape if a is behind its plane, or above it by more than `reach`."""
    corners = corners_of(surface_of(GEOMS.rows(tables)[b]), keys_at(scratch)[k])
    n = normal_of(corners)
    body = _seen_from(tables, a, b, part)
    level = dot(n, corners[0])
    kind = TRIANGLE
    if dot(n, body[3]) < level or lowest(body, n) > level + reach:
        kind = 0
    floats = floats_at(scratch)
    for c in range(3):
        put3_at(floats, CORNERS + 3 * c, corners[c])
    return (kind, (0.0, 0.0, 0.0), scratch + 8 * CORNERS, 0.0), n
