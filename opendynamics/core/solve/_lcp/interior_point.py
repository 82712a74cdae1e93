"""The vectors of a primal-dual interior point method, whatever solves its linear systems.

For lo <= x <= hi with slacks s = x - lo and t = hi - x and their multipliers y, z (none where there is no bound):

    A x - q = y - z,   s y = μ,   t z = μ,   all of s, t, y, z > 0,   μ -> 0

Newton's method for it: with E = y/s + z/t on the diagonal, (A + E) dx = r, and the other directions follow from dx.
Slacks are variables of their own, moved as x is moved: x - lo computed anew has no digits left at the end.
(Mehrotra 1992; Wright 1997.)

All vectors stand in one array `v`, one after the other in the order of the names below.
"""

from __future__ import annotations

import math

from opendynamics.core.arrays.rows import UNBOUNDED
from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.dense import vector

# s, t, y, z and their directions; what gives a direction: dx and the right sides of s y and t z; the same of an earlier
# direction; 1 where there is a bound; the linear system; q - A x + y - z.
S, T, Y, Z, DS, DT, DY, DZ, DX, CS, CT, KEPT, _, _, HAS_LO, HAS_HI, RIGHT, WEIGHT, GAP = range(19)
VECTORS = 19


@kernel
def start(n, q, diagonal, lo, hi, state, x, v):
    """A first point, half-lines well inside and boxes in their middle. Returns the number of bounds."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    has_lo, has_hi = vector(v, n, HAS_LO), vector(v, n, HAS_HI)
    for which in range(DS, DX + 1):  # the first right side takes them times zero, which NaN would survive
        direction = vector(v, n, which)
        for i in range(n):
            direction[i] = 0.0
    square = 0.0
    count = 0
    for i in range(n):
        if state[i] != FIXED:
            square += q[i] * q[i]
            count += 1
    force = math.sqrt(square / max(count, 1))
    bounds = 0
    for i in range(n):
        has_lo[i] = 1.0 if state[i] != FIXED and lo[i] > -UNBOUNDED else 0.0
        has_hi[i] = 1.0 if state[i] != FIXED and hi[i] < UNBOUNDED else 0.0
        if state[i] != FIXED:
            room = force / diagonal[i]
            if has_lo[i] > 0.0 and has_hi[i] > 0.0:
                x[i] = 0.5 * (lo[i] + hi[i])
            elif has_lo[i] > 0.0:
                x[i] = lo[i] + room
            elif has_hi[i] > 0.0:
                x[i] = hi[i] - room
            else:
                x[i] = 0.0
        s[i] = x[i] - lo[i] if has_lo[i] > 0.0 else 1.0
        t[i] = hi[i] - x[i] if has_hi[i] > 0.0 else 1.0
        y[i] = force * has_lo[i]
        z[i] = force * has_hi[i]
        bounds += has_lo[i] > 0.0
        bounds += has_hi[i] > 0.0
    return bounds


@kernel
def measure_gap(n, diagonal, state, x, v):
    """How far the point is from the solution, its largest force, and the complementarity gap: the sum of s y + t z.

    `v`'s GAP holds q - A x + y - z.
    """
    s, t, y, z, gap = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z), vector(v, n, GAP)
    far, product, largest = 0.0, 0.0, 0.0
    for i in range(n):
        if state[i] != FIXED:
            largest = max(largest, abs(x[i]))
            far = max(far, abs(gap[i]) / diagonal[i], min(s[i], y[i] / diagonal[i]), min(t[i], z[i] / diagonal[i]))
            product += s[i] * y[i] + t[i] * z[i]
    return far, largest, product


@fast_kernel
def weigh(n, v):
    """E, for the diagonal."""
    s, t, y, z, weight = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z), vector(v, n, WEIGHT)
    for i in range(n):
        weight[i] = y[i] / s[i] + z[i] / t[i]


@fast_kernel
def aim(n, target, correction, v):
    """Right sides of s y and t z: to `target`, less what the last direction would add to second order."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    ds, dt, dy, dz = vector(v, n, DS), vector(v, n, DT), vector(v, n, DY), vector(v, n, DZ)
    cs, ct, has_lo, has_hi = vector(v, n, CS), vector(v, n, CT), vector(v, n, HAS_LO), vector(v, n, HAS_HI)
    for i in range(n):
        cs[i] = target * has_lo[i] - s[i] * y[i] - correction * ds[i] * dy[i]
        ct[i] = target * has_hi[i] - t[i] * z[i] - correction * dt[i] * dz[i]


