"""Many rotations at once: quaternions (w, x, y, z), shape (n, 4), and matrices, shape (n, 3, 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def products(p: Array, q: Array) -> Array:
    """Hamilton's product p q of each pair: first the rotation q, then p."""
    a, b = p[:, :1], q[:, :1]
    u, v = p[:, 1:], q[:, 1:]
    real = a * b - (u * v).sum(axis=1, keepdims=True)
    return np.concatenate([real, a * v + b * u + np.cross(u, v)], axis=1)


def turned(q: Array, vectors: Any) -> Array:
    """Each vector rotated by its unit quaternion: v + 2 w (u × v) + 2 u × (u × v)."""
    u, v = q[:, 1:], np.asarray(vectors)
    once = 2.0 * np.cross(u, v)
    return np.asarray(v + q[:, :1] * once + np.cross(u, once))


def quaternions_of(matrices: Any) -> Array:
    """Quaternions of rotation matrices. Four times the outer product of the quaternion with itself is linear in the matrix;
    its row with the largest diagonal element is taken, and normalised (Shepperd, J. Guidance and Control 1, 1978).
    """
    m = np.asarray(matrices, np.float64).reshape(-1, 3, 3)
    (a, b, c), (d, e, f), (g, h, i) = (m[:, k].T for k in range(3))
    rows = np.stack(
        [
            np.stack([1 + a + e + i, h - f, c - g, d - b], axis=1),
            np.stack([h - f, 1 + a - e - i, b + d, c + g], axis=1),
            np.stack([c - g, b + d, 1 - a + e - i, f + h], axis=1),
            np.stack([d - b, c + g, f + h, 1 - a - e + i], axis=1),
        ],
        axis=1,
    )
    best = rows[np.arange(len(m)), np.einsum("nkk->nk", rows).argmax(axis=1)]
    return np.asarray(best / np.linalg.norm(best, axis=1, keepdims=True))
