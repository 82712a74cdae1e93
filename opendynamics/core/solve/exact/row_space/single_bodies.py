"""Dense solution of eight islands at a time: single bodies that touch what cannot move, such as boxes and balls on the ground.

Problem, phases and block pivoting are those of `few_bodies`. A lane is an island, and all eight have the same number of rows.
In the factorisation, the inverse pivots of rows that are not free are zero, so that all lanes take the same instructions. A lane
does not depend on the others: once its rows are feasible, further rounds change nothing. Where the number of infeasible rows
stops decreasing, and after MAX_ROUNDS, the island is left to `few_bodies`.

Vectors hold one number per row and lane: number k of lane l is at 8 k + l. States are stored as floats, too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.algebra.lanes import LANES, Memory, Numbers, Registers, dot, lane_kernel, repeat
from opendynamics.core.algebra.simd import doubles, long
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.kernels import LazyModule, kernel
from opendynamics.core.solve._body_space.row_blocks import CFM_OF_HARD_ROWS, MIN_CFM
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE, SIGN_TOLERANCE
from opendynamics.core.solve._lcp.residual import report
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.elimination import FINE, REFINEMENTS, WORSE
from opendynamics.core.solve.exact.row_space.envelope import DEPENDENT
from opendynamics.core.solve.exact.row_space.friction import friction_state
from opendynamics.core.solve.friction_bounds import friction_bound
from opendynamics.core.solve.prepared import inverse_mass_of

ir = LazyModule("llvmlite.ir")

# Limits of rows, and of rounds of a phase.
MAX_ROWS, MAX_ROUNDS = 24, 8

# Of a body: inverse mass, inverse inertia.
BODY = 10

# Vectors of one number a row, of six, and of one number a lane.
VECTORS, LANE_NUMBERS = 10, 6
FLOATS_NEEDED = LANES * (2 * MAX_ROWS * MAX_ROWS + (VECTORS + 6) * MAX_ROWS + BODY + LANE_NUMBERS)


class Problem(NamedTuple):
    """The rows of eight islands, and scratch memory."""

    body: Any  # of each lane, BODY numbers
    jacobian: Any  # six numbers a row
    matrix: Any  # A, regularised, row by row
    factors: Any  # D Lᵀ in the columns of free rows, from the diagonal on
    b: Any
    cfm: Any  # what regularisation added to it, once the matrix is there
    diagonal: Any  # of A
    lo: Any
    hi: Any
    state: Any  # see `active_set`
    x: Any
    y: Any  # right-hand side of the free rows, and w
    inverse_pivots: Any
    best: Any  # x before a refinement
    infeasible: Any  # of each lane: infeasible rows
    fewest: Any  # the fewest of all rounds of a phase
    solved: Any  # 1, or 0 for a lane that is left to `few_bodies`
    residual: Any
    before: Any  # residual before a refinement
    refined: Any  # 1: in need of refinement


lanes = lane_kernel()

# Between the states of free and other rows, of those at the lower and at the upper bound, and of these and fixed ones.
HELD, BETWEEN_BOUNDS, BELOW_FIXED = 0.5, 1.5, 2.5


@kernel
def has_room_for_lanes(tables):
    return FLOATS.has_room(tables, FLOATS_NEEDED)


@kernel
def solve_lanes(tables, islands, n):
    """Compute the forces of up to eight islands of n rows, starting from the states of FORCES; sets `solved` of those solved."""
    problem = _use(tables, n)
    phases = _load(tables, islands, problem, n)
    fill_matrix(problem.body, problem.jacobian, problem.matrix, problem.cfm, problem.diagonal, n)
    rounds = 0
    for phase in range(phases):
        if phase == 1:
            _freeze_friction(tables, islands, problem, n)
        rounds += _pivot(problem, n)
    _refine(problem, n)
    for lane in range(len(islands)):
        record = ISLANDS.rows(tables)[islands[lane]]
        record.solved = problem.solved[lane] != 0.0
        if record.solved:
            for i in range(n):
                FORCES.rows(tables)[record.first_row + i] = problem.x[LANES * i + lane]
            record.iterations = rounds
            report(record, problem.residual[lane], FORCES.rows(tables))


@kernel
def _use(tables, n):
    floats, row, square = FLOATS.rows(tables), LANES * n, LANES * n * n
    vectors = LANES * BODY + 6 * row + 2 * square
    each = vectors + VECTORS * row
    return Problem(
        piece(floats, 0, LANES * BODY),
        piece(floats, LANES * BODY, 6 * row),
        piece(floats, LANES * BODY + 6 * row, square),
        piece(floats, LANES * BODY + 6 * row + square, square),
        piece(floats, vectors, row),
        piece(floats, vectors + row, row),
        piece(floats, vectors + 2 * row, row),
        piece(floats, vectors + 3 * row, row),
        piece(floats, vectors + 4 * row, row),
        piece(floats, vectors + 5 * row, row),
        piece(floats, vectors + 6 * row, row),
        piece(floats, vectors + 7 * row, row),
        piece(floats, vectors + 8 * row, row),
        piece(floats, vectors + 9 * row, row),
        piece(floats, each, LANES),
        piece(floats, each + LANES, LANES),
        piece(floats, each + 2 * LANES, LANES),
        piece(floats, each + 3 * LANES, LANES),
        piece(floats, each + 4 * LANES, LANES),
        piece(floats, each + 5 * LANES, LANES),
    )


@kernel
def _load(tables, islands, problem, n):
    """Load the islands' rows, with the bounds and states of the first phase. Returns the number of phases."""
    phases = 1
    for lane in range(len(islands)):
        if _load_lane(tables, ISLANDS.rows(tables)[islands[lane]], problem, lane):
            phases = 2
        problem.solved[lane] = 1.0
    for lane in range(len(islands), LANES):
        _clear_lane(problem, lane, n)
    return phases


