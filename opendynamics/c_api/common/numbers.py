"""common.h and odeconfig.h: numbers and functions of one number."""

from __future__ import annotations

import math
import sys

M_PI = math.pi
M_PI_2 = math.pi / 2
M_SQRT1_2 = math.sqrt(0.5)
dInfinity = math.inf
dEpsilon = sys.float_info.epsilon

REAL = float
dSqrt = math.sqrt
dSin = math.sin
dCos = math.cos
dFabs = math.fabs
dAtan2 = math.atan2
dAsin = math.asin
dAcos = math.acos
dFMod = math.fmod
dCopySign = math.copysign
dIsNan = math.isnan


def dNextAfter(x: float, y: float) -> float:
    """The number next to `x` towards `y`."""
    from numpy import nextafter

    return float(nextafter(x, y))


def dRecip(x: float) -> float:
    return 1.0 / x


def dRecipSqrt(x: float) -> float:
    return 1.0 / math.sqrt(x)


def dFloor(x: float) -> float:
    return float(math.floor(x))


def dCeil(x: float) -> float:
    return float(math.ceil(x))


def dMin(x: float, y: float) -> float:
    return x if x <= y else y


def dMax(x: float, y: float) -> float:
    return y if x <= y else x


def dPAD(a: int) -> int:
    """`a` rounded up to a multiple of 4, except 0 and 1: the row length of ODE's matrices."""
    return (a + 3) & ~3 if a > 1 else a
