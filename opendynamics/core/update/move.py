"""Stage: new velocities and poses from the rows' forces.

v += h M⁻¹ (f + Jᵀλ), then x += h v, then the orientation, with the new velocities (semi-implicit Euler); the inverse
inertia is that of the beginning of the step. The other integrators (`bodies/integrators.py`) let orientations follow free
rotation; Verlet's forces act in the middle of the step. An island whose velocities come out not finite is frozen instead: its
bodies keep their state and stop taking part until the user sets them right.
"""

from __future__ import annotations

from math import inf, isfinite, sqrt

from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.algebra.mat3 import get9, set9, times
from opendynamics.core.algebra.quat import from_spin, get4, multiply, normalize4, rate, set4, to_matrix
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, scale, set3, subtract
from opendynamics.core.arrays.blocks.load_ahead import load_ahead
from opendynamics.core.arrays.bodies import (
    BODY_SETTINGS,
    DAMPED,
    ENABLED,
    FAULTY,
    FINITE_AXIS,
    FINITE_ROTATION,
    INERTIAS,
    LOADS,
    MOTIONS,
    POSES,
)
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import INTEGERS, REPORTS
from opendynamics.core.arrays.rows import CORRECTIONS, EXTERNALS, FORCES, REACTIONS, ROWS, UNCONSTRAINED
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.free_rotation import turn_freely
from opendynamics.core.bodies.integrators import DEFERRED, ENERGY_MOMENTUM, EULER, VERLET, integrator_of
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.reactions import REACTIONS_SUMMED, VELOCITIES_GIVEN
from opendynamics.core.update.correction import corrected
from opendynamics.core.update.move_lanes import is_for_lanes, move_slow_bodies
from opendynamics.core.update.projection import project_joints


@kernel
def move_bodies(tables, h):
    """Move the bodies of every island."""
    waiting, corrections_of_waiting = 0, 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.corrected < VELOCITIES_GIVEN:
            _sum_reactions(tables, island)
        if island.faulty or not (island.corrected == VELOCITIES_GIVEN or _accelerate(tables, island, h)):
            _freeze(tables, island)
            continue
        corrections = island.corrected if island.corrected != REACTIONS_SUMMED else 0
        if corrections != corrections_of_waiting:
            _move_waiting(tables, waiting, h, corrections_of_waiting)
            waiting, corrections_of_waiting = 0, corrections
        waiting = _move_island(tables, island, h, corrections, waiting)
        if island.rows > 0 and WORLDS.rows(tables)[0].integrator == VERLET:
            project_joints(tables, island, h)
    _move_waiting(tables, waiting, h, corrections_of_waiting)


@kernel
def _move_island(tables, island, h, corrections, waiting):
    """Move an island's bodies, or let them wait until there are eight. Returns how many wait."""
    in_lanes, members = WORLDS.rows(tables)[0].integrator == ENERGY_MOMENTUM, INTEGERS.rows(tables)
    new = REACTIONS.rows(tables) if corrections == VELOCITIES_GIVEN else UNCONSTRAINED.rows(tables)
    for b in range(island.first_body, island.first_body + island.bodies):
        load_ahead(tables)
        body = ISLAND_BODIES.rows(tables)[b]
        # Bodies that awake ones touch wake only now: a step that is begun again would list islands in another order.
        MOTIONS.rows(tables)[body].flags |= ENABLED
        if not (in_lanes and is_for_lanes(tables, island, body, get3(new[body].angular), h, corrections)):
            _move_body(tables, body, h, corrections)
            continue
        members[waiting] = body
        waiting += 1
        if waiting == LANES:
            _move_waiting(tables, waiting, h, corrections)
            waiting = 0
    return waiting


@kernel
def _move_waiting(tables, waiting, h, corrections):
    """Move the bodies that wait, at most eight."""
    if waiting == 0:
        return
    members = INTEGERS.rows(tables)
    for k in range(waiting, LANES):
        members[k] = members[0]
    move_slow_bodies(
        members,
        MOTIONS.rows(tables),
        POSES.rows(tables),
        INERTIAS.rows(tables),
        LOADS.rows(tables),
        REACTIONS.rows(tables) if corrections == VELOCITIES_GIVEN else UNCONSTRAINED.rows(tables),
        CORRECTIONS.rows(tables),
        h,
        1.0 if corrections else 0.0,
        1.0 if corrections == VELOCITIES_GIVEN else 0.0,
    )


@kernel
def _sum_reactions(tables, island):
    """Jᵀλ for each body of the island."""
    members = ISLAND_BODIES.rows(tables)
    sums = REACTIONS.rows(tables)
    for b in range(island.first_body, island.first_body + island.bodies):
        for k in range(3):
            sums[members[b]].linear[k] = 0.0
            sums[members[b]].angular[k] = 0.0
    for r in range(island.first_row, island.first_row + island.rows):
        row = ROWS.rows(tables)[r]
        force = FORCES.rows(tables)[r]
        if row.slot0 >= 0:
            _add_force(sums[members[island.first_body + row.slot0]], row.j0, force)
        if row.slot1 >= 0:
            _add_force(sums[members[island.first_body + row.slot1]], row.j1, force)


