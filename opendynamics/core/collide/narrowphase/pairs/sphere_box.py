"""Sphere and box, in the box's frame: c is the sphere's centre, q the box's nearest point, h half its lengths.

Centre outside: depth = r - |c - q|, at q, along c - q. Centre inside: out through the nearest face i, which lies
h_i - |c_i| away: depth = h_i - |c_i| + r, at the centre.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column0, column1, column2, get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, get3, length, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.collide.narrowphase.primitives.segments import clamped
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, box = geom_at(a), geom_at(b)
    centre, radius = get3(sphere.position), sphere.size[0]
    origin, r, half = get3(box.position), get9(box.rotation), scale(0.5, get3(box.size))
    c = transposed_times(r, subtract(centre, origin))
    q = clamped(c, half)
    gap = subtract(c, q)
    distance = length(gap)
    point = points_at(points, limit)[0]
    if distance > 0.0:
        if distance > radius:
            return 0
        normal = times(r, scale(1.0 / distance, gap))
        set_point(point, add(origin, times(r, q)), normal, radius - distance)
    else:
        normal, room = nearest_face(r, half, c)
        set_point(point, centre, normal, room + radius)
    return 1


@kernel
def nearest_face(r, half, c):
    """Outward normal, in the world, of the face nearest to an inner point, and how far away it is."""
    x, y, z = half[0] - abs(c[0]), half[1] - abs(c[1]), half[2] - abs(c[2])
    if x <= y and x <= z:
        axis, along, room = column0(r), c[0], x
    elif y <= z:
        axis, along, room = column1(r), c[1], y
    else:
        axis, along, room = column2(r), c[2], z
    return scale(1.0 if along > 0.0 else -1.0, axis), room
