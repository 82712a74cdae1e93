"""Transfer: what goes between a robot and the tables of its world in every step, compiled.

Reads POSES and MOTIONS of the bodies of its parts; gives poses and velocities of links, displacements and velocities of
joints, and the forces and torques that efforts u put on the parts. A link i in part k, whose frame stands at p_i, R_i in
the part's and whose part has its centre of mass at c_k:

    x_i = X_k + Q_k (p_i - c_k),   Q_i = Q_k R_i,   v_i = V_k + w_k x Q_k (p_i - c_k).

A revolute joint about s turns by the angle of Rᵀ Q_parentᵀ Q_child, the nearest to the one before; a prismatic joint
slides by s . (x_child - x_parent - Q_parent t). Efforts act on the child, and the opposite on the parent.
"""

from __future__ import annotations

import math

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import cross, dot, subtract
from opendynamics.core.arrays.bodies import MOTIONS, POSES
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel

_VECTOR = types.Array(types.float64, 1, "C")
_ROWS = types.Array(types.int64, 1, "C")
_VECTORS = types.Array(types.float64, 2, "C")
_MATRICES = types.Array(types.float64, 3, "C")

# Of a model's tree, which nothing changes.
_FIXED_FLAGS = types.Array(types.boolean, 1, "C", readonly=True)
_FIXED_ROWS = types.Array(types.int64, 1, "C", readonly=True)
_FIXED_VECTORS = types.Array(types.float64, 2, "C", readonly=True)
_FIXED_MATRICES = types.Array(types.float64, 3, "C", readonly=True)


@kernel
def _row(array, k):
    """Vector k of an array (n, 3)."""
    return array[k, 0], array[k, 1], array[k, 2]


@kernel
def _turned(turns, k, v):
    """Matrix k of an array (n, 3, 3), applied to a vector."""
    return (
        turns[k, 0, 0] * v[0] + turns[k, 0, 1] * v[1] + turns[k, 0, 2] * v[2],
        turns[k, 1, 0] * v[0] + turns[k, 1, 1] * v[1] + turns[k, 1, 2] * v[2],
        turns[k, 2, 0] * v[0] + turns[k, 2, 1] * v[1] + turns[k, 2, 2] * v[2],
    )


@kernel
def move_links(tables, rows, parts, centers, offsets, frames, positions, rotations, velocities, spins):
    """Poses and velocities of the links.

    Args:
        tables: of the world.
        rows: of each part's body in the tables.
        parts: part of each link.
        centers: of mass, in each part's frame.
        offsets, frames: of each link in its part's.
        positions, rotations, velocities, spins: results, in the world.
    """
    for i in range(len(parts)):
        k = parts[i]
        pose, motion = POSES.rows(tables)[rows[k]], MOTIONS.rows(tables)[rows[k]]
        turn = pose.rotation
        for r in range(3):
            for c in range(3):
                total = 0.0
                for m in range(3):
                    total += turn[3 * r + m] * frames[i, m, c]
                rotations[i, r, c] = total
        local = subtract(_row(offsets, i), _row(centers, k))
        arm = (
            turn[0] * local[0] + turn[1] * local[1] + turn[2] * local[2],
            turn[3] * local[0] + turn[4] * local[1] + turn[5] * local[2],
            turn[6] * local[0] + turn[7] * local[1] + turn[8] * local[2],
        )
        w = (motion.angular_velocity[0], motion.angular_velocity[1], motion.angular_velocity[2])
        carried = cross(w, arm)
        for c in range(3):
            positions[i, c] = pose.position[c] + arm[c]
            velocities[i, c] = motion.linear_velocity[c] + carried[c]
            spins[i, c] = w[c]


@entry(types.void(TABLES, _ROWS, _ROWS, _VECTORS, _VECTORS, _MATRICES, _VECTORS, _MATRICES, _VECTORS, _VECTORS))
def read_links(tables, rows, parts, centers, offsets, frames, positions, rotations, velocities, spins):
    """`move_links` of one robot."""
    move_links(tables, rows, parts, centers, offsets, frames, positions, rotations, velocities, spins)


