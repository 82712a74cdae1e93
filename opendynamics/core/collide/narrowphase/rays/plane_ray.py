"""Plane and ray: t = (d - n·p) / (n·u), from either side, with the normal against the ray."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, negate
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    plane, ray = geom_at(a), geom_at(b)
    normal, start, along = get3(plane.size), get3(ray.position), column2(get9(ray.rotation))
    rise, room = dot(normal, along), plane.size[3] - dot(normal, start)
    if rise == 0.0:
        return 0
    t = room / rise
    if not 0.0 <= t <= ray.size[0]:
        return 0
    # From above, the normal into the plane's geom is against the plane's own.
    set_point(points_at(points, limit)[0], add_scaled(start, t, along), normal if room > 0.0 else negate(normal), t)
    return 1