@kernel
def _add_force(total, j, force):
    for k in range(3):
        total.linear[k] += j[k] * force
        total.angular[k] += j[3 + k] * force


@kernel
def _accelerate(tables, island, h):
    """Put the new velocities where the bodies' unconstrained accelerations were. False: they are not finite."""
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
        load, push = EXTERNALS.rows(tables)[body], REACTIONS.rows(tables)[body]
        turning = times(get9(inertia.world_inverse), add(get3(load.angular), get3(push.angular)))
        pull = add(get3(load.linear), get3(push.linear))
        w = get3(motion.angular_velocity)
        if WORLDS.rows(tables)[0].integrator == VERLET:
            _, w, _ = turn_freely(tables, body, get4(POSES.rows(tables)[body].quaternion), w, 0.5 * h)
        v = add_scaled(get3(motion.linear_velocity), h * motion.inverse_mass, pull)
        w = add_scaled(w, h, turning)
        x = add_scaled(get3(POSES.rows(tables)[body].position), h, v)
        # One product with zero is finite exactly if every factor is.
        if not isfinite(0.0 * (dot(v, v) + dot(w, w) + dot(x, x))):
            return False
        new = UNCONSTRAINED.rows(tables)[body]
        set3(new.linear, v)
        set3(new.angular, w)
    return True


@kernel
def _freeze(tables, island):
    """Exclude the island's bodies from further steps, and count the fault."""
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        motion = MOTIONS.rows(tables)[body]
        motion.flags = (motion.flags & ~ENABLED) | FAULTY
        _clear_load(LOADS.rows(tables)[body])  # what may have been the cause does not act again
    REPORTS.rows(tables)[0].faults += 1


@kernel
def _move_body(tables, body, h, corrections):
    """Move one body by its new velocities."""
    motion, pose = MOTIONS.rows(tables)[body], POSES.rows(tables)[body]
    new = UNCONSTRAINED.rows(tables)[body]
    if corrections == VELOCITIES_GIVEN:
        new = REACTIONS.rows(tables)[body]
    v, w, q = get3(new.linear), get3(new.angular), get4(pose.quaternion)
    most = BODY_SETTINGS.rows(tables)[body].max_angular_speed if motion.flags & DAMPED else inf
    integrator = integrator_of(tables, body)
    mean, turned = v, (0.0, 0.0, 0.0)
    w = _limited(w, most)
    if integrator == EULER:
        q = normalize4(_turned(tables, body, w, q, h))
    elif integrator == VERLET:
        mean = scale(0.5, add(v, get3(motion.linear_velocity)))
        q, _, _ = turn_freely(tables, body, q, get3(motion.angular_velocity), 0.5 * h)
        q, w, _ = turn_freely(tables, body, q, w, 0.5 * h)
        w = _limited(w, most)
    elif integrator == DEFERRED:
        q, _, turning = turn_freely(tables, body, q, w, h)
        if corrections == VELOCITIES_GIVEN:
            turned = turning
    else:
        q, w, _ = turn_freely(tables, body, q, w, h)
        w = _limited(w, most)
    if integrator != DEFERRED:
        INERTIAS.rows(tables)[body].world_inverse[0] = 0.0
    x = add_scaled(get3(pose.position), h, mean)
    if corrections:
        x, q, w = corrected(tables, body, h, x, q, w, turned)
    set3(motion.linear_velocity, v)
    set3(motion.angular_velocity, w)
    set3(pose.position, x)
    set4(pose.quaternion, q)
    set9(pose.rotation, to_matrix(q))
    _clear_load(LOADS.rows(tables)[body])


@kernel
def _clear_load(load):
    set3(load.force, (0.0, 0.0, 0.0))
    set3(load.torque, (0.0, 0.0, 0.0))


@kernel
def _limited(w, most):
    """Angular velocity `w`, scaled down to the speed `most`."""
    square = dot(w, w)
    if square > most * most:
        return scale(most / sqrt(square), w)
    return w


@kernel
def _turned(tables, body, w, q, h):
    """Euler's orientation after h, by the body's rotation mode; not yet normalised.

    Infinitesimal: q + h dq/dt. Finite: the exact turn of w. Finite about an axis a: the exact turn of w's part along a,
    then half of the infinitesimal turn of the rest (half, because ODE has it so: its step size was halved before).
    """
    flags = MOTIONS.rows(tables)[body].flags
    if not flags & FINITE_ROTATION:
        return _euler_step(w, q, h)
    if not flags & FINITE_AXIS:
        return multiply(from_spin(w, h), q)
    axis = get3(BODY_SETTINGS.rows(tables)[body].finite_axis)
    along = scale(dot(axis, w), axis)
    return _euler_step(subtract(w, along), multiply(from_spin(along, h), q), 0.5 * h)


@kernel
def _euler_step(w, q, h):
    """q + h dq/dt, not normalised."""
    d = rate(w, q)
    return q[0] + h * d[0], q[1] + h * d[1], q[2] + h * d[2], q[3] + h * d[3]
