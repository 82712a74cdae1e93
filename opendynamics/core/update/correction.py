"""Pose corrections that do not enter the velocity: x += h² c, and likewise for the orientation, with c of `solve/impacts.py`."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, set9, times, turned
from opendynamics.core.algebra.quat import from_spin, get4, multiply, normalize4, set4, to_matrix
from opendynamics.core.algebra.vec3 import add_scaled, get3, set3
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.rows import CORRECTIONS
from opendynamics.core.bodies.free_rotation import is_isotropic
from opendynamics.core.kernels import kernel


@kernel
def correct_pose(tables, body, h):
    """After the body has moved by its velocities."""
    if MOTIONS.rows(tables)[body].inverse_mass == 0.0:
        return
    pose, correction = POSES.rows(tables)[body], CORRECTIONS.rows(tables)[body]
    set3(pose.position, add_scaled(get3(pose.position), h * h, get3(correction.linear)))
    turn_pose(tables, body, from_spin(get3(correction.angular), h * h))


@kernel
def turn_pose(tables, body, turn):
    """Turn a body about its centre, and its angular velocity with it, unless its inertia is the same about all axes.

    Or the energy would change with the inertia about the axis that the body turns about.
    """
    motion, pose = MOTIONS.rows(tables)[body], POSES.rows(tables)[body]
    q = normalize4(multiply(turn, get4(pose.quaternion)))
    set4(pose.quaternion, q)
    set9(pose.rotation, to_matrix(q))
    inertia = INERTIAS.rows(tables)[body]
    if not is_isotropic(inertia.inertia):
        set3(motion.angular_velocity, times(to_matrix(turn), get3(motion.angular_velocity)))
        if inertia.world_inverse[0] > 0.0:
            set9(inertia.world_inverse, turned(to_matrix(turn), get9(inertia.world_inverse)))
