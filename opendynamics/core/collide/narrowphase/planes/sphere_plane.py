"""Sphere and plane: depth = d - n·c + r, at the sphere's lowest point c - r n."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add_scaled, dot, get3
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, plane = geom_at(a), geom_at(b)
    centre, radius = get3(sphere.position), sphere.size[0]
    normal = get3(plane.size)
    depth = plane.size[3] - dot(normal, centre) + radius
    if depth < 0.0:
        return 0
    set_point(points_at(points, limit)[0], add_scaled(centre, -radius, normal), normal, depth)
    return 1
