"""common.h: types of numbers, and vectors, matrices and quaternions of zeros, as C declares them."""

from __future__ import annotations

import math

import numpy as np

from opendynamics.c_api.ids import Array

dReal = float
dTriIndex = dint8 = duint8 = dint16 = duint16 = dint32 = duint32 = dint64 = duint64 = dsizeint = int
dNaN = math.nan


def dVector3() -> Array:
    """Return four zeros, the last of which has no meaning."""
    return np.zeros(4)


def dVector4() -> Array:
    return np.zeros(4)


def dMatrix3() -> Array:
    """Return 3x4 zeros, the last column of which has no meaning."""
    return np.zeros(12)


def dMatrix4() -> Array:
    return np.zeros(16)


def dMatrix6() -> Array:
    """Return 6x8 zeros."""
    return np.zeros(48)


def dQuaternion() -> Array:
    """Return four zeros, for (w, x, y, z)."""
    return np.zeros(4)
