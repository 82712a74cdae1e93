"""Two capsules: balls at the closest points of their axes; side by side, balls at both ends of their common stretch.

Axes count as parallel if 1 - (u·v)² < 1e-5, ODE's bound. Then there are two contacts if both are requested and both touch,
otherwise one in the middle of the common segment. If none of these touches, the closest points decide after all (ODE: no
contact), since long capsules at a small angle can touch near one end only.

Axes that cross part along u x v, which leads out of both (ODE: along the world's x).
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column0, column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3, negate, normalize
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.collide.narrowphase.pairs.capsule_capsule import PARALLEL, side_by_side
from opendynamics.core.collide.narrowphase.primitives.segments import closest_on_segments
from opendynamics.core.collide.narrowphase.primitives.sphere_contact import collide_spheres
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    one, two = geom_at(a), geom_at(b)
    p, r, p_half, p_radius = get3(one.position), get9(one.rotation), 0.5 * one.size[1], one.size[0]
    q, v, q_half, q_radius = get3(two.position), column2(get9(two.rotation)), 0.5 * two.size[1], two.size[0]
    u = column2(r)
    cosine = dot(u, v)
    if 1.0 - cosine * cosine < PARALLEL:
        is_parallel = v if cosine > 0.0 else negate(v)
        outward = column0(r)
        count = side_by_side(points, limit, p, u, p_half, p_radius, q, is_parallel, q_half, q_radius, outward)
        if count > 0:
            return count
    else:
        outward = normalize(cross(u, v))
    on_p, on_q = closest_on_segments(
        add_scaled(p, -p_half, u), add_scaled(p, p_half, u), add_scaled(q, -q_half, v), add_scaled(q, q_half, v)
    )
    return collide_spheres(points_at(points, limit)[0], on_p, p_radius, on_q, q_radius, outward)
