"""The vectors of a primal-dual interior point method, whatever solves its linear systems.

For lo <= x <= hi with slacks s = x - lo and t = hi - x and their multipliers y, z (none where there is no bound):

    A x - q = y - z,   s y = μ,   t z = μ,   all of s, t, y, z > 0,   μ -> 0

Newton's method for it: with E = y/s + z/t on the diagonal, (A + E) dx = r, and the other directions follow from dx.
Slacks are variables of their own, moved as x is moved: a recomputed x - lo has no digits left at the end.
(Mehrotra 1992; Wright 1997.)

All vectors are in one array `v`, in the order of the names below.
"""

from __future__ import annotations

import math

import numpy as np

from opendynamics.core.arrays.rows import UNBOUNDED
from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.dense import piece, vector

# s, t, y, z and their directions; what gives a direction: dx and the right sides of s y and t z; the same of an earlier
# direction; 1 where there is a bound; the linear system; q - A x + y - z; 1/s, 1/t and 1/diagonal.
S, T, Y, Z, DS, DT, DY, DZ, DX, CS, CT, KEPT, _, _, HAS_LO, HAS_HI, RIGHT, WEIGHT, GAP, PER_S, PER_T, MOBILITY = range(
    22
)
VECTORS = 22

# Products of slacks and multipliers that a corrector accepts, relative to their target (Gondzio 1996, Multiple centrality
# correctors in a primal-dual method for linear programming).
LEAST_PRODUCT, LARGEST_PRODUCT = 0.1, 10.0

# Distance from the solution at which the method ends, relative to the largest force, or to this fraction of the largest force
# that would stop a row alone, if that is more.
CLOSE, SLIGHT = 1e-10, 1e-3

# Fraction of the longest step that is taken, so that slacks and multipliers stay positive.
SHORT_OF_BOUNDARY = 0.995

# Slacks and multipliers processed together for the longest step.
RUN = 64


@kernel
def start(n, q, diagonal, lo, hi, state, x, v):
    """A first point, half-lines well inside and boxes in their middle. Returns the number of bounds."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    has_lo, has_hi, mobility = vector(v, n, HAS_LO), vector(v, n, HAS_HI), vector(v, n, MOBILITY)
    for i in range(n):
        mobility[i] = 1.0 / diagonal[i]
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
def measure_gap(n, state, x, v):
    """How far the point is from the solution, its largest force, and the complementarity gap: the sum of s y + t z.

    `v`'s GAP holds q - A x + y - z.
    """
    s, t, y, z, gap = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z), vector(v, n, GAP)
    mobility = vector(v, n, MOBILITY)
    far, product, largest = 0.0, 0.0, 0.0
    for i in range(n):
        if state[i] != FIXED:
            largest = max(largest, abs(x[i]))
            complementarity = max(min(s[i], y[i] * mobility[i]), min(t[i], z[i] * mobility[i]))
            far = max(far, max(abs(gap[i]) * mobility[i], complementarity))
            product += s[i] * y[i] + t[i] * z[i]
    return far, largest, product


@kernel
def is_close(far, largest, widest):
    """Whether a point is close enough to the solution, or not finite. `widest`: the largest force that stops a row alone."""
    return not far > CLOSE * max(largest, SLIGHT * widest)


@fast_kernel
def weigh(n, v):
    """E, for the diagonal, and 1/s and 1/t: divisions take longer than all else."""
    s, t, y, z, weight = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z), vector(v, n, WEIGHT)
    per_s, per_t = vector(v, n, PER_S), vector(v, n, PER_T)
    for i in range(n):
        per_s[i], per_t[i] = 1.0 / s[i], 1.0 / t[i]
        weight[i] = y[i] * per_s[i] + z[i] * per_t[i]


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
    per_s, per_t, gap = vector(v, n, PER_S), vector(v, n, PER_T), vector(v, n, GAP)
    cs, ct, right = vector(v, n, CS), vector(v, n, CT), vector(v, n, RIGHT)
    for i in range(n):
        right[i] = gap[i] + cs[i] * per_s[i] - ct[i] * per_t[i]


@fast_kernel
def follow(n, v):
    """Directions of slacks and multipliers from dx."""
    per_s, per_t, y, z = vector(v, n, PER_S), vector(v, n, PER_T), vector(v, n, Y), vector(v, n, Z)
    dx = vector(v, n, DX)
    ds, dt, dy, dz = vector(v, n, DS), vector(v, n, DT), vector(v, n, DY), vector(v, n, DZ)
    cs, ct, has_lo, has_hi = vector(v, n, CS), vector(v, n, CT), vector(v, n, HAS_LO), vector(v, n, HAS_HI)
    for i in range(n):
        ds[i] = dx[i] * has_lo[i]
        dt[i] = -dx[i] * has_hi[i]
        dy[i] = (cs[i] - y[i] * ds[i]) * per_s[i]
        dz[i] = (ct[i] - z[i] * dt[i]) * per_t[i]


@kernel
def correct(n, step, target, v):
    """Gondzio's corrector: change the right sides so that products come nearer to `target` where a longer `step` misses it."""
    s, t, y, z = vector(v, n, S), vector(v, n, T), vector(v, n, Y), vector(v, n, Z)
    ds, dt, dy, dz = vector(v, n, DS), vector(v, n, DT), vector(v, n, DY), vector(v, n, DZ)
    cs, ct, has_lo, has_hi = vector(v, n, CS), vector(v, n, CT), vector(v, n, HAS_LO), vector(v, n, HAS_HI)
    low, high = LEAST_PRODUCT * target, LARGEST_PRODUCT * target
    for i in range(n):
        at_lo = (s[i] + step * ds[i]) * (y[i] + step * dy[i])
        at_hi = (t[i] + step * dt[i]) * (z[i] + step * dz[i])
        cs[i] += has_lo[i] * max(min(max(at_lo, low), high) - at_lo, -high)
        ct[i] += has_hi[i] * max(min(max(at_hi, low), high) - at_hi, -high)


@fast_kernel
def copy_direction(n, source, target, v):
    """Copy dx, cs and ct from the vectors that begin with `source` to those that begin with `target`."""
    for which in range(3):
        a, b = vector(v, n, source + which), vector(v, n, target + which)
        for i in range(n):
            b[i] = a[i]


@kernel
def longest_step(n, v):
    """The longest step, at most 1, that keeps slacks and multipliers from becoming negative.

    Few shorten it, and comparisons of a whole run are vector instructions.
    """
    fastest = 1.0
    for which in range(4):
        value, change = vector(v, n, which), vector(v, n, DS + which)
        for first in range(0, n, RUN):
            count = min(RUN, n - first)
            values, changes = piece(value, first, count), piece(change, first, count)
            shortening = 0
            for i in range(np.uint64(count)):
                shortening += -changes[i] > fastest * values[i]
            if shortening > 0:
                for i in range(count):
                    if -changes[i] > fastest * values[i]:
                        fastest = -changes[i] / values[i]
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
