"""Dantzig's algorithm for a small box LCP: rows are added one by one; those added before stay solved.

A row whose w = S x - q has the wrong sign is driven: x changes, and the free rows before it follow so that their w stay zero,
until its own w is zero or its bound is reached. A free row that reaches a bound on the way is clamped; a clamped row whose w
becomes zero is freed. (R. W. Cottle, G. B. Dantzig, Complementary pivot theory, 1968; D. Baraff, Fast contact force computation
for nonpenetrating rigid bodies, 1994.)

Where block pivoting cycles, this ends after one or two exchanges per row. An exchange takes n² multiplications in the tableau of
the principal pivot transform: with T the tableau, C the free rows and n the others

    x_C = T_CC (w + q)_C + T_Cn x_n,    (w + q)_n = T_nC (w + q)_C + T_nn x_n,    T_nC = -T_Cnᵀ.

Fixed rows, such as those of friction in the first phase, are left out. Rounding errors accumulate, so only the states of the rows
are used: `pivot` solves again with them.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.exact.row_space.box_lcp import LAST_PATIENCE, LAST_ROUNDS, at_line, tableau_size, use_part
from opendynamics.core.solve.exact.row_space.pivoting import multiply, pivot
from opendynamics.core.solve.exact.row_space.simd import LANES, subtract_row

# Limit of exchanges per row: rounding errors may cause cycling.
MAX_EXCHANGES = 10


@kernel
def drive_and_pivot(box):
    """Solve a problem on which block pivoting failed, if it is small enough; returns the result of `pivot`."""
    if tableau_size(len(box.x)) == 0 or not drive(box):
        return 0, False, 0, 1.0
    return pivot(box, LAST_ROUNDS, LAST_PATIENCE)


@kernel
def drive(box):
    """Bring `x` close to the solution and set the rows' states. False: too many exchanges."""
    x, state = box.x, box.state
    part = use_part(box.integers, box.floats, len(x))
    tableau, w, free = part.values, part.product, part.free
    n, width = _begin(box, part)
    exchanges = 0
    for k in range(n):
        i = free[k]
        while True:
            if (w[k] >= 0.0 and x[i] <= box.lo[i]) or (w[k] <= 0.0 and x[i] >= box.hi[i]):
                state[i] = AT_LO if x[i] <= box.lo[i] else AT_HI
                break
            sign = 1.0 if w[k] < 0.0 else -1.0
            step, first = _longest_step(box, free, vector(tableau, width, k), w, n, k, sign)
            if not step < inf or exchanges >= MAX_EXCHANGES * n:
                return False
            _move(box, free, vector(tableau, width, k), w, n, k, sign * step)
            if first == n:
                x[i] = box.hi[i] if sign > 0.0 else box.lo[i]
                continue
            j = free[first]
            if first < k and state[j] == FREE:
                upwards = sign * tableau[width * k + first] < 0.0
                state[j] = AT_HI if upwards else AT_LO
                x[j] = box.hi[j] if upwards else box.lo[j]
            else:
                state[j] = FREE
            w[first] = 0.0
            if not _exchange(tableau, n, width, first):
                return False
            exchanges += 1
            if first == k:
                break
    return True


@kernel
def _begin(box, part):
    """Start every row at its bound nearest to zero, or at zero. The tableau is the S of the rows that are not fixed.

    Returns how many they are, and the width of the tableau's rows: whole vectors.
    """
    x, free, tableau, w = box.x, part.free, part.values, part.product
    n = 0
    for i in range(len(x)):
        x[i] = min(max(0.0, box.lo[i]), box.hi[i])
        if box.state[i] != FIXED:
            free[n] = i
            n += 1
    multiply(box, x, w)
    width = at_line(n)
    for k in range(n):
        for m in range(n, width):
            tableau[width * k + m] = 0.0
        i = free[k]
        w[k] = w[i] - box.q[i]
        for m in range(k + 1):
            j = free[m]
            value = box.values[box.origin[i] + j] if j >= box.first[i] else 0.0
            tableau[width * k + m] = tableau[width * m + k] = value
    return n, width


@kernel
def _longest_step(box, free, row, w, n, k, sign):
    """Longest step of x of row k, with that sign, and the blocking row: k, its w is zero; n, its own bound; or an earlier one.

    The tableau's column equals its `row` k, except for the sign of the free rows' elements.
    """
    x, state, i = box.x, box.state, free[k]
    step, first = abs(w[k]) / row[k] if row[k] > 0.0 else inf, k
    room = box.hi[i] - x[i] if sign > 0.0 else x[i] - box.lo[i]
    if room < step:
        step, first = room, n
    for m in range(k):
        j, rate = free[m], sign * row[m]
        far = inf
        if state[j] == FREE and rate != 0.0:
            far = (box.hi[j] - x[j] if rate < 0.0 else x[j] - box.lo[j]) / abs(rate)
        elif (state[j] == AT_LO and rate < 0.0) or (state[j] == AT_HI and rate > 0.0):
            far = -w[m] / rate
        if far < step:
            step, first = max(far, 0.0), m
    return step, first


@kernel
def _move(box, free, row, w, n, k, change):
    """Change x of row k, and of the free rows with it."""
    x, state = box.x, box.state
    for m in range(n):
        if m < k and state[free[m]] == FREE:
            x[free[m]] -= change * row[m]
        else:
            w[m] += change * row[m]
    x[free[k]] += change


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
