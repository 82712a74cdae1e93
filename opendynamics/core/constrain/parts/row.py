"""The rows that everything is made of.

Along a unit vector u, with lever arms r0, r1 from the centres of mass to the points held together, and with the force halfway
between the centres of mass x0, x1, so that it makes no torque on the pair:

    u·(v0 + w0 x r0 - v1 - w1 x r1) = c      J = (u, r0 x u | -u, -(r1 x u))           `point_row`
    u·(w0 - w1) = c                          J = (0, u | 0, -u)                        `angular_row`
    u·(v0 - v1) + d·(w0 + w1) = c            J = (u, d | -u, d),  d = ½ (x1 - x0) x u  `halfway_row`
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import cross, scale, subtract
from opendynamics.core.arrays.rows import UNBOUNDED
from opendynamics.core.constrain.parts.frame import centre
from opendynamics.core.kernels import kernel


@kernel
def clear_row(row, cfm):
    """An empty row without bounds."""
    for k in range(6):
        row.j0[k] = 0.0
        row.j1[k] = 0.0
    row.bias = 0.0
    row.cfm = cfm
    row.lo = -inf
    row.hi = inf
    row.normal = -1
    row.pair = 0


@kernel
def is_bounded(row):
    """Whether the row's force has a bound, by itself or by another row's."""
    return row.normal >= 0 or row.lo > -UNBOUNDED or row.hi < UNBOUNDED


@kernel
def set_jacobian(row, linear0, angular0, linear1, angular1):
    j0, j1 = row.j0, row.j1
    j0[0] = linear0[0]
    j0[1] = linear0[1]
    j0[2] = linear0[2]
    j0[3] = angular0[0]
    j0[4] = angular0[1]
    j0[5] = angular0[2]
    j1[0] = linear1[0]
    j1[1] = linear1[1]
    j1[2] = linear1[2]
    j1[3] = angular1[0]
    j1[4] = angular1[1]
    j1[5] = angular1[2]


@kernel
def point_row(row, u, r0, r1, bias):
    """The points at `r0` and `r1` approach along `u` with the velocity `bias`."""
    a0, a1 = cross(r0, u), cross(r1, u)
    set_jacobian(row, u, a0, (-u[0], -u[1], -u[2]), (-a1[0], -a1[1], -a1[2]))
    row.bias = bias


@kernel
def halfway_row(tables, joint, row, u, bias):
    """The centres of mass approach along `u` with the velocity `bias`. Against the static world d is 0. Returns d."""
    d = (0.0, 0.0, 0.0)
    if joint.body1 != 0:
        d = cross(scale(0.5, subtract(centre(tables, joint.body1), centre(tables, joint.body0))), u)
    set_jacobian(row, u, d, (-u[0], -u[1], -u[2]), d)
    row.bias = bias
    return d


@kernel
def angular_row(row, u, bias):
    """The bodies turn against each other about `u` with the angular velocity `bias`."""
    zero = (0.0, 0.0, 0.0)
    set_jacobian(row, zero, u, zero, (-u[0], -u[1], -u[2]))
    row.bias = bias
