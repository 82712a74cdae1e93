"""The bounded problem of a large island, in the space of bodies: what `pivoting` and `interior` are for small ones.

    pivot:    rounds of block pivoting; each is one factorisation and a few refinements
    approach: interior point method with Gondzio's correction (Gondzio 1996), which saves one round in seven

Rows without bounds take part as rows that are always free.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.exact.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.exact.body_space.system import factorise_system, find_body_misfit, solve_system
from opendynamics.core.solve.exact.interior_point import (
    DX,
    GAP,
    KEPT,
    RIGHT,
    WEIGHT,
    Y,
    Z,
    advance,
    aim,
    copy_direction,
    correct,
    follow,
    judge,
    longest_step,
    product_after,
    read_states,
    set_right_side,
    start,
    weigh,
)

ROUNDS = 80
CLOSE = 1e-10  # in units of the largest force
SHORT_OF_BOUNDARY = 0.995
REFINEMENTS = 3
SIGN_TOLERANCE = 1e-13


@kernel
def pivot_sparsely(system, b, soft, own, lo, hi, state, x, misfit, y, v, limit, patience):
    """At most `limit` rounds, of which `patience` may fail to bring the number of wrong rows down.

    Returns the rounds and whether they led to the solution. `misfit` ends as b - A x.
    """
    n = len(x)
    inverse, right, dx = vector(v, n, WEIGHT), vector(v, n, RIGHT), vector(v, n, DX)
    fewest = n + 1
    for rounds in range(1, limit + 1):
        for i in range(n):
            if state[i] == FREE:
                inverse[i] = 1.0 / soft[i]
                x[i] = 0.0
            else:
                inverse[i] = 0.0
                x[i] = hi[i] if state[i] == AT_HI else lo[i]
        factorise_system(system, inverse)
        for _ in range(REFINEMENTS):
            find_body_misfit(system, b, soft, x, y, right)
            solve_system(system, inverse, right, y, dx)
            for i in range(n):
                x[i] += dx[i]
        find_body_misfit(system, b, soft, x, y, misfit)
        wrong = _turn(own, lo, hi, x, misfit, state)
        if wrong == 0:
            return rounds, True
        if wrong < fewest:
            fewest = wrong
        else:
            patience -= 1
            if patience < 0:
                return rounds, False
    return limit, False


@kernel
def _turn(own, lo, hi, x, misfit, state):
    """Correct the states of wrong rows; returns how many there were."""
    largest = 0.0
    for i in range(len(x)):
        largest = max(largest, abs(x[i]))
    slack = SIGN_TOLERANCE * largest
    wrong = 0
    for i in range(len(x)):
        before = state[i]
        if before == FREE:
            if x[i] < lo[i] - slack:
                state[i] = AT_LO
            elif x[i] > hi[i] + slack:
                state[i] = AT_HI
        elif before != FIXED:
            push = misfit[i] if before == AT_LO else -misfit[i]
            if push > slack * own[i]:
                state[i] = FREE
        wrong += state[i] != before
    return wrong


@kernel
def approach_sparsely(system, b, soft, own, lo, hi, state, x, misfit, y, v):
    """Bring `x` close to the solution and set the rows' states. Returns the rounds."""
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
        find_body_misfit(system, b, soft, x, y, misfit)
        for i in range(n):
            gap[i] = misfit[i] + s_y[i] - s_z[i]
        far, largest, product = judge(n, own, state, x, v)
        if not far > CLOSE * max(largest, 1e-3 * widest):
            break
        weigh(n, v)
        for i in range(n):
            weight[i] = 0.0 if state[i] == FIXED else 1.0 / (weight[i] + soft[i])
        factorise_system(system, weight)
        target, correction, step = 0.0, 0.0, 0.0
        for attempt in range(3):
            if attempt < 2:
                aim(n, target, correction, v)
            else:
                copy_direction(n, DX, KEPT, v)
                correct(n, min(1.0, 1.1 * step + 0.1), target, v)
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
