"""Capsule and plane: depth = d - n·e + r at e - r n for each end e of the axis, the deeper end first."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, lower, points_at, set_point
from opendynamics.core.kernels import entry, kernel


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
    capsule, plane = geom_at(a), geom_at(b)
    middle, axis, radius = get3(capsule.position), column2(get9(capsule.rotation)), capsule.size[0]
    normal = get3(plane.size)
    slant = dot(normal, axis)
    down = -0.5 * capsule.size[1] if slant > 0.0 else 0.5 * capsule.size[1]
    level = plane.size[3] - dot(normal, middle) + radius + near
    found = points_at(points, limit)
    if level - down * slant < 0.0:
        return 0
    set_point(found[0], add_scaled(add_scaled(middle, down, axis), -radius, normal), normal, level - down * slant)
    if level + down * slant < 0.0:
        return 1
    if limit > 1:
        set_point(found[1], add_scaled(add_scaled(middle, -down, axis), -radius, normal), normal, level + down * slant)
    return 2