@kernel
def _load_lane(tables, record, problem, lane):
    """Load one island. Returns whether its friction depends on normal forces."""
    linear, angular = inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[record.first_body])
    problem.body[lane] = linear
    for k in range(9):
        problem.body[LANES * (1 + k) + lane] = angular[k]
    depends = False
    for i in range(record.rows):
        row, at = ROWS.rows(tables)[record.first_row + i], LANES * i + lane
        j = row.j0 if row.slot0 >= 0 else row.j1
        for k in range(6):
            problem.jacobian[LANES * (6 * i + k) + lane] = j[k]
        problem.b[at], problem.cfm[at] = row.rhs, row.cfm
        lo, hi = row.lo, row.hi
        if row.normal >= 0:
            lo = hi = 0.0
            depends = True
        problem.lo[at], problem.hi[at] = lo, hi
        guess = AT_LO if FORCES.rows(tables)[record.first_row + i] <= row.lo else FREE
        problem.state[at] = float(guess if lo < hi else FIXED)
    return depends


@kernel
def _clear_lane(problem, lane, n):
    """An island without forces."""
    for k in range(BODY):
        problem.body[LANES * k + lane] = 0.0
    for k in range(6 * n):
        problem.jacobian[LANES * k + lane] = 0.0
    for i in range(n):
        at = LANES * i + lane
        problem.b[at] = problem.cfm[at] = problem.lo[at] = problem.hi[at] = 0.0
        problem.state[at] = float(FIXED)
    problem.solved[lane] = 0.0


@kernel
def _freeze_friction(tables, islands, problem, n):
    """Set bounds that depend on a normal force, from the forces of the first phase; states from the initial forces."""
    for lane in range(len(islands)):
        first = ISLANDS.rows(tables)[islands[lane]].first_row
        for i in range(n):
            row, guess, at = ROWS.rows(tables)[first + i], FORCES.rows(tables)[first + i], LANES * i + lane
            if row.normal >= 0:
                force = problem.x[LANES * row.normal + lane]
                bound = friction_bound(row.hi, force)
                problem.lo[at], problem.hi[at] = -bound, bound
                state = friction_state(guess, bound)
                problem.state[at] = float(state if bound > 0.0 else FIXED)


@kernel
def _pivot(problem, n):
    """Solve a phase. Returns the rounds."""
    for lane in range(LANES):
        problem.fewest[lane] = n + 1.0
    for rounds in range(1, MAX_ROUNDS + 1):
        set_right_side(problem.matrix, problem.b, problem.lo, problem.hi, problem.state, problem.x, problem.y, n)
        factorise(
            problem.matrix, problem.factors, problem.diagonal, problem.state, problem.y, problem.inverse_pivots, n
        )
        substitute(problem.factors, problem.inverse_pivots, problem.y, n)
        exchange(
            problem.matrix,
            problem.b,
            problem.diagonal,
            problem.lo,
            problem.hi,
            problem.state,
            problem.x,
            problem.y,
            problem.infeasible,
            n,
        )
        unsolved = 0
        for lane in range(LANES):
            infeasible = problem.infeasible[lane]
            if infeasible >= problem.fewest[lane] or (infeasible > 0.0 and rounds == MAX_ROUNDS):
                problem.solved[lane] = 0.0
            problem.fewest[lane] = max(min(problem.fewest[lane], infeasible), 1.0)
            unsolved += infeasible > 0.0 and problem.solved[lane] != 0.0
        if unsolved == 0:
            return rounds
    return MAX_ROUNDS


