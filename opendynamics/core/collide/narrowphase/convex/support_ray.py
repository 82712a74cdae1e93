"""Convex shape and ray: GJK ray cast. A point advances along the ray to the plane that separates it from the shape, repeatedly.

That plane is perpendicular to the shortest connection (`gjk.py`) and the shape is behind it, so the point never advances too
far (van den Bergen 2004). A ray that starts inside is followed back from beyond the shape. Handles all convex shapes
without a file in `rays/`.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import add_scaled, dot, negate
from opendynamics.core.bodies.shape import core_extent, point_shape, radius_of, shape_of
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit, local_ray
from opendynamics.core.collide.narrowphase.shape_pair import ShapePair
from opendynamics.core.kernels import entry, kernel

MAX_STEPS = 64

# Distance, relative to the extent, from which one more step ends on the surface; nearer, the direction of the shortest connection
# is lost.
CLOSE = 1.0e-8

# Height above the surface, relative to the extent, of the point whose foot gives the normal: the foot of a point that is further
# away is found more exactly, and that of a point on the normal does not depend on its distance.
ABOVE = 1.0e-2

INSIDE, MISSED = -1.0, -2.0


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    shape, ray = shape_of(geom_at(a)), geom_at(b)
    p, d = local_ray(a, b)
    t, n = first_hit(shape, p, d, ray.size[0], scratch)
    if t == MISSED:
        return 0
    if t >= 0.0:
        return hit((t, n, inf, n), a, b, limit, points)
    beyond = 2.0 * (core_extent(shape) + radius_of(shape))
    back, n = first_hit(shape, add_scaled(p, beyond, d), negate(d), beyond, scratch)
    if back < 0.0:
        return 0
    return hit((-inf, n, beyond - back, n), a, b, limit, points)


@kernel
def first_hit(shape, p, d, max_distance, scratch):
    """Distance from p along d to the surface, and the normal there; INSIDE if p is inside, MISSED beyond `max_distance`."""
    turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    radius, overall = radius_of(shape), core_extent(shape) + radius_of(shape)
    t, n = 0.0, (0.0, 0.0, 0.0)
    for step in range(MAX_STEPS):
        pair = ShapePair(point_shape(), shape, negate(add_scaled(p, t, d)), turn)
        distance, toward, _, _ = closest_points(pair, scratch)
        gap = distance - radius
        if gap <= 0.0:
            return (INSIDE if step == 0 else t), n
        n, speed = negate(toward), dot(toward, d)
        if speed <= 0.0:
            return MISSED, n
        t += gap / speed
        if t > max_distance:
            return MISSED, n
        if gap <= CLOSE * overall:
            break
    above = add_scaled(add_scaled(p, t, d), ABOVE * overall, n)
    distance, toward, _, _ = closest_points(ShapePair(point_shape(), shape, negate(above), turn), scratch)
    return t, negate(toward) if distance > 0.0 else n
