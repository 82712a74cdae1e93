"""Vectors, rotations and boxes as PyODE takes and returns them.

PyODE indexes what it is given, so that tuples, lists, arrays and dictionaries {0: x, 1: y, 2: z} all serve, further
elements are ignored, too few raise IndexError, and generators TypeError. It returns tuples and lists of float.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]


def three(values: Any) -> tuple[Any, Any, Any]:
    """The first three elements of anything that can be indexed."""
    return values[0], values[1], values[2]


def four(values: Any) -> tuple[Any, Any, Any, Any]:
    """The first four elements of anything that can be indexed."""
    return values[0], values[1], values[2], values[3]


def vector(array: Any) -> Vector:
    """An array of three numbers as a tuple of float."""
    x, y, z = array.tolist()
    return x, y, z


def quaternion(array: Any) -> Quaternion:
    """An array (w, x, y, z) as a tuple of float."""
    w, x, y, z = array.tolist()
    return w, x, y, z


def nine(matrix: Any) -> list[float]:
    """The rotation of ODE's 3x4 numbers, by rows, without the fourth column."""
    numbers: list[float] = matrix.tolist()
    return [*numbers[0:3], *numbers[4:7], *numbers[8:11]]


def twelve(values: Any) -> list[float]:
    """ODE's 3x4 numbers of a rotation given as 9 by rows, orthogonalised as ODE does it.

    The first row is normalised, the second made orthogonal to it, and the third is their cross product.

    Raises:
        ValueError: if the first two rows are zero, parallel or not finite.
    """
    rows = [float(_number(values[k])) for k in range(9)]
    a, b = rows[0:3], rows[3:6]
    x = _unit(a, values)
    along = sum(p * q for p, q in zip(x, b, strict=True))
    y = _unit([q - along * p for p, q in zip(x, b, strict=True)], values)
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    return [*x, 0.0, *y, 0.0, *z, 0.0]


def _number(value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"a rotation must be 9 numbers, but one is {value!r}")
    return value


def _unit(row: list[float], values: Any) -> list[float]:
    length = math.sqrt(sum(p * p for p in row))
    # A row this short is rounding of one that was parallel to the first.
    if not 1e-150 < length < math.inf:
        raise ValueError(f"a rotation must have two rows that are not parallel, finite and not zero, not {values!r}")
    return row if length == 1.0 else [p / length for p in row]
