"""The point of a triangle nearest to a point."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add_scaled, dot, subtract
from opendynamics.core.kernels import kernel


@kernel
def closest_on_triangle(p, corners):
    """The point of a triangle nearest to `p`, and where it lies: 0 inside, 1, 2, 4 on ab, bc, ca, both bits at a corner.

    By the signs of the barycentric coordinates of p's projection on each edge and on the plane (Ericson, Real-Time
    Collision Detection, 2005, 5.1.5).
    """
    a, b, c = corners
    ab, ac, ap = subtract(b, a), subtract(c, a), subtract(p, a)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        return a, 5
    bp = subtract(p, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    if d3 >= 0.0 and d4 <= d3:
        return b, 3
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return add_scaled(a, d1 / (d1 - d3), ab), 1
    cp = subtract(p, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d6 >= 0.0 and d5 <= d6:
        return c, 6
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return add_scaled(a, d2 / (d2 - d6), ac), 4
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return add_scaled(b, t, subtract(c, b)), 2
    k = 1.0 / (va + vb + vc)
    return add_scaled(add_scaled(a, vb * k, ab), vc * k, ac), 0
