"""Predicted time of impact of two near geoms in the step.

The contact plane is taken at the time of impact, not at the current poses: a geom that passes a corner is not stopped by the
plane between them, and one that hits behind the corner is stopped by the face that it hits (conservative advancement,
`ccd/time_of_impact.py`). Geoms without an impact use the planes at the current poses.

Touching geoms have one distance, which does not cover further corners. Their impact is at the end of the step, if they are deeper
there than now.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import product, transposed, transposed_times
from opendynamics.core.algebra.vec3 import dot, length, negate, subtract
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shape import core_support, radius_of, shape_of
from opendynamics.core.bodies.shapes import HALF_SPACE, has_trait
from opendynamics.core.bodies.triangles import normal_of
from opendynamics.core.collide.ccd.swept_motion import pace_of, place_at
from opendynamics.core.collide.ccd.time_of_impact import KEYS, MAX_SKIN, advance_pair, separation
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.placed_shape import lowest
from opendynamics.core.collide.narrowphase.shape_pair import ShapePair
from opendynamics.core.collide.speculative.nearby_triangles import (
    as_shape,
    box_along,
    corners_at,
    gather_between,
    seen_from,
)
from opendynamics.core.kernels import kernel

# Overlap by which geoms have met, relative to the least width of the two: where nothing turns, and where something does, as it
# takes the longer to find the less it is; and what may be overlap of what touches. What moves by less than STILL of the width
# where it turns most does not turn.
MET = 1.0e-3
MET_TURNING = 1.0e-2
TOUCH = 0.02
STILL = 1.0e-6

# Fraction of the width by which what touches has to get deeper.
DEEPER = 1.0e-3

# Geoms that turn are slow if they move by no more than this fraction of the width: the plane of where they are now will do. They
# are fast, and may have gone through each other, if they move by more than that. Between, they meet if they overlap at the end.
SLOW = 0.25
FAST = 1.0
HALVINGS = 6


@kernel
def impact_of_shapes(tables, a, b, other, width, max_gap, end, scratch):
    """Part of the step after which geom a, which is convex, meets a shape carried along with geom b, and the gap now.

    Infinity: not before the fraction `end`; anything further away than `max_gap` is ignored. `width`: the minimum of both.
    """
    one = shape_of(GEOMS.rows(tables)[a])
    gap, n = separation(one, other, place_at(tables, a, 0.0), place_at(tables, b, 0.0), scratch)
    if gap > max_gap:
        return inf, gap
    if gap <= 0.0:
        return 0.0, gap
    travel_a, turning_a = pace_of(tables, a)
    travel_b, turning_b = pace_of(tables, b)
    travel, turning = subtract(travel_a, travel_b), turning_a + turning_b
    if (dot(n, travel) + turning) * end <= gap:
        return inf, gap
    turns, moves = turning > STILL * width, length(travel) + turning
    inside = overlaps_at(tables, a, b, other, end, scratch)
    if turns and inside:
        return _halved(tables, a, b, other, end, scratch) if moves > SLOW * width else 0.0, gap
    t = inf
    if moves > FAST * width or not turns:
        skins = (MET_TURNING if turns else MET) * width, MAX_SKIN * width
        t, _, _ = advance_pair(tables, a, b, other, skins, 0.0, end, scratch)
    return min(t, end) if inside else t, gap


@kernel
def _halved(tables, a, b, other, end, scratch):
    """The same for shapes that overlap at the end, and turn, which makes advancement slow: by halving."""
    before = 0.0
    for _ in range(HALVINGS):
        middle = 0.5 * (before + end)
        if overlaps_at(tables, a, b, other, middle, scratch):
            end = middle
        else:
            before = middle
    return end


@kernel
def overlaps_at(tables, a, b, other, t, scratch):
    """Whether geom a and a shape carried along with geom b overlap after the fraction t of the step."""
    one = shape_of(GEOMS.rows(tables)[a])
    here, there = place_at(tables, a, t), place_at(tables, b, t)
    if has_trait(other.kind, HALF_SPACE):
        return separation(one, other, here, there, scratch)[0] < 0.0
    offset, turn = transposed_times(here[1], subtract(there[0], here[0])), product(transposed(here[1]), there[1])
    return closest_points(ShapePair(one, other, offset, turn), scratch)[0] <= radius_of(one) + radius_of(other)


@kernel
def impact_of_triangles(tables, a, b, width, touching, scratch):
    """The same for a surface b; only triangles that the motion approaches are tested.

    Where a triangle's plane is between the two now and after the step, the triangle is not met.
    """
    start, end = seen_from(tables, a, b, 0.0), seen_from(tables, a, b, 1.0)
    box = box_along(tables, a, b, start, end)
    t, cursor = inf, 0
    while cursor >= 0:
        count, cursor = gather_between(tables, b, box, cursor, scratch)
        for k in range(KEYS, KEYS + count):
            corners = corners_at(tables, b, k, scratch)
            n = normal_of(corners)
            level = dot(n, corners[0])
            if dot(n, start.position) < level:
                continue
            now, then = lowest(start, n) - level, lowest(end, n) - level
            if now > -TOUCH * width and then >= min(now, 0.0) - (DEEPER * width if now < 0.0 else 0.0):
                continue
            triangle = as_shape(corners, scratch)
            if touching and overlaps_at(tables, a, b, triangle, 0.0, scratch):
                if then < min(now, 0.0) - DEEPER * width and overlaps_at(tables, a, b, triangle, 1.0, scratch):
                    t = min(t, 1.0)
                continue
            meets, _ = impact_of_shapes(tables, a, b, triangle, width, inf, min(t, 1.0), scratch)
            t = min(t, meets)
    return t


@kernel
def sinks_along(tables, a, b, n, width):
    """Whether geoms that touch along n (into a) overlap more along it after the step than now."""
    now = _depth_along(tables, a, b, n, 0.0)
    return _depth_along(tables, a, b, n, 1.0) > max(now, 0.0) + DEEPER * width


@kernel
def _depth_along(tables, a, b, n, t):
    one, other = GEOMS.rows(tables)[a], GEOMS.rows(tables)[b]
    if has_trait(other.kind, HALF_SPACE):
        return other.size[3] + _height(one, place_at(tables, a, t), negate(n))
    return _height(other, place_at(tables, b, t), n) + _height(one, place_at(tables, a, t), negate(n))


@kernel
def _height(geom, place, n):
    """How far a convex geom reaches along `n`."""
    shape, m = shape_of(geom), transposed_times(place[1], n)
    return dot(n, place[0]) + dot(m, core_support(shape, m)) + radius_of(shape)
