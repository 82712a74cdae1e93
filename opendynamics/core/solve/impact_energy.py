"""Energy limit of restitution: work of contacts in an island's solutions, and the restitution that creates no energy.

With forces λ and velocities v before and v' after the step, contact rows do the work, in a step of h,

    h Σ λ (½ J (v + v') - m)

where m is the surface velocity of the row: conveyors and kinematic bodies may do work. This equals the change of kinetic and
potential energy, if the latter is taken at the middle of the step's path (semi-implicit Euler is the leapfrog method; free fall
conserves this energy exactly). For forces λ = resting + s (rebound - resting) it is quadratic in s. Work that contacts do without
restitution, against gravity, is not counted.

Layout of the floats: velocities over h, six numbers per body, before the step and of each solution.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from opendynamics.core.arrays.bodies import LOADS, MOTIONS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import FLOATS, REPORTS
from opendynamics.core.arrays.rows import CORRECTIONS, EXTERNALS, FORCES, ROWS, VARIANTS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.prepared import inverse_mass_of, response
from opendynamics.core.solve.reactions import POSES_CORRECTED

# Solutions, see `impacts`.
POSE, REBOUND, RESTING = range(3)
FLOATS_A_BODY = 24


class Velocities(NamedTuple):
    """Velocities over h, six numbers per body: of each solution, and before the step."""

    pose: Any
    rebound: Any
    resting: Any
    before: Any


@kernel
def use_velocities(tables, record):
    floats, n = FLOATS.rows(tables), 6 * record.bodies
    return Velocities(piece(floats, 0, n), piece(floats, n, n), piece(floats, 2 * n, n), piece(floats, 3 * n, n))


@kernel
def find_velocities(tables, record, solution):
    """Compute velocities from each solution's forces (REBOUND from FORCES), and copy those before the step."""
    v = use_velocities(tables, record)
    before = v.before
    out = v.pose if solution == POSE else v.resting if solution == RESTING else v.rebound
    for k in range(6 * record.bodies):
        out[k] = 0.0
    for r in range(record.first_row, record.first_row + record.rows):
        row, variant, force = ROWS.rows(tables)[r], VARIANTS.rows(tables)[r], FORCES.rows(tables)[r]
        if solution == POSE:
            force = variant.pose_force
        elif solution == RESTING:
            force = variant.resting_force
        for k in range(6):
            if row.slot0 >= 0:
                out[6 * row.slot0 + k] += row.j0[k] * force
            if row.slot1 >= 0:
                out[6 * row.slot1 + k] += row.j1[k] * force
    rate = 1.0 / REPORTS.rows(tables)[0].h
    for slot in range(record.bodies):
        body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
        motion, external, own = MOTIONS.rows(tables)[body], EXTERNALS.rows(tables)[body], piece(out, 6 * slot, 6)
        for k in range(3):
            own[k] += external.linear[k]
            own[3 + k] += external.angular[k]
            before[6 * slot + k] = motion.linear_velocity[k] * rate
            before[6 * slot + 3 + k] = motion.angular_velocity[k] * rate
        linear, angular = response(inverse_mass_of(tables, body), own)
        for k in range(3):
            own[k] = before[6 * slot + k] + linear[k]
            own[3 + k] = before[6 * slot + 3 + k] + angular[k]


@kernel
def row_velocity(row, v):
    """J v."""
    total = 0.0
    for k in range(6):
        if row.slot0 >= 0:
            total += row.j0[k] * v[6 * row.slot0 + k]
        if row.slot1 >= 0:
            total += row.j1[k] * v[6 * row.slot1 + k]
    return total


@kernel
def _motion(tables, link, r):
    return VARIANTS.rows(tables)[r].motion if r == link.first_row else ROWS.rows(tables)[r].bias


@kernel
def work_of_contacts(tables, record):
    """Work of contacts for FORCES and the velocities of REBOUND, over h²."""
    v = use_velocities(tables, record)
    before, after = v.before, v.rebound
    work = 0.0
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT:
            for r in range(link.first_row, link.first_row + link.row_count):
                row = ROWS.rows(tables)[r]
                mean = 0.5 * (row_velocity(row, before) + row_velocity(row, after))
                work += FORCES.rows(tables)[r] * (mean - _motion(tables, link, r))
    return work + 0.5 * (_gyroscopic_work(tables, record, before) + _gyroscopic_work(tables, record, after))


