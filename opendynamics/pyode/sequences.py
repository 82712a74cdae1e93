"""Vectors, rotations and boxes as PyODE takes and returns them.

PyODE indexes its arguments, so that tuples, lists, arrays and dictionaries {0: x, 1: y, 2: z} all work, further elements are
ignored, too few raise IndexError, and generators TypeError; messages name the method and its argument. It returns tuples and
lists of float.
"""

from __future__ import annotations

import math
import sys
from types import FrameType
from typing import Any, NoReturn, TypeAlias

import numpy as np

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]

_REFUSED = (TypeError, IndexError, KeyError)


def three(values: Any) -> tuple[Any, Any, Any]:
    """The first three elements of anything that can be indexed."""
    try:
        return values[0], values[1], values[2]
    except _REFUSED as error:
        _refuse(error, values, 3)


def four(values: Any) -> tuple[Any, Any, Any, Any]:
    """The first four elements of anything that can be indexed."""
    try:
        return values[0], values[1], values[2], values[3]
    except _REFUSED as error:
        _refuse(error, values, 4)


def vector(array: Any) -> Vector:
    """An array of three numbers as a tuple of float."""
    x, y, z = array.tolist()
    return x, y, z


def quaternion(array: Any) -> Quaternion:
    """An array (w, x, y, z) as a tuple of float."""
    w, x, y, z = array.tolist()
    return w, x, y, z


def nine(matrix: Any) -> list[float]:
    """The rotation of ODE's 3x4 numbers, row-major, without the fourth column."""
    numbers: list[float] = matrix.tolist()
    return [*numbers[0:3], *numbers[4:7], *numbers[8:11]]


def orientation(values: Any) -> Quaternion | None:
    """The quaternion that ODE computes for a matrix, 9 numbers, row-major, that is not a rotation; None if it is one.

    ODE computes the quaternion before it orthogonalises the matrix, and continues with the quaternion.

    Raises:
        ValueError: if there is none, as for a reflection.
    """
    given = _numbers(values)
    if max(abs(a - b) for a, b in zip(given, nine(np.array(twelve(values))), strict=True)) < 1e-9:
        return None
    m = [given[0:3], given[3:6], given[6:9]]
    i = max(range(3), key=lambda k: m[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    trace = m[0][0] + m[1][1] + m[2][2]
    size = trace + 1.0 if trace >= 0.0 else m[i][i] - m[j][j] - m[k][k] + 1.0
    if not 1e-150 < size < math.inf:
        raise ValueError(f"a rotation must be a matrix that turns, not {values!r}")
    if trace >= 0.0:
        return size, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]
    parts = {i: size, j: m[i][j] + m[j][i], k: m[i][k] + m[k][i]}
    return m[k][j] - m[j][k], parts[0], parts[1], parts[2]


def twelve(values: Any) -> list[float]:
    """ODE's 3x4 numbers of a rotation given as 9 numbers, row-major, orthogonalised as in ODE.

    The first row is normalised, the second made perpendicular to it, and the third is their cross product.

    Raises:
        ValueError: if the first two rows are zero, parallel or not finite.
    """
    rows = _numbers(values)
    a, b = rows[0:3], rows[3:6]
    x = _unit(a, values)
    along = sum(p * q for p, q in zip(x, b, strict=True))
    y = _unit([q - along * p for p, q in zip(x, b, strict=True)], values)
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    return [*x, 0.0, *y, 0.0, *z, 0.0]


def whole(what: str, value: Any) -> int:
    """`value` as C converts it to an integer: fractions are truncated. Infinity is an OverflowError, as in PyODE."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return int(value)
    except (ValueError, OverflowError) as error:
        raise type(error)(f"{what} must be a whole number, not {value!r}") from None
    except TypeError:
        pass
    raise TypeError(f"{what} must be a whole number, not {value!r}")


def _numbers(values: Any) -> list[float]:
    """The 9 numbers of a rotation."""
    try:
        given = [values[k] for k in range(9)]
    except _REFUSED as error:
        _refuse(error, values, 9)
    for number in given:
        if isinstance(number, (str, bytes)) or not hasattr(number, "__float__"):
            raise TypeError(f"a rotation must be 9 numbers, but one is {number!r}")
    return [_float(number) for number in given]


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        raise OverflowError(f"a rotation must be 9 numbers that fit a float, but one is {number!r}") from None


def _refuse(error: Exception, values: Any, count: int) -> NoReturn:
    """Raise an error of the same type that names the called method and its argument."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and "self" not in frame.f_locals:
        frame = frame.f_back
    assert frame is not None, "only methods take vectors"
    name, known = frame.f_code.co_name, frame.f_locals
    call = type(known["self"]).__name__ + ("" if name == "_ode_make" else f".{name}")
    argument = next((key for key, held in known.items() if held is values), "each")
    raise type(error)(f"{call}: {argument} must be {count} numbers, not {values!r}") from None


def _unit(row: list[float], values: Any) -> list[float]:
    length = math.sqrt(sum(p * p for p in row))
    # A row this short is the rounding error of one parallel to the first.
    if not 1e-150 < length < math.inf:
        raise ValueError(f"a rotation must have two rows that are not parallel, finite and not zero, not {values!r}")
    return row if length == 1.0 else [p / length for p in row]
