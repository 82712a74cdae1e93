"""Two spheres: depth = r_a + r_b - |c_a - c_b|, halfway between the surfaces. Coincident centres part along x."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import get3
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.collide.narrowphase.primitives.sphere_contact import collide_spheres
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    one, two = geom_at(a), geom_at(b)
    point = points_at(points, limit)[0]
    return collide_spheres(point, get3(one.position), one.size[0], get3(two.position), two.size[0], (1.0, 0.0, 0.0))
