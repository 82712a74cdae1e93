"""`exact` for islands with elliptic friction cones: sequential quadratic programming about the box solver.

ODE's two phases are unchanged, or the second is repeated until its bounds match its own normal forces; in each, the two friction
forces of a contact lie in a disc |x| <= r. The force of a sliding contact has length r and the direction d opposite to the slip;
its rows are rotated to (d, t), t perpendicular to d, and

    the force along d is bounded by r, which is the circle's tangent,
    the row across gets σ = s / r on its diagonal, the curvature of the circle times its multiplier, the slip s = (b - A x)·d.

This is Newton's method for the discs (Wilson 1963): solve the box problem by any method of `exact`, update d and σ from its
solution, and repeat until the solution, projected into the discs, solves their problem. The initial d and σ are those of the slip
without friction.

A separate entry, so that it is compiled only when an island needs it.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.arrays.cones import ASSEMBLED_ROWS, CONE_FLOATS, CONES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._body_space.row_blocks import CFM_OF_HARD_ROWS
from opendynamics.core.solve._lcp.residual import report
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.escalation import call_solve
from opendynamics.core.solve.exact.cone.residual import find_cone_residuals, find_diagonal, measure_cones, project
from opendynamics.core.solve.exact.cone.rows import bound_rows, copy_rows, restore_rows, rotate_forces_back, rotate_rows
from opendynamics.core.solve.friction_bounds import follows_normals

# Newton iterations; and the number of consecutive ones without progress after which directions and curvatures are damped by half.
ROUNDS, PATIENCE = 40, 3

# Tolerance of the residual. After STRICT_ROUNDS iterations it grows tenfold every other one, up to COARSE.
FINE, STRICT_ROUNDS, COARSE = 1e-13, 14, 1e-8

# Distance from its circle, relative to the radius, within which a force is on it.
ON_CIRCLE = 1e-12

# Limit of phases where bounds follow the normal forces of the same solution; tolerance of the bounds' change, relative to the
# widest.
COUPLED_PHASES, COUPLED_FINE = 12, 1e-9

# Results of a phase.
LACKING, SOLVED, FAULTY = range(3)


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces. 1: done, 0: out of memory, or an entry is not loaded."""
    record = ISLANDS.rows(tables)[island]
    n, bounded = record.rows, record.bounded_rows
    if not (
        ASSEMBLED_ROWS.has_room(tables, n)
        and CONES.has_room(tables, record.pairs)
        and CONE_FLOATS.has_room(tables, 4 * n + 6 * record.bodies)
    ):
        return 0
    copy_rows(tables, record)
    diagonal = piece(CONE_FLOATS.rows(tables), 3 * n, n)
    find_diagonal(tables, record, diagonal)
    iterations, residual, end = 0, 0.0, SOLVED
    phases = 2
    if follows_normals(tables, record):
        phases = COUPLED_PHASES
    for phase in range(phases):
        again, change = bound_rows(tables, record, phase)
        if phase > 1:
            if change <= COUPLED_FINE:
                break
            residual = 0.0
        discs = begin_cones(tables, record, phase)
        rounds, far, end = solve_discs(tables, island, record, discs)
        iterations += rounds
        residual = max(residual, far)
        if end != SOLVED or not again:
            break
    else:
        if end == SOLVED and phases > 2:
            residual = max(residual, bound_rows(tables, record, phases)[1])
    restore_rows(tables, record)
    record.bounded_rows = bounded
    record.iterations = iterations
    record.corrected = 0  # reactions that are given are those of the last disc
    if end == SOLVED:
        report(record, residual, FORCES.rows(tables))
    return 0 if end == LACKING else 1


@kernel
def begin_cones(tables, record, phase):
    """Initial directions and curvatures: opposite to the slip without friction.

    Returns the number of discs that are more than a point.
    """
    discs = 0
    n = record.rows
    x, residuals, _, _, y = use_vectors(tables, record)
    for k in range(n):
        x[k] = FORCES.rows(tables)[record.first_row + k] if phase > 0 else 0.0
    find_cone_residuals(tables, record, x, y, residuals)
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        a, b = residuals[cone.first], residuals[cone.first + 1]
        slip = sqrt(a * a + b * b)
        cone.cosine, cone.sine, cone.curvature = 1.0, 0.0, 0.0
        discs += cone.radius > 0.0
        if slip > 0.0:
            cone.cosine, cone.sine = a / slip, b / slip
            if phase > 0 and cone.radius > 0.0:
                cone.curvature = slip / cone.radius
    return discs


@kernel
def solve_discs(tables, island, record, discs):
    """Solve a phase, with its forces in FORCES. Returns the box solver's iterations, the residual, and the phase's result."""
    x, residuals, best, diagonal, y = use_vectors(tables, record)
    forces = FORCES.rows(tables)
    pairs, iterations, least, stalled, tolerance = record.pairs, 0, inf, 0, FINE
    rough = 2.0 * CFM_OF_HARD_ROWS if is_hard(tables, record) else 0.0
    for round_ in range(ROUNDS):
        rotate_rows(tables, record)
        record.pairs = 0
        done = call_solve(CHOICES.rows(tables)[record.solver].solve, tables, island)
        record.pairs = pairs
        if done == 0:
            return 0, 0.0, LACKING
        iterations += record.iterations
        if record.faulty:
            return iterations, inf, FAULTY
        rotate_forces_back(tables, record, x)
        find_cone_residuals(tables, record, x, y, residuals)
        update_directions(tables, record, x, residuals, 0.5 if stalled >= PATIENCE else 0.0)
        project(tables, record, x)
        find_cone_residuals(tables, record, x, y, residuals)
        residual = measure_cones(tables, record, x, residuals, diagonal)
        stalled += 1
        if residual < least:
            least, stalled = residual, 0
            for k in range(record.rows):
                best[k] = x[k]
        if round_ >= STRICT_ROUNDS:
            tolerance = min(tolerance * sqrt(10.0), COARSE)
        if least <= tolerance or discs == 0 or not residual < inf:
            break
        if (stalled > 0 and least <= rough) or (stalled > 1 and least <= 2.0 * record.residual):
            break
    for k in range(record.rows):
        forces[record.first_row + k] = best[k]
    return iterations, least, SOLVED


@kernel
def is_hard(tables, record):
    """Whether there are rows with zero CFM, which the box solver regularises."""
    hard = 0
    for k in range(record.rows):
        hard += ASSEMBLED_ROWS.rows(tables)[k].cfm == 0.0
    return hard > 0


@kernel
def update_directions(tables, record, x, residuals, old):
    """Update directions and curvatures from the solution of the box problem, blended with a fraction `old` of the old ones."""
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        i = cone.first
        length = sqrt(x[i] * x[i] + x[i + 1] * x[i + 1])
        curvature = 0.0
        if length > 0.0:
            c, s = x[i] / length, x[i + 1] / length
            if length >= cone.radius * (1.0 - ON_CIRCLE) and cone.radius > 0.0:
                slip = residuals[i] * c + residuals[i + 1] * s
                curvature = max(slip, 0.0) / cone.radius
            c, s = (1.0 - old) * c + old * cone.cosine, (1.0 - old) * s + old * cone.sine
            length = sqrt(c * c + s * s)
            if length > 0.0:
                cone.cosine, cone.sine = c / length, s / length
        cone.curvature = (1.0 - old) * curvature + old * cone.curvature


@kernel
def use_vectors(tables, record):
    """Forces, residuals, the best forces, the diagonal; bodies' accelerations."""
    floats, n = CONE_FLOATS.rows(tables), record.rows
    return (
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, 6 * record.bodies),
    )