@kernel
def _refine(problem, n):
    """Refine x in the free rows, and undo what was all rounding, as in `few_bodies`."""
    _measure(problem, n)
    for lane in range(LANES):
        problem.refined[lane] = problem.solved[lane]
    for _ in range(REFINEMENTS):
        wanted = 0
        for lane in range(LANES):
            if problem.residual[lane] <= FINE:
                problem.refined[lane] = 0.0
            problem.before[lane] = problem.residual[lane]
            wanted += problem.refined[lane] != 0.0
        if wanted == 0:
            break
        eliminate(problem.factors, problem.inverse_pivots, problem.y, n)
        substitute(problem.factors, problem.inverse_pivots, problem.y, n)
        correct(problem.x, problem.y, problem.lo, problem.hi, problem.state, problem.refined, problem.best, n)
        _measure(problem, n)
        for lane in range(LANES):
            if not problem.residual[lane] <= WORSE * problem.before[lane]:
                for i in range(n):
                    problem.x[LANES * i + lane] = problem.best[LANES * i + lane]
                problem.residual[lane] = problem.before[lane]
                problem.refined[lane] = 0.0


@kernel
def _measure(problem, n):
    """y <- b - A x without the regularisation, and the residual of each lane."""
    find_residual(
        problem.matrix,
        problem.b,
        problem.cfm,
        problem.diagonal,
        problem.lo,
        problem.hi,
        problem.x,
        problem.y,
        problem.residual,
        n,
    )


@lanes
def fill_matrix(builder, body, jacobian, matrix, cfm, diagonal, n):  # type: ignore[no-untyped-def]
    """A = J M⁻¹ Jᵀ + cfm, regularised; `cfm` becomes what that added to it."""
    with repeat(builder, n) as i:
        j = jacobian.moved(i, 6)
        linear = tuple(body[0] * each for each in j.three(0))
        angular = tuple(dot(body.three(1 + 3 * k), j.three(3)) for k in range(3))
        with repeat(builder, builder.add(i, long(1))) as k:
            other = jacobian.moved(k, 6)
            product = dot(other.three(0), linear) + dot(other.three(3), angular)
            matrix.moved(i, n).moved(k, 1)[0] = product
            matrix.moved(k, n).moved(i, 1)[0] = product
        own = matrix.moved(i, n).moved(i, 1)
        alone, given = own[0], cfm.moved(i, 1)
        regular = given[0].maximum(alone * MIN_CFM).where(given[0] > 0.0, alone * CFM_OF_HARD_ROWS)
        own[0] = alone + regular
        diagonal.moved(i, 1)[0] = own[0]
        given[0] = regular - given[0]


@lanes
def set_right_side(builder, matrix, b, lo, hi, state, x, y, n):  # type: ignore[no-untyped-def]
    """x of rows at a bound, 0 in the others; y = b - A x."""
    with repeat(builder, n) as i:
        kind = state.moved(i, 1)[0]
        bound = hi.moved(i, 1)[0].where(kind > BETWEEN_BOUNDS, lo.moved(i, 1)[0])
        x.moved(i, 1)[0] = bound.where(kind > HELD, 0.0)
    with repeat(builder, n) as i:
        y.moved(i, 1)[0] = b.moved(i, 1)[0] - _product(builder, matrix.moved(i, n), x, long(0), n)


@lanes
def factorise(builder, matrix, factors, diagonal, state, y, inverse_pivots, n):  # type: ignore[no-untyped-def]
    """L D Lᵀ of the free rows; y <- L⁻¹ y."""
    with repeat(builder, n) as i, repeat(builder, n, i) as k:
        factors.moved(i, n).moved(k, 1)[0] = matrix.moved(i, n).moved(k, 1)[0]
    with repeat(builder, n) as k:
        own = factors.moved(k, n)
        pivot, least = own.moved(k, 1)[0], diagonal.moved(k, 1)[0] * DEPENDENT
        inverse = (1.0 / pivot).where(pivot > least, 0.0)
        inverse = pivot.broadcast(0.0).where(state.moved(k, 1)[0] > HELD, inverse)
        inverse_pivots.moved(k, 1)[0] = inverse
        with repeat(builder, n, builder.add(k, long(1))) as i:
            factor, row = own.moved(i, 1)[0] * inverse, factors.moved(i, n)
            with repeat(builder, n, i) as m:
                row.moved(m, 1)[0] = row.moved(m, 1)[0] - factor * own.moved(m, 1)[0]
            right = y.moved(i, 1)
            right[0] = right[0] - factor * y.moved(k, 1)[0]


