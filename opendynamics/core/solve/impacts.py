"""Islands with impacts or penetration: several solutions of the same rows, so that neither effect creates energy.

A solver computes forces for one set of bias velocities. Here contacts have up to three, and the result is combined from their
solutions:

    pose      with position correction, which removes penetration without adding velocity (split impulses:
              E. Catto, Fast and simple physics using sequential impulses, GDC 2006; Guendelman and others 2003)
    rebound   with restitution: Newton's rule, J v = -e (J v before)
    resting   with neither

Velocities are v = resting + s (rebound - resting), with the largest s in [0, 1] for which contacts do no more work than without
restitution (`impact_energy`). Forces are interpolated between two solutions, so bounds hold and momentum is conserved; s = 1
wherever Newton's rule creates no energy. Poisson's rule (impulses of compression, times 1 + e) was rejected: with friction it
creates energy as well, and it does not keep e where several contacts share an impact.

Poses move by v + (pose - resting), the second term for this step alone (CORRECTIONS). With speculative contacts the pose solution
has no restitution, so that it satisfies all gaps, which a bounce may not: opposite walls of a narrow room require contradictory
velocities. Poses then move by pose + t (v - resting), with the largest t that satisfies the gaps, and only gaps that the free
motion closes, and that are reached, take part in the other solutions.

An island without bounces whose corrections do less work than gravity in a step from rest is solved once. `islands.solver_of`
decides whether this entry is called; it calls the solver. Reads the rows and VARIANTS, both scaled by 1/h.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.contacts import CONTACTS, SPECULATIVE
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import CHOICES, FLOATS
from opendynamics.core.arrays.rows import FORCES, ROWS, VARIANTS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import call_solve
from opendynamics.core.solve.impact_energy import (
    FLOATS_A_BODY,
    POSE,
    REBOUND,
    RESTING,
    blend,
    correct_poses,
    find_velocities,
    largest_share,
    row_velocity,
    use_velocities,
    work_of_contacts,
)

# Biases as the rows were filled in. They are set first: an attempt that ran out of memory may have left others.
FILLED = -1

# Rounding of velocities along a row, relative to its terms.
ROUNDING = 1e-9

# Factor over the largest contact velocity by which the bodies of an excluded gap may approach.
FAR = 8.0


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces and pose corrections. 1: done, 0: out of memory, or an entry is not loaded."""
    record = ISLANDS.rows(tables)[island]
    if not FLOATS.has_room(tables, FLOATS_A_BODY * record.bodies):
        return 0
    bouncing = record.bounces > 0
    across = bouncing and record.gaps > 0
    _set_biases(tables, record, POSE if across else FILLED)
    if not _solve_again(tables, island, record):
        return 0
    pushed = _is_pushed(tables, record)
    if pushed or across:
        _store_pose_forces(tables, record)
        _set_biases(tables, record, REBOUND)
        if not _solve_again(tables, island, record):
            return 0
    if pushed and not across:
        _move_poses_apart(tables, record)
    if bouncing and not _limit_restitution(tables, island, record, pushed, across):
        return 0
    if across:
        _move_poses_to_gaps(tables, record)
    return 1


@kernel
def _solve_again(tables, island, record):
    """Solve with the current biases; iterations and residuals of all solutions are reported together. False: out of memory."""
    iterations, residual, faulty, corrected = record.iterations, record.residual, record.faulty, record.corrected
    if not call_solve(CHOICES.rows(tables)[record.solver].solve, tables, island):
        return False
    record.iterations += iterations
    record.residual = max(residual, record.residual)
    record.faulty |= faulty
    record.solutions += 1
    record.corrected = corrected  # reactions that are given are those of one solution alone
    return True


