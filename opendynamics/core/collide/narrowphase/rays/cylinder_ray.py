"""Cylinder and ray: the line through the barrel, between the planes of the caps."""

from __future__ import annotations

from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import (
    clip_by_plane,
    hit,
    local_ray,
    misses_box,
    through_barrel,
)
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = local_ray(a, b)
    radius, half = geom_at(a).size[0], 0.5 * geom_at(a).size[1]
    if misses_box(p, d, geom_at(b).size[0], (radius, radius, half)):
        return 0
    passage = through_barrel(p, d, radius)
    passage = clip_by_plane(passage, p, d, (0.0, 0.0, 1.0), half)
    passage = clip_by_plane(passage, p, d, (0.0, 0.0, -1.0), half)
    return hit(passage, a, b, limit, points)
