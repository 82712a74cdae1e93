"""matrix.h: dense linear algebra, a thin layer over NumPy.

Matrices are flat arrays, row-major; a row of m numbers takes dPAD(m) elements, or `nskip` where a function has it. Arguments
that a function changes in place must be NumPy arrays of float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from opendynamics.api import checks
from opendynamics.c_api.common.numbers import dPAD
from opendynamics.c_api.ids import Array


def writable_rows(A: Array, n: int, m: int, skip: int = 0) -> Array:
    """The n x m matrix in `A`, for writing."""
    array: Any = A
    if not isinstance(array, np.ndarray) or array.dtype != np.float64 or not array.flags.c_contiguous:
        raise TypeError(f"a matrix or vector that is changed in place must be a contiguous array of float64, not {A!r}")
    n, m = checks.count("the number of rows", n), checks.count("the number of columns", m)
    step = checks.count("nskip", skip) or dPAD(m)
    if step < m:
        raise ValueError(f"nskip, from row to row, must be at least {m}, the number of columns, not {step}")
    if n and (n - 1) * step + m > A.size:
        raise ValueError(f"{n} x {m} numbers, {step} from row to row, need more than the {A.size} that there are")
    return as_strided(A.reshape(-1), (n, m), (8 * step, 8))


def rows_of(A: Any, n: int, m: int, skip: int = 0) -> Array:
    """A copy of the n x m matrix in `A`."""
    return writable_rows(np.ascontiguousarray(A, dtype=np.float64), n, m, skip).copy()


def _flat(rows: Array) -> Array:
    """A matrix in ODE's layout."""
    n, m = rows.shape
    padded = np.zeros((n, dPAD(m)))
    padded[:, :m] = rows
    return padded.reshape(-1)


def dSetZero(a: Array, n: int) -> None:
    writable_rows(a, 1, n)[:] = 0.0


def dSetValue(a: Array, n: int, value: float) -> None:
    writable_rows(a, 1, n)[:] = value


def dDot(a: Any, b: Any, n: int) -> float:
    return float(rows_of(a, 1, n)[0] @ rows_of(b, 1, n)[0])


def dMultiply0(B: Any, C: Any, p: int, q: int, r: int) -> Array:
    """B C, for B of p x q and C of q x r."""
    return _flat(rows_of(B, p, q) @ rows_of(C, q, r))


def dMultiply1(B: Any, C: Any, p: int, q: int, r: int) -> Array:
    """B' C, for B of q x p and C of q x r."""
    return _flat(rows_of(B, q, p).T @ rows_of(C, q, r))


def dMultiply2(B: Any, C: Any, p: int, q: int, r: int) -> Array:
    """B C', for B of p x q and C of r x q."""
    return _flat(rows_of(B, p, q) @ rows_of(C, r, q).T)


def _from_lower(A: Any, n: int) -> Array:
    """The symmetric matrix given by its lower triangle."""
    lower = np.tril(rows_of(A, n, n))
    return lower + np.tril(lower, -1).T


def dFactorCholesky(A: Array, n: int) -> int:
    """Replace the lower triangle of A by L of L L' = A; 0 if A is not positive definite."""
    rows = writable_rows(A, n, n)
    try:
        factor = np.linalg.cholesky(_from_lower(A, n))
    except np.linalg.LinAlgError:
        return 0
    rows[:] = factor + np.triu(rows, 1)
    return 1


def dSolveCholesky(L: Any, b: Array, n: int) -> None:
    """Replace b by the solution of L L' x = b."""
    lower = np.tril(rows_of(L, n, n))
    right = writable_rows(b, 1, n)[0]
    right[:] = np.linalg.solve(lower.T, np.linalg.solve(lower, right))


def dInvertPDMatrix(A: Any, n: int) -> tuple[int, Array]:
    """1 and the inverse of a positive definite matrix; or 0 and zeros."""
    if not dIsPositiveDefinite(A, n):
        return 0, np.zeros(n * dPAD(n))
    return 1, _flat(np.asarray(np.linalg.inv(_from_lower(A, n)), np.float64))


def dIsPositiveDefinite(A: Any, n: int) -> int:
    return dFactorCholesky(_flat(rows_of(A, n, n)), n)


