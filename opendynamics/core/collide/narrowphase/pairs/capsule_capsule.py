"""Two capsules: balls at the closest points of their axes; side by side, balls at both ends of their common stretch.

Axes count as parallel if 1 - (u·v)² < 1e-5, ODE's bound. Then there are two contacts if both are requested and both touch. If
they are less deep than at the closest points, as with long capsules that cross at a small angle or touch near one end only,
that contact is added, or replaces one next to it.

Axes that cross part along u x v, which leads out of both (ODE: along the world's x).
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column0, column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3, length, negate, normalize, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.collide.narrowphase.primitives.segments import closest_on_segments
from opendynamics.core.collide.narrowphase.primitives.sphere_contact import collide_spheres
from opendynamics.core.kernels import entry, kernel

PARALLEL = 1.0e-5

# Fraction of the sizes within which the balls at the closest points replace others, and factor by which they are deeper, if they
# are a contact next to those.
NEAR_BY = 1.0e-2
SAME_DEPTH = 1.0 + 1.0e-12


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    one, two = geom_at(a), geom_at(b)
    p, r, p_half, p_radius = get3(one.position), get9(one.rotation), 0.5 * one.size[1], one.size[0]
    q, v, q_half, q_radius = get3(two.position), column2(get9(two.rotation)), 0.5 * two.size[1], two.size[0]
    u = column2(r)
    cosine, count = dot(u, v), 0
    if 1.0 - cosine * cosine < PARALLEL:
        is_parallel = v if cosine > 0.0 else negate(v)
        outward = column0(r)
        count = side_by_side(points, limit, p, u, p_half, p_radius, q, is_parallel, q_half, q_radius, outward)
    else:
        outward = normalize(cross(u, v))
    on_p, on_q = closest_on_segments(
        add_scaled(p, -p_half, u), add_scaled(p, p_half, u), add_scaled(q, -q_half, v), add_scaled(q, q_half, v)
    )
    found, k = points_at(points, limit), 0
    if count > 0:
        deepest = p_radius + q_radius - length(subtract(on_p, on_q))
        near = NEAR_BY * (p_half + q_half + p_radius + q_radius)
        k = place_for(found, count, dot(u, on_p), u, near)
        if k == count:
            if deepest <= SAME_DEPTH * max(found[0].depth, found[count - 1].depth):
                return count
            k = min(count, limit - 1)
    return max(count, k + collide_spheres(found[k], on_p, p_radius, on_q, q_radius, outward))


@kernel
def place_for(found, count, at, u, near):
    """Which contact is at the place `at` along u, or near it; `count` if none is."""
    for k in range(count):
        if abs(dot(u, get3(found[k].position)) - at) <= near:
            return k
    return count


@kernel
def side_by_side(points, limit, p, u, p_half, p_radius, q, v, q_half, q_radius, outward):
    """Contacts of capsules whose axes u and v are parallel; place s on the one faces s + ahead on the other."""
    found = points_at(points, limit)
    ahead = dot(u, subtract(p, q))
    low, high = max(-p_half, -q_half - ahead), min(p_half, q_half - ahead)
    if low > high:
        return 0
    if limit >= 2 and low < high:
        count = facing(found[0], low, ahead, p, u, p_radius, q, v, q_radius, outward)
        if count == 1 and facing(found[1], high, ahead, p, u, p_radius, q, v, q_radius, outward) == 1:
            return 2
    return facing(found[0], 0.5 * (low + high), ahead, p, u, p_radius, q, v, q_radius, outward)


@kernel
def facing(point, at, ahead, p, u, p_radius, q, v, q_radius, outward):
    on_p, on_q = add_scaled(p, at, u), add_scaled(q, at + ahead, v)
    return collide_spheres(point, on_p, p_radius, on_q, q_radius, outward)
