"""Interior point method for the small problem that is left when rows without bounds are eliminated.

It takes 6 to 20 rounds whatever the contacts, where pivoting may take thousands; a round costs somewhat more. It ends
near the solution, which tells the states of all rows and leaves the rest to one or two rounds of pivoting.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.exact.active_set import FIXED
from opendynamics.core.solve.exact.interior_point import (
    DX,
    GAP,
    RIGHT,
    WEIGHT,
    Y,
    Z,
    advance,
    aim,
    follow,
    judge,
    longest_step,
    product_after,
    read_states,
    set_right_side,
    start,
    weigh,
)
from opendynamics.core.solve.exact.row_space.envelope import factorise
from opendynamics.core.solve.exact.row_space.pivoting import gather, multiply, solve_part, use_part

ROUNDS = 60
CLOSE = 1e-10  # in units of the largest force
SHORT_OF_BOUNDARY = 0.995


@kernel
def approach(values, origin, first, n, q, lo, hi, x, state, integers, floats):
    """Bring `x` close to the solution and set the rows' states. Returns the rounds. `state` says which are FIXED."""
    free, rank, part_origin, part_first, pull, inverse_pivots, w, diagonal, v, part = use_part(n, integers, floats)
    gap, weight, right, dx = vector(v, n, GAP), vector(v, n, WEIGHT), vector(v, n, RIGHT), vector(v, n, DX)
    y, z = vector(v, n, Y), vector(v, n, Z)
    members = 0
    widest = 0.0
    for i in range(n):
        rank[i] = members
        if state[i] != FIXED:
            free[members] = i
            members += 1
        else:
            x[i] = lo[i]
        dx[i] = 0.0
        diagonal[i] = values[origin[i] + i]
        widest = max(widest, abs(q[i]) / diagonal[i])
    bounds = start(n, q, diagonal, lo, hi, state, x, v)
    rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        multiply(values, origin, first, n, x, w)
        for i in range(n):
            gap[i] = q[i] - w[i] + y[i] - z[i]
        far, largest, product = judge(n, diagonal, state, x, v)
        if not far > CLOSE * max(largest, 1e-3 * widest):
            break
        weigh(n, v)
        gather(values, origin, first, free, rank, members, part, part_origin, part_first)
        for k in range(members):
            part[part_origin[k] + k] += weight[free[k]]
        factorise(part, part_origin, part_first, members, members, inverse_pivots)
        target, correction = 0.0, 0.0
        for attempt in range(2):
            aim(n, target, correction, v)
            set_right_side(n, v)
            for k in range(members):
                pull[k] = right[free[k]]
            solve_part(part, part_origin, part_first, members, inverse_pivots, pull)
            for k in range(members):
                dx[free[k]] = pull[k]
            follow(n, v)
            step = longest_step(n, v)
            if attempt == 0:
                centring = (product_after(n, step, v) / product) ** 3
                target, correction = centring * product / bounds, 1.0
        advance(n, min(1.0, SHORT_OF_BOUNDARY * step), x, v)
    read_states(n, diagonal, state, v)
    return rounds
