"""misc.h: ODE's random numbers, and helpers for matrices.

Matrices are flat arrays whose rows are padded to dPAD(columns) numbers. The process has one seed.
"""

from __future__ import annotations

import sys
from typing import Any, TextIO

import numpy as np

from opendynamics.c_api.common.numbers import dPAD
from opendynamics.c_api.ids import Array
from opendynamics.c_api.matrix import rows_of, writable_rows

_MASK = 0xFFFFFFFF
_seed = [0]


def dRand() -> int:
    """The next random number of 32 bits: seed * 1664525 + 1013904223."""
    _seed[0] = (1664525 * _seed[0] + 1013904223) & _MASK
    return _seed[0]


def dRandGetSeed() -> int:
    return _seed[0]


def dRandSetSeed(s: int) -> None:
    _seed[0] = int(s) & _MASK


def dTestRand() -> int:
    """1 if the first numbers are correct; the seed is unchanged."""
    kept = _seed[0]
    dRandSetSeed(0)
    right = [dRand() for _ in range(5)] == [0x3C6EF35F, 0x47502932, 0xD1CCF6E9, 0xAAF95334, 0x6252E503]
    dRandSetSeed(kept)
    return int(right)


def dRandInt(n: int) -> int:
    """A random number from 0 to n - 1, the same as ODE's: the high bits are first mixed into the low ones."""
    r = dRand()
    if n > 0x10000:
        return (r * n) >> 32
    r ^= r >> 16
    if n > 0x100:
        return ((r & 0xFFFF) * n) >> 16
    r ^= r >> 8
    if n > 0x10:
        return ((r & 0xFF) * n) >> 8
    r ^= r >> 4
    if n > 4:
        return ((r & 0xF) * n) >> 4
    r ^= r >> 2
    if n > 2:
        return ((r & 3) * n) >> 2
    r ^= r >> 1
    return r & (n >> 1)


def dRandReal() -> float:
    """From 0 to 1."""
    return dRand() / _MASK


def dMakeRandomVector(n: int, range: float) -> Array:
    """n numbers from -range to range."""
    return np.array([_symmetric(range) for _ in [None] * n])


def dMakeRandomMatrix(n: int, m: int, range: float) -> Array:
    """An n x m matrix of numbers from -range to range."""
    matrix = np.zeros(n * dPAD(m))
    writable_rows(matrix, n, m)[:] = np.reshape([_symmetric(range) for _ in [None] * (n * m)], (n, m))
    return matrix


def _symmetric(reach: float) -> float:
    return (dRandReal() * 2.0 - 1.0) * reach


def dPrintMatrix(A: Any, n: int, m: int, fmt: str = "%10.4f ", f: TextIO | None = None) -> None:
    """Print an n x m matrix, one row per line."""
    for row in rows_of(A, n, m):
        print("".join(fmt % number for number in row), file=f or sys.stdout)


def dClearUpperTriangle(A: Array, n: int) -> None:
    """Set everything above the diagonal of an n x n matrix to zero."""
    rows = writable_rows(A, n, n)
    rows[:] = np.tril(rows)


def dMaxDifference(A: Any, B: Any, n: int, m: int) -> float:
    """The maximum difference of two n x m matrices."""
    return float(abs(rows_of(A, n, m) - rows_of(B, n, m)).max())


def dMaxDifferenceLowerTriangle(A: Any, B: Any, n: int) -> float:
    """The same on and below the diagonal."""
    return float(abs(np.tril(rows_of(A, n, n) - rows_of(B, n, n))).max())
