"""Coulomb friction with bounds that follow the normal forces of the same solution, |λ_t| <= mu λ_n.

With frozen bounds, the rows are a convex box LCP, as in `island`. With bounds that depend on the solution the problem is not
convex, and bounds and forces may have to be found alternately:

* From forces that are nearly right, such as those of the last step, `refine` reaches the solution in one or two factorisations,
  by rounds of pivoting in which the rows at a bound move with it: take the state of each row from its force and its bound; set
  x = mu N at the bounds; solve (A + cfm) x = b for the free rows. With given states, the bounds follow from a linear system,
  solved by conjugate residuals. Where this does not converge, some iterations of projected Gauss-Seidel come nearer.
* If that is not enough, the same starts from ODE's two phases: the box LCP with the bounds of the frictionless one.
* Where pivoting fails from there, too, as in a house of cards, many iterations end with a residual of about 1e-5. That of frozen
  bounds is 0.3 then, and the cards slide.

Repeating the box LCP with the bounds of its own normal forces (Haslinger 1983) was rejected: a pyramid of 20 layers diverges by a
factor of four per repetition.

Forces with a residual above GOOD are taken only if the bodies move less with them than with frozen bounds. Where contacts wedge
bodies, forces are much larger than weights, so that a small relative error is a fast motion; frozen bounds never add energy.

The residual is that of the natural map of the coupled problem: how far forces would jump if each row were solved by itself within
the bounds of the present normal forces, relative to the island's largest force. If that is less than a thousandth of what would
stop the bodies in one step, it is relative to this: contacts in free fall have forces of rounding errors only.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core import types
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_RECORD
from opendynamics.core.arrays.rows import FORCES, ROWS, UNCONSTRAINED
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve._body_space.island import freeze_friction, load_rows, open_island, solve_phase
from opendynamics.core.solve._body_space.simd import add_multiple
from opendynamics.core.solve._body_space.system import bodies_times, factorise_system, find_residuals, solve_system
from opendynamics.core.solve._body_space.workspace import use_floats, use_integers
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FIXED, FREE, SIGN_TOLERANCE
from opendynamics.core.solve._lcp.interior_point import CS, DX, GAP, RIGHT, WEIGHT, S, T, Y
from opendynamics.core.solve._lcp.residual import report
from opendynamics.core.solve.dense import dot, dot6, vector
from opendynamics.core.solve.friction_bounds import friction_bound_if_pushing

# Residual that is refined no further, and one that is good enough; rounds of `refine`, how many of them may fail to reduce
# the residual, and solutions in each.
FINE, GOOD = 1e-9, 1e-8
ROUNDS, PATIENCE, SOLVES = 40, 3, 2

# Directions that the bounds are moved in with given states, and a gap between bounds, relative to them, that is closed.
MEMORY, CLOSED = 5, 1e-10

# Residual above which the solution with frozen bounds is taken: rows of a wrong guess may be far off.
POOR = 1e-6

# How often forces with frozen bounds are iterated and refined again. Where that fails: rounds of projected Gauss-Seidel alone,
# and iterations in each, after which the residual is measured.
FROZEN_TURNS, PGS_ROUNDS, PGS_ITERATIONS = 4, 5, 100

# Fraction of the stopping force below which forces do not count as large.
SLIGHT = 1e-3

# How often forces of the last step are iterated and refined again, and by how many iterations.
WARM_TURNS, ITERATIONS = 1, 30

# State of friction without a normal force: no force, and free as soon as there is one.
WAITING = 4


@entry(types.void(TABLES, ISLAND_RECORD, types.UniTuple(types.int64, 2), types.boolean))
def solve_coupled(tables, record, plan, warm):
    """Solve what `plan_bodies` has laid out; FORCES hold a first guess if `warm`. Writes forces and report."""
    blocks, pattern_size = plan
    n, first, forces = record.rows, record.first_row, FORCES.rows(tables)
    floats = use_floats(tables, record, pattern_size)
    v, best, frozen = floats.vectors, floats.best, vector(floats.vectors, n, GAP)
    system, box = open_island(tables, record, blocks, pattern_size)
    spare = use_integers(tables, record).slots  # which the system has taken
    load_rows(tables, record, floats.scaled, box)
    record.iterations, least = 0, inf
    if warm:
        for i in range(n):
            box.x[i] = forces[first + i]
        record.iterations, least = refine_in_turns(tables, record, system, box, v, best, WARM_TURNS)
    if not least <= GOOD:
        load_rows(tables, record, floats.scaled, box)
        rounds, easy = solve_phase(system, box, v, best, spare, True)
        freeze_friction(tables, record, box)
        more, easy = solve_phase(system, box, v, best, spare, easy)
        record.iterations += rounds + more
        for i in range(n):
            frozen[i] = box.x[i]
        more, least = refine_in_turns(tables, record, system, box, v, best, FROZEN_TURNS)
        record.iterations += more
        if not least <= POOR:
            least = _iterate_from_frozen(tables, record, system, box, frozen, best)
        if not least <= GOOD:
            work = _work(tables, record, system, box, frozen)
            if not _work(tables, record, system, box, best) <= work:
                least = _measure_forces(tables, record, system, box, frozen)
                for i in range(n):
                    best[i] = frozen[i]
    for i in range(n):
        forces[first + i] = best[i]
    if least <= POOR:
        clamp_to_bounds(tables, record, forces)
    report(record, least, forces)


@kernel
def _iterate_from_frozen(tables, record, system, box, frozen, best):
    """Iterate from the solution with frozen bounds, as long as the residual is poor; returns that of the `best` forces."""
    least, rounds = _measure_forces(tables, record, system, box, frozen), 0
    for i in range(record.rows):
        best[i] = frozen[i]
    while rounds < PGS_ROUNDS and not least <= POOR:
        rounds += 1
        iterate_rows(tables, record, system, box, PGS_ITERATIONS)
        record.iterations += PGS_ITERATIONS
        residual = _measure_forces(tables, record, system, box, box.x)
        if residual < least:
            least = residual
            for i in range(record.rows):
                best[i] = box.x[i]
    return least


@kernel
def _measure_forces(tables, record, system, box, forces):
    """Set `box.x` to these forces; returns their residual."""
    for i in range(record.rows):
        box.x[i] = forces[i]
    update_friction_bounds(tables, record, box)
    find_residuals(system, box.b, box.cfm, box.x, box.y, box.residuals)
    return measure_coupled(box, SLIGHT * stopping_force(tables, record, box.diagonal))


@kernel
def _work(tables, record, system, box, forces):
    """Kinetic energy after the step with these forces, less that without them, over h²."""
    bodies_times(system.blocks, system.block, system.positions, system.scaled, system.bodies, forces, box.y)
    work = 0.5 * dot(box.y, 0, box.y, 0, 6 * system.bodies)
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        for side in range(2):
            slot, j = (row.slot0, row.j0) if side == 0 else (row.slot1, row.j1)
            if slot >= 0:
                free = UNCONSTRAINED.rows(tables)[ISLAND_BODIES.rows(tables)[record.first_body + slot]]
                for k in range(3):
                    work += forces[i] * (j[k] * free.linear[k] + j[3 + k] * free.angular[k])
    return work


@kernel
def refine_in_turns(tables, record, system, box, v, best, turns):
    """Refine `box.x`; where that fails, iterate and refine again. Returns the rounds and the residual of the `best` forces."""
    rounds, least = refine(tables, record, system, box, v, best)
    turn = 0
    while turn < turns and not least <= GOOD:
        turn += 1
        iterate_rows(tables, record, system, box, ITERATIONS)
        more, least = refine(tables, record, system, box, v, best)
        rounds += ITERATIONS + more
    return rounds, least


@kernel
def iterate_rows(tables, record, system, box, count):
    """`count` iterations of projected Gauss-Seidel over the rows, with bounds from the present normal forces."""
    x, y, scaled = box.x, box.y, system.scaled
    update_friction_bounds(tables, record, box)
    for i in range(record.rows):
        x[i] = min(max(x[i], box.lo[i]), box.hi[i])
    bodies_times(system.blocks, system.block, system.positions, scaled, system.bodies, x, y)
    for _ in range(count):
        for k in range(system.blocks):
            a, b = system.positions[2 * k], system.positions[2 * k + 1]
            for i in range(system.block[k], system.block[k + 1]):
                row = ROWS.rows(tables)[record.first_row + i]
                lo, hi = row.lo, row.hi
                if row.normal >= 0:
                    hi = friction_bound_if_pushing(hi, x[row.normal])
                    lo = -hi
                if not box.diagonal[i] > 0.0:
                    continue
                residual = box.b[i] - box.cfm[i] * x[i]
                if a >= 0:
                    residual -= dot6(scaled, 12 * i, y, 6 * a)
                if b >= 0:
                    residual -= dot6(scaled, 12 * i + 6, y, 6 * b)
                change = min(max(x[i] + residual / box.diagonal[i], lo), hi) - x[i]
                x[i] += change
                if a >= 0:
                    add_multiple(y, 6 * a, scaled, 12 * i, change)
                if b >= 0:
                    add_multiple(y, 6 * b, scaled, 12 * i + 6, change)


@kernel
def clamp_to_bounds(tables, record, forces):
    """Clamp forces that are not quite a solution: normal forces first, then friction within the bounds that follow from them."""
    for depends in range(2):
        for i in range(record.rows):
            row = ROWS.rows(tables)[record.first_row + i]
            lo, hi = row.lo, row.hi
            if row.normal >= 0:
                hi = friction_bound_if_pushing(hi, forces[record.first_row + row.normal])
                lo = -hi
            if (row.normal >= 0) == (depends == 1):
                forces[record.first_row + i] = min(max(forces[record.first_row + i], lo), hi)


@kernel
def update_friction_bounds(tables, record, box):
    """Set the bounds of friction from the present normal forces."""
    x, lo, hi = box.x, box.lo, box.hi
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        if row.normal >= 0:
            hi[i] = friction_bound_if_pushing(row.hi, x[row.normal])
            lo[i] = -hi[i]


@kernel
def refine(tables, record, system, box, v, best):
    """Solve from forces in `box.x`. Returns the rounds, and the residual of the `best` forces, which `box.x` ends as."""
    n, x, state = record.rows, box.x, box.state
    inverse, bound = vector(v, n, WEIGHT), vector(v, n, S)
    min_scale = SLIGHT * stopping_force(tables, record, box.diagonal)
    update_friction_bounds(tables, record, box)
    guess_states(tables, record, box, bound)
    find_residuals(system, box.b, box.cfm, x, box.y, box.residuals)
    least = measure_coupled(box, min_scale)
    for i in range(n):
        best[i] = x[i]
    exchanged, rounds, stalled = 1, 0, 0
    while rounds < ROUNDS and stalled < PATIENCE and least > FINE and least < inf:
        rounds += 1
        if exchanged > 0:
            for i in range(n):
                inverse[i] = 1.0 / box.cfm[i] if state[i] == FREE else 0.0
            factorise_system(system, inverse)
        solve_bounds(tables, record, system, box, v)
        residual = measure_coupled(box, min_scale)
        stalled += 1
        if residual < least:
            least, stalled = residual, 0
            for i in range(n):
                best[i] = x[i]
        exchanged = exchange_infeasible(box)
        for i in range(n):
            if state[i] == AT_HI or state[i] == AT_LO:
                bound[i] = box.hi[i] if state[i] == AT_HI else box.lo[i]
    for i in range(n):
        x[i] = best[i]
    return rounds, least


@kernel
def solve_bounds(tables, record, system, box, v):
    """Solve for the free rows, and for the bounds of those that slip: bound = mu N, linear in the bounds as states are given.

    By the generalised conjugate residual method (Eisenstat, Elman, Schultz 1983): of all combinations of the directions
    tried the one with the least gap between bounds and what normal forces make of them.
    """
    n = record.rows
    bound, gap = vector(v, n, S), vector(v, n, T)
    square, scale = solve_held(tables, record, system, box, v)
    tried = 0
    while tried < MEMORY and square > CLOSED * CLOSED * scale:
        p, q = vector(v, n, Y + tried), vector(v, n, CS + tried)
        for i in range(n):
            p[i], q[i] = gap[i], -gap[i]
            bound[i] += gap[i]
        solve_held(tables, record, system, box, v)
        for i in range(n):
            q[i] += gap[i]
            gap[i] = p[i]
            bound[i] -= p[i]
        for k in range(tried):
            before, after = vector(v, n, Y + k), vector(v, n, CS + k)
            share = dot(q, 0, after, 0, n)
            for i in range(n):
                q[i] -= share * after[i]
                p[i] -= share * before[i]
        length = dot(q, 0, q, 0, n)
        if not length > 0.0:
            break
        share = dot(gap, 0, q, 0, n) / length
        unit = 1.0 / sqrt(length)
        for i in range(n):
            bound[i] -= share * p[i]
            gap[i] -= share * q[i]
            q[i] *= unit
            p[i] *= unit
        tried += 1
        square = dot(gap, 0, gap, 0, n)
    if tried > 0:
        solve_held(tables, record, system, box, v)


@kernel
def solve_held(tables, record, system, box, v):
    """Solve for the free rows with those at a bound held there. Returns |gap|² of the bounds, and |bound|²."""
    n, x, state = record.rows, box.x, box.state
    inverse, right, dx = vector(v, n, WEIGHT), vector(v, n, RIGHT), vector(v, n, DX)
    bound, gap = vector(v, n, S), vector(v, n, T)
    for i in range(n):
        if state[i] == AT_HI or state[i] == AT_LO:
            x[i] = bound[i]
    for _ in range(SOLVES):
        find_residuals(system, box.b, box.cfm, x, box.y, right)
        solve_system(system, inverse, right, box.y, dx)
        for i in range(n):
            x[i] += dx[i]
    find_residuals(system, box.b, box.cfm, x, box.y, box.residuals)
    update_friction_bounds(tables, record, box)
    square = scale = 0.0
    for i in range(n):
        gap[i] = 0.0
        if state[i] == AT_HI or state[i] == AT_LO:
            gap[i] = (box.hi[i] if state[i] == AT_HI else box.lo[i]) - bound[i]
            square += gap[i] * gap[i]
            scale += bound[i] * bound[i]
    return square, scale


@kernel
def guess_states(tables, record, box, bound):
    """States from forces: at a bound or beyond it, or free; rows with equal bounds wait."""
    x, state, lo, hi = box.x, box.state, box.lo, box.hi
    for i in range(record.rows):
        if ROWS.rows(tables)[record.first_row + i].normal >= 0:
            state[i] = FREE if box.diagonal[i] > 0.0 else FIXED
        x[i] = min(max(x[i], lo[i]), hi[i])
        bound[i] = x[i]
        if state[i] != FIXED:
            if not lo[i] < hi[i]:
                state[i] = WAITING
            else:
                state[i] = AT_LO if x[i] <= lo[i] else (AT_HI if x[i] >= hi[i] else FREE)


@kernel
def exchange_infeasible(box):
    """Exchange the states of infeasible rows; returns how many there were."""
    x, state, lo, hi = box.x, box.state, box.lo, box.hi
    largest = 0.0
    for i in range(len(x)):
        largest = max(largest, abs(x[i]))
    slack = SIGN_TOLERANCE * largest
    infeasible = 0
    for i in range(len(x)):
        before = state[i]
        if before == FIXED:
            continue
        if not lo[i] < hi[i]:
            state[i] = WAITING
            x[i] = 0.0
        elif before == WAITING:
            state[i] = FREE
        elif before == FREE:
            if x[i] < lo[i] - slack:
                state[i] = AT_LO
            elif x[i] > hi[i] + slack:
                state[i] = AT_HI
        else:
            push = box.residuals[i] if before == AT_LO else -box.residuals[i]
            if push > slack * box.diagonal[i]:
                state[i] = FREE
        infeasible += state[i] != before
    return infeasible


@kernel
def stopping_force(tables, record, diagonal):
    """The largest force with which a row alone would stop its bodies in this step, each side by itself."""
    largest = 0.0
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        total = 0.0
        for side in range(2):
            slot, j = (row.slot0, row.j0) if side == 0 else (row.slot1, row.j1)
            if slot >= 0:
                free = UNCONSTRAINED.rows(tables)[ISLAND_BODIES.rows(tables)[record.first_body + slot]]
                for k in range(3):
                    total += abs(j[k] * free.linear[k]) + abs(j[3 + k] * free.angular[k])
        if diagonal[i] > 0.0:
            largest = max(largest, total / diagonal[i])
    return largest


@kernel
def measure_coupled(box, min_scale):
    """Residual of the natural map. NaN if anything is not finite."""
    x, lo, hi, diagonal, residuals = box.x, box.lo, box.hi, box.diagonal, box.residuals
    largest, farthest, poison = min_scale, 0.0, 0.0
    for i in range(len(x)):
        jump = residuals[i] / diagonal[i] if diagonal[i] > 0.0 else 0.0
        poison += 0.0 * jump + 0.0 * x[i]
        farthest = max(farthest, abs(min(max(x[i] + jump, lo[i]), hi[i]) - x[i]))
        largest = max(largest, abs(x[i]))
    return poison + (farthest / largest if largest > 0.0 else farthest)
