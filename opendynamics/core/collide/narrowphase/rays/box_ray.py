"""Box and ray: the line between three pairs of planes.

Along an axis on which the direction d is positive, the line p + t d is between the planes -h and h from t = (-h - p) / d to
(h - p) / d. It is in the box where it is so along all three. Where it goes in and where it leaves, what the ray meets faces
against d along that axis, or along it.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import column0, column1, column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, get3, scale
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.collide.narrowphase.primitives.ray_interval import local_ray
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = local_ray(a, b)
    box, ray = geom_at(a), geom_at(b)
    enter, inward, leave, outward = between((-inf, 0, inf, 0), p[0], d[0], 0.5 * box.size[0], 0)
    enter, inward, leave, outward = between((enter, inward, leave, outward), p[1], d[1], 0.5 * box.size[1], 1)
    enter, inward, leave, outward = between((enter, inward, leave, outward), p[2], d[2], 0.5 * box.size[2], 2)
    t, axis = (enter, inward) if enter >= 0.0 else (leave, outward)
    if not (enter <= leave and 0.0 <= t <= ray.size[0]):
        return 0
    r = get9(box.rotation)
    normal = column0(r) if axis == 0 else (column1(r) if axis == 1 else column2(r))
    at = add_scaled(get3(ray.position), t, column2(get9(ray.rotation)))
    set_point(points_at(points, limit)[0], at, scale(1.0 if d[axis] > 0.0 else -1.0, normal), t)
    return 1


@kernel
def between(passage, p, d, half, axis):
    """The part of a passage (t of entry, its axis, t of exit, its axis) between the planes of an axis."""
    enter, inward, leave, outward = passage
    if d == 0.0:
        return passage if abs(p) <= half else (inf, inward, -inf, outward)
    near, far = (-half - p) / d, (half - p) / d
    if d < 0.0:
        near, far = far, near
    if near > enter:
        enter, inward = near, axis
    if far < leave:
        leave, outward = far, axis
    return enter, inward, leave, outward
