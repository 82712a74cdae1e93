"""A stop and a motor about or along one axis: at most one row.

Away from the stops the row is the motor: a·(relative velocity) = velocity with |λ| <= max_force. At a stop the row is
the stop, one-sided, c = -stop_erp/h times the overshoot (or the bounce, if that is faster), and the motor acts as a
plain force, weakened by `fudge` when it drives away from the stop. With equal stops the row is two-sided and has no
motor.

A motor of unlimited force cannot act as a plain force (ODE's gives NaN). At a stop it is two-sided instead: driving
away it is the motor's row as if there were no stop, otherwise it holds the joint at the stop.
"""

from __future__ import annotations

from math import inf, pi

from opendynamics.core.algebra.vec3 import add, cross, dot, subtract
from opendynamics.core.arrays.joints import AT_HIGH, AT_LOW, FREE
from opendynamics.core.arrays.rows import EXTERNALS, ROWS
from opendynamics.core.constrain.parts.frame import rate_about, velocities_of
from opendynamics.core.constrain.parts.row import angular_row, halfway_row, point_row
from opendynamics.core.kernels import kernel


@kernel
def has_stops(limit):
    """Whether a linear axis has a stop."""
    return (limit.low > -inf or limit.high < inf) and limit.low <= limit.high


@kernel
def has_angular_stops(limit):
    """Whether an angular axis has a stop within a turn."""
    return (limit.low >= -pi or limit.high <= pi) and limit.low <= limit.high


@kernel
def test_stops(limit, position):
    """Note at which stop `position` is, and how far beyond; between them, how far before the nearer one."""
    if position <= limit.low:
        limit.state = AT_LOW
        limit.error = position - limit.low
    elif position >= limit.high:
        limit.state = AT_HIGH
        limit.error = position - limit.high
    else:
        limit.state = FREE
        above, below = position - limit.low, position - limit.high
        limit.error = above if above < -below else below


@kernel
def needs_row(limit):
    return limit.max_force > 0.0 or limit.state != FREE


@kernel
def angular_limit_row(tables, joint, limit, axis, first, h):
    """The row of an angular axis; returns how many rows it wrote, 0 or 1."""
    if not needs_row(limit):
        return 0
    row = ROWS.rows(tables)[first]
    angular_row(row, axis, 0.0)
    push = _set_bounds(row, limit, rate_about(tables, joint, axis), h)
    if push != 0.0:
        e = EXTERNALS.rows(tables)
        for k in range(3):
            e[joint.body0].angular[k] -= push * axis[k]
            e[joint.body1].angular[k] += push * axis[k]
    return 1


@kernel
def linear_limit_row(tables, joint, limit, axis, first, h):
    """The row of a linear axis, a `halfway_row`; returns how many rows it wrote, 0 or 1."""
    if not needs_row(limit):
        return 0
    row = ROWS.rows(tables)[first]
    d = halfway_row(tables, joint, row, axis, 0.0)
    (velocity0, _), (velocity1, _) = velocities_of(tables, joint.body0), velocities_of(tables, joint.body1)
    push = _set_bounds(row, limit, dot(axis, subtract(velocity0, velocity1)), h)
    if push != 0.0:
        e = EXTERNALS.rows(tables)
        for k in range(3):
            e[joint.body0].linear[k] -= push * axis[k]
            e[joint.body1].linear[k] += push * axis[k]
            e[joint.body0].angular[k] -= push * d[k]
            e[joint.body1].angular[k] -= push * d[k]
    return 1


@kernel
def point_limit_row(tables, joint, limit, axis, r0, r1, first, h):
    """The row of a linear axis whose force acts at the points at `r0` and `r1`; returns how many rows it wrote, 0 or 1.

    J = (a, r0 x a | -a, -(r1 x a)).
    """
    if not needs_row(limit):
        return 0
    row = ROWS.rows(tables)[first]
    point_row(row, axis, r0, r1, 0.0)
    (velocity0, spin0), (velocity1, spin1) = velocities_of(tables, joint.body0), velocities_of(tables, joint.body1)
    velocity0, velocity1 = add(velocity0, cross(spin0, r0)), add(velocity1, cross(spin1, r1))
    push = _set_bounds(row, limit, dot(axis, subtract(velocity0, velocity1)), h)
    if push != 0.0:
        e = EXTERNALS.rows(tables)
        for k in range(3):
            e[joint.body0].linear[k] -= push * row.j0[k]
            e[joint.body0].angular[k] -= push * row.j0[3 + k]
            e[joint.body1].linear[k] -= push * row.j1[k]
            e[joint.body1].angular[k] -= push * row.j1[3 + k]
    return 1


@kernel
def _set_bounds(row, limit, rate, h):
    """Fill in everything but the Jacobian. Returns the force with which the motor pushes into or off a stop."""
    push = 0.0
    unlimited = limit.max_force == inf
    if limit.max_force > 0.0 and not (limit.state != FREE and limit.low == limit.high):
        row.cfm = limit.cfm
        if limit.state == FREE or (unlimited and _is_leaving(limit)):
            row.bias = limit.velocity
            row.lo = -limit.max_force
            row.hi = limit.max_force
            return push
        if not unlimited:
            push = _motor_push(limit)
    if limit.state != FREE:
        row.bias = -limit.stop_erp / h * limit.error
        row.cfm = limit.stop_cfm
        if limit.low == limit.high or unlimited:
            row.lo = -inf
            row.hi = inf
        elif limit.state == AT_LOW:
            row.lo = 0.0
            row.hi = inf
            if limit.bounce > 0.0 and rate < 0.0:
                row.bias = max(row.bias, -limit.bounce * rate)
        else:
            row.lo = -inf
            row.hi = 0.0
            if limit.bounce > 0.0 and rate > 0.0:
                row.bias = min(row.bias, -limit.bounce * rate)
    return push


@kernel
def _is_leaving(limit):
    """Whether the motor drives away from the stop that the joint is at."""
    return (limit.state == AT_LOW and limit.velocity > 0.0) or (limit.state == AT_HIGH and limit.velocity < 0.0)


@kernel
def _motor_push(limit):
    """Plain force of the motor at a stop, N or N m, weakened if it drives away from the stop."""
    push = limit.max_force
    if limit.velocity > 0.0 or (limit.velocity == 0.0 and limit.state == AT_HIGH):
        push = -push
    return push * limit.fudge if _is_leaving(limit) else push
