"""Capsule and ray: the line through the barrel, and where it enters or leaves that beyond an end, through the ball there."""

from __future__ import annotations

from math import inf

from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit, local_ray, through_ball, through_barrel
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = local_ray(a, b)
    radius, half = geom_at(a).size[0], 0.5 * geom_at(a).size[1]
    enter, entry_normal, leave, exit_normal = through_barrel(p, d, radius)
    if enter > leave:
        return 0
    # Along the axis it enters at the end it comes from.
    height = p[2] + enter * d[2] if enter > -inf else -inf * d[2]
    if abs(height) > half:
        enter, entry_normal, _, _ = through_ball(p, d, (0.0, 0.0, half if height > 0.0 else -half), radius)
    height = p[2] + leave * d[2] if leave < inf else inf * d[2]
    if abs(height) > half:
        _, _, leave, exit_normal = through_ball(p, d, (0.0, 0.0, half if height > 0.0 else -half), radius)
    return hit((enter, entry_normal, leave, exit_normal), a, b, limit, points)
