"""Quaternions of matrices that need not be exact rotations."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]


def quaternion_of(r: Array) -> Array:
    """The quaternion (w, x, y, z) of a matrix (3, 3) that is taken as it is: of length one if that is an exact rotation."""
    trace = r[0, 0] + r[1, 1] + r[2, 2]
    if trace >= 0.0:
        s = math.sqrt(trace + 1.0)
        k = 0.5 / s
        return np.array([0.5 * s, (r[2, 1] - r[1, 2]) * k, (r[0, 2] - r[2, 0]) * k, (r[1, 0] - r[0, 1]) * k])
    i = int(np.argmax(np.diag(r)))
    j, m = (i + 1) % 3, (i + 2) % 3
    s = math.sqrt(r[i, i] - (r[j, j] + r[m, m]) + 1.0)
    k = 0.5 / s
    q = np.empty(4)
    q[0] = (r[m, j] - r[j, m]) * k
    q[1 + i] = 0.5 * s
    q[1 + j] = (r[i, j] + r[j, i]) * k
    q[1 + m] = (r[i, m] + r[m, i]) * k
    return q
