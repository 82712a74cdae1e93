"""Rotations as matrices (3, 3) and quaternions (w, x, y, z), both from body to world. Angles in rad."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.other_engines import remedy
from opendynamics.api.quaternions import quaternion_of
from opendynamics.api.suggestions import explain_function, nearest
from opendynamics.api.types import Matrix, Vector
from opendynamics.api.units import check_written_angle

Array = npt.NDArray[np.float64]

ROUNDING = 1e-9  # squared lengths of quaternions this close to 1 are left as they are


@explain_function
def identity() -> Array:
    """The identity rotation matrix."""
    return np.eye(3)


@explain_function
def from_axis_angle(axis: Vector, angle: float) -> Array:
    """Rotation matrix by `angle`, rad, about `axis`, of any length; the identity for the zero axis."""
    return matrix_from_quaternion(quaternion_from_axis_angle(axis, angle))


@explain_function
def from_euler(phi: float, theta: float, psi: float) -> Array:
    """ODE's Euler angles (dRFromEulerAngles): the transpose of Rz(psi) Ry(theta) Rx(phi). See also `from_roll_pitch_yaw`."""
    angles = [checks.finite("each Euler angle", angle) for angle in (phi, theta, psi)]
    for angle in (phi, theta, psi):
        check_written_angle("an Euler angle", angle)
    (cx, sx), (cy, sy), (cz, sz) = [(math.cos(angle), math.sin(angle)) for angle in angles]
    return np.array(
        [
            [cz * cy, sz * cy, -sy],
            [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx],
            [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx],
        ]
    )


@explain_function
def from_roll_pitch_yaw(roll: float, pitch: float, yaw: float) -> Array:
    """Rz(yaw) Ry(pitch) Rx(roll), as in URDF, ROS and PyBullet: about the fixed axes x, then y, then z."""
    return from_euler(roll, pitch, yaw).T


@explain_function
def from_two_axes(x: Vector, y: Vector) -> Array:
    """Matrix with the columns `x`, `y` orthogonalised to it, and their cross product."""
    a, b = checks.direction("the first axis", x), checks.direction("the second axis", y)
    k = _dot(a, b)
    if math.dist(b, [k * part for part in a]) < 1e-12:
        raise ValueError(f"the two axes must not be parallel: {x!r} and {y!r}")
    a, b = checks.vector("the first axis", x), checks.vector("the second axis", y)
    if _is_of_usual_length(a) and _is_of_usual_length(b):
        k = 1.0 / math.sqrt(_dot(a, a))
        a = tuple(k * part for part in a)
    else:
        a, b = checks.direction("the first axis", a), checks.direction("the second axis", b)
    k = _dot(a, b)
    b = tuple(second - k * first for first, second in zip(a, b, strict=True))
    k = 1.0 / math.sqrt(_dot(b, b))
    b = tuple(k * part for part in b)
    return np.column_stack([a, b, np.cross(a, b)])


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _is_of_usual_length(v: Iterable[float]) -> bool:
    """Whether squares of its numbers are neither too large nor lost."""
    return 1e-100 < max(map(abs, v)) < 1e100


@explain_function
def from_z_axis(z: Vector) -> Array:
    """Rotation matrix whose third column is `z`; the others are those of `plane_space`."""
    axis = checks.direction("the axis", z)
    p, q = plane_space(axis)
    return np.column_stack([p, q, axis])


@explain_function
def plane_space(normal: Vector) -> tuple[Array, Array]:
    """Two unit vectors that form a right-handed frame with the unit vector `normal` (ODE's dPlaneSpace)."""
    x, y, z = checks.vector("the normal", normal)
    if x == y == z == 0.0:
        raise ValueError("the normal must not be the zero vector: it has no plane")
    if abs(z) > math.sqrt(0.5):
        a = y * y + z * z
        k = 1.0 / math.sqrt(a)
        return np.array([0.0, -z * k, y * k]), np.array([a * k, -x * (y * k), x * (-z * k)])
    a = x * x + y * y
    k = 1.0 / math.sqrt(a)
    return np.array([-y * k, x * k, 0.0]), np.array([-z * (x * k), z * (-y * k), a * k])


@explain_function
def quaternion_from_axis_angle(axis: Vector, angle: float) -> Array:
    """Quaternion of a rotation by `angle`, rad, about `axis`, of any length; the identity for the zero axis."""
    v = np.array(checks.vector("the axis", axis))
    half = 0.5 * checks.finite("the angle", angle)
    check_written_angle("the angle", angle)
    largest = abs(v).max()
    if largest == 0.0:
        return np.array([1.0, 0.0, 0.0, 0.0])
    if not _is_of_usual_length(v):
        v = v / largest
    x, y, z = v.tolist()
    k = math.sin(half) * (1.0 / math.sqrt(x * x + y * y + z * z))
    return np.array([math.cos(half), x * k, y * k, z * k])


@explain_function
def quaternion_from_matrix(matrix: Matrix) -> Array:
    """The quaternion of a rotation matrix; the largest of its four numbers is computed first."""
    return quaternion_of(checks.rotation("the matrix", matrix))


@explain_function
def matrix_from_quaternion(quaternion: Vector) -> Array:
    """The rotation matrix, shape (3, 3), of a quaternion (w, x, y, z) of any length but zero."""
    numbers = checks.vector("the quaternion", quaternion, 4)
    if abs(sum(x * x for x in numbers) - 1.0) > ROUNDING:
        numbers = checks.quaternion("the quaternion", quaternion)
    return np.array(matrix_numbers(numbers)).reshape(3, 3)


def matrix_numbers(quaternion: Any) -> tuple[Any, ...]:
    """The nine numbers, row by row, of the rotation matrix of a unit quaternion; of (4, n), nine arrays for n quaternions."""
    w, x, y, z = quaternion
    return (
        *(1 - 2 * y * y - 2 * z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        *(2 * (x * y + w * z), 1 - 2 * x * x - 2 * z * z, 2 * (y * z - w * x)),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * x * x - 2 * y * y),
    )


@explain_function
def multiply(a: Vector, b: Vector) -> Array:
    """The quaternion product a b: first `b`, then `a`."""
    return np.array(product(checks.vector("the first quaternion", a, 4), checks.vector("the second quaternion", b, 4)))


def product(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """`multiply` without checks."""
    w, x, y, z = a
    s, i, j, k = b
    return (
        w * s - x * i - y * j - z * k,
        w * i + x * s + y * k - z * j,
        w * j + y * s + z * i - x * k,
        w * k + z * s + x * j - y * i,
    )


@explain_function
def conjugate(quaternion: Vector) -> Array:
    """The inverse of a unit quaternion."""
    w, x, y, z = checks.vector("the quaternion", quaternion, 4)
    return np.array([w, -x, -y, -z])


@explain_function
def quaternion_rate(angular_velocity: Vector, quaternion: Vector) -> Array:
    """dq/dt at orientation `quaternion` for a world `angular_velocity`, rad/s: half of (0, w) q."""
    x, y, z = checks.vector("the angular velocity", angular_velocity)
    w, i, j, k = checks.vector("the quaternion", quaternion, 4)
    return 0.5 * np.array(
        [-x * i - y * j - z * k, x * w + y * k - z * j, -x * k + y * w + z * i, x * j - y * i + z * w]
    )


def __getattr__(name: str) -> Any:
    end = "" if name.startswith("_") else remedy([__name__], name) or nearest(name, globals())
    raise AttributeError(f"module 'opendynamics.rotation' has no attribute {name!r}{end}")
