"""Sphere and cylinder, in the cylinder's frame: rho and z place the sphere's centre c, R and h are radius and half length.

Centre outside: depth = r - |c - q| with q the cylinder's nearest point, along c - q. Centre inside: out through the barrel,
at distance R - rho, or through the nearer cap, at distance h - |z|, whichever is nearer. The contact is at the sphere's
deepest point, but not beyond the cylinder's axis; at an edge circle, it is on the circle. These are ODE's positions.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, get3, length, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, cylinder = geom_at(a), geom_at(b)
    centre, r = get3(sphere.position), sphere.size[0]
    turn = get9(cylinder.rotation)
    radius, half = cylinder.size[0], 0.5 * cylinder.size[1]
    c = transposed_times(turn, subtract(centre, get3(cylinder.position)))
    rho = sqrt(c[0] * c[0] + c[1] * c[1])
    out = 1.0 if c[2] > 0.0 else -1.0
    k = min(radius / rho, 1.0) if rho > 0.0 else 1.0
    gap = subtract(c, (k * c[0], k * c[1], min(max(c[2], -half), half)))
    distance = length(gap)
    if distance > r:
        return 0
    at_side = abs(c[2]) <= half
    if distance > 0.0:
        normal, depth = scale(1.0 / distance, gap), r - distance
        beneath = min(r, rho) if at_side else (r if rho <= radius else distance)
    elif radius - rho < half - abs(c[2]):
        # On the axis every direction out is as short.
        normal, depth = (c[0] / rho, c[1] / rho, 0.0) if rho > 0.0 else (1.0, 0.0, 0.0), r + radius - rho
        beneath = min(r, rho)
    else:
        normal, depth, beneath = (0.0, 0.0, out), r + half - abs(c[2]), r
    normal = times(turn, normal)
    set_point(points_at(points, limit)[0], add_scaled(centre, -beneath, normal), normal, depth)
    return 1
