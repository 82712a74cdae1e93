"""Verlet's joints after a step: velocities and poses go back to where the hard rows hold.

    v <- v + M⁻¹ Jᵀ p,   J M⁻¹ Jᵀ p = c - J v          x <- x + M⁻¹ Jᵀ m,   J M⁻¹ Jᵀ m = -erp e

J, M and the error e are those after the step, c the velocity required by a motor of unlimited force. The projection of
velocities adds no kinetic energy, and that of poses does not enter the velocities. (U. M. Ascher, H. Chin, L. R. Petzold, S.
Reich, Stabilization of constrained mechanical systems with DAEs and invariant manifolds, 1995.) The rows follow those of the
step, whose Jacobians the feedback needs. λ <- λ + p / h, so that the feedback has all that the joints did.
"""

from __future__ import annotations

from math import inf, isfinite

from opendynamics.core.algebra.mat3 import get9, set9, turned
from opendynamics.core.algebra.quat import from_spin, get4, multiply, normalize4, set4, to_matrix
from opendynamics.core.algebra.vec3 import get3, set3
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.rows import FORCES, REACTIONS, ROWS
from opendynamics.core.constrain.assemble import fill_joints, row_velocity
from opendynamics.core.constrain.parts.hard_row import SPRING, is_hard
from opendynamics.core.constrain.parts.row import clear_row
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.hard_rows import (
    PLACE,
    RECORD,
    REGULARISATION,
    ROW,
    VALUE,
    factorize_hard_rows,
    list_hard_rows,
    solve_hard_rows,
)


@kernel
def has_room_to_project(tables, h):
    """Whether the scratch memory will do, once the rows of the step are filled in."""
    softest = SPRING * (1.0 / h)
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.rows > 0 and list_hard_rows(tables, island, island.first_row, softest) < 0:
            return False
    return True


@kernel
def project_joints(tables, island, h):
    """Project the bodies of an island that have been moved."""
    beyond = REPORTS.rows(tables)[0].rows
    fill_joints(tables, island, beyond, inf)
    _leave_out_others(tables, island, beyond, SPRING * (1.0 / h))
    count = list_hard_rows(tables, island, beyond + island.first_row, SPRING)
    if count <= 0:
        fill_joints(tables, island, beyond, h)  # wheels that mesh follow their phases
        return
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        inertia = INERTIAS.rows(tables)[body]
        set9(inertia.world_inverse, turned(get9(POSES.rows(tables)[body].rotation), get9(inertia.inverse)))
    factorize_hard_rows(tables, island, count, REGULARISATION)
    for i in range(count):
        row = _row(tables, island, i)
        row.rhs = row.bias
        FLOATS.rows(tables)[RECORD * i + VALUE] = row.bias - row_velocity(tables, island, row)
    solve_hard_rows(tables, island, count)
    if _sum_up(tables, island, count):
        _add_to_velocities(tables, island)
        _add_to_forces(tables, island, beyond, count, h)
    fill_joints(tables, island, beyond, h)
    for i in range(count):
        row = _row(tables, island, i)
        FLOATS.rows(tables)[RECORD * i + VALUE] = h * (row.bias - row.rhs)
    solve_hard_rows(tables, island, count)
    if _sum_up(tables, island, count):
        _add_to_poses(tables, island)


@kernel
def _leave_out_others(tables, island, beyond, softest):
    """Make rows soft that were not hard in the step: contacts, which are not filled in, and servos, whose CFM depends on h."""
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        for r in range(link.first_row, link.first_row + link.row_count):
            row = ROWS.rows(tables)[beyond + r]
            if link.kind == CONTACT:
                clear_row(row, inf)
                row.slot0 = row.slot1 = -1
            elif not is_hard(ROWS.rows(tables)[r], softest):
                row.cfm = inf


@kernel
def _row(tables, island, i):
    return ROWS.rows(tables)[INTEGERS.rows(tables)[island.bodies + PLACE * i + ROW]]


@kernel
def _sum_up(tables, island, count):
    """M⁻¹ Jᵀ λ of every body to the reactions. False: it is not finite."""
    sums, members, floats = REACTIONS.rows(tables), ISLAND_BODIES.rows(tables), FLOATS.rows(tables)
    for b in range(island.first_body, island.first_body + island.bodies):
        set3(sums[members[b]].linear, (0.0, 0.0, 0.0))
        set3(sums[members[b]].angular, (0.0, 0.0, 0.0))
    total = 0.0
    for i in range(count):
        row, at = _row(tables, island, i), RECORD * i
        value = floats[at + VALUE]
        total += abs(value)
        if row.slot0 >= 0:
            _add(sums[members[island.first_body + row.slot0]], value, floats, at)
        if row.slot1 >= 0:
            _add(sums[members[island.first_body + row.slot1]], value, floats, at + 6)
    return isfinite(total)


@kernel
def _add(total, value, floats, at):
    for k in range(3):
        total.linear[k] += value * floats[at + k]
        total.angular[k] += value * floats[at + 3 + k]


@kernel
def _add_to_velocities(tables, island):
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        motion, change = MOTIONS.rows(tables)[body], REACTIONS.rows(tables)[body]
        for k in range(3):
            motion.linear_velocity[k] += change.linear[k]
            motion.angular_velocity[k] += change.angular[k]


@kernel
def _add_to_forces(tables, island, beyond, count, h):
    """The impulses are part of what the joints exerted in the step: without them, reported forces are of first order only."""
    for i in range(count):
        row = INTEGERS.rows(tables)[island.bodies + PLACE * i + ROW]
        FORCES.rows(tables)[row - beyond] += FLOATS.rows(tables)[RECORD * i + VALUE] / h


@kernel
def _add_to_poses(tables, island):
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        pose, change = POSES.rows(tables)[body], REACTIONS.rows(tables)[body]
        for k in range(3):
            pose.position[k] += change.linear[k]
        q = normalize4(multiply(from_spin(get3(change.angular), 1.0), get4(pose.quaternion)))
        set4(pose.quaternion, q)
        set9(pose.rotation, to_matrix(q))
