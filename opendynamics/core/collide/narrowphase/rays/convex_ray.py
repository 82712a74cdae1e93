"""Convex polyhedron and ray: the line clipped by every face's plane.

It enters at the last plane n·x = d that it crosses from outside, t = (d - n·p) / (n·u) with n·u < 0, and exits at the first
one that it crosses from inside. Planes are stored by coordinate, so that several are processed at a time.
"""

from __future__ import annotations

from opendynamics.core.algebra.argmax import MAX_PLACES, NO_KEY, key_of, place_of
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, scale, subtract
from opendynamics.core.arrays.blocks.hulls import FILLED, hull_floats, hulls_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit, local_ray, misses_box, no_interval
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = local_ray(a, b)
    data = geom_at(a).data
    low, high = get3(hulls_at(data)[0].low), get3(hulls_at(data)[0].high)
    middle, half = scale(0.5, add(low, high)), scale(0.5, subtract(high, low))
    q = subtract(p, middle)
    if misses_box(q, d, geom_at(b).size[0], half):
        return 0
    max_distance = abs(q[0]) + abs(q[1]) + abs(q[2]) + half[0] + half[1] + half[2]
    return hit(through_hull(data, p, d, 2.0 * max_distance), a, b, limit, points)


@kernel
def through_hull(data, p, d, max_distance):
    """The passage of the line p + t d, where |t| is less than `max_distance`; d being a unit vector."""
    hull = hulls_at(data)[0]
    filled = (hull.faces + FILLED - 1) // FILLED * FILLED
    row, last, first, inward, outward, outside = 8 * filled, 0, NO_KEY, 0, 0, 0
    for start in range(0, filled, MAX_PLACES):
        at, count, enter, leave = data + hull.plane_columns_at + 8 * start, min(MAX_PLACES, filled - start), 0, NO_KEY
        x, y = hull_floats(at, count), hull_floats(at + row, count)
        z, level = hull_floats(at + 2 * row, count), hull_floats(at + 3 * row, count)
        for k in range(count):
            rise = x[k] * d[0] + y[k] * d[1] + z[k] * d[2]
            room = level[k] - (x[k] * p[0] + y[k] * p[1] + z[k] * p[2])
            t = room / rise
            t = -max_distance if t < -max_distance else (max_distance if t > max_distance else t)
            enter = max(enter, key_of(t + max_distance if rise < 0.0 else 0.0, k))
            leave = min(leave, key_of(t + max_distance, k) if rise > 0.0 else NO_KEY)
            outside |= 1 if rise == 0.0 and room < 0.0 else 0
        if enter > last:
            last, inward = enter, start + place_of(enter)
        if leave < first:
            first, outward = leave, start + place_of(leave)
    if outside != 0 or first == NO_KEY:
        return no_interval()
    enter, entry_normal = through_plane(data, min(inward, hull.faces - 1), p, d)
    leave, exit_normal = through_plane(data, min(outward, hull.faces - 1), p, d)
    if not (enter < max_distance and leave > -max_distance):
        return no_interval()
    return enter, entry_normal, leave, exit_normal


@kernel
def through_plane(data, face, p, d):
    """Where the line comes through a face's plane, and the face's normal."""
    planes = hull_floats(data + hulls_at(data)[0].planes_at, 4 * hulls_at(data)[0].faces)
    n = get3_from(planes, 4 * face)
    return (planes[4 * face + 3] - dot(n, p)) / dot(n, d), n
