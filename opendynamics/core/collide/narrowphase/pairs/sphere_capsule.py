"""Sphere and capsule: two balls, one of them at the point of the capsule's axis nearest to the sphere.

A sphere centred on the axis leaves against the capsule's x, perpendicular to the axis (ODE: against the world's x, wherever
the axis points).
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column0, column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, negate, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.collide.narrowphase.primitives.sphere_contact import collide_spheres
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, capsule = geom_at(a), geom_at(b)
    centre, middle, r = get3(sphere.position), get3(capsule.position), get9(capsule.rotation)
    axis, half = column2(r), 0.5 * capsule.size[1]
    along = min(max(dot(axis, subtract(centre, middle)), -half), half)
    nearest = add_scaled(middle, along, axis)
    point, across = points_at(points, limit)[0], negate(column0(r))
    return collide_spheres(point, centre, sphere.size[0], nearest, capsule.size[0], across)
