"""odemath.h, the inline functions, and their names in odemath_legacy.h: vectors of 3, matrices of 12 numbers.

The digits in a name like dCalcVectorDot3_14 are the strides of the arguments (4: a column of a matrix); a result always has 3
contiguous numbers. Of the products, 0 is A B, 1 is A' B, 2 is A B', and 331, 133, 333 are the sizes of the result and the
factors; the Add functions add to their first argument, in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.c_api.common.numbers import dIsNan
from opendynamics.c_api.ids import Array, called_with, matrix12, matrix33


def _numbers(a: Any, count: int) -> Array:
    """The first `count` numbers of `a`."""
    numbers = np.asarray(a, dtype=np.float64).reshape(-1)[:count]
    if numbers.size < count:
        call, argument = called_with(a)
        raise ValueError(f"{call}{argument} must have {count} numbers, not {a!r}")
    return numbers


def _vector(a: Any, step: int = 1) -> Array:
    """Three numbers of `a`, `step` apart."""
    return _numbers(a, 2 * step + 1)[::step]


def dACCESS33(A: Any, i: int, j: int) -> float:
    return float(A[4 * i + j])


def dVALIDVEC3(v: Any) -> bool:
    return not any(map(dIsNan, _numbers(v, 3)))


def dVALIDVEC4(v: Any) -> bool:
    return not any(map(dIsNan, _numbers(v, 4)))


def dVALIDMAT3(m: Any) -> bool:
    return not any(map(dIsNan, _numbers(m, 12)))


def dVALIDMAT4(m: Any) -> bool:
    return not any(map(dIsNan, _numbers(m, 16)))


# -- creating and copying ----------------------------------------------------------------------------------------------


def dZeroVector3() -> Array:
    return np.zeros(3)


def dAssignVector3(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z], dtype=np.float64)


def dZeroMatrix3() -> Array:
    return np.zeros(12)


def dZeroMatrix4() -> Array:
    return np.zeros(16)


def dCopyVector3(a: Any) -> Array:
    return _vector(a).copy()


def dCopyVector4(a: Any) -> Array:
    return _numbers(a, 4).copy()


def dCopyMatrix4x4(a: Any) -> Array:
    """All 12 numbers of a matrix."""
    return _numbers(a, 12).copy()


def dCopyMatrix4x3(a: Any) -> Array:
    """A matrix; its fourth column, which has no meaning, is zero."""
    return matrix12(matrix33(a))


def dGetMatrixColumn3(a: Any, n: int) -> Array:
    return matrix33(a)[:, n].copy()


# -- sums and multiples ------------------------------------------------------------------------------------------------


def dAddVectors3(a: Any, b: Any) -> Array:
    return _vector(a) + _vector(b)


def dSubtractVectors3(a: Any, b: Any) -> Array:
    return _vector(a) - _vector(b)


def dAddVectorScaledVector3(a: Any, b: Any, b_scale: float) -> Array:
    return _vector(a) + b_scale * _vector(b)


def dAddScaledVectors3(a: Any, b: Any, a_scale: float, b_scale: float) -> Array:
    return a_scale * _vector(a) + b_scale * _vector(b)


def dAddThreeScaledVectors3(a: Any, b: Any, c: Any, a_scale: float, b_scale: float, c_scale: float) -> Array:
    return a_scale * _vector(a) + b_scale * _vector(b) + c_scale * _vector(c)


def dScaleVector3(res: Any, nScale: float) -> None:
    """In place."""
    res[:3] = [x * nScale for x in res[:3]]


def dNegateVector3(res: Any) -> None:
    """In place."""
    res[:3] = [-x for x in res[:3]]


def dCopyScaledVector3(a: Any, nScale: float) -> Array:
    return _vector(a) * nScale


def dCopyNegatedVector3(a: Any) -> Array:
    return -_vector(a)


# -- lengths and inner products ----------------------------------------------------------------------------------------


def dCalcVectorLength3(a: Any) -> float:
    return float(np.sqrt(dCalcVectorLengthSquare3(a)))


def dCalcVectorLengthSquare3(a: Any) -> float:
    return dCalcVectorDot3(a, a)


def dCalcPointsDistance3(a: Any, b: Any) -> float:
    return dCalcVectorLength3(dSubtractVectors3(a, b))


def dCalcPointDepth3(test_p: Any, plane_p: Any, plane_n: Any) -> float:
    """Depth of a point below the plane through plane_p."""
    return dCalcVectorDot3(dSubtractVectors3(plane_p, test_p), plane_n)


def _dot(a: Any, b: Any, step_a: int, step_b: int) -> float:
    return float(_vector(a, step_a) @ _vector(b, step_b))


def dCalcVectorDot3(a: Any, b: Any) -> float:
    return _dot(a, b, 1, 1)


def dCalcVectorDot3_13(a: Any, b: Any) -> float:
    return _dot(a, b, 1, 3)


def dCalcVectorDot3_31(a: Any, b: Any) -> float:
    return _dot(a, b, 3, 1)


def dCalcVectorDot3_33(a: Any, b: Any) -> float:
    return _dot(a, b, 3, 3)


def dCalcVectorDot3_14(a: Any, b: Any) -> float:
    return _dot(a, b, 1, 4)


def dCalcVectorDot3_41(a: Any, b: Any) -> float:
    return _dot(a, b, 4, 1)


def dCalcVectorDot3_44(a: Any, b: Any) -> float:
    return _dot(a, b, 4, 4)


# -- cross products ----------------------------------------------------------------------------------------------------


def _cross(a: Any, b: Any, step_a: int, step_b: int) -> Array:
    return np.cross(_vector(a, step_a), _vector(b, step_b))


def dCalcVectorCross3(a: Any, b: Any) -> Array:
    return _cross(a, b, 1, 1)


def dCalcVectorCross3_114(a: Any, b: Any) -> Array:
    return _cross(a, b, 1, 4)


def dCalcVectorCross3_141(a: Any, b: Any) -> Array:
    return _cross(a, b, 4, 1)


def dCalcVectorCross3_144(a: Any, b: Any) -> Array:
    return _cross(a, b, 4, 4)


dCalcVectorCross3_411 = dCalcVectorCross3
dCalcVectorCross3_414 = dCalcVectorCross3_114
dCalcVectorCross3_441 = dCalcVectorCross3_141
dCalcVectorCross3_444 = dCalcVectorCross3_144


def dAddVectorCross3(res: Any, a: Any, b: Any) -> None:
    res[:3] = _vector(res) + _cross(a, b, 1, 1)


def dSubtractVectorCross3(res: Any, a: Any, b: Any) -> None:
    res[:3] = _vector(res) - _cross(a, b, 1, 1)


def dSetCrossMatrixPlus(res: Any, a: Any, skip: int) -> None:
    """Write the off-diagonal elements of the matrix of a x to `res`, with the row stride `skip`."""
    x, y, z = _vector(a)
    places = (1, 2, skip, skip + 2, 2 * skip, 2 * skip + 1)
    for place, value in zip(places, (-z, y, z, -x, -y, x), strict=True):
        res[place] = value


def dSetCrossMatrixMinus(res: Any, a: Any, skip: int) -> None:
    """The same of the matrix of -a x."""
    dSetCrossMatrixPlus(res, dCopyNegatedVector3(a), skip)


# -- products of matrices ----------------------------------------------------------------------------------------------


def dMultiply0_331(a: Any, b: Any) -> Array:
    return matrix33(a) @ _vector(b)


def dMultiply1_331(a: Any, b: Any) -> Array:
    return matrix33(a).T @ _vector(b)


def dMultiply0_133(a: Any, b: Any) -> Array:
    return _vector(a) @ matrix33(b)


def dMultiply0_333(a: Any, b: Any) -> Array:
    return matrix12(matrix33(a) @ matrix33(b))


def dMultiply1_333(a: Any, b: Any) -> Array:
    return matrix12(matrix33(a).T @ matrix33(b))


def dMultiply2_333(a: Any, b: Any) -> Array:
    return matrix12(matrix33(a) @ matrix33(b).T)


def dMultiplyAdd0_331(res: Any, a: Any, b: Any) -> None:
    res[:3] = _vector(res) + dMultiply0_331(a, b)


def dMultiplyAdd1_331(res: Any, a: Any, b: Any) -> None:
    res[:3] = _vector(res) + dMultiply1_331(a, b)


def dMultiplyAdd0_133(res: Any, a: Any, b: Any) -> None:
    res[:3] = _vector(res) + dMultiply0_133(a, b)


def dMultiplyAdd0_333(res: Any, a: Any, b: Any) -> None:
    res[:12] = np.asarray(res[:12]) + dMultiply0_333(a, b)


def dMultiplyAdd1_333(res: Any, a: Any, b: Any) -> None:
    res[:12] = np.asarray(res[:12]) + dMultiply1_333(a, b)


def dMultiplyAdd2_333(res: Any, a: Any, b: Any) -> None:
    res[:12] = np.asarray(res[:12]) + dMultiply2_333(a, b)


def dCalcMatrix3Det(mat: Any) -> float:
    with np.errstate(invalid="ignore"):  # of NaN is NaN
        return float(np.linalg.det(matrix33(mat)))


def dInvertMatrix3(ma: Any) -> tuple[float, Array]:
    """Determinant and inverse; 0 and zeros for a singular matrix."""
    determinant = dCalcMatrix3Det(ma)
    if determinant == 0.0:
        return 0.0, np.zeros(12)
    return determinant, matrix12(np.asarray(np.linalg.inv(matrix33(ma)), np.float64))


# -- odemath_legacy.h --------------------------------------------------------------------------------------------------

dLENGTHSQUARED = dCalcVectorLengthSquare3
dLENGTH = dCalcVectorLength3
dDISTANCE = dCalcPointsDistance3
dDOT = dCalcVectorDot3
dDOT13 = dCalcVectorDot3_13
dDOT31 = dCalcVectorDot3_31
dDOT33 = dCalcVectorDot3_33
dDOT14 = dCalcVectorDot3_14
dDOT41 = dCalcVectorDot3_41
dDOT44 = dCalcVectorDot3_44
dMULTIPLY0_331 = dMultiply0_331
dMULTIPLY1_331 = dMultiply1_331
dMULTIPLY0_133 = dMultiply0_133
dMULTIPLY0_333 = dMultiply0_333
dMULTIPLY1_333 = dMultiply1_333
dMULTIPLY2_333 = dMultiply2_333
dMULTIPLYADD0_331 = dMultiplyAdd0_331
dMULTIPLYADD1_331 = dMultiplyAdd1_331
dMULTIPLYADD0_133 = dMultiplyAdd0_133
dMULTIPLYADD0_333 = dMultiplyAdd0_333
dMULTIPLYADD1_333 = dMultiplyAdd1_333
dMULTIPLYADD2_333 = dMultiplyAdd2_333