@lanes
def eliminate(builder, factors, inverse_pivots, y, n):  # type: ignore[no-untyped-def]
    """y <- L⁻¹ y in the free rows."""
    with repeat(builder, n) as k:
        part, own = y.moved(k, 1)[0] * inverse_pivots.moved(k, 1)[0], factors.moved(k, n)
        with repeat(builder, n, builder.add(k, long(1))) as i:
            right = y.moved(i, 1)
            right[0] = right[0] - own.moved(i, 1)[0] * part


@lanes
def substitute(builder, factors, inverse_pivots, y, n):  # type: ignore[no-untyped-def]
    """y <- L⁻ᵀ D⁻¹ y in the free rows, 0 in the others."""
    with repeat(builder, n) as done:
        k = builder.sub(builder.sub(n, long(1)), done)
        right = y.moved(k, 1)
        rest = right[0] - _product(builder, factors.moved(k, n), y, builder.add(k, long(1)), n)
        right[0] = rest * inverse_pivots.moved(k, 1)[0]


@lanes
def exchange(builder, matrix, b, diagonal, lo, hi, state, x, y, infeasible, n):  # type: ignore[no-untyped-def]
    """Take the solution of the free rows from y, and exchange all infeasible rows. `infeasible`: how many they were."""
    zero = infeasible[0].broadcast(0.0)
    found = Registers(builder, [zero, zero])  # largest force, infeasible rows
    with repeat(builder, n) as i:
        own = x.moved(i, 1)
        own[0] = own[0].where(state.moved(i, 1)[0] > HELD, y.moved(i, 1)[0])
        found[0] = found[0].maximum(abs(own[0]))
    slack = found[0] * SIGN_TOLERANCE
    with repeat(builder, n) as i:
        kind, force = state.moved(i, 1), x.moved(i, 1)[0]
        before, limit = kind[0], slack * diagonal.moved(i, 1)[0]
        w = _product(builder, matrix.moved(i, n), x, long(0), n) - b.moved(i, 1)[0]
        free = zero.broadcast(AT_HI).where(force > hi.moved(i, 1)[0] + slack, FREE)
        free = zero.broadcast(AT_LO).where(lo.moved(i, 1)[0] - slack > force, free)
        low, high = zero.broadcast(FREE).where(-w > limit, AT_LO), zero.broadcast(FREE).where(w > limit, AT_HI)
        after = zero.broadcast(FIXED).where(before > BELOW_FIXED, high)
        after = low.where(zero.broadcast(BETWEEN_BOUNDS) > before, after)
        after = free.where(zero.broadcast(HELD) > before, after)
        found[1] = found[1] + zero.broadcast(1.0).where(abs(after - before) > 0.5, 0.0)
        kind[0] = after
    infeasible[0] = found[1]


@lanes
def correct(builder, x, y, lo, hi, state, refined, best, n):  # type: ignore[no-untyped-def]
    """Add y to x in the free rows of lanes in need of it, within the bounds. `best`: x before."""
    with repeat(builder, n) as i:
        own = x.moved(i, 1)
        before = own[0]
        best.moved(i, 1)[0] = before
        after = (before + y.moved(i, 1)[0]).clip(lo.moved(i, 1)[0], hi.moved(i, 1)[0])
        after = before.where(state.moved(i, 1)[0] > HELD, after)
        own[0] = after.where(refined[0] > 0.5, before)


@lanes
def find_residual(builder, matrix, b, added, diagonal, lo, hi, x, y, residual, n):  # type: ignore[no-untyped-def]
    """y <- b - A x without the regularisation. `residual`: see `measure` in `_lcp.residual`."""
    zero = residual[0].broadcast(0.0)
    found = Registers(builder, [zero, zero, zero])  # largest force, farthest jump, NaN if anything is not finite
    with repeat(builder, n) as i:
        own, force = diagonal.moved(i, 1)[0], x.moved(i, 1)[0]
        error = b.moved(i, 1)[0] + added.moved(i, 1)[0] * force - _product(builder, matrix.moved(i, n), x, long(0), n)
        y.moved(i, 1)[0] = error
        jump = (error / own).where(own > 0.0, error)
        found[2] = found[2] + jump * 0.0 + force * 0.0
        jump = (force + jump).clip(lo.moved(i, 1)[0], hi.moved(i, 1)[0]) - force
        found[0] = found[0].maximum(abs(force))
        found[1] = found[1].maximum(abs(jump))
    residual[0] = found[2] + (found[1] / found[0]).where(found[0] > 0.0, found[1])


def _product(builder: Any, row: Memory, x: Memory, first: Any, n: Any) -> Numbers:
    """Dot product of a row of a matrix with x, from number `first` on."""
    total = Registers(builder, [Numbers(builder, ir.Constant(doubles(LANES), [0.0] * LANES))])
    with repeat(builder, n, first) as k:
        total[0] = total[0] + row.moved(k, 1)[0] * x.moved(k, 1)[0]
    return total[0]