@kernel
def _is_pushed(tables, record):
    """Whether the position corrections of the solution in FORCES do more work than gravity in a step from rest."""
    if not record.push > 0.0:
        return False
    work, mass = 0.0, 0.0
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT:
            variant = VARIANTS.rows(tables)[link.first_row]
            work += FORCES.rows(tables)[link.first_row] * (variant.corrected - variant.resting)
    for b in range(record.first_body, record.first_body + record.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        if MOTIONS.rows(tables)[body].inverse_mass > 0.0:
            mass += INERTIAS.rows(tables)[body].mass
    gravity = get3(WORLDS.rows(tables)[0].gravity)
    return work > 0.5 * mass * dot(gravity, gravity)


@kernel
def _set_biases(tables, record, solution):
    """Set the biases of the contacts' normal rows to those of a solution."""
    far = _far(tables, record) if record.bounces > 0 and record.gaps > 0 and solution != POSE else 0.0
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            continue
        row, variant = ROWS.rows(tables)[link.first_row], VARIANTS.rows(tables)[link.first_row]
        bias = _bias(variant, solution)
        if far > 0.0 and CONTACTS.rows(tables)[link.index].flags & SPECULATIVE:
            closes = variant.filled_rhs - variant.filled_bias + variant.corrected > 0.0
            if not (closes and variant.pose_force > 0.0):
                bias = variant.corrected - far
        row.rhs = variant.filled_rhs + (bias - variant.filled_bias)
        row.bias = bias


@kernel
def _bias(variant, solution):
    if solution == FILLED:
        return variant.filled_bias
    if solution == POSE:
        return variant.corrected
    return max(variant.resting, variant.rebound) if solution == REBOUND else variant.resting


@kernel
def _far(tables, record):
    """An approach velocity, over h, larger than that of any contact before and after the step."""
    fastest = 0.0
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT:
            variant = VARIANTS.rows(tables)[link.first_row]
            fastest = max(fastest, abs(variant.filled_rhs - variant.filled_bias), variant.rebound)
    return FAR * fastest


@kernel
def _store_pose_forces(tables, record):
    """Store FORCES as the pose solution, and as the resting one until there is another."""
    for r in range(record.first_row, record.first_row + record.rows):
        variant = VARIANTS.rows(tables)[r]
        variant.pose_force = variant.resting_force = FORCES.rows(tables)[r]


@kernel
def _limit_restitution(tables, island, record, pushed, across):
    """Scale restitution in FORCES down until it creates no energy. False: out of memory."""
    find_velocities(tables, record, REBOUND)
    if not across and work_of_contacts(tables, record) <= 0.0:
        return True
    if pushed or not across:
        _exchange(tables, record)
        _set_biases(tables, record, RESTING)
        if not _solve_again(tables, island, record):
            return False
        _exchange(tables, record)
        find_velocities(tables, record, REBOUND)
    find_velocities(tables, record, RESTING)
    blend(tables, record, largest_share(tables, record, False))
    return True


@kernel
def _exchange(tables, record):
    """Swap FORCES and the stored resting solution."""
    for r in range(record.first_row, record.first_row + record.rows):
        variant = VARIANTS.rows(tables)[r]
        force = FORCES.rows(tables)[r]
        FORCES.rows(tables)[r] = variant.resting_force
        variant.resting_force = force


@kernel
def _move_poses_apart(tables, record):
    """Write pose corrections: what position correction alone adds to the velocities."""
    find_velocities(tables, record, POSE)
    find_velocities(tables, record, REBOUND)
    correct_poses(tables, record)


@kernel
def _move_poses_to_gaps(tables, record):
    """Let the poses move by pose + t (v - resting), and restitution do no work that they take out of gravity's."""
    find_velocities(tables, record, POSE)
    share = _share_within_gaps(tables, record)
    v = use_velocities(tables, record)
    pose, new, resting = v.pose, v.rebound, v.resting
    for k in range(6 * record.bodies):
        pose[k] += share * (new[k] - resting[k])
    if share < 1.0:
        blend(tables, record, largest_share(tables, record, True))
    correct_poses(tables, record)


@kernel
def _share_within_gaps(tables, record):
    """The largest t in [0, 1] for which pose + t (v - resting) closes no gap further than to touch."""
    share = 1.0
    v = use_velocities(tables, record)
    pose, new, resting = v.pose, v.rebound, v.resting
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT and CONTACTS.rows(tables)[link.index].flags & SPECULATIVE:
            row, gap = ROWS.rows(tables)[link.first_row], VARIANTS.rows(tables)[link.first_row].corrected
            clear = row_velocity(row, pose) - gap
            more = row_velocity(row, new) - row_velocity(row, resting)
            if clear + more < -ROUNDING * (abs(gap) + abs(more)):
                share = min(share, max(clear, 0.0) / -more)
    return share
