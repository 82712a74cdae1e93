"""Bodies in the sub-steps: what acts on them, where they go, and what of it is handed on to the step.

Joints' rows are filled in where the bodies are, so that poses and velocities are written to the tables, and put back after the
sub-steps. The step moves them once, by the velocity v at the end of the last sub-step. For that, external forces become

    f = M (v - v before) / h - Jᵀ λ,     λ the mean of the rows' forces,

and what the displacement of the sub-steps differs from that of v is the pose's correction (CORRECTIONS).
"""

from __future__ import annotations

from math import atan, isfinite, sqrt

from opendynamics.core.algebra.mat3 import get9, set9, times, turned
from opendynamics.core.algebra.quat import from_spin, multiply, normalize4, set4, to_matrix
from opendynamics.core.algebra.vec3 import get3, get3_from, put3_at, scale
from opendynamics.core.arrays.bodies import FINITE_ROTATION, INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import CORRECTIONS, EXTERNALS, FORCES, ROWS, UNCONSTRAINED
from opendynamics.core.bodies.free_rotation import mean_spin
from opendynamics.core.bodies.integrators import ENERGY_MOMENTUM, EULER, integrator_of
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.soft.layout import BODY, FREE, KEPT, MOVED, START, VELOCITY, scratch_of

# Of what is kept of a body.
POSITION, QUATERNION, ROTATION, SPEEDS = 0, 3, 7, 16


@kernel
def begin_bodies(tables, island, h, substeps):
    """Fill in the bodies' records, the static world's among them."""
    s = scratch_of(tables, island)
    static = vector(s.floats, BODY, island.bodies)
    for k in range(BODY):
        static[k] = 0.0
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, pose, own = (
            MOTIONS.rows(tables)[body],
            POSES.rows(tables)[body],
            vector(s.floats, BODY, slot),
        )
        kept = vector(s.kept, KEPT, slot)
        for k in range(3):
            kept[POSITION + k] = pose.position[k]
            kept[SPEEDS + k] = motion.linear_velocity[k]
            kept[SPEEDS + 3 + k] = motion.angular_velocity[k]
        for k in range(4):
            kept[QUATERNION + k] = pose.quaternion[k]
        for k in range(9):
            kept[ROTATION + k] = pose.rotation[k]
        v, w = get3(motion.linear_velocity), get3(motion.angular_velocity)
        if integrator_of(tables, body) == ENERGY_MOMENTUM:
            w = mean_spin(tables, body, w, h)
        put3_at(own, START, v)
        put3_at(own, START + 3, w)
        free = UNCONSTRAINED.rows(tables)[body]
        for k in range(3):
            own[FREE + k] = (h * free.linear[k] - v[k]) / substeps
            own[FREE + 3 + k] = (h * free.angular[k] - w[k]) / substeps
        for k in range(6):
            own[VELOCITY + k] = own[START + k]
            own[MOVED + k] = 0.0


@kernel
def accelerate_bodies(tables, island):
    """Add what a sub-step without constraints adds to the velocities."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        own = vector(s.floats, BODY, slot)
        for k in range(6):
            own[VELOCITY + k] += own[FREE + k]


@kernel
def displace_bodies(tables, island, h):
    """Add what the velocities move in a sub-step."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        own = vector(s.floats, BODY, slot)
        for k in range(6):
            own[MOVED + k] += h * own[VELOCITY + k]


@kernel
def place_bodies(tables, island):
    """Let the tables have the poses and velocities of now."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, pose, own = (
            MOTIONS.rows(tables)[body],
            POSES.rows(tables)[body],
            vector(s.floats, BODY, slot),
        )
        kept = vector(s.kept, KEPT, slot)
        for k in range(3):
            pose.position[k] = kept[POSITION + k] + own[MOVED + k]
            motion.linear_velocity[k] = own[VELOCITY + k]
            motion.angular_velocity[k] = own[VELOCITY + 3 + k]
        q = normalize4(multiply(from_spin(get3_from(own, MOVED + 3), 1.0), _quaternion(kept)))
        set4(pose.quaternion, q)
        set9(pose.rotation, to_matrix(q))


@kernel
def _quaternion(kept):
    return kept[QUATERNION], kept[QUATERNION + 1], kept[QUATERNION + 2], kept[QUATERNION + 3]


@kernel
def put_bodies_back(tables, island):
    """Let the tables have the poses and velocities of the beginning."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, pose, kept = (
            MOTIONS.rows(tables)[body],
            POSES.rows(tables)[body],
            vector(s.kept, KEPT, slot),
        )
        for k in range(3):
            pose.position[k] = kept[POSITION + k]
            motion.linear_velocity[k] = kept[SPEEDS + k]
            motion.angular_velocity[k] = kept[SPEEDS + 3 + k]
        for k in range(4):
            pose.quaternion[k] = kept[QUATERNION + k]
        for k in range(9):
            pose.rotation[k] = kept[ROTATION + k]


@kernel
def hand_on(tables, island, h):
    """Let the step give the bodies their velocities and displacements of now. False: they are not finite."""
    s = scratch_of(tables, island)
    _sum_reactions(tables, island)
    island.corrected = 1
    nothing = 0.0
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        motion, inertia, own = (
            MOTIONS.rows(tables)[body],
            INERTIAS.rows(tables)[body],
            vector(s.floats, BODY, slot),
        )
        if not motion.inverse_mass > 0.0:
            continue
        tensor = turned(get9(POSES.rows(tables)[body].rotation), get9(inertia.inertia))
        gained = _gained_spin(own)
        torque = times(tensor, gained)
        external, correction = EXTERNALS.rows(tables)[body], CORRECTIONS.rows(tables)[body]
        turning = _turning(tables, body, get3_from(own, VELOCITY + 3), h)
        for k in range(3):
            external.linear[k] = inertia.mass * (own[VELOCITY + k] - own[START + k]) / h - own[FREE + k]
            external.angular[k] = torque[k] / h - own[FREE + 3 + k]
            correction.linear[k] = (own[MOVED + k] / h - own[VELOCITY + k]) / h
            correction.angular[k] = (own[MOVED + 3 + k] / h - turning[k]) / h
            nothing += 0.0 * (own[VELOCITY + k] + own[VELOCITY + 3 + k] + own[MOVED + k] + own[MOVED + 3 + k])
    return isfinite(nothing)


@kernel
def _gained_spin(own):
    """By how much the angular velocity has changed."""
    at, start = VELOCITY + 3, START + 3
    return own[at] - own[start], own[at + 1] - own[start + 1], own[at + 2] - own[start + 2]


@kernel
def _turning(tables, body, w, h):
    """The angular velocity that the step turns a body by, if it has `w`: less where it adds h dq/dt to the quaternion."""
    if integrator_of(tables, body) != EULER or MOTIONS.rows(tables)[body].flags & FINITE_ROTATION:
        return w
    half = 0.5 * h * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return scale(atan(half) / half, w) if half > 0.0 else w


@kernel
def _sum_reactions(tables, island):
    """Jᵀ λ of each body, in the place of FREE."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies + 1):
        own = vector(s.floats, BODY, slot)
        for k in range(6):
            own[FREE + k] = 0.0
    for r in range(island.first_row, island.first_row + island.rows):
        row, force = ROWS.rows(tables)[r], FORCES.rows(tables)[r]
        if row.slot0 >= 0:
            own = vector(s.floats, BODY, row.slot0)
            for k in range(6):
                own[FREE + k] += force * row.j0[k]
        if row.slot1 >= 0:
            own = vector(s.floats, BODY, row.slot1)
            for k in range(6):
                own[FREE + k] += force * row.j1[k]
