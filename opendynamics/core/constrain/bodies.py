"""What rows need of bodies, before there are any: world inverse inertias, external forces, and mean angular velocities.

For each body: external force f (user's loads, gravity; Euler's also the gyroscopic torque), and where it would go without
constraints, a = v/h + M⁻¹ f, once motors at stops have added their forces. What is known of bodies with the default
integrator is computed eight at a time (`body_lanes`).

With free rotation integrated exactly, rows of joints and contacts are for the mean angular velocity of the step: LEADS has what
it is ahead of that at the beginning.
"""

from __future__ import annotations

from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.algebra.mat3 import cross_matrix, determinant, get9, inverse, set9, times, turned
from opendynamics.core.algebra.vec3 import add, dot, get3, negate, scale, set3, subtract
from opendynamics.core.arrays.bodies import GYROSCOPIC, INERTIAS, LOADS, MOTIONS, POSES, WEIGHTLESS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import EXTERNALS, LEADS, UNCONSTRAINED
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.free_rotation import LARGEST_MEAN, is_isotropic, mean_spin, spin_in_contact
from opendynamics.core.bodies.integrators import DEFERRED, ENERGY_MOMENTUM, EULER, VERLET, integrator_of
from opendynamics.core.constrain.body_lanes import is_for_lanes, prepare_in_lanes
from opendynamics.core.kernels import kernel


@kernel
def prepare_bodies(tables, h):
    """Prepare the bodies of every island. Returns whether a mean angular velocity may lead that at the beginning."""
    members, waiting, any_leads = INTEGERS.rows(tables), 0, False
    with_leads = WORLDS.rows(tables)[0].integrator == ENERGY_MOMENTUM
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        for b in range(island.first_body, island.first_body + island.bodies):
            body = ISLAND_BODIES.rows(tables)[b]
            if not (with_leads and is_for_lanes(tables, island, body)):
                prepare_body(tables, body, h)
                any_leads |= with_leads and _note_lead(tables, body, h)
                continue
            any_leads = True
            members[waiting] = body
            waiting += 1
            if waiting == LANES:
                _prepare_waiting(tables, waiting, h)
                waiting = 0
    _prepare_waiting(tables, waiting, h)
    return any_leads


@kernel
def _prepare_waiting(tables, waiting, h):
    """Prepare the bodies that wait, at most eight."""
    if waiting == 0:
        return
    members, gravity = INTEGERS.rows(tables), WORLDS.rows(tables)[0].gravity
    for k in range(waiting, LANES):
        members[k] = members[0]
    prepare_in_lanes(
        members,
        MOTIONS.rows(tables),
        POSES.rows(tables),
        INERTIAS.rows(tables),
        LOADS.rows(tables),
        EXTERNALS.rows(tables),
        LEADS.rows(tables),
        gravity[0],
        gravity[1],
        gravity[2],
        h,
    )
    for k in range(waiting):
        w = get3(MOTIONS.rows(tables)[members[k]].angular_velocity)
        if h * h * dot(w, w) > LARGEST_MEAN * LARGEST_MEAN:
            _note_lead(tables, members[k], h)


@kernel
def prepare_body(tables, body, h):
    """The body's world inverse inertia, and every force on it that is known before the rows are."""
    motion = MOTIONS.rows(tables)[body]
    inertia = INERTIAS.rows(tables)[body]
    load = LOADS.rows(tables)[body]
    external = EXTERNALS.rows(tables)[body]
    torque = get3(load.torque)
    if is_isotropic(inertia.inertia):
        set9(inertia.world_inverse, get9(inertia.inverse))  # turns into itself, and makes no gyroscopic torque
    else:
        rotation = get9(POSES.rows(tables)[body].rotation)
        now = turned(rotation, get9(inertia.inverse))
        if motion.flags & GYROSCOPIC and motion.inverse_mass > 0.0:
            integrator = integrator_of(tables, body)
            if integrator == EULER:
                torque = add(
                    torque, _gyroscopic_torque(rotation, get9(inertia.inertia), get3(motion.angular_velocity), h)
                )
            elif integrator != VERLET:
                _carry_momentum(motion, get9(inertia.world_inverse), now)
        set9(inertia.world_inverse, now)
    weight = 0.0 if motion.flags & WEIGHTLESS else inertia.mass
    gravity = WORLDS.rows(tables)[0].gravity
    for k in range(3):
        external.linear[k] = load.force[k] + weight * gravity[k]
        external.angular[k] = torque[k]


@kernel
def _carry_momentum(motion, before, now):
    """Apply the change of the angular velocity that the last step deferred: I w is unchanged.

    `before`: the inverse inertia that belongs to w, with which it is replaced; zeros: w is that of now. A step that is begun
    again finds both alike.
    """
    if before[0] > 0.0 and before != now:
        momentum = times(inverse(before, determinant(before)), get3(motion.angular_velocity))
        set3(motion.angular_velocity, times(now, momentum))


@kernel
def _gyroscopic_torque(rotation, inertia, spin, h):
    """Implicit in the momentum's turning, as ODE has it: (I (I - h [L]x)⁻¹ - 1) L/h. It damps, and stays stable."""
    tensor = turned(rotation, inertia)
    momentum = times(tensor, spin)
    skew = cross_matrix(momentum)
    mixed = (
        tensor[0],
        tensor[1] - h * skew[1],
        tensor[2] - h * skew[2],
        tensor[3] - h * skew[3],
        tensor[4],
        tensor[5] - h * skew[5],
        tensor[6] - h * skew[6],
        tensor[7] - h * skew[7],
        tensor[8],
    )
    d = determinant(mixed)
    if d == 0.0:
        return 0.0, 0.0, 0.0
    rate = scale(1.0 / h, momentum)
    return add(times(tensor, times(inverse(mixed, d), rate)), negate(rate))


@kernel
def _note_lead(tables, body, h):
    """Note by how much the mean angular velocity of a step's free rotation leads that at its beginning, over h.

    Returns whether it does.
    """
    if is_isotropic(INERTIAS.rows(tables)[body].inertia):
        set3(LEADS.rows(tables)[body].angular, (0.0, 0.0, 0.0))
        return False
    w = get3(MOTIONS.rows(tables)[body].angular_velocity)
    held = integrator_of(tables, body) == DEFERRED
    mean = mean_spin(tables, body, w, h) if held else spin_in_contact(tables, body, w, h)
    lead = scale(1.0 / h, subtract(mean, w))
    set3(LEADS.rows(tables)[body].angular, lead)
    return lead[0] != 0.0 or lead[1] != 0.0 or lead[2] != 0.0


@kernel
def set_unconstrained(tables, body, h):
    """Acceleration without rows, v/h + M⁻¹ f."""
    motion = MOTIONS.rows(tables)[body]
    external = EXTERNALS.rows(tables)[body]
    free = UNCONSTRAINED.rows(tables)[body]
    turning = times(get9(INERTIAS.rows(tables)[body].world_inverse), get3(external.angular))
    spin, rate = get3(motion.angular_velocity), 1.0 / h
    for k in range(3):
        free.linear[k] = motion.linear_velocity[k] * rate + motion.inverse_mass * external.linear[k]
        free.angular[k] = spin[k] * rate + turning[k]
