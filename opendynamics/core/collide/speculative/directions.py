"""Directions along which geoms are near, at a time of the step.

Two convex geoms have one such direction. A convex geom and a surface may have several, as in a valley: the direction to the
nearest triangle, and the normals of further ones. Each takes four numbers of scratch memory: the direction from the first geom to
the second, in the world frame, and the gap.
"""

from __future__ import annotations

from math import inf

import numpy as np

from opendynamics.core.algebra.mat3 import times
from opendynamics.core.algebra.vec3 import dot, get3_from, negate, put3_at
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.geoms import GEOM, GEOMS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.shape import shape_of
from opendynamics.core.bodies.triangles import normal_of
from opendynamics.core.collide.ccd.swept_motion import place_at
from opendynamics.core.collide.ccd.time_of_impact import KEYS, separation
from opendynamics.core.collide.narrowphase.placed_shape import lowest
from opendynamics.core.collide.speculative.nearby_triangles import (
    as_shape,
    box_around,
    corners_at,
    gather_between,
    seen_from,
)
from opendynamics.core.collide.speculative.predicted_impact import overlaps_at
from opendynamics.core.kernels import kernel

# Offset of the directions in scratch memory, in units of 8 bytes, after the memory of a pair.
DIRECTIONS = SCRATCH
MAX_DIRECTIONS = 4
DIRECTION = 4  # floats
COPIES = DIRECTIONS + MAX_DIRECTIONS * DIRECTION  # of both geoms, where they meet
MEMORY = COPIES + 2 * np.dtype(GEOM).itemsize // 8

floats_of = array_of(np.float64, MEMORY)

# Cosines of the angles below which a direction is a triangle's normal, and two directions are one.
STRAIGHT = 0.9999
SAME = 0.99


@kernel
def note_direction(floats, count, n, gap):
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
    if count < MAX_DIRECTIONS:
        furthest = DIRECTIONS + DIRECTION * count
        count += 1
    elif gap >= floats[furthest + 3]:
        return count
    put3_at(floats, furthest, n)
    floats[furthest + 3] = gap
    return count


@kernel
def find_direction(tables, a, b, t, max_gap, scratch):
    """Note the direction in which geom a is within `max_gap` of b after the fraction t of the step. Returns how many: 0 or 1."""
    one, other = shape_of(GEOMS.rows(tables)[a]), shape_of(GEOMS.rows(tables)[b])
    gap, n = separation(one, other, place_at(tables, a, t), place_at(tables, b, t), scratch)
    return note_direction(floats_of(scratch), 0, n, gap) if gap <= max_gap and dot(n, n) > 0.0 else 0


@kernel
def find_directions(tables, a, b, t, max_gap, scratch):
    """The same for a surface b."""
    one, floats = shape_of(GEOMS.rows(tables)[a]), floats_of(scratch)
    here, there = place_at(tables, a, t), place_at(tables, b, t)
    body = seen_from(tables, a, b, t)
    box = box_around(body, max_gap)
    count, nearest, toward = 0, inf, (0.0, 0.0, 0.0)
    cursor = 0
    while cursor >= 0:
        found, cursor = gather_between(tables, b, box, cursor, scratch)
        for k in range(KEYS, KEYS + found):
            corners = corners_at(tables, b, k, scratch)
            normal = normal_of(corners)
            level = dot(normal, corners[0])
            if dot(normal, body.position) < level or lowest(body, normal) > level + max_gap:
                continue
            triangle = as_shape(corners, scratch)
            gap, n = 0.0, negate(times(there[1], normal))
            if not overlaps_at(tables, a, b, triangle, t, scratch):
                gap, n = separation(one, triangle, here, there, scratch)
            if gap > max_gap or dot(n, n) == 0.0:
                continue
            if gap < nearest:
                nearest, toward = gap, n
            if -dot(n, times(there[1], normal)) > STRAIGHT:
                count = note_direction(floats, count, n, gap)
    return note_direction(floats, count, toward, nearest) if nearest < inf else count
