"""Manifold reduction for points below a plane: which of many become contacts.

If there are more than requested, the points are the deepest one, and the furthest along directions spread evenly round the
normal: a few points support a body best when they are spread out. Remaining places, since two directions may select the same
point, are given to others. How points are searched is left to the pairs.

A cloud of points is given as (address, row, count, sides): an array of their x, with `row` places, then as much for y and z,
in the body's frame, where the plane is n·x = level; and the address of an int32 for each, what the contact's `side_b` is to
be, or 0. A frame is (place, rotation, normal to hand out).
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from opendynamics.core.algebra.mat3 import times
from opendynamics.core.algebra.vec3 import add, dot, get3_from, negate, plane_space, put3_at
from opendynamics.core.arrays.blocks.scratch import SCRATCH, floats_at
from opendynamics.core.arrays.table import array_of
from opendynamics.core.collide.narrowphase.collider import set_point
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, reduce_manifold
from opendynamics.core.kernels import kernel

# Number of search directions if fewer points are requested, and the maximum, including downward.
MIN_DIRECTIONS, MAX_DIRECTIONS = 7, 64

# Offsets in scratch memory: chosen points; for each direction its vector, the best key so far, and its point; and the first
# free one.
CHOSEN = 0
X = POINT_FLOATS * MAX_DIRECTIONS
Y, Z = X + MAX_DIRECTIONS, X + 2 * MAX_DIRECTIONS
BEST = Z + MAX_DIRECTIONS
POINT = BEST + MAX_DIRECTIONS
FREE = POINT + MAX_DIRECTIONS

numbers_at = array_of(np.int64, SCRATCH)
floats_of = array_of(np.float64)
sides_of = array_of(np.int32)


@kernel
def point_of(cloud, k):
    address, row = cloud[0], cloud[1]
    floats = floats_of(address, 3 * row)
    return floats[k], floats[row + k], floats[2 * row + k]


@kernel
def side_of(cloud, k):
    return sides_of(cloud[3], cloud[2])[k] if cloud[3] != 0 else -1


@kernel
def begin_directions(n, limit, scratch):
    """Note the direction down and those round the normal, nothing having been found; returns how many they are."""
    floats, numbers = floats_at(scratch), numbers_at(scratch)
    directions = min(max(limit - 1, MIN_DIRECTIONS), MAX_DIRECTIONS - 1) if limit > 1 else 0
    p, q = plane_space(n)
    c, s = cos(2.0 * pi / directions), sin(2.0 * pi / directions)
    x, y = 1.0, 0.0
    floats[X], floats[Y], floats[Z] = negate(n)
    numbers[BEST] = 0
    for direction in range(1, 1 + directions):
        floats[X + direction] = x * p[0] + y * q[0]
        floats[Y + direction] = x * p[1] + y * q[1]
        floats[Z + direction] = x * p[2] + y * q[2]
        numbers[BEST + direction] = 0
        x, y = c * x - s * y, s * x + c * y
    return 1 + directions


@kernel
def choose(cloud, n, level, directions, limit, scratch):
    """List the points that the directions ended at; returns how many, at most `limit`."""
    floats, numbers, chosen = floats_at(scratch), numbers_at(scratch), 0
    for direction in range(directions):
        k = numbers[POINT + direction]
        if not is_chosen(k, chosen, numbers):
            at, p = CHOSEN + POINT_FLOATS * chosen, point_of(cloud, k)
            put3_at(floats, at, p)
            floats[at + 3] = level - dot(n, p)
            numbers[at + 5] = k
            chosen += 1
    return reduce_manifold(scratch, CHOSEN, chosen, limit)


@kernel
def is_chosen(k, chosen, numbers):
    there = False
    for place in range(chosen):
        there = there or numbers[CHOSEN + POINT_FLOATS * place + 5] == k
    return there


@kernel
def hand_out_chosen(cloud, chosen, frame, target, scratch):
    """Write the points that were chosen."""
    floats, numbers = floats_at(scratch), numbers_at(scratch)
    for k in range(chosen):
        at = CHOSEN + POINT_FLOATS * k
        set_point(target[k], add(frame[0], times(frame[1], get3_from(floats, at))), frame[2], floats[at + 3])
        target[k].side_b = side_of(cloud, numbers[at + 5])


@kernel
def hand_out_others(cloud, first, last, n, level, chosen, done, wanted, frame, target, scratch):
    """Write points from `first` until before `last` that are not above the plane, nor chosen; returns how many are written."""
    numbers = numbers_at(scratch)
    for k in range(first, last):
        if done == wanted:
            break
        p = point_of(cloud, k)
        height = dot(n, p)
        if height <= level and not is_chosen(k, chosen, numbers):
            set_point(target[done], add(frame[0], times(frame[1], p)), frame[2], level - height)
            target[done].side_b = side_of(cloud, k)
            done += 1
    return done
