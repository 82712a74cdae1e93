"""Whether two near geoms will meet in the step, and when.

The plane of a contact is that of the place where they would first meet, not of where they are now: what flies past a corner
is not held up by the plane between them, and what hits it behind the corner is held by the plane that it hits
(conservative advancement, `sweeps/impact.py`). Geoms that would pass each other keep the planes of where they are now.

What touches has one distance, which tells nothing of its further corners. It meets the other again, with them, where the step
would take it, if it is deeper there than now.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import transposed_times
from opendynamics.core.algebra.vec3 import dot, negate, subtract
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.triangles import normal_of
from opendynamics.core.collide.narrowphase.supports import core_support, radius_of
from opendynamics.core.collide.narrowphase.surfaces.bodies import lowest
from opendynamics.core.collide.speculative.triangles import (
    as_shape,
    box_along,
    corners_at,
    gather_between,
    seen_from,
)
from opendynamics.core.collide.sweeps.impact import KEYS, MOST_SKIN, advance_pair, separation, shape_of
from opendynamics.core.collide.sweeps.motion import pace_of, place_at
from opendynamics.core.collide.sweeps.width import PLANE
from opendynamics.core.kernels import kernel

# Overlap by which geoms have met, and by which what touches is deeper, as part of the least width of the two; and what
# may be overlap of what touches.
MET = 1.0e-3
TOUCH = 0.02


@kernel
def meeting_of_shapes(tables, a, b, other, width, reach, end, scratch):
    """Part of the step after which geom a, which is convex, meets a shape carried along with geom b, and the gap now.

    Infinity: not until the part `end`; what is further away than `reach` is not looked at. `width`: the least of the two.
    """
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
    part, _, _ = advance_pair(tables, a, b, other, (MET * width, MOST_SKIN * width), 0.0, end, scratch)
    if part == inf and separation(one, other, place_at(tables, a, end), place_at(tables, b, end), scratch)[0] < 0.0:
        part = end
    return part, gap


@kernel
def meeting_of_surface(tables, a, b, width, touching, scratch):
    """The same for a surface b; only triangles that the motion brings nearer are looked at.

    Where a triangle's plane is between the two now and after the step, the triangle is not met.
    """
    start, end = seen_from(tables, a, b, 0.0), seen_from(tables, a, b, 1.0)
    box = box_along(tables, a, b, start, end)
    part, cursor = inf, 0
    while cursor >= 0:
        count, cursor = gather_between(tables, b, box, cursor, scratch)
        for k in range(KEYS, KEYS + count):
            corners = corners_at(tables, b, k, scratch)
            n = normal_of(corners)
            level = dot(n, corners[0])
            if dot(n, start[3]) < level:
                continue
            now = lowest(start, n) - level
            if now > -TOUCH * width and lowest(end, n) - level >= min(now, 0.0) - (MET * width if now < 0.0 else 0.0):
                continue
            meets, gap = meeting_of_shapes(
                tables, a, b, as_shape(corners, scratch), width, inf, min(part, 1.0), scratch
            )
            if touching and gap <= 0.0:
                meets = _sinking_on(tables, a, b, as_shape(corners, scratch), gap - MET * width, scratch)
            part = min(part, meets)
    return part


@kernel
def _sinking_on(tables, a, b, other, least, scratch):
    one = shape_of(GEOMS.rows(tables)[a])
    gap = separation(one, other, place_at(tables, a, 1.0), place_at(tables, b, 1.0), scratch)[0]
    return 1.0 if gap < least else inf


@kernel
def sinks_along(tables, a, b, n, width):
    """Whether geoms that touch along n (into a) overlap more along it after the step than now."""
    now = _overlap_along(tables, a, b, n, 0.0)
    return _overlap_along(tables, a, b, n, 1.0) > max(now, 0.0) + MET * width


@kernel
def _overlap_along(tables, a, b, n, part):
    one, other = GEOMS.rows(tables)[a], GEOMS.rows(tables)[b]
    if other.kind == PLANE:
        return other.size[3] + _height(one, place_at(tables, a, part), negate(n))
    return _height(other, place_at(tables, b, part), n) + _height(one, place_at(tables, a, part), negate(n))


@kernel
def _height(geom, place, n):
    """How far a convex geom reaches along `n`."""
    kind, size, data, _ = shape_of(geom)
    top = core_support(kind, size, data, transposed_times(place[1], n))
    return dot(n, place[0]) + dot(transposed_times(place[1], n), top) + radius_of(kind, size)
