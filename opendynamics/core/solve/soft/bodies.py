"""Bodies in the sub-steps: external forces, displacements, and their result for the step.

Joints' own kernels fill in joint rows, so poses and velocities are written to the tables during sub-steps and restored
afterwards. The step moves the bodies once, by the velocity v at the end of the last sub-step; the difference between the
displacement of the sub-steps and that of v is the pose correction (CORRECTIONS).
"""

from __future__ import annotations

from math import atan, cos, isfinite, sin, sqrt

from opendynamics.core.algebra.mat3 import get9, set9, times, turned
from opendynamics.core.algebra.quat import from_spin, multiply, normalize4, set4, to_matrix
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, get3_from, put3_at, scale, set3, subtract
from opendynamics.core.arrays.bodies import FINITE_ROTATION, INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.rows import CORRECTIONS, EXTERNALS, LEADS, REACTIONS, UNCONSTRAINED
from opendynamics.core.bodies.free_rotation import is_isotropic
from opendynamics.core.bodies.integrators import DEFERRED, ENERGY_MOMENTUM, EULER, integrator_of
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import put6, vector
from opendynamics.core.solve.soft.plan.layout import (
    BEFORE,
    BODY,
    COLD,
    FREE,
    INVERSE_MASS,
    IS_SLENDER,
    MOVED,
    SAVED,
    START,
    TENSOR,
    TURN,
    VELOCITY,
    lanes_of,
    scratch_of,
)

# Squared angles below which a series is as accurate as sine and cosine.
SMALL = 0.05

ZERO_TENSOR = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

# Energy that contacts may create, relative to that before the step.
NEGLIGIBLE = 1e-10

# Product of the traces of an inertia and its inverse, 9 of a ball, beyond which a body is not solved in lanes: of its inverse
# inertia in the world, float32 would keep poison of the smallest moment.
SLENDER = 1e5

# Of a body's saved state.
POSITION, QUATERNION, ROTATION, SPEEDS = 0, 3, 7, 16


@kernel
def begin_masses(tables, island):
    """Set the inverse masses of the records, for the colouring, and note slender bodies; the static world's is 0."""
    floats = FLOATS.rows(tables)
    static = vector(floats, BODY, island.bodies)
    for k in range(BODY):
        static[k] = 0.0
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        own, inertia = vector(floats, BODY, slot), INERTIAS.rows(tables)[body]
        own[INVERSE_MASS] = MOTIONS.rows(tables)[body].inverse_mass
        own[IS_SLENDER] = _trace(inertia.inertia) * _trace(inertia.inverse) > SLENDER


@kernel
def _trace(tensor):
    return tensor[0] + tensor[4] + tensor[8]


@kernel
def begin_bodies(tables, island, first, end, h, substeps):
    """Fill the records of the bodies from `first` up to `end`; behind the last, that of the static world."""
    s, tensors = scratch_of(tables, island), lanes_of(tables, island).tensors
    if end == island.bodies:
        _put_tensor(tensors, end, ZERO_TENSOR)
    for slot in range(first, end):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, own, cold = MOTIONS.rows(tables)[body], vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        if own[INVERSE_MASS] > 0.0:
            t = INERTIAS.rows(tables)[body].world_inverse
            _put_tensor(tensors, slot, (t[0], t[1], t[2], t[4], t[5], t[8], own[INVERSE_MASS], 0.0))
        else:
            _put_tensor(tensors, slot, ZERO_TENSOR)
        v, w = get3(motion.linear_velocity), get3(motion.angular_velocity)
        free = UNCONSTRAINED.rows(tables)[body]
        for k in range(3):
            cold[FREE + k] = (h * free.linear[k] - v[k]) / substeps
            cold[FREE + 3 + k] = (h * free.angular[k] - w[k]) / substeps
        if integrator_of(tables, body) == ENERGY_MOMENTUM:
            w = add_scaled(w, h, get3(LEADS.rows(tables)[body].angular))
        put3_at(cold, START, v)
        put3_at(cold, START + 3, w)
        for k in range(6):
            own[VELOCITY + k] = cold[START + k]
            own[MOVED + k] = 0.0


