"""Dense solution of small islands in which all rows are bounded, such as single bodies on the ground or a few that touch.

These are the most common islands. Their matrices are small and dense, so this takes half the time of `elimination` or less, which
first determines the sparsity pattern. Problem and solution are the same:

    A x = b + w,  A = J M⁻¹ Jᵀ + cfm,  lo <= x <= hi,

in the two phases of `friction`. Block pivoting as in `pivoting`; where the number of infeasible rows stops decreasing, single
rows are exchanged: first the most infeasible one, which takes the fewest iterations but may cycle; then always the last
infeasible one, which terminates (K. G. Murty, Note on a Bard-type scheme for solving the complementarity problem, 1974; for
bounds on both sides Júdice & Pires 1994).

Matrix rows are stored and eliminated as vectors of eight numbers. Scratch memory is in the floats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core import types
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_RECORD
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve._body_space.row_blocks import regularised
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE, SIGN_TOLERANCE
from opendynamics.core.solve._lcp.residual import measure, report
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.box_lcp import guess_states
from opendynamics.core.solve.exact.row_space.elimination import FINE, REFINEMENTS, WORSE
from opendynamics.core.solve.exact.row_space.friction import friction_state
from opendynamics.core.solve.exact.row_space.simd import LANES, product_with_row, put_products
from opendynamics.core.solve.exact.row_space.square import (
    add_free,
    copy_rows,
    eliminate_rows,
    factorise_rows,
    substitute_rows,
)
from opendynamics.core.solve.friction_bounds import friction_bound
from opendynamics.core.solve.prepared import inverse_mass_of, response

# Limits of bodies and rows, and the vectors of a full row.
MAX_BODIES, MAX_ROWS, MAX_VECTORS = 4, 32, 4

# Which infeasible rows are exchanged; iterations after which it is the last one; limit of iterations.
ALL, FARTHEST, LAST = 0, 1, 2
LAST_FROM, MAX_ROUNDS = 40, 100

# Scratch memory: two matrices; nine vectors; M⁻¹ Jᵀ, a vector for each number of a body; J row by row, six numbers per body.
SQUARE, WIDTH = MAX_ROWS * MAX_ROWS, MAX_VECTORS * LANES
VECTORS = 2 * SQUARE
RESPONSES = VECTORS + 9 * WIDTH
JACOBIAN = RESPONSES + 6 * MAX_BODIES * WIDTH
FLOATS_NEEDED = JACOBIAN + 6 * MAX_BODIES * MAX_ROWS
INTEGERS_NEEDED = 2 * MAX_ROWS


class Problem(NamedTuple):
    """The rows' data, and scratch memory."""

    matrix: Any  # A, regularised
    factors: Any  # of its free rows D Lᵀ, in the columns of free rows from the diagonal on
    diagonal: Any  # of A
    excess: Any  # what regularisation added to it
    b: Any
    lo: Any
    hi: Any
    x: Any
    y: Any  # right-hand side of the free rows, and w
    inverse_pivots: Any
    best: Any  # x before a refinement
    state: Any  # see `active_set`
    free: Any  # the free rows


@kernel
def is_small(record):
    """Whether the island is within the limits of this solver."""
    return record.bodies <= MAX_BODIES and record.rows <= MAX_ROWS and record.bounded_rows == record.rows


@kernel
def has_room_for_small(tables):
    return FLOATS.has_room(tables, FLOATS_NEEDED) and INTEGERS.has_room(tables, INTEGERS_NEEDED)


@entry(types.boolean(TABLES, ISLAND_RECORD))
def solve_small(tables, record):
    """Compute the island's forces, starting from the states of FORCES. False: rounding caused cycling; nothing has changed."""
    n, row0, forces = record.rows, record.first_row, FORCES.rows(tables)
    vectors = (n + LANES - 1) // LANES
    problem = _use(tables, n, LANES * vectors)
    _load(tables, record, problem, vectors)
    phases, rounds, free_count = _begin(tables, record, problem), 0, 0
    for phase in range(phases):
        if phase == 1:
            _freeze_friction(tables, record, problem)
        guess_states(problem.state, problem.lo, problem.hi)
        taken, free_count = _pivot(problem, vectors)
        rounds += taken
        if taken > MAX_ROUNDS:
            return False
    residual = _refine(record, problem, vectors, free_count)
    for i in range(n):
        forces[row0 + i] = problem.x[i]
    record.iterations = rounds
    report(record, residual, forces)
    return True


