"""Cylinder and plane: points of the edge circles, each with depth d - n·x.

The lowest point of the lower circle comes first, then that circle's points a quarter and half round, then the lowest point of
the upper circle: a standing cylinder has four contacts, however little it leans, and a lying one two.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import column0, column1, column2, get9
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3, get3_from, put3_at, scale, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, lower, points_at, set_point
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, reduce_manifold
from opendynamics.core.kernels import entry, kernel

# Points that there may be.
MOST = 5


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    size = geom_at(a).size
    near = NEAR * (size[0] + size[1])
    found = collide_raised(a, b, near, limit, points, scratch)
    lower(points_at(points, limit), min(found, limit), near)
    return found


@kernel
def collide_raised(a, b, near, limit, points, scratch):
    """Contacts with the plane raised by `near` m."""
    cylinder, plane = geom_at(a), geom_at(b)
    centre, r, radius, half = get3(cylinder.position), get9(cylinder.rotation), cylinder.size[0], 0.5 * cylinder.size[1]
    n, axis = get3(plane.size), column2(r)
    x, y, lean = dot(n, column0(r)), dot(n, column1(r)), dot(n, axis)
    across = sqrt(x * x + y * y)
    # From the axis to the lowest point of a circle and to a point a quarter round, and from the centre to the lower cap.
    out = add_scaled(scale(x / across, column0(r)), y / across, column1(r)) if across > 0.0 else column0(r)
    out = scale(-radius, out)
    side, down = cross(axis, out), scale(-half if lean > 0.0 else half, axis)
    level = plane.size[3] - dot(n, centre) + near
    steep, fall = half * abs(lean), radius * across
    if level + steep + fall < 0.0:
        return 0
    low, high = add(centre, down), subtract(centre, down)
    if limit >= MOST:  # the common case needs no reduction: write to the output directly
        found = points_at(points, limit)
        set_point(found[0], add(low, out), n, level + steep + fall)
        count = 1
        if level + steep >= 0.0:
            set_point(found[1], add(low, side), n, level + steep)
            set_point(found[2], subtract(low, side), n, level + steep)
            count = 3
        if level + steep - fall >= 0.0:
            set_point(found[count], subtract(low, out), n, level + steep - fall)
            count += 1
        if level - steep + fall >= 0.0:
            set_point(found[count], add(high, out), n, level - steep + fall)
            count += 1
        return count
    count = add_candidate(scratch, 0, add(low, out), level + steep + fall)
    count = add_candidate(scratch, count, add(low, side), level + steep)
    count = add_candidate(scratch, count, subtract(low, side), level + steep)
    count = add_candidate(scratch, count, subtract(low, out), level + steep - fall)
    count = add_candidate(scratch, count, add(high, out), level - steep + fall)
    floats, found = floats_at(scratch), points_at(points, limit)
    for k in range(reduce_manifold(scratch, 0, count, limit)):
        at = k * POINT_FLOATS
        set_point(found[k], get3_from(floats, at), n, floats[at + 3])
    return count


@kernel
def add_candidate(scratch, count, p, depth):
    """Add a point to the candidates if it is not above the plane."""
    if depth < 0.0:
        return count
    floats = floats_at(scratch)
    put3_at(floats, count * POINT_FLOATS, p)
    floats[count * POINT_FLOATS + 3] = depth
    return count + 1
