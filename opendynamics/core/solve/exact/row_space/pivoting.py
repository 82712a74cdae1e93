"""Block principal pivoting: guess which rows are free, solve for them, and exchange all infeasible rows at once.

A row is free or at a bound. With given states, x follows from one linear system; a free row that violates a bound is clamped to
it, a clamped row whose w has the wrong sign becomes free. Without competing contacts this converges in one to five iterations;
otherwise it may cycle, and is stopped early. (Kostreva 1978; Júdice & Pires 1994.)
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE, SIGN_TOLERANCE
from opendynamics.core.solve.dense import dot, piece, subtract
from opendynamics.core.solve.exact.row_space.box_lcp import use_part
from opendynamics.core.solve.exact.row_space.envelope import eliminate, factorise, substitute
from opendynamics.core.solve.exact.row_space.simd import LANES, product_with_row
from opendynamics.core.solve.exact.row_space.square import (
    add_free,
    copy_rows,
    eliminate_rows,
    factorise_rows,
    substitute_rows,
)


@kernel
def pivot(box, limit, patience):
    """Solve by at most `limit` iterations, of which `patience` may fail to reduce the number of infeasible rows.

    Returns the iterations, whether they converged, and the number of free rows. These and their factorisation remain in the Part.
    Without convergence, the rows' states are those that violated the fewest conditions.
    """
    n, x, state = len(box.x), box.x, box.state
    part = use_part(box.integers, box.floats, n)
    free, right, product = part.free, part.right, part.product
    fewest = n + 1
    free_count = 0
    for rounds in range(1, limit + 1):
        before, free_count, kept = free_count, 0, 0
        loaded = clamped = False
        for i in range(n):
            part.rank[i] = free_count
            if state[i] == FREE:
                x[i] = 0.0
                free_count, kept = add_free(free, i, free_count, before, kept)
            else:
                x[i] = box.hi[i] if state[i] == AT_HI else box.lo[i]
                loaded = loaded or x[i] != 0.0
                clamped = clamped or state[i] != FIXED
        if loaded:
            multiply(box, x, product)
        for k in range(free_count):
            right[place_of(part, k, box.vectors)] = box.q[free[k]] - (product[free[k]] if loaded else 0.0)
        if box.vectors > 0:
            _factorise_square(box, part, kept, free_count)
        else:
            gather(box, part, free_count)
            factorise(part.values, part.origin, part.first, free_count, free_count, part.inverse_pivots)
            solve_part(part, free_count, right, 0)
        for k in range(free_count):
            x[free[k]] = right[place_of(part, k, box.vectors)]
        if clamped:  # otherwise no row can become free
            multiply(box, x, product)
        exchanged = part.rank
        infeasible = _exchange_infeasible(box, product, exchanged)
        if infeasible == 0:
            return rounds, True, free_count
        if infeasible < fewest:
            fewest = infeasible
            _copy(part.best, state)
        else:
            patience -= 1
            if patience < 0:
                break
        _copy(state, exchanged)
    _copy(state, part.best)
    return rounds, False, free_count


@kernel
def _copy(target, source):
    for i in range(len(target)):
        target[i] = source[i]


@kernel
def _exchange_infeasible(box, product, exchanged):
    """The states after an exchange of all infeasible rows, in `exchanged`. Returns their number."""
    x, q, state = box.x, box.q, box.state
    largest = 0.0
    for i in range(len(x)):
        largest = max(largest, abs(x[i]))
    infeasible = 0
    for i in range(len(x)):
        after = state[i]
        slack = SIGN_TOLERANCE * largest
        if after == FREE:
            if x[i] < box.lo[i] - slack:
                after = AT_LO
            elif x[i] > box.hi[i] + slack:
                after = AT_HI
        elif after != FIXED:
            excess = product[i] - q[i] if after == AT_LO else q[i] - product[i]
            if excess < -slack * box.values[box.origin[i] + i]:
                after = FREE
        infeasible += state[i] != after
        exchanged[i] = after
    return infeasible


@kernel
def gather(box, part, free_count):
    """Copy the free rows and columns of S."""
    size = 0
    for k in range(free_count):
        i = part.free[k]
        begin = part.rank[box.first[i]]
        part.first[k] = begin
        part.origin[k] = size - begin
        for m in range(begin, k + 1):
            part.values[size + m - begin] = box.values[box.origin[i] + part.free[m]]
        size += k + 1 - begin


@kernel
def place_of(part, k, vectors):
    """Index of the right-hand side of free row k: in square matrices, rows keep their places."""
    return part.free[k] if vectors > 0 else k


@kernel
def _factorise_square(box, part, kept, free_count):
    """Factorise the free rows of a square S, and solve for the right-hand side."""
    values, inverse_pivots, y, vectors = part.values, part.inverse_pivots, part.right, box.vectors
    for k in range(kept, free_count):
        i = part.free[k]
        part.diagonal[i] = box.values[box.origin[i] + i]
    square = piece(box.values, box.origin[0], LANES * vectors * len(box.x))
    copy_rows(square, values, part.free, kept, free_count, vectors)
    factorise_rows(values, part.diagonal, part.free, kept, free_count, vectors, inverse_pivots, y)
    substitute_rows(values, part.free, free_count, vectors, inverse_pivots, y)


@kernel
def solve_part(part, free_count, x, vectors):
    """x <- solution of the system that was factorised; of square matrices if `vectors` is not 0."""
    if vectors > 0:
        eliminate_rows(part.values, part.free, free_count, vectors, part.inverse_pivots, x)
        substitute_rows(part.values, part.free, free_count, vectors, part.inverse_pivots, x)
        return
    eliminate(part.values, part.origin, part.first, free_count, free_count, x)
    substitute(part.values, part.origin, part.first, free_count, free_count, part.inverse_pivots, x)


@kernel
def multiply(box, x, product):
    """product <- S x."""
    values, origin = box.values, box.origin
    if box.vectors > 0:
        square = piece(values, origin[0], LANES * box.vectors * len(x))
        for i in range(len(x)):
            product[i] = product_with_row(square, i, x, box.vectors)
        return
    for i in range(len(x)):
        start = box.first[i]
        product[i] = dot(values, origin[i] + start, x, start, i + 1 - start)
        if x[i] != 0.0:
            subtract(product, start, -x[i], values, origin[i] + start, i - start)