@kernel
def _put_tensor(tensors, slot, tensor):
    own = vector(tensors, TENSOR, slot)
    for k in range(TENSOR):
        own[k] = tensor[k]


@kernel
def save_bodies(tables, island):
    """Save poses and velocities, which sub-steps overwrite in the tables for the joints' kernels."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, pose, saved = MOTIONS.rows(tables)[body], POSES.rows(tables)[body], vector(s.saved, SAVED, slot)
        for k in range(3):
            saved[POSITION + k] = pose.position[k]
            saved[SPEEDS + k] = motion.linear_velocity[k]
            saved[SPEEDS + 3 + k] = motion.angular_velocity[k]
        for k in range(4):
            saved[QUATERNION + k] = pose.quaternion[k]
        for k in range(9):
            saved[ROTATION + k] = pose.rotation[k]


@kernel
def accelerate_bodies(tables, island, first, end):
    """Integrate external forces over a sub-step, and prepare the rotation of arms by the displacements."""
    s = scratch_of(tables, island)
    for slot in range(first, end):
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        v, w = get3_from(own, VELOCITY), get3_from(own, VELOCITY + 3)
        put6(cold, BEFORE, v + w)
        put6(own, VELOCITY, add(v, get3_from(cold, FREE)) + add(w, get3_from(cold, FREE + 3)))
        own[TURN], own[TURN + 1] = _turn_factors(get3_from(own, MOVED + 3))


@kernel
def _turn_factors(angle):
    """Factors of the rotation by a vector: see `ball_lanes`."""
    square = dot(angle, angle)
    if square < SMALL:
        a = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
        b = 0.5 - square / 24.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0))
        return a, b
    size = sqrt(square)
    return sin(size) / size, (1.0 - cos(size)) / square


@kernel
def repeat_change(tables, island, first, end):
    """Apply external forces and warm start impulses by repeating the last sub-step's change: Jacobians are the same."""
    s = scratch_of(tables, island)
    for slot in range(first, end):
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        v, w = get3_from(own, VELOCITY), get3_from(own, VELOCITY + 3)
        change, turn = subtract(v, get3_from(cold, BEFORE)), subtract(w, get3_from(cold, BEFORE + 3))
        put6(cold, BEFORE, v + w)
        put6(own, VELOCITY, add(v, change) + add(w, turn))


@kernel
def displace_bodies(tables, island, first, end, h):
    """Integrate the displacements over a sub-step."""
    s = scratch_of(tables, island)
    for slot in range(first, end):
        own = vector(s.floats, BODY, slot)
        d, turn = get3_from(own, MOVED), get3_from(own, MOVED + 3)
        v, w = get3_from(own, VELOCITY), get3_from(own, VELOCITY + 3)
        put6(own, MOVED, add_scaled(d, h, v) + add_scaled(turn, h, w))


@kernel
def place_bodies(tables, island):
    """Write the current poses and velocities to the tables."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, pose, own = (
            MOTIONS.rows(tables)[body],
            POSES.rows(tables)[body],
            vector(s.floats, BODY, slot),
        )
        saved = vector(s.saved, SAVED, slot)
        for k in range(3):
            pose.position[k] = saved[POSITION + k] + own[MOVED + k]
            motion.linear_velocity[k] = own[VELOCITY + k]
            motion.angular_velocity[k] = own[VELOCITY + 3 + k]
        q = normalize4(multiply(from_spin(get3_from(own, MOVED + 3), 1.0), _quaternion(saved)))
        set4(pose.quaternion, q)
        set9(pose.rotation, to_matrix(q))


@kernel
def _quaternion(saved):
    return saved[QUATERNION], saved[QUATERNION + 1], saved[QUATERNION + 2], saved[QUATERNION + 3]


@kernel
def restore_bodies(tables, island):
    """Restore the poses and velocities of the start of the step in the tables."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, pose, saved = (
            MOTIONS.rows(tables)[body],
            POSES.rows(tables)[body],
            vector(s.saved, SAVED, slot),
        )
        for k in range(3):
            pose.position[k] = saved[POSITION + k]
            motion.linear_velocity[k] = saved[SPEEDS + k]
            motion.angular_velocity[k] = saved[SPEEDS + 3 + k]
        for k in range(4):
            pose.quaternion[k] = saved[QUATERNION + k]
        for k in range(9):
            pose.rotation[k] = saved[ROTATION + k]


