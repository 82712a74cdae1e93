"""Cylinder and ray: the line through the barrel, between the planes of the caps."""

from __future__ import annotations

from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import (
    clip_by_plane,
    hit,
    local_ray,
    misses_box,
    no_interval,
    through_barrel,
)
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    return hit(through_cylinder(a, b), a, b, limit, points)


@kernel
def through_cylinder(a, b):
    """The passage of the line of a ray `b` through a cylinder `a`; none if the ray certainly passes by."""
    p, d = local_ray(a, b)
    radius, half = geom_at(a).size[0], 0.5 * geom_at(a).size[1]
    if misses_box(p, d, geom_at(b).size[0], (radius, radius, half)):
        return no_interval()
    passage = through_barrel(p, d, radius)
    passage = clip_by_plane(passage, p, d, (0.0, 0.0, 1.0), half)
    return clip_by_plane(passage, p, d, (0.0, 0.0, -1.0), half)