@kernel
def _use(tables, n, width):
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    return Problem(
        piece(floats, 0, n * width),
        piece(floats, SQUARE, n * width),
        piece(floats, VECTORS, n),
        piece(floats, VECTORS + WIDTH, n),
        piece(floats, VECTORS + 2 * WIDTH, n),
        piece(floats, VECTORS + 3 * WIDTH, n),
        piece(floats, VECTORS + 4 * WIDTH, n),
        piece(floats, VECTORS + 5 * WIDTH, n),
        piece(floats, VECTORS + 6 * WIDTH, n),
        piece(floats, VECTORS + 7 * WIDTH, n),
        piece(floats, VECTORS + 8 * WIDTH, n),
        piece(integers, 0, n),
        piece(integers, MAX_ROWS, n),
    )


@kernel
def _load(tables, record, problem, vectors):
    """Load the matrix and the right-hand side."""
    n, row0, rows, width = record.rows, record.first_row, ROWS.rows(tables), LANES * vectors
    floats = FLOATS.rows(tables)
    for i in range(n, width):
        floats[VECTORS + 5 * WIDTH + i] = 0.0  # of x, which products read to the end of the vector
    _clear(piece(floats, RESPONSES, 6 * record.bodies * width))
    if record.bodies > 1:
        _clear(piece(floats, JACOBIAN, 6 * record.bodies * n))
    for i in range(n):
        row = rows[row0 + i]
        if row.slot0 >= 0:
            _load_side(tables, record, floats, i, row.slot0, row.j0, width)
        if row.slot1 >= 0:
            _load_side(tables, record, floats, i, row.slot1, row.j1, width)
    put_products(floats, 0, n, floats, JACOBIAN, RESPONSES, record.bodies, vectors)
    for i in range(n):
        row, own = rows[row0 + i], problem.matrix[width * i + i]
        cfm = regularised(row.cfm, own)
        problem.b[i], problem.excess[i], problem.diagonal[i] = row.rhs, cfm - row.cfm, own + cfm
        problem.matrix[width * i + i] = problem.diagonal[i]


@kernel
def _clear(numbers):
    for k in range(len(numbers)):
        numbers[k] = 0.0


@kernel
def _load_side(tables, record, floats, i, slot, j, width):
    """Load J and a column of M⁻¹ Jᵀ of row i for the body in a slot."""
    jacobian = piece(floats, JACOBIAN + 6 * (record.bodies * i + slot), 6)
    responses = piece(floats, RESPONSES + 6 * width * slot + i, 5 * width + 1)
    inverse_mass = inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[record.first_body + slot])
    linear, angular = response(inverse_mass, j)
    for k in range(6):
        jacobian[k] = j[k]
    for k in range(3):
        responses[k * width], responses[(k + 3) * width] = linear[k], angular[k]


@kernel
def _begin(tables, record, problem):
    """Set bounds and states of the first phase, without friction that depends on a normal force. Returns the number of phases."""
    rows, row0, forces = ROWS.rows(tables), record.first_row, FORCES.rows(tables)
    phases = 1
    for i in range(record.rows):
        row = rows[row0 + i]
        problem.state[i] = AT_LO if forces[row0 + i] <= row.lo else FREE
        problem.lo[i], problem.hi[i] = row.lo, row.hi
        if row.normal >= 0:
            problem.lo[i], problem.hi[i] = 0.0, 0.0
            phases = 2
    return phases


@kernel
def _freeze_friction(tables, record, problem):
    """Set bounds that depend on a normal force, from the forces of the first phase; states from the initial forces."""
    rows, row0, forces = ROWS.rows(tables), record.first_row, FORCES.rows(tables)
    for i in range(record.rows):
        row, guess = rows[row0 + i], forces[row0 + i]
        if row.normal >= 0:
            force = problem.x[row.normal]
            bound = friction_bound(row.hi, force)
            problem.lo[i], problem.hi[i] = -bound, bound
            problem.state[i] = friction_state(guess, bound)