@fast_kernel
def set_right_side(n, v):
    """The r of (A + E) dx = r."""
    s, t, gap = vector(v, n, S), vector(v, n, T), vector(v, n, GAP)
    cs, ct, right = vector(v, n, CS), vector(v, n, CT), vector(v, n, RIGHT)
    for i in range(n):
        right[i] = gap[i] + cs[i] / s[i] - ct[i] / t[i]


@fast_kernel
def follow(n, v):
    """Directions of slacks and multipliers from dx."""
    s, t, y, z, dx = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z), vector(v, n, DX)
    ds, dt, dy, dz = vector(v, n, DS), vector(v, n, DT), vector(v, n, DY), vector(v, n, DZ)
    cs, ct, has_lo, has_hi = vector(v, n, CS), vector(v, n, CT), vector(v, n, HAS_LO), vector(v, n, HAS_HI)
    for i in range(n):
        ds[i] = dx[i] * has_lo[i]
        dt[i] = -dx[i] * has_hi[i]
        dy[i] = (cs[i] - y[i] * ds[i]) / s[i]
        dz[i] = (ct[i] - z[i] * dt[i]) / t[i]


@kernel
def correct(n, step, target, v):
    """Move the right sides so that products which a longer step would leave far from `target` come nearer to it."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    ds, dt, dy, dz = vector(v, n, DS), vector(v, n, DT), vector(v, n, DY), vector(v, n, DZ)
    cs, ct, has_lo, has_hi = vector(v, n, CS), vector(v, n, CT), vector(v, n, HAS_LO), vector(v, n, HAS_HI)
    for i in range(n):
        at_lo = (s[i] + step * ds[i]) * (y[i] + step * dy[i])
        at_hi = (t[i] + step * dt[i]) * (z[i] + step * dz[i])
        cs[i] += has_lo[i] * max(min(max(at_lo, 0.1 * target), 10.0 * target) - at_lo, -10.0 * target)
        ct[i] += has_hi[i] * max(min(max(at_hi, 0.1 * target), 10.0 * target) - at_hi, -10.0 * target)


@fast_kernel
def copy_direction(n, source, target, v):
    """Copy dx, cs and ct from the vectors that begin with `source` to those that begin with `target`."""
    for which in range(3):
        a, b = vector(v, n, source + which), vector(v, n, target + which)
        for i in range(n):
            b[i] = a[i]


@kernel
def longest_step(n, v):
    """The longest step, at most 1, that keeps slacks and multipliers from becoming negative."""
    fastest = 1.0
    for which in range(4):
        value, change = vector(v, n, which), vector(v, n, DS + which)
        for i in range(n):
            if -change[i] > fastest * value[i]:
                fastest = -change[i] / value[i]
    return 1.0 / fastest


@fast_kernel
def product_after(n, step, v):
    """Sum of s y + t z after a step."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    ds, dt, dy, dz = vector(v, n, DS), vector(v, n, DT), vector(v, n, DY), vector(v, n, DZ)
    total = 0.0
    for i in range(n):
        total += (s[i] + step * ds[i]) * (y[i] + step * dy[i]) + (t[i] + step * dt[i]) * (z[i] + step * dz[i])
    return total


@fast_kernel
def advance(n, step, x, v):
    """Take the step."""
    dx = vector(v, n, DX)
    for i in range(n):
        x[i] += step * dx[i]
    for which in range(4):
        value, change = vector(v, n, which), vector(v, n, DS + which)
        for i in range(n):
            value[i] += step * change[i]


@kernel
def read_states(n, diagonal, state, v):
    """The state of each row at the point: at a bound if its multiplier outweighs its slack."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    for i in range(n):
        if state[i] != FIXED:
            state[i] = FREE
            if s[i] * diagonal[i] < y[i]:
                state[i] = AT_LO
            elif t[i] * diagonal[i] < z[i]:
                state[i] = AT_HI
