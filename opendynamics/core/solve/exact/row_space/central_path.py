"""Interior point method for the small problem that remains after elimination of the rows without bounds.

It takes 6 to 20 iterations for any contacts, where pivoting may take thousands; an iteration costs somewhat more. It stops near
the solution, which determines the states of all rows; one or two iterations of pivoting complete it.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import FIXED
from opendynamics.core.solve._lcp.interior_point import (
    DX,
    GAP,
    RIGHT,
    SHORT_OF_BOUNDARY,
    WEIGHT,
    Y,
    Z,
    advance,
    aim,
    follow,
    is_close,
    longest_step,
    measure_gap,
    product_after,
    read_states,
    set_right_side,
    start,
    weigh,
)
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.exact.row_space.box_lcp import LAST_PATIENCE, LAST_ROUNDS, use_part
from opendynamics.core.solve.exact.row_space.envelope import factorise
from opendynamics.core.solve.exact.row_space.pivoting import gather, multiply, pivot, solve_part

ROUNDS = 60


@kernel
def approach(box):
    """Bring `x` close to the solution and set the rows' states. Returns the iterations. Rows with `state` FIXED are left out."""
    n, q, x, state = len(box.x), box.q, box.x, box.state
    part = use_part(box.integers, box.floats, n)
    free, v, diagonal = part.free, part.vectors, part.diagonal
    gap, weight, right, dx = vector(v, n, GAP), vector(v, n, WEIGHT), vector(v, n, RIGHT), vector(v, n, DX)
    y, z = vector(v, n, Y), vector(v, n, Z)
    free_count = 0
    widest = 0.0
    for i in range(n):
        part.rank[i] = free_count
        if state[i] != FIXED:
            free[free_count] = i
            free_count += 1
        else:
            x[i] = box.lo[i]
        dx[i] = 0.0
        diagonal[i] = box.values[box.origin[i] + i]
        widest = max(widest, abs(q[i]) / diagonal[i])
    bounds = start(n, q, diagonal, box.lo, box.hi, state, x, v)
    rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        multiply(box, x, part.product)
        for i in range(n):
            gap[i] = q[i] - part.product[i] + y[i] - z[i]
        far, largest, product = measure_gap(n, state, x, v)
        if is_close(far, largest, widest):
            break
        weigh(n, v)
        gather(box, part, free_count)
        for k in range(free_count):
            part.values[part.origin[k] + k] += weight[free[k]]
        factorise(part.values, part.origin, part.first, free_count, free_count, part.inverse_pivots)
        target, correction = 0.0, 0.0
        for attempt in range(2):
            aim(n, target, correction, v)
            set_right_side(n, v)
            for k in range(free_count):
                part.right[k] = right[free[k]]
            solve_part(part, free_count, part.right, 0)
            for k in range(free_count):
                dx[free[k]] = part.right[k]
            follow(n, v)
            step = longest_step(n, v)
            if attempt == 0:
                centring = (product_after(n, step, v) / product) ** 3
                target, correction = centring * product / bounds, 1.0
        advance(n, min(1.0, SHORT_OF_BOUNDARY * step), x, v)
    read_states(n, diagonal, state, v)
    return rounds


@kernel
def approach_and_pivot(box):
    """Solve a problem on which pivoting alone failed; returns the result of `pivot`."""
    rounds = approach(box)
    more, solved, free_count = pivot(box, LAST_ROUNDS, LAST_PATIENCE)
    return rounds + more, solved, free_count
