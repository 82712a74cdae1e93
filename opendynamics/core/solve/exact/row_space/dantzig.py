"""Dantzig's algorithm: the rows of a small box LCP one after another, so that those before are right at any time.

A row whose w = S x - q has the wrong sign is driven: x changes, and the free rows before it follow so that their w stay zero,
until its own w is zero or its bound is reached. A free row that comes to a bound on the way stays there; a row at a bound whose w
comes to zero becomes free. (R. W. Cottle, G. B. Dantzig, Complementary pivot theory, 1968; D. Baraff, Fast contact force
computation for nonpenetrating rigid bodies, 1994.)

Where block pivoting goes to and fro this ends after one or two exchanges a row. An exchange takes n² multiplications, in the
tableau of the principal pivot transform: with T the tableau, C the free rows and n the others

    x_C = T_CC (w + q)_C + T_Cn x_n,    (w + q)_n = T_nC (w + q)_C + T_nn x_n.

Its rounding errors add up, so that only the states of the rows are taken from it: `pivot` solves with them anew.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE
from opendynamics.core.solve.dense import subtract
from opendynamics.core.solve.exact.row_space.box_lcp import LAST_PATIENCE, LAST_ROUNDS, tableau_size, use_part
from opendynamics.core.solve.exact.row_space.pivoting import multiply, pivot

# Exchanges a row after which it is given up: rounding errors may lead it in circles.
MOST_EXCHANGES = 10


@kernel
def drive_and_pivot(box):
    """Solve what block pivoting alone did not, if it is small enough; returns what `pivot` returns."""
    if tableau_size(len(box.x)) == 0 or not drive(box):
        return 0, False, 0, 1.0
    return pivot(box, LAST_ROUNDS, LAST_PATIENCE)


@kernel
def drive(box):
    """Bring `x` close to the solution and set the rows' states. False: given up."""
    n, x, state = len(box.x), box.x, box.state
    part = use_part(box.integers, box.floats, n)
    tableau, w = part.values, part.product
    _begin(box, tableau, w)
    exchanges = 0
    for i in range(n):
        while state[i] != FIXED:
            if (w[i] >= 0.0 and x[i] <= box.lo[i]) or (w[i] <= 0.0 and x[i] >= box.hi[i]):
                state[i] = AT_LO if x[i] <= box.lo[i] else AT_HI
                break
            sign = 1.0 if w[i] < 0.0 else -1.0
            step, first = _longest_step(box, tableau, w, i, sign)
            if not step < inf or exchanges >= MOST_EXCHANGES * n:
                return False
            _move(box, tableau, w, i, sign * step)
            if first == n:
                x[i] = box.hi[i] if sign > 0.0 else box.lo[i]
                continue
            if first < i and state[first] == FREE:
                upwards = sign * tableau[n * first + i] > 0.0
                state[first] = AT_HI if upwards else AT_LO
                x[first] = box.hi[first] if upwards else box.lo[first]
            else:
                state[first] = FREE
            w[first] = 0.0
            if not _exchange(tableau, n, first, part.right):
                return False
            exchanges += 1
            if first == i:
                break
    return True


@kernel
def _begin(box, tableau, w):
    """Every row at the bound nearest to zero, or at zero; the tableau is S."""
    n, x = len(box.x), box.x
    for i in range(n):
        x[i] = min(max(0.0, box.lo[i]), box.hi[i])
        for j in range(box.first[i]):
            tableau[n * i + j] = tableau[n * j + i] = 0.0
        for j in range(box.first[i], i + 1):
            tableau[n * i + j] = tableau[n * j + i] = box.values[box.origin[i] + j]
    multiply(box, x, w)
    for i in range(n):
        w[i] -= box.q[i]


@kernel
def _longest_step(box, tableau, w, i, sign):
    """How far x[i] can go, with that sign, and the row that stops it: i, as its w is zero; n, its own bound; or one before it."""
    n, x, state = len(box.x), box.x, box.state
    own = tableau[n * i + i]
    step, first = abs(w[i]) / own if own > 0.0 else inf, i
    room = box.hi[i] - x[i] if sign > 0.0 else x[i] - box.lo[i]
    if room < step:
        step, first = room, n
    for j in range(i):
        rate = sign * tableau[n * j + i]
        far = inf
        if state[j] == FREE and rate != 0.0:
            far = (box.hi[j] - x[j] if rate > 0.0 else x[j] - box.lo[j]) / abs(rate)
        elif (state[j] == AT_LO and rate < 0.0) or (state[j] == AT_HI and rate > 0.0):
            far = -w[j] / rate
        if far < step:
            step, first = max(far, 0.0), j
    return step, first


@kernel
def _move(box, tableau, w, i, change):
    """Change x[i], and all that follows from it."""
    n, x, state = len(box.x), box.x, box.state
    for j in range(n):
        if j < i and state[j] == FREE:
            x[j] += change * tableau[n * j + i]
        else:
            w[j] += change * tableau[n * j + i]
    x[i] += change


@kernel
def _exchange(tableau, n, k, row):
    """Let x[k] and w[k] change places in the tableau. False: they cannot, the row depends on others."""
    diagonal = tableau[n * k + k]
    if not diagonal > 0.0:
        return False
    for j in range(n):
        row[j] = tableau[n * k + j]
        tableau[n * k + j] = -row[j] / diagonal
    row[k] = 0.0
    for i in range(n):
        factor = tableau[n * i + k] / diagonal
        if i != k and factor != 0.0:
            subtract(tableau, n * i, factor, row, 0, n)
            tableau[n * i + k] = factor
    tableau[n * k + k] = 1.0 / diagonal
    return True