@kernel
def _gyroscopic_work(tables, record, v):
    """Work of the gyroscopic torques: external torques without the user's; free rotation does no work. Over h²."""
    work = 0.0
    for slot in range(record.bodies):
        body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
        for k in range(3):
            torque = EXTERNALS.rows(tables)[body].angular[k] - LOADS.rows(tables)[body].torque[k]
            work += torque * v[6 * slot + 3 + k]
    return work


@kernel
def largest_share(tables, record, moved):
    """The largest s in [0, 1] for which contacts do no more work than without restitution, or none.

    If `moved`, poses move by the velocities of POSE for any s, so that gravity's work does not depend on s.
    """
    v = use_velocities(tables, record)
    before, after, resting = v.before, v.rebound, v.resting
    fixed = linear = square = 0.0
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            continue
        for r in range(link.first_row, link.first_row + link.row_count):
            row, force = ROWS.rows(tables)[r], VARIANTS.rows(tables)[r].resting_force
            more = FORCES.rows(tables)[r] - force
            at_rest = row_velocity(row, resting)
            mean = 0.5 * (row_velocity(row, before) + at_rest) - _motion(tables, link, r)
            gained = 0.5 * (row_velocity(row, after) - at_rest)
            fixed += force * mean
            linear += force * gained + more * mean
            square += more * gained
    at_rest = _gyroscopic_work(tables, record, resting)
    fixed += 0.5 * (_gyroscopic_work(tables, record, before) + at_rest)
    linear += 0.5 * (_gyroscopic_work(tables, record, after) - at_rest)
    most = max(fixed, 0.0)
    if moved:
        resting_work, more_work = _work_against_poses(tables, record)
        fixed += resting_work
        linear += more_work
    return last_root(square, linear, min(fixed - most, 0.0))


@kernel
def _work_against_poses(tables, record):
    """Work of the external forces, over h²: by resting less pose velocities, and by what restitution adds to the former."""
    fixed = linear = 0.0
    v = use_velocities(tables, record)
    pose, after, resting = v.pose, v.rebound, v.resting
    for slot in range(record.bodies):
        body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
        if MOTIONS.rows(tables)[body].inverse_mass > 0.0:
            for k in range(3):
                force = EXTERNALS.rows(tables)[body].linear[k]
                fixed += force * (resting[6 * slot + k] - pose[6 * slot + k])
                linear += force * (after[6 * slot + k] - resting[6 * slot + k])
    return fixed, linear


@kernel
def last_root(a, b, c):
    """The largest s in [0, 1] with a s² + b s + c <= 0, where c <= 0."""
    if a + b + c <= 0.0:
        return 1.0
    root = sqrt(max(b * b - 4.0 * a * c, 0.0))
    if b > 0.0:
        return min(-2.0 * c / (b + root), 1.0)
    return min((root - b) / (2.0 * a), 1.0)


@kernel
def blend(tables, record, share):
    """FORCES, and the velocities of REBOUND, to resting + share (rebound - resting)."""
    if share == 1.0:
        return
    v = use_velocities(tables, record)
    after, resting = v.rebound, v.resting
    for k in range(6 * record.bodies):
        after[k] = resting[k] + share * (after[k] - resting[k])
    for r in range(record.first_row, record.first_row + record.rows):
        force = VARIANTS.rows(tables)[r].resting_force
        FORCES.rows(tables)[r] = force + share * (FORCES.rows(tables)[r] - force)


@kernel
def correct_poses(tables, record):
    """Move poses by the velocities of POSE, while bodies get those of REBOUND."""
    record.corrected = POSES_CORRECTED
    v = use_velocities(tables, record)
    to, there = v.pose, v.rebound
    for slot in range(record.bodies):
        correction = CORRECTIONS.rows(tables)[ISLAND_BODIES.rows(tables)[record.first_body + slot]]
        for k in range(3):
            correction.linear[k] = to[6 * slot + k] - there[6 * slot + k]
            correction.angular[k] = to[6 * slot + 3 + k] - there[6 * slot + 3 + k]
