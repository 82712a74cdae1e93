"""Cylinder and ray as in `rays/`, but a ray that starts on the surface starts inside, as ODE has it, and hits where it leaves."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit
from opendynamics.core.collide.narrowphase.rays.cylinder_ray import through_cylinder
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    enter, entry_normal, leave, exit_normal = through_cylinder(a, b)
    if leave <= 0.0:
        return 0
    return hit((enter if enter > 0.0 else -1.0, entry_normal, leave, exit_normal), a, b, limit, points)
