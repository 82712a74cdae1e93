"""Pose corrections that do not enter the velocity: x += h² c, and likewise for the orientation, with c of `solve/impacts.py`."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, set9, times, turned
from opendynamics.core.algebra.quat import from_spin, get4, multiply, normalize4, set4, to_matrix
from opendynamics.core.algebra.vec3 import add_scaled, get3, scale, set3
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.rows import CORRECTIONS
from opendynamics.core.bodies.free_rotation import is_isotropic
from opendynamics.core.kernels import kernel


@kernel
def corrected(tables, body, h, x, q, w, included):
    """Position, orientation and angular velocity of a body that has moved by its velocities, after its correction.

    `included`: the mean angular velocity of that motion as far as the correction contains it.
    """
    if MOTIONS.rows(tables)[body].inverse_mass == 0.0:
        return x, q, w
    correction = CORRECTIONS.rows(tables)[body]
    spin = add_scaled(scale(h, get3(correction.angular)), -1.0, included)
    q, w = _turned(tables, body, from_spin(spin, h), q, w)
    return add_scaled(x, h * h, get3(correction.linear)), q, w


@kernel
def turn_pose(tables, body, turn):
    """Turn a body about its centre, and its angular velocity with it."""
    motion, pose = MOTIONS.rows(tables)[body], POSES.rows(tables)[body]
    q, w = _turned(tables, body, turn, get4(pose.quaternion), get3(motion.angular_velocity))
    set4(pose.quaternion, q)
    set9(pose.rotation, to_matrix(q))
    set3(motion.angular_velocity, w)


@kernel
def _turned(tables, body, turn, q, w):
    """Orientation and angular velocity of a body after a turn: the latter turns, too, unless all moments of inertia are the same.

    Or the energy would change with the inertia about the axis that the body turns about.
    """
    q, inertia = normalize4(multiply(turn, q)), INERTIAS.rows(tables)[body]
    if is_isotropic(inertia.inertia):
        return q, w
    if inertia.world_inverse[0] > 0.0:
        set9(inertia.world_inverse, turned(to_matrix(turn), get9(inertia.world_inverse)))
    return q, times(to_matrix(turn), w)
