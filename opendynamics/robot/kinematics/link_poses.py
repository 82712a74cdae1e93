"""Poses of the links of a model, compiled: each after its parent, x = x_p + R_p (t + s q), R = R_p R_0 exp(a q).

NumPy, one level of the tree at a time, takes ten times as long for thirty links.
"""

from __future__ import annotations

import math

from opendynamics.core import types
from opendynamics.core.kernels import entry, kernel

_ROWS = types.Array(types.int64, 1, "C", readonly=True)
_FLAGS = types.Array(types.boolean, 1, "C", readonly=True)
_FIXED_VECTORS = types.Array(types.float64, 2, "C", readonly=True)
_FIXED_MATRICES = types.Array(types.float64, 3, "C", readonly=True)
_NUMBERS = types.Array(types.float64, 1, "C")
_VECTORS = types.Array(types.float64, 2, "C")
_MATRICES = types.Array(types.float64, 3, "C")


@kernel
def _turn_of_joint(axis, angle):
    """Rotation matrix about a unit axis, row by row: Rodrigues' formula."""
    s, c = math.sin(angle), math.cos(angle)
    x, y, z = axis[0], axis[1], axis[2]
    k = 1.0 - c
    return (
        (k * x * x + c, k * x * y - s * z, k * x * z + s * y),
        (k * y * x + s * z, k * y * y + c, k * y * z - s * x),
        (k * z * x - s * y, k * z * y + s * x, k * z * z + c),
    )


@kernel
def _turn_of_base(q):
    """Rotation matrix of a unit quaternion (w, x, y, z), row by row."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    d = 2.0 * w * w - 1.0
    return (
        (2.0 * x * x + d, 2.0 * x * y - 2.0 * w * z, 2.0 * x * z + 2.0 * w * y),
        (2.0 * y * x + 2.0 * w * z, 2.0 * y * y + d, 2.0 * y * z - 2.0 * w * x),
        (2.0 * z * x - 2.0 * w * y, 2.0 * z * y + 2.0 * w * x, 2.0 * z * z + d),
    )


@kernel
def _product(a, i, b):
    """Matrix i of an array (n, 3, 3), times a matrix of rows."""
    rows = (
        (a[i, 0, 0], a[i, 0, 1], a[i, 0, 2]),
        (a[i, 1, 0], a[i, 1, 1], a[i, 1, 2]),
        (a[i, 2, 0], a[i, 2, 1], a[i, 2, 2]),
    )
    return _times(rows[0], b), _times(rows[1], b), _times(rows[2], b)


@kernel
def _times(row, b):
    x, y, z = row
    return (
        x * b[0][0] + y * b[1][0] + z * b[2][0],
        x * b[0][1] + y * b[1][1] + z * b[2][1],
        x * b[0][2] + y * b[1][2] + z * b[2][2],
    )


@entry(
    types.void(
        _ROWS, _ROWS, _ROWS, _FLAGS, _FIXED_VECTORS, _FIXED_VECTORS, _FIXED_MATRICES,
        _NUMBERS, _VECTORS, _VECTORS, _VECTORS, _MATRICES,
    )
)  # fmt: skip
def place_links(
    parents, joints, bases, revolute, axes, translations, frames, q, base_positions, base_quaternions,
    positions, rotations,
):  # fmt: skip
    """Positions and rotations of the links.

    Args:
        parents: of the links, which come after theirs; -1 for bases.
        joints, bases: number of the joint and of the base of each link; -1 if it has none.
        revolute, axes: of the joints.
        translations, frames: of each link in its parent's frame at zero displacement.
        q: displacements of the joints.
        base_positions, base_quaternions: of the bases.
        positions, rotations: results.
    """
    for i in range(len(parents)):
        joint, base, above = joints[i], bases[i], parents[i]
        if base >= 0:
            turn = _turn_of_base(base_quaternions[base])
            for r in range(3):
                positions[i, r] = base_positions[base, r]
                for c in range(3):
                    rotations[i, r, c] = turn[r][c]
            continue
        x, y, z = translations[i, 0], translations[i, 1], translations[i, 2]
        turn = (
            (frames[i, 0, 0], frames[i, 0, 1], frames[i, 0, 2]),
            (frames[i, 1, 0], frames[i, 1, 1], frames[i, 1, 2]),
            (frames[i, 2, 0], frames[i, 2, 1], frames[i, 2, 2]),
        )
        if joint >= 0 and revolute[joint]:
            turn = _product(frames, i, _turn_of_joint(axes[joint], q[joint]))
        elif joint >= 0:
            sx, sy, sz = q[joint] * axes[joint, 0], q[joint] * axes[joint, 1], q[joint] * axes[joint, 2]
            x += turn[0][0] * sx + turn[0][1] * sy + turn[0][2] * sz
            y += turn[1][0] * sx + turn[1][1] * sy + turn[1][2] * sz
            z += turn[2][0] * sx + turn[2][1] * sy + turn[2][2] * sz
        product = _product(rotations, above, turn)
        for r in range(3):
            positions[i, r] = positions[above, r] + (
                rotations[above, r, 0] * x + rotations[above, r, 1] * y + rotations[above, r, 2] * z
            )
            for c in range(3):
                rotations[i, r, c] = product[r][c]


@entry(types.void(_MATRICES, _VECTORS))
def turn_to_quaternions(turns, quaternions):
    """Quaternions (w, x, y, z) of rotation matrices; the largest of the four numbers is computed first."""
    for k in range(len(turns)):
        r, q = turns[k], quaternions[k]
        trace = r[0, 0] + r[1, 1] + r[2, 2]
        if trace >= 0.0:
            s = math.sqrt(trace + 1.0)
            f = 0.5 / s
            q[0], q[1], q[2], q[3] = 0.5 * s, (r[2, 1] - r[1, 2]) * f, (r[0, 2] - r[2, 0]) * f, (r[1, 0] - r[0, 1]) * f
            continue
        i = 0
        for n in range(1, 3):
            if r[n, n] > r[i, i]:
                i = n
        j, m = (i + 1) % 3, (i + 2) % 3
        s = math.sqrt(r[i, i] - r[j, j] - r[m, m] + 1.0)
        f = 0.5 / s
        q[0] = (r[m, j] - r[j, m]) * f
        q[1 + i] = 0.5 * s
        q[1 + j] = (r[i, j] + r[j, i]) * f
        q[1 + m] = (r[i, m] + r[m, i]) * f
