"""Shape by a support function and ray: on to the plane that parts the point on the ray from the shape, again and again.

That plane is square to the shortest connection (`gjk.py`) and the shape is behind it, so the way to it is never too
far (van den Bergen 2004). A ray that starts inside is followed back from beyond the shape.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, negate
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.primitives.ray_interval import hit, seen_from
from opendynamics.core.collide.narrowphase.shape_pair import SPHERE
from opendynamics.core.kernels import entry, kernel

MOST_STEPS = 64

# Part of the extent from which on one more step ends on the surface: nearer, the direction of the shortest connection is lost.
CLOSE = 1.0e-8

# Part of the extent above the surface from where the normal is looked at: the foot of a point that is further away is told
# more exactly, and that of one on the normal does not depend on how far it is.
ABOVE = 1.0e-2

INSIDE, MISSED = -1.0, -2.0


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    shape, ray = geom_at(a), geom_at(b)
    p, d = seen_from(a, b)
    core = (shape.kind, get3(shape.size), shape.data)
    t, n = reached(core, p, d, ray.size[0], scratch)
    if t == MISSED:
        return 0
    if t >= 0.0:
        return hit((t, n, inf, n), a, b, limit, points)
    beyond = 2.0 * (core[1][1] + core[1][0])
    back, n = reached(core, add_scaled(p, beyond, d), negate(d), beyond, scratch)
    if back < 0.0:
        return 0
    return hit((-inf, n, beyond - back, n), a, b, limit, points)


@kernel
def reached(core, p, d, most, scratch):
    """How far along d from p the surface is, and its normal there; INSIDE if p is, MISSED if it is further than `most`."""
    kind, size, data = core
    turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    zero = (0.0, 0.0, 0.0)
    radius, close = size[0], CLOSE * (size[0] + size[1])
    t, n = 0.0, zero
    for step in range(MOST_STEPS):
        point = (SPHERE, zero, 0, kind, size, data, negate(add_scaled(p, t, d)), turn)
        distance, toward, _, _ = closest_points(point, scratch)
        gap = distance - radius
        if gap <= 0.0:
            return (INSIDE if step == 0 else t), n
        n, speed = negate(toward), dot(toward, d)
        if speed <= 0.0:
            return MISSED, n
        t += gap / speed
        if t > most:
            return MISSED, n
        if gap <= close:
            break
    above = add_scaled(add_scaled(p, t, d), ABOVE * (size[0] + size[1]), n)
    distance, toward, _, _ = closest_points((SPHERE, zero, 0, kind, size, data, negate(above), turn), scratch)
    return t, negate(toward) if distance > 0.0 else n
