"""The bounded problem of a large island, in the space of bodies, by the methods of `row_space`.

    pivot:    rounds of block pivoting; each is one factorisation and a few refinements
    approach: interior point method with Gondzio's correction (Gondzio 1996), which saves one round in seven

Rows without bounds take part as rows that are always free.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._body_space.system import factorise_system, find_residuals, solve_system
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE, SIGN_TOLERANCE
from opendynamics.core.solve._lcp.interior_point import (
    DX,
    GAP,
    KEPT,
    RIGHT,
    SHORT_OF_BOUNDARY,
    WEIGHT,
    Y,
    Z,
    advance,
    aim,
    copy_direction,
    correct,
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

ROUNDS = 80
REFINEMENTS = 3

# The step s of a corrector: STRETCH s + LONGER, from the longest one without it.
STRETCH, LONGER = 1.1, 0.1


class Box(NamedTuple):
    """(Ĵ Ĵᵀ + cfm) x = b + w with bounds."""

    b: Any
    cfm: Any
    diagonal: Any
    lo: Any
    hi: Any
    x: Any
    state: Any  # see `active_set`
    residuals: Any  # b - A x
    y: Any  # scratch, six numbers a body


@kernel
def pivot(system, box, v, limit, patience):
    """At most `limit` rounds, of which `patience` may fail to reduce the number of infeasible rows.

    Returns the rounds and whether they led to the solution. `box.residuals` ends as b - A x; `v`: scratch.
    """
    b, cfm, x, y, state, residuals = box.b, box.cfm, box.x, box.y, box.state, box.residuals
    n = len(x)
    inverse, right, dx = vector(v, n, WEIGHT), vector(v, n, RIGHT), vector(v, n, DX)
    fewest = n + 1
    for rounds in range(1, limit + 1):
        for i in range(n):
            if state[i] == FREE:
                inverse[i] = 1.0 / cfm[i]
                x[i] = 0.0
            else:
                inverse[i] = 0.0
                x[i] = box.hi[i] if state[i] == AT_HI else box.lo[i]
        factorise_system(system, inverse)
        for _ in range(REFINEMENTS):
            find_residuals(system, b, cfm, x, y, right)
            solve_system(system, inverse, right, y, dx)
            for i in range(n):
                x[i] += dx[i]
        find_residuals(system, b, cfm, x, y, residuals)
        infeasible = _exchange_infeasible(box)
        if infeasible == 0:
            return rounds, True
        if infeasible < fewest:
            fewest = infeasible
        else:
            patience -= 1
            if patience < 0:
                return rounds, False
    return limit, False


@kernel
def _exchange_infeasible(box):
    """Exchange the states of infeasible rows; returns how many there were."""
    x, state = box.x, box.state
    largest = 0.0
    for i in range(len(x)):
        largest = max(largest, abs(x[i]))
    slack = SIGN_TOLERANCE * largest
    infeasible = 0
    for i in range(len(x)):
        before = state[i]
        if before == FREE:
            if x[i] < box.lo[i] - slack:
                state[i] = AT_LO
            elif x[i] > box.hi[i] + slack:
                state[i] = AT_HI
        elif before != FIXED:
            push = box.residuals[i] if before == AT_LO else -box.residuals[i]
            if push > slack * box.diagonal[i]:
                state[i] = FREE
        infeasible += state[i] != before
    return infeasible


@kernel
def approach(system, box, v):
    """Bring `x` close to the solution and set the rows' states. Returns the rounds."""
    b, cfm, own, lo, hi, x, y = box.b, box.cfm, box.diagonal, box.lo, box.hi, box.x, box.y
    state, residuals = box.state, box.residuals
    n = len(x)
    s_y, s_z, gap, weight = vector(v, n, Y), vector(v, n, Z), vector(v, n, GAP), vector(v, n, WEIGHT)
    right, dx = vector(v, n, RIGHT), vector(v, n, DX)
    widest = 0.0
    for i in range(n):
        if state[i] == FIXED:
            x[i] = lo[i]
        else:
            widest = max(widest, abs(b[i]) / own[i])
    bounds = start(n, b, own, lo, hi, state, x, v)
    rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        find_residuals(system, b, cfm, x, y, residuals)
        for i in range(n):
            gap[i] = residuals[i] + s_y[i] - s_z[i]
        far, largest, product = measure_gap(n, state, x, v)
        if is_close(far, largest, widest):
            break
        weigh(n, v)
        for i in range(n):
            weight[i] = 0.0 if state[i] == FIXED else 1.0 / (weight[i] + cfm[i])
        factorise_system(system, weight)
        target, correction, step = 0.0, 0.0, 0.0
        for attempt in range(3):
            if attempt < 2:
                aim(n, target, correction, v)
            else:
                copy_direction(n, DX, KEPT, v)
                correct(n, min(1.0, STRETCH * step + LONGER), target, v)
            set_right_side(n, v)
            solve_system(system, weight, right, y, dx)
            follow(n, v)
            before, step = step, longest_step(n, v)
            if attempt == 0:
                centring = (product_after(n, step, v) / product) ** 3
                target, correction = centring * product / bounds, 1.0
            elif attempt == 2 and step < before:
                copy_direction(n, KEPT, DX, v)
                follow(n, v)
                step = before
        advance(n, min(1.0, SHORT_OF_BOUNDARY * step), x, v)
    read_states(n, own, state, v)
    return rounds