@kernel
def measure_joints(
    children, parents, revolute, axes, places, frames, positions, rotations, velocities, spins, before, q, dq
):
    """Displacements and velocities of the joints.

    Args:
        children, parents: links of each joint.
        revolute: whether it turns; otherwise it slides.
        axes: in the child's frame.
        places, frames: of the child in the parent's frame at zero displacement.
        positions, rotations, velocities, spins: of the links, from `move_links`.
        before: displacements of the last reading.
        q, dq: results.
    """
    for j in range(len(children)):
        i, p = children[j], parents[j]
        local = _row(axes, j)
        axis = _turned(rotations, i, local)
        if revolute[j]:
            # The columns of Q_parent R against those of Q_child: sine and cosine of the angle about the axis.
            sine, trace = 0.0, 0.0
            for c in range(3):
                rest = _turned(rotations, p, (frames[j, 0, c], frames[j, 1, c], frames[j, 2, c]))
                now = (rotations[i, 0, c], rotations[i, 1, c], rotations[i, 2, c])
                trace += dot(rest, now)
                sine += 0.5 * dot(axis, cross(rest, now))
            angle = math.atan2(sine, 0.5 * (trace - 1.0))
            q[j] = angle + 2.0 * math.pi * round((before[j] - angle) / (2.0 * math.pi))
            dq[j] = dot(axis, subtract(_row(spins, i), _row(spins, p)))
        else:
            arm = subtract(_row(positions, i), _row(positions, p))
            q[j] = dot(axis, subtract(arm, _turned(rotations, p, _row(places, j))))
            against = subtract(subtract(_row(velocities, i), _row(velocities, p)), cross(_row(spins, p), arm))
            dq[j] = dot(axis, against)


@entry(
    types.void(
        _FIXED_ROWS, _FIXED_ROWS, _FIXED_FLAGS, _FIXED_VECTORS, _FIXED_VECTORS, _FIXED_MATRICES,
        _VECTORS, _MATRICES, _VECTORS, _VECTORS, _VECTOR, _VECTOR, _VECTOR,
    )
)  # fmt: skip
def read_joints(
    children, parents, revolute, axes, places, frames, positions, rotations, velocities, spins, before, q, dq
):
    """`measure_joints` of one robot."""
    measure_joints(
        children, parents, revolute, axes, places, frames, positions, rotations, velocities, spins, before, q, dq
    )


@kernel
def push_parts(tables, rows, parts, children, parents, revolute, axes, positions, rotations, efforts, forces, torques):
    """Add to forces and torques on the parts, (p, 3), what the efforts of the joints do."""
    for j in range(len(children)):
        i, p = children[j], parents[j]
        child, parent = parts[i], parts[p]
        axis = _turned(rotations, i, _row(axes, j))
        push = (efforts[j] * axis[0], efforts[j] * axis[1], efforts[j] * axis[2])
        if revolute[j]:
            for c in range(3):
                torques[child, c] += push[c]
                torques[parent, c] -= push[c]
            continue
        # Both forces act at the child's origin.
        for part, sign in ((child, 1.0), (parent, -1.0)):
            pose = POSES.rows(tables)[rows[part]]
            center = (pose.position[0], pose.position[1], pose.position[2])
            moment = cross(subtract(_row(positions, i), center), push)
            for c in range(3):
                forces[part, c] += sign * push[c]
                torques[part, c] += sign * moment[c]


@entry(
    types.void(
        TABLES, _ROWS, _ROWS, _FIXED_ROWS, _FIXED_ROWS, _FIXED_FLAGS, _FIXED_VECTORS,
        _VECTORS, _MATRICES, _VECTOR, _VECTORS, _VECTORS,
    )
)  # fmt: skip
def spread_efforts(
    tables, rows, parts, children, parents, revolute, axes, positions, rotations, efforts, forces, torques
):
    """`push_parts` of one robot."""
    push_parts(tables, rows, parts, children, parents, revolute, axes, positions, rotations, efforts, forces, torques)


@entry(types.void(TABLES, _ROWS, _VECTORS))
def read_feedback(tables, joints, feedback):
    """Force and torque of joints, by their rows, on their first bodies in the last step, (n, 6), N and N m: sum of J λ."""
    for k in range(len(joints)):
        joint = JOINTS.rows(tables)[joints[k]]
        feedback[k, :] = 0.0
        for r in range(joint.first_row, joint.first_row + joint.row_count):
            for c in range(6):
                feedback[k, c] += ROWS.rows(tables)[r].j0[c] * FORCES.rows(tables)[r]
