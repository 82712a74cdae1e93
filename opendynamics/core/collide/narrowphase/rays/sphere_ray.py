"""Sphere and ray: the line through a ball."""

from __future__ import annotations

from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit, local_ray, through_ball
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = local_ray(a, b)
    return hit(through_ball(p, d, (0.0, 0.0, 0.0), geom_at(a).size[0]), a, b, limit, points)
