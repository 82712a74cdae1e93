"""`exact` for islands with elliptic friction cones: sequential quadratic programming about the box solver.

Both of ODE's stages, as ever; in each the two friction forces of a contact lie in a disc |x| <= r. Where a contact
slides its force has length r and the direction d of least slip; there the rows are turned to (d, t), t across d, and

    the force along d is bounded by r, which is the circle's tangent,
    the row across gets σ = s / r on its diagonal, the curvature of the circle times its multiplier, the slip s = (b - A x)·d.

That is Newton's method for the discs (Wilson 1963): the box problem is solved by whatever way `exact` finds right for
it, d and σ are taken from its solution, and again, until the solution moved into the discs solves their problem. It
begins with d and σ of the slip without friction.

An entry of its own, so that it is compiled when it is first needed and not before anything moves.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.arrays.cones import CONE_FLOATS, CONES, KEPT_ROWS
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.escalation import call_solve
from opendynamics.core.solve.exact.cone.residual import find_cone_misfit, find_diagonal, measure_cones, project
from opendynamics.core.solve.exact.cone.rows import bound_rows, keep_rows, restore_rows, turn_back, turn_rows
from opendynamics.core.solve.exact.residual import report
from opendynamics.core.solve.exact.row_space.matrix import HARD

# Rounds; and after how many in vain, one after the other, directions and curvatures go only half the way.
ROUNDS, VAIN = 40, 3

# A residual that is the end. After HASTE rounds it grows tenfold every other round, up to COARSE.
FINE, HASTE, COARSE = 1e-13, 14, 1e-8

# A force this near its circle, in parts of the radius, is on it.
ON_CIRCLE = 1e-12

# How a stage ended.
LACKING, SOLVED, FAULTY = range(3)


@entry(SOLVE)
def solve(tables, island):
    """Find one island's forces. 1: done, 0: no room, or an entry is not loaded."""
    record = ISLANDS.rows(tables)[island]
    n, bounded = record.rows, record.bounded_rows
    if not (
        KEPT_ROWS.has_room(tables, n)
        and CONES.has_room(tables, record.pairs)
        and CONE_FLOATS.has_room(tables, 4 * n + 6 * record.bodies)
    ):
        return 0
    keep_rows(tables, record)
    diagonal = piece(CONE_FLOATS.rows(tables), 3 * n, n)
    find_diagonal(tables, record, diagonal)
    iterations, residual, end = 0, 0.0, SOLVED
    for stage in range(2):
        again = bound_rows(tables, record, stage)
        discs = aim_cones(tables, record, stage)
        rounds, far, end = solve_discs(tables, island, record, discs)
        iterations += rounds
        residual = max(residual, far)
        if end != SOLVED or not again:
            break
    restore_rows(tables, record)
    record.bounded_rows = bounded
    record.iterations = iterations
    if end == SOLVED:
        report(record, residual, FORCES.rows(tables))
    return 0 if end == LACKING else 1


@kernel
def aim_cones(tables, record, stage):
    """Directions and curvatures to begin with: against the slip that there would be without friction.

    Returns how many discs are more than a point.
    """
    discs = 0
    n = record.rows
    x, misfit, _, _, y = use_vectors(tables, record)
    for k in range(n):
        x[k] = FORCES.rows(tables)[record.first_row + k] if stage == 1 else 0.0
    find_cone_misfit(tables, record, x, y, misfit)
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        a, b = misfit[cone.first], misfit[cone.first + 1]
        slip = sqrt(a * a + b * b)
        cone.cosine, cone.sine, cone.curvature = 1.0, 0.0, 0.0
        discs += cone.radius > 0.0
        if slip > 0.0:
            cone.cosine, cone.sine = a / slip, b / slip
            if stage == 1 and cone.radius > 0.0:
                cone.curvature = slip / cone.radius
    return discs


@kernel
def solve_discs(tables, island, record, discs):
    """Solve a stage; its forces stand in FORCES. Returns the box solver's iterations, the residual, how it ended."""
    x, misfit, best, diagonal, y = use_vectors(tables, record)
    forces = FORCES.rows(tables)
    pairs, iterations, least, vain, enough = record.pairs, 0, inf, 0, FINE
    rough = 2.0 * HARD if is_hard(tables, record) else 0.0
    for round_ in range(ROUNDS):
        turn_rows(tables, record)
        record.pairs = 0
        done = call_solve(CHOICES.rows(tables)[0].solve, tables, island)
        record.pairs = pairs
        if done == 0:
            return 0, 0.0, LACKING
        iterations += record.iterations
        if record.faulty:
            return iterations, inf, FAULTY
        turn_back(tables, record, x)
        find_cone_misfit(tables, record, x, y, misfit)
        turn_cones(tables, record, x, misfit, 0.5 if vain >= VAIN else 0.0)
        project(tables, record, x)
        find_cone_misfit(tables, record, x, y, misfit)
        residual = measure_cones(tables, record, x, misfit, diagonal)
        vain += 1
        if residual < least:
            least, vain = residual, 0
            for k in range(record.rows):
                best[k] = x[k]
        if round_ >= HASTE:
            enough = min(enough * sqrt(10.0), COARSE)
        if least <= enough or discs == 0 or not residual < inf:
            break
        if (vain > 0 and least <= rough) or (vain > 1 and least <= 2.0 * record.residual):
            break
    for k in range(record.rows):
        forces[record.first_row + k] = best[k]
    return iterations, least, SOLVED


@kernel
def is_hard(tables, record):
    """Whether there are rows without any softness, which the box solver takes for a little soft."""
    hard = 0
    for k in range(record.rows):
        hard += KEPT_ROWS.rows(tables)[k].cfm == 0.0
    return hard > 0


@kernel
def turn_cones(tables, record, x, misfit, old):
    """New directions and curvatures from the solution of the box problem, and so much of the old ones."""
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        i = cone.first
        length = sqrt(x[i] * x[i] + x[i + 1] * x[i + 1])
        curvature = 0.0
        if length > 0.0:
            c, s = x[i] / length, x[i + 1] / length
            if length >= cone.radius * (1.0 - ON_CIRCLE) and cone.radius > 0.0:
                slip = misfit[i] * c + misfit[i + 1] * s
                curvature = max(slip, 0.0) / cone.radius
            c, s = (1.0 - old) * c + old * cone.cosine, (1.0 - old) * s + old * cone.sine
            length = sqrt(c * c + s * s)
            if length > 0.0:
                cone.cosine, cone.sine = c / length, s / length
        cone.curvature = (1.0 - old) * curvature + old * cone.curvature


@kernel
def use_vectors(tables, record):
    """Forces, misfit, the best forces, the diagonal; bodies' accelerations."""
    floats, n = CONE_FLOATS.rows(tables), record.rows
    return (
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, 6 * record.bodies),
    )