# -- L D L' ------------------------------------------------------------------------------------------------------------


def _factored(A: Array) -> tuple[Array, Array]:
    """Unit lower L and the reciprocals d of D, L D L' = A."""
    L, d = np.eye(len(A)), np.zeros(len(A))
    for i in range(len(A)):
        row = np.linalg.solve(L[:i, :i], A[i, :i])
        L[i, :i] = row * d[:i]
        d[i] = 1.0 / (A[i, i] - row @ L[i, :i])
    return L, d


def _product(L: Array, d: Array) -> Array:
    """L D L', from the lower triangle of L below the diagonal and the reciprocals d of D."""
    unit = np.tril(L, -1) + np.eye(len(d))
    return np.asarray(unit / d @ unit.T)


def _put(L: Array, rows: Array) -> None:
    """Write the part of `L` below the diagonal to `rows`."""
    below = np.tril_indices(len(L), -1)
    rows[below] = L[below]


def dFactorLDLT(A: Array, n: int, nskip: int) -> Array:
    """Replace the part of A below the diagonal by that of L, L D L' = A; returns d, the reciprocals of D."""
    rows = writable_rows(A, n, n, nskip)
    lower = np.tril(rows)
    L, d = _factored(lower + np.tril(lower, -1).T)
    _put(L, rows)
    return d


def dSolveL1(L: Any, b: Array, n: int, nskip: int) -> None:
    """Replace b by the solution of L x = b, L with ones on the diagonal."""
    right = writable_rows(b, 1, n)[0]
    right[:] = np.linalg.solve(np.tril(rows_of(L, n, n, nskip), -1) + np.eye(n), right)


def dSolveL1T(L: Any, b: Array, n: int, nskip: int) -> None:
    """Replace b by the solution of L' x = b, L with ones on the diagonal."""
    right = writable_rows(b, 1, n)[0]
    right[:] = np.linalg.solve(np.tril(rows_of(L, n, n, nskip), -1).T + np.eye(n), right)


def dScaleVector(a: Array, d: Any, n: int) -> None:
    """Multiply each number of a by that of d."""
    writable_rows(a, 1, n)[:] *= rows_of(d, 1, n)


dVectorScale = dScaleVector


def dSolveLDLT(L: Any, d: Any, b: Array, n: int, nskip: int) -> None:
    """Replace b by the solution of L D L' x = b; d has the reciprocals of D."""
    dSolveL1(L, b, n, nskip)
    dScaleVector(b, d, n)
    dSolveL1T(L, b, n, nskip)


def dLDLTAddTL(L: Array, d: Array, a: Any, n: int, nskip: int) -> None:
    """Update the factors of A to those of A + [a0 a'; a 0], except the first column of L and d[0]."""
    rows, reciprocals = writable_rows(L, n, n, nskip), writable_rows(d, 1, n)[0]
    changed, extra = _product(rows, reciprocals), rows_of(a, 1, n)[0]
    changed[0, :] += extra
    changed[1:, 0] += extra[1:]
    factor, new = _factored(changed)
    reciprocals[1:], factor[1:, 0] = new[1:], rows[1:, 0]
    _put(factor, rows)


def dLDLTRemove(A: Any, p: Any, L: Array, d: Array, n1: int, n2: int, r: int, nskip: int) -> None:
    """Update the factors of n2 rows and columns of A, listed in p, to those without the r-th of them.

    ODE needs A and p for information that L and d contain as well.
    """
    checks.count("r", r, most=n2 - 1)
    rows, reciprocals = writable_rows(L, n2, n2, nskip), writable_rows(d, 1, n2)[0]
    kept = np.delete(np.delete(_product(rows, reciprocals), r, axis=0), r, axis=1)
    factor, reciprocals[: n2 - 1] = _factored(kept)
    _put(factor, rows)


def dRemoveRowCol(A: Array, n: int, nskip: int, r: int) -> None:
    """Remove row and column r of an n x n matrix; the following ones move up."""
    checks.count("r", r, most=n - 1)
    rows = writable_rows(A, n, n, nskip)
    rows[: n - 1, : n - 1] = np.delete(np.delete(rows, r, axis=0), r, axis=1)
