"""Sphere-sphere contact: what every pair of rounded shapes comes down to once the closest points of their cores are known.

With centres p1, p2, radii r1, r2 and distance d: they touch if d <= r1 + r2, the normal is (p1 - p2) / d, the depth
r1 + r2 - d, and the contact lies halfway between the two surfaces, at p1 + n (r2 - r1 - d) / 2.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add_scaled, length, scale, subtract
from opendynamics.core.collide.narrowphase.collider import set_point
from opendynamics.core.kernels import kernel

# Closer than this fraction of their radii, centres coincide: the direction between them would be rounding.
COINCIDENT = 1.0e-14


@kernel
def collide_spheres(point, p1, r1, p2, r2, otherwise):
    """Fill in the contact `point` of two balls and return how many there are, 0 or 1.

    Coincident centres have the normal `otherwise`, which the caller knows to lead out of its shape, and ODE's place,
    the first centre.
    """
    offset = subtract(p1, p2)
    distance = length(offset)
    depth = r1 + r2 - distance
    if depth < 0.0:
        return 0
    if distance > COINCIDENT * (r1 + r2):
        normal = scale(1.0 / distance, offset)
        set_point(point, add_scaled(p1, 0.5 * (r2 - r1 - distance), normal), normal, depth)
    else:
        set_point(point, p1, otherwise, depth)
    return 1
