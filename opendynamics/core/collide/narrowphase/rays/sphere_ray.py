"""Sphere and ray: the line through a ball."""

from __future__ import annotations

from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit, seen_from, through_ball
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = seen_from(a, b)
    return hit(through_ball(p, d, (0.0, 0.0, 0.0), geom_at(a).size[0]), a, b, limit, points)
