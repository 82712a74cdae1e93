"""Block principal pivoting: guess which rows are free, solve for them, and turn every wrong guess round at once.

The state of a row tells whether it is free or at a bound. With the states given, x follows from one linear system; a
free row that leaves its bounds goes to the bound, a bound row whose w has the wrong sign becomes free. Where contacts
do not compete this ends after one to five rounds; where it does not end soon it seldom ends at all, and is given up.
(Kostreva 1978; Júdice & Pires 1994.)

S stands in an envelope, element (i, j) at `values[origin[i] + j]`.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import dot, piece, subtract
from opendynamics.core.solve.exact.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.exact.interior_point import VECTORS
from opendynamics.core.solve.exact.row_space.envelope import eliminate, factorise, substitute

# Signs wrong by less than this, in units of the largest force, are rounding error.
SIGN_TOLERANCE = 1e-13


@kernel
def pivot(values, origin, first, n, q, lo, hi, x, state, integers, floats, limit, patience):
    """Solve by at most `limit` rounds, of which `patience` may fail to bring the number of wrong rows down.

    Returns the rounds, whether they led to the solution, the number of free rows, and the smallest pivot in units of
    its diagonal. The free rows stand at the beginning of `integers`, their factorisation in `floats`: see `use_part`.
    """
    free, rank, part_origin, part_first, pull, inverse_pivots, w, _, _, part = use_part(n, integers, floats)
    fewest = n + 1
    members = 0
    worst = 1.0
    for rounds in range(1, limit + 1):
        members = 0
        anchored = False
        for i in range(n):
            rank[i] = members
            if state[i] == FREE:
                x[i] = 0.0
                free[members] = i
                members += 1
            else:
                x[i] = hi[i] if state[i] == AT_HI else lo[i]
                anchored = anchored or x[i] != 0.0
        if anchored:
            multiply(values, origin, first, n, x, w)
        for k in range(members):
            pull[k] = q[free[k]] - (w[free[k]] if anchored else 0.0)
        gather(values, origin, first, free, rank, members, part, part_origin, part_first)
        worst = factorise(part, part_origin, part_first, members, members, inverse_pivots)
        solve_part(part, part_origin, part_first, members, inverse_pivots, pull)
        for k in range(members):
            x[free[k]] = pull[k]
        multiply(values, origin, first, n, x, w)
        wrong = _turn(values, origin, n, q, lo, hi, x, w, state)
        if wrong == 0:
            return rounds, True, members, worst
        if wrong < fewest:
            fewest = wrong
        else:
            patience -= 1
            if patience < 0:
                return rounds, False, members, worst
    return limit, False, members, worst


@kernel
def use_part(n, integers, floats):
    """Scratch: the free rows, how many come before each row, and the factorisation of their part of S, which stands
    last; between them w, room for one more vector, and the vectors of the interior point method.
    """
    before = (4 + VECTORS) * n
    return (
        piece(integers, 0, n),
        piece(integers, n, n),
        piece(integers, 2 * n, n),
        piece(integers, 3 * n, n),
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, VECTORS * n),
        piece(floats, before, len(floats) - before),
    )


@kernel
def _turn(values, origin, n, q, lo, hi, x, w, state):
    """Correct the states of wrong rows; returns how many there were."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(x[i]))
    wrong = 0
    for i in range(n):
        before = state[i]
        slack = SIGN_TOLERANCE * largest
        if before == FREE:
            if x[i] < lo[i] - slack:
                state[i] = AT_LO
            elif x[i] > hi[i] + slack:
                state[i] = AT_HI
        elif before != FIXED:
            excess = w[i] - q[i] if before == AT_LO else q[i] - w[i]
            if excess < -slack * values[origin[i] + i]:
                state[i] = FREE
        wrong += state[i] != before
    return wrong


@kernel
def gather(values, origin, first, free, rank, members, part, part_origin, part_first):
    """The free rows and columns of S."""
    size = 0
    for k in range(members):
        i = free[k]
        begin = rank[first[i]]
        part_first[k] = begin
        part_origin[k] = size - begin
        for m in range(begin, k + 1):
            part[size + m - begin] = values[origin[i] + free[m]]
        size += k + 1 - begin


@kernel
def solve_part(part, part_origin, part_first, members, inverse_pivots, x):
    """x <- solution of the gathered system."""
    eliminate(part, part_origin, part_first, members, members, x)
    substitute(part, part_origin, part_first, members, members, inverse_pivots, x)


@kernel
def multiply(values, origin, first, n, x, product):
    """product <- S x."""
    for i in range(n):
        start = first[i]
        product[i] = dot(values, origin[i] + start, x, start, i + 1 - start)
        if x[i] != 0.0:
            subtract(product, start, -x[i], values, origin[i] + start, i - start)