@kernel
def _pivot(problem, vectors):
    """Solve a phase. Returns the iterations (more than MAX_ROUNDS: failed), and the number of free rows."""
    fewest, which, free_count = len(problem.x) + 1, ALL, 0
    for rounds in range(1, MAX_ROUNDS + 1):
        free_count, kept, loaded, clamped = _list_free(problem, free_count)
        _set_right_side(problem, free_count, vectors, loaded)
        copy_rows(problem.matrix, problem.factors, problem.free, kept, free_count, vectors)
        factorise_rows(
            problem.factors,
            problem.diagonal,
            problem.free,
            kept,
            free_count,
            vectors,
            problem.inverse_pivots,
            problem.y,
        )
        substitute_rows(problem.factors, problem.free, free_count, vectors, problem.inverse_pivots, problem.y)
        for k in range(free_count):
            problem.x[problem.free[k]] = problem.y[problem.free[k]]
        infeasible = _exchange(problem, vectors, clamped, which)
        if infeasible == 0:
            return rounds, free_count
        if rounds >= LAST_FROM:
            which = LAST
        elif infeasible >= fewest:
            which = FARTHEST
        fewest = min(fewest, infeasible)
    return MAX_ROUNDS + 1, free_count


@kernel
def _list_free(problem, before):
    """List the free rows, and clamp the others. `before`: how many were free before.

    Returns how many are free, how many of the first are as before, whether clamped rows have forces, whether any may become free.
    """
    x, state, free_count, kept, loaded, clamped = problem.x, problem.state, 0, 0, False, False
    for i in range(len(x)):
        if state[i] == FREE:
            x[i] = 0.0
            free_count, kept = add_free(problem.free, i, free_count, before, kept)
        else:
            x[i] = problem.hi[i] if state[i] == AT_HI else problem.lo[i]
            loaded = loaded or x[i] != 0.0
            clamped = clamped or state[i] != FIXED
    return free_count, kept, loaded, clamped


@kernel
def _set_right_side(problem, free_count, vectors, loaded):
    """Set the right-hand side of the free rows, less the clamped rows' contributions."""
    for k in range(free_count):
        i = problem.free[k]
        problem.y[i] = problem.b[i]
        if loaded:
            problem.y[i] -= product_with_row(problem.matrix, i, problem.x, vectors)


@kernel
def _exchange(problem, vectors, clamped, which):
    """Exchange infeasible rows, `which`: ALL, the FARTHEST from feasible, or the LAST. Returns how many were infeasible."""
    x, state, n = problem.x, problem.state, len(problem.x)
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(x[i]))
    slack, infeasible, chosen, farthest, better = SIGN_TOLERANCE * largest, 0, -1, -1.0, FREE
    for i in range(n - 1, -1, -1):
        after = before = state[i]
        off = 0.0
        if before == FREE:
            if x[i] < problem.lo[i] - slack:
                after, off = AT_LO, problem.lo[i] - x[i]
            elif x[i] > problem.hi[i] + slack:
                after, off = AT_HI, x[i] - problem.hi[i]
        elif clamped and before != FIXED:
            w = product_with_row(problem.matrix, i, x, vectors) - problem.b[i]
            off = (-w if before == AT_LO else w) / problem.diagonal[i]
            if off > slack:
                after = FREE
        if after != before:
            infeasible += 1
            if which == ALL:
                state[i] = after
            elif off > farthest and (which == FARTHEST or chosen < 0):
                chosen, farthest, better = i, off, after
    if chosen >= 0:
        state[chosen] = better
    return infeasible


@kernel
def _refine(record, problem, vectors, free_count):
    """Refine x in the free rows if the residual is large. Returns the residual.

    Where pivots are as small as the regularisation, a refinement may be all rounding: x is then as before.
    """
    residual, x, best = _find_residual(record, problem, vectors), problem.x, problem.best
    for _ in range(REFINEMENTS):
        if residual <= FINE:
            break
        for i in range(record.rows):
            best[i] = x[i]
        eliminate_rows(problem.factors, problem.free, free_count, vectors, problem.inverse_pivots, problem.y)
        substitute_rows(problem.factors, problem.free, free_count, vectors, problem.inverse_pivots, problem.y)
        for k in range(free_count):
            i = problem.free[k]
            x[i] = min(max(x[i] + problem.y[i], problem.lo[i]), problem.hi[i])
        refined = _find_residual(record, problem, vectors)
        if not refined <= WORSE * residual:
            for i in range(record.rows):
                x[i] = best[i]
            break
        residual = refined
    return residual


@kernel
def _find_residual(record, problem, vectors):
    """y <- b - A x without the regularisation. Returns the residual, see `measure`."""
    n, x, y = record.rows, problem.x, problem.y
    for i in range(n):
        y[i] = problem.b[i] + problem.excess[i] * x[i] - product_with_row(problem.matrix, i, x, vectors)
    return measure(n, 0, problem.diagonal, problem.lo, problem.hi, x, y)