@kernel
def finish_bodies(tables, island, first, end, h):
    """Write the velocities, and the corrections by which the displacements differ from what the step makes of these.

    The island becomes faulty if they are not finite.
    """
    s, poison = scratch_of(tables, island), 0.0
    for slot in range(first, end):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, new = MOTIONS.rows(tables)[body], REACTIONS.rows(tables)[body]
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        if not motion.inverse_mass > 0.0:
            set3(new.linear, get3(motion.linear_velocity))
            set3(new.angular, get3(motion.angular_velocity))
            continue
        correction, x = CORRECTIONS.rows(tables)[body], POSES.rows(tables)[body].position
        turning = _turning(tables, body, get3_from(own, VELOCITY + 3), h)
        for k in range(3):
            new.linear[k] = own[VELOCITY + k]
            new.angular[k] = motion.angular_velocity[k] + (own[VELOCITY + 3 + k] - cold[START + 3 + k])
            correction.linear[k] = (own[MOVED + k] / h - own[VELOCITY + k]) / h
            correction.angular[k] = (own[MOVED + 3 + k] / h - turning[k]) / h
            poison += 0.0 * (new.linear[k] + new.angular[k] + own[MOVED + 3 + k] + (x[k] + own[MOVED + k]))
    if not isfinite(poison):
        island.faulty = 1


@kernel
def creates_energy(tables, island, h):
    """Whether contacts create energy in an island without external forces.

    With these, the gain may be their work, returned as a compressed pile expands: limiting it would let the pile sink.
    """
    s, work, before = scratch_of(tables, island), 0.0, 0.0
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        force, torque = EXTERNALS.rows(tables)[body].linear, EXTERNALS.rows(tables)[body].angular
        motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
        if not motion.inverse_mass > 0.0:
            continue
        if force[0] != 0.0 or force[1] != 0.0 or force[2] != 0.0:
            return False
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        gained = _angular_momentum(tables, body, inertia.inertia, _gained_spin(own, cold))
        for k in range(3):
            v, v0 = own[VELOCITY + k], cold[START + k]
            work += inertia.mass * (v - v0) * (v0 + v)
            work += (gained[k] - h * torque[k]) * (
                2.0 * motion.angular_velocity[k] + own[VELOCITY + 3 + k] - cold[START + 3 + k]
            )
            before += inertia.mass * v0 * v0
    return work > NEGLIGIBLE * before


@kernel
def _angular_momentum(tables, body, inertia, gained):
    if is_isotropic(inertia):
        return scale(inertia[0], gained)
    return times(turned(get9(POSES.rows(tables)[body].rotation), get9(inertia)), gained)


@kernel
def _gained_spin(own, cold):
    """Change of the angular velocity."""
    at, start = VELOCITY + 3, START + 3
    return own[at] - cold[start], own[at + 1] - cold[start + 1], own[at + 2] - cold[start + 2]


@kernel
def _turning(tables, body, w, h):
    """The mean angular velocity with which the step turns a body that has `w`, or 0 where `update/move.py` takes account of it.

    It is less than `w` if the integrator adds h dq/dt to the quaternion.
    """
    integrator = integrator_of(tables, body)
    if integrator == DEFERRED:
        return 0.0, 0.0, 0.0
    if integrator != EULER or MOTIONS.rows(tables)[body].flags & FINITE_ROTATION:
        return w
    half = 0.5 * h * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return scale(atan(half) / half, w) if half > 0.0 else w
