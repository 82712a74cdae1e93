"""odemath.h: normalisation of vectors, bases and rotations, in place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opendynamics.api import rotation
from opendynamics.c_api.ids import Array, matrix12, matrix33


def dSafeNormalize3(a: Any) -> int:
    """Normalise a vector in place; 0 and no change for the zero vector, else 1."""
    largest = max(abs(x) for x in a[:3])
    if not largest > 0.0:
        return 0
    scaled = [x / largest for x in a[:3]]
    length = math.sqrt(sum(x * x for x in scaled))
    a[:3] = [x / length for x in scaled]
    return 1


def dSafeNormalize4(a: Any) -> int:
    """The same for four numbers."""
    square = sum(x * x for x in a[:4])
    if not square > 0.0:
        return 0
    a[:4] = [x / math.sqrt(square) for x in a[:4]]
    return 1


def dNormalize3(a: Any) -> None:
    """The same, for a vector that is not zero."""
    if not dSafeNormalize3(a):
        raise ValueError("the zero vector cannot be made one of length one; dSafeNormalize3 leaves it alone")


def dNormalize4(a: Any) -> None:
    if not dSafeNormalize4(a):
        raise ValueError("four zeros cannot be made a vector of length one; dSafeNormalize4 leaves them alone")


def dPlaneSpace(n: Any) -> tuple[Array, Array]:
    """Two unit vectors that form a right-handed frame with the unit vector n."""
    return rotation.plane_space(n[:3])


def dOrthogonalizeR(m: Any) -> int:
    """Orthogonalise a matrix that is nearly a rotation; 0 if its first two rows are parallel."""
    first, second = (list(row) for row in matrix33(m)[:2])
    good = dot(first, first) == 1.0 or dSafeNormalize3(first)
    along = dot(first, second)
    second = [y - along * x for x, y in zip(first, second, strict=True)]
    good = good and (dot(second, second) == 1.0 or dSafeNormalize3(second))
    if good:
        m[:12] = matrix12(np.array([first, second, np.cross(first, second)]))
    return int(bool(good))


def dot(a: Any, b: Any) -> float:
    """Inner product."""
    return float(sum(x * y for x, y in zip(a, b, strict=True)))
