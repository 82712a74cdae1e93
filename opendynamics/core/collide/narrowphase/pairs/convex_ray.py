"""Convex polyhedron and ray: the line beneath every face's plane."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, get3, get3_from, scale, subtract
from opendynamics.core.arrays.hulls import hull_floats, hulls_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.pairs import PAIR
from opendynamics.core.collide.narrowphase.rays import beneath, everywhere, hit, misses_box, seen_from
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = seen_from(a, b)
    data = geom_at(a).data
    hull = hulls_at(data)[0]
    low, high = get3(hull.low), get3(hull.high)
    if misses_box(subtract(p, scale(0.5, add(low, high))), d, geom_at(b).size[0], scale(0.5, subtract(high, low))):
        return 0
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    passage = everywhere()
    for face in range(hull.faces):
        passage = beneath(passage, p, d, get3_from(planes, 4 * face), planes[4 * face + 3])
        if passage[0] > passage[2]:
            return 0
    return hit(passage, a, b, limit, points)
