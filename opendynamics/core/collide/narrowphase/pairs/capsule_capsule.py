"""Two capsules: balls at the closest points of their axes; side by side, balls at both ends of their common stretch.

Axes are taken for parallel if 1 - (u·v)² < 1e-5, ODE's bound. Then two contacts are made if both are asked for and both
touch. Where they are less deep than the balls at the closest points, as with long capsules that cross at a small angle or meet
near one end only, that contact comes too, or in place of one beside it.

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

# Factor by which the ball at the closest points is deeper than all others at least, if it is a contact, and part of the sizes
# within which it replaces another.
SAME_DEPTH = 1.0 + 1.0e-12
NEAR = 1.0e-2


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
    depth = p_radius + q_radius - length(subtract(on_p, on_q))
    if count > 0:
        if depth <= SAME_DEPTH * max(found[0].depth, found[count - 1].depth):
            return count
        k = place_for(found, count, limit, dot(u, on_p), u, NEAR * (p_half + q_half + p_radius + q_radius))
    return max(count, k + collide_spheres(found[k], on_p, p_radius, on_q, q_radius, outward))


@kernel
def place_for(found, count, limit, at, u, near):
    """Which contact a deeper one at the place `at` along u replaces: the nearest; none if it is not near and there is room."""
    nearest = 0
    if count == 2 and abs(dot(u, get3(found[1].position)) - at) < abs(dot(u, get3(found[0].position)) - at):
        nearest = 1
    return count if count < limit and abs(dot(u, get3(found[nearest].position)) - at) > near else nearest


@kernel
def side_by_side(points, limit, p, u, p_half, p_radius, q, v, q_half, q_radius, outward):
    """Contacts of capsules whose axes u and v point the same way; place s on the one faces s + ahead on the other."""
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
