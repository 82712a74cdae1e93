"""Cylinder and plane: points of the rims, each with depth d - n·x.

The lowest point of the lower rim comes first, then the points of that rim a quarter and half round, then the lowest of
the upper rim: a standing cylinder has four contacts, however little it leans, and a lying one two.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, put3_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.pairs import PAIR, floats_at, points_at, set_point
from opendynamics.core.collide.narrowphase.reduction import POINT_FLOATS, keep_spread
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    cylinder, plane = geom_at(a), geom_at(b)
    place, r, radius, half = get3(cylinder.position), get9(cylinder.rotation), cylinder.size[0], 0.5 * cylinder.size[1]
    normal = get3(plane.size)
    n = transposed_times(r, normal)
    level = plane.size[3] - dot(normal, place)
    across = sqrt(n[0] * n[0] + n[1] * n[1])
    x, y = (-radius * n[0] / across, -radius * n[1] / across) if across > 0.0 else (radius, 0.0)
    low = -half if n[2] > 0.0 else half
    count = rim_point(scratch, 0, (x, y, low), n, level)
    count = rim_point(scratch, count, (-y, x, low), n, level)
    count = rim_point(scratch, count, (y, -x, low), n, level)
    count = rim_point(scratch, count, (-x, -y, low), n, level)
    count = rim_point(scratch, count, (x, y, -low), n, level)
    floats, found = floats_at(scratch), points_at(points, limit)
    for k in range(keep_spread(scratch, 0, count, limit)):
        at = k * POINT_FLOATS
        set_point(found[k], add(place, times(r, get3(floats[at : at + 3]))), normal, floats[at + 3])
    return count


@kernel
def rim_point(scratch, count, p, n, level):
    """Add the point p of the cylinder's frame to the candidates if it is not above the plane."""
    depth = level - dot(n, p)
    if depth < 0.0:
        return count
    floats = floats_at(scratch)
    put3_at(floats, count * POINT_FLOATS, p)
    floats[count * POINT_FLOATS + 3] = depth
    return count + 1
