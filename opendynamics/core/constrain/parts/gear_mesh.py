"""Where two wheels touch, or a chain leaves them: contact points and the direction in which they push or pull.

Wheel i has its centre at a_i and turns about n_i; d = a1 - a0. The functions give c0, c1, l0, l1: the contact points,
and along which directions their velocities have to agree.

Parallel axes, speeds in the ratio r: both wheels touch between the centres, c = a0 + d r/(1 + r), l_i = e x n_i with e the
unit vector along d in the plane of the wheels. ODE's e is d/|d|, even if one wheel is further along its axis.

Intersecting axes (bevel gears): each wheel lies in the plane through a_i normal to n_i, and touches the other where the
planes meet, c_i nearest to a_i; l_i = n0 x n1. ODE takes a length for its square on the way to c_i, so that its contact
points depend on where the world's origin is.

Chain: it runs along the common tangent of wheels with radii r0, r1, at u from both centres: with e the unit vector
along d in the plane of the wheels, cos = (r0 - r1)/|d| and m = e x n0, u = cos e ± sin m, c_i = a_i + r_i u, l = u x
n0. One strand is on the side of +m, the other on that of -m. ODE's tangent is right for centres along the world's x
axis only.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, length, normalize, scale, subtract
from opendynamics.core.kernels import kernel

TINY = 1.0e-12


@kernel
def spur_mesh(a0, a1, n0, n1, ratio, in_plane):
    """`in_plane`: whether d counts at right angles to the axes only, as wheels apart along their axes need."""
    d = subtract(a1, a0)
    c = add_scaled(a0, ratio / (1.0 + ratio), d)
    if in_plane:
        d = add_scaled(d, -dot(d, n0), n0)
    e = normalize(d)
    return c, c, cross(e, n0), cross(e, n1)


@kernel
def bevel_mesh(a0, a1, n0, n1):
    d = subtract(a1, a0)
    line = cross(n0, n1)
    square = max(dot(line, line), TINY * TINY)
    k = dot(n0, n1)
    on1 = dot(n1, d) / square
    on0 = -dot(n0, d) / square
    c0 = add(a0, add_scaled(scale(-k * on1, n0), on1, n1))
    c1 = add(a1, add_scaled(scale(-k * on0, n1), on0, n0))
    return c0, c1, line, line


@kernel
def chain_mesh(a0, a1, n0, radius0, radius1, side):
    """`side`: 1 for the strand, -1 for the other."""
    d = subtract(a1, a0)
    d = add_scaled(d, -dot(d, n0), n0)
    e = normalize(d)
    cosine = min(max((radius0 - radius1) / max(length(d), TINY), -1.0), 1.0)
    u = add_scaled(scale(cosine, e), side * sqrt(1.0 - cosine * cosine), cross(e, n0))
    c0 = add_scaled(a0, radius0, u)
    c1 = add_scaled(a1, radius1, u)
    line = cross(u, n0)
    return c0, c1, line, line


@kernel
def has_mesh(l0, l1, arm0, arm1):
    """Whether the wheels have a size and a direction in which they touch."""
    return length(l0) > TINY and length(l1) > TINY and length(arm0) > TINY and length(arm1) > TINY
