"""Sphere and convex polyhedron: depth = r - g with g the centre's signed distance from the surface, along its normal."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, get3, subtract
from opendynamics.core.bodies.hulls.nearest import nearest_on_hull
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, hull = geom_at(a), geom_at(b)
    centre, r = get3(sphere.position), sphere.size[0]
    turn = get9(hull.rotation)
    gap, _, normal = nearest_on_hull(hull.data, transposed_times(turn, subtract(centre, get3(hull.position))))
    if gap > r:
        return 0
    normal = times(turn, normal)
    set_point(points_at(points, limit)[0], add_scaled(centre, -r, normal), normal, r - gap)
    return 1
