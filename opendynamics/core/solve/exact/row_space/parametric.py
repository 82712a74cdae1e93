"""Parametric active set method for a small box LCP: from guessed states to those of the solution, one exchange at a time.

The guess solves a problem with wider bounds and shifted w: for each row that violates its condition, the limit of x or w is
relaxed until the row satisfies it. The relaxations then shrink to zero, all at the same rate. Meanwhile x and w change linearly,
until one of them reaches its limit: this row becomes free, or is clamped, and they change in another direction. For a symmetric
positive definite S the path leads to the solution from any guess. (M. J. Best, An algorithm for the solution of the parametric
quadratic programming problem, 1996; H. J. Ferreau, H. G. Bock, M. Diehl, An online active set strategy to overcome the
limitations of explicit MPC, 2008.)

An exchange takes n² multiplications in the tableau of the principal pivot transform: with T the tableau, C the free rows and n
the others

    x_C = T_CC (w + q)_C + T_Cn x_n,    (w + q)_n = T_nC (w + q)_C + T_nn x_n,    T_nC = -T_Cnᵀ.

Of x and w only their distances from the limits are needed. Fixed rows, such as those of friction in the first phase, are left
out. Rounding errors accumulate, so only the states of the rows are used: `pivot` solves again with them.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.dense import at_line, dot, piece, vector
from opendynamics.core.solve.exact.row_space.box_lcp import (
    LAST_PATIENCE,
    LAST_ROUNDS,
    PATH,
    tableau_size,
    use_part,
)
from opendynamics.core.solve.exact.row_space.pivoting import multiply, pivot
from opendynamics.core.solve.exact.row_space.simd import LANES, subtract_row

# Limit of exchanges per row: rounding errors may cause cycling.
MAX_EXCHANGES = 10

# How far a limit is relaxed beyond a violation, relative to it; and at least, relative to the largest x.
BEYOND, AT_LEAST = 0.1, 1e-9


class Path(NamedTuple):
    """Scratch memory of the path, over rows of the tableau. Of each row, the lower limit of x or w, then, `width` further, the
    upper one: inf if it has none.
    """

    distance: Any  # of the limits
    rate: Any  # at which they change
    time: Any  # until they are zero
    relaxed: Any  # by how much the interval of x was relaxed
    column: Any  # of the tableau


@kernel
def trace_and_pivot(box):
    """Solve a problem on which block pivoting failed, if it is small enough; returns the result of `pivot`."""
    if tableau_size(len(box.x)) == 0 or not trace(box):
        return 0, False, 0
    return pivot(box, LAST_ROUNDS, LAST_PATIENCE)


@kernel
def trace(box):
    """Exchange states, from those given, until they are those of the solution. False: too many exchanges, or a redundant row."""
    state = box.state
    part = use_part(box.integers, box.floats, len(state))
    free, tableau = part.free, part.values
    n, width = _load(box, part)
    path = _use_path(part, width)
    distance, rate, column = path.distance, path.rate, path.column
    for k in range(n):
        if state[free[k]] == FREE and not _exchange(tableau, n, width, k):
            return False
    _relax(box, part, path, n, width)
    left = 1.0
    for _ in range(MAX_EXCHANGES * n):
        step, first = _first_event(path)
        if not step < left:
            return True
        left -= step
        _advance(path, step)
        upper = first >= width
        k = first - width if upper else first
        i = free[k]
        for m in range(n):
            column[m] = tableau[width * m + k]
        change = (rate[first] if upper else -rate[first]) / column[k]  # of what row k depends on: keeps it at the limit
        _change_rates(path, change)
        if not _exchange(tableau, n, width, k):
            return False
        if state[i] == FREE:
            state[i] = AT_HI if upper else AT_LO
            interval, closing = inf, 0.0
        else:
            state[i] = FREE
            interval, closing = box.hi[i] - box.lo[i] + path.relaxed[k] * left, path.relaxed[k]
        other, pace = (k, -change) if upper else (width + k, change)
        distance[first], distance[other] = 0.0, interval
        rate[first], rate[other] = pace, -closing - pace
    return False


@kernel
def _use_path(part, width):
    """Scratch memory behind the tableau, whose last row `_exchange` needs."""
    v = piece(part.values, width * (width + 1), PATH * width)
    return Path(
        piece(v, 0, 2 * width),
        piece(v, 2 * width, 2 * width),
        piece(v, 4 * width, 2 * width),
        piece(v, 6 * width, width),
        piece(v, 7 * width, width),
    )


@kernel
def _load(box, part):
    """Load S of the rows that are not fixed. Their numbers go to `part.free`, and q without what fixed rows do to `part.right`.

    Returns how many they are, and the width of the tableau's rows: whole vectors.
    """
    x, free, right, tableau = box.x, part.free, part.right, part.values
    n = 0
    for i in range(len(x)):
        x[i] = 0.0
        if box.state[i] == FIXED:
            x[i] = box.lo[i]
        else:
            free[n] = i
            n += 1
    multiply(box, x, part.product)
    width = at_line(n)
    for k in range(n):
        for m in range(n, width):
            tableau[width * k + m] = 0.0
        i = free[k]
        right[k] = box.q[i] - part.product[i]
        for m in range(k + 1):
            j = free[m]
            value = box.values[box.origin[i] + j] if j >= box.first[i] else 0.0
            tableau[width * k + m] = tableau[width * m + k] = value
    return n, width


@kernel
def _relax(box, part, path, n, width):
    """Relax the limits that the rows violate; the distances from all limits, and their rates."""
    state, free, q, given, value = box.state, part.free, part.right, part.product, path.time
    for k in range(2 * width):
        path.distance[k], path.rate[k] = inf, 0.0
    for k in range(width):
        path.column[k] = 0.0
    for k in range(n):
        i = free[k]
        given[k] = q[k] if state[i] == FREE else box.lo[i] if state[i] == AT_LO else box.hi[i]
    largest = 0.0
    for k in range(n):
        value[k] = dot(part.values, width * k, given, 0, n)
        largest = max(largest, abs(value[k] if state[free[k]] == FREE else given[k]))
    least = AT_LEAST * largest
    for k in range(n):
        i = free[k]
        if state[i] == FREE:
            below = _put_limit(path, k, value[k] - box.lo[i], least)
            path.relaxed[k] = below + _put_limit(path, width + k, box.hi[i] - value[k], least)
        else:
            path.relaxed[k] = 0.0
            least_of_row = least * box.values[box.origin[i] + i]
            if state[i] == AT_LO:
                _put_limit(path, k, value[k] - q[k], least_of_row)
            else:
                _put_limit(path, width + k, q[k] - value[k], least_of_row)


@kernel
def _put_limit(path, k, distance, least):
    """Set a distance. Returns by how much its limit is relaxed, if it is violated."""
    relaxed = least - (1.0 + BEYOND) * distance if distance < 0.0 else 0.0
    path.distance[k], path.rate[k] = distance + relaxed, -relaxed
    return relaxed


@kernel
def _first_event(path):
    """The time until the first of the limits is reached, and its number."""
    distance, rate, time = path.distance, path.rate, path.time
    for k in range(np.uint64(len(time))):
        time[k] = -distance[k] / rate[k] if rate[k] < 0.0 else inf
    least, first = inf, 0
    for k in range(len(time)):
        if time[k] < least:
            least, first = time[k], k
    return least, first


@kernel
def _advance(path, step):
    """Follow the path for some time. Rounding errors beyond a limit are removed."""
    distance, rate = path.distance, path.rate
    for k in range(np.uint64(len(distance))):
        moved = distance[k] + step * rate[k]
        distance[k] = moved if moved > 0.0 else 0.0


@kernel
def _change_rates(path, change):
    """Add to the rates what the change of one number does, by its column of the tableau."""
    rate, column, width = path.rate, path.column, np.uint64(len(path.column))
    for k in range(width):
        rate[k] += change * column[k]
    for k in range(width):
        rate[width + k] -= change * column[k]


@kernel
def _exchange(tableau, n, width, k):
    """Exchange x and w of row k in the tableau. False: the row is redundant."""
    own, row, vectors = vector(tableau, width, k), vector(tableau, width, n), width // LANES
    if not own[k] > 0.0:
        return False
    inverse = 1.0 / own[k]
    for j in range(width):
        row[j] = own[j]
        own[j] *= -inverse
    row[k] = 0.0
    for i in range(n):
        factor = tableau[width * i + k] * inverse
        if i != k and factor != 0.0:
            subtract_row(tableau, i, factor, n, 0, vectors)
            tableau[width * i + k] = factor
    own[k] = inverse
    return True
