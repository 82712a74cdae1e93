"""rotation.h and compatibility.h: rotation matrices (12 numbers) and quaternions (4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks, rotation
from opendynamics.api.quaternions import quaternion_of
from opendynamics.c_api.ids import Array, matrix12, matrix33, three


def dRSetIdentity() -> Array:
    return matrix12(rotation.identity())


def dRFromAxisAndAngle(ax: float, ay: float, az: float, angle: float) -> Array:
    return matrix12(rotation.from_axis_angle((ax, ay, az), angle))


def dRFromEulerAngles(phi: float, theta: float, psi: float) -> Array:
    return matrix12(rotation.from_euler(phi, theta, psi))


def dRFrom2Axes(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Array:
    """The matrix whose first column is a, and whose second is the component of b perpendicular to a, normalised."""
    return matrix12(rotation.from_two_axes((ax, ay, az), (bx, by, bz)))


def dRFromZAxis(ax: float, ay: float, az: float) -> Array:
    return matrix12(rotation.from_z_axis((ax, ay, az)))


def dQSetIdentity() -> Array:
    return rotation.quaternion_from_matrix(rotation.identity())


def dQFromAxisAndAngle(ax: float, ay: float, az: float, angle: float) -> Array:
    return rotation.quaternion_from_axis_angle((ax, ay, az), angle)


def dQMultiply0(qb: Any, qc: Any) -> Array:
    """qb qc: first qc, then qb."""
    return rotation.multiply(qb, qc)


def dQMultiply1(qb: Any, qc: Any) -> Array:
    """The inverse of qb, times qc."""
    return rotation.multiply(rotation.conjugate(qb), qc)


def dQMultiply2(qb: Any, qc: Any) -> Array:
    """qb times the inverse of qc."""
    return rotation.multiply(qb, rotation.conjugate(qc))


def dQMultiply3(qb: Any, qc: Any) -> Array:
    """The inverse of qb, times the inverse of qc."""
    return rotation.multiply(rotation.conjugate(qb), rotation.conjugate(qc))


def dRfromQ(q: Any) -> Array:
    numbers = rotation.matrix_numbers(checks.vector("the quaternion", q, 4))  # ODE does not normalise it
    return matrix12(np.array(numbers).reshape(3, 3))


def dQfromR(R: Any) -> Array:
    """That of the matrix as it is given; it is not normalised."""
    rotation.quaternion_from_matrix(matrix33(R))  # an error if that is no rotation
    return quaternion_of(matrix33(R))


def dDQfromW(w: Any, q: Any) -> Array:
    """The rate of the quaternion q at the angular velocity w."""
    return rotation.quaternion_rate(three(w), q)


def orthogonalised(matrix: Array) -> Array:
    """What ODE makes of the matrix of a body, to the last bit, on which the order of contacts of aligned boxes depends.

    A matrix that is a rotation to fewer digits than rounding leaves is returned as it is.
    """
    if not (abs(matrix @ matrix.T - np.eye(3)) <= checks.ROUNDING).all():
        return matrix
    x, y, _ = matrix.tolist()
    projection = _dot(x, y)
    x = _unit(x)
    if projection == 0.0:
        y = other = _unit(y)
    else:
        other = _unit([b - projection * a for a, b in zip(x, y, strict=True)])
    z = (x[1] * other[2] - x[2] * other[1], x[2] * other[0] - x[0] * other[2], x[0] * other[1] - x[1] * other[0])
    return np.array([x, y, z])


def _unit(v: Any) -> Any:
    return v if _dot(v, v) == 1.0 else checks.normalized(v)


def _dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


dQtoR = dRfromQ
dRtoQ = dQfromR
dWtoDQ = dDQfromW
