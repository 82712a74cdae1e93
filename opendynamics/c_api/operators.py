"""odemath.h: macros with an operator: a string as in C, or a function of two numbers.

`a` is changed in place and must be a list or an array; assignment operators are ``=``, ``+=``, ``-=``, ``*=`` and ``/=``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

_INFIX: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def _infix(op: Any) -> Callable[[Any, Any], Any]:
    function = op if callable(op) else _INFIX.get(op)
    if function is None:
        raise ValueError(f"the operator must be one of {' '.join(_INFIX)}, or a function of two numbers, not {op!r}")
    return function


def _assign(op: Any) -> Callable[[Any, Any], Any]:
    """The result of an assignment operator on the old and the new number."""
    if callable(op):
        return op  # type: ignore[no-any-return]
    if op == "=":
        return lambda old, new: new
    if not (isinstance(op, str) and op.endswith("=")):
        raise ValueError(f"the operator must be = or one of {' '.join(k + '=' for k in _INFIX)}, not {op!r}")
    return _infix(op[:-1])


def dOP(a: Any, op: Any, b: Any, c: Any) -> None:
    """a = b op c, for three numbers each."""
    function = _infix(op)
    a[0:3] = [function(b[k], c[k]) for k in range(3)]


def dOPC(a: Any, op: Any, b: Any, c: float) -> None:
    """a = b op c, for three numbers and one."""
    function = _infix(op)
    a[0:3] = [function(b[k], c) for k in range(3)]


def dOPE(a: Any, op: Any, b: Any) -> None:
    """a op b, for three numbers each."""
    function = _assign(op)
    a[0:3] = [function(a[k], b[k]) for k in range(3)]


def dOPEC(a: Any, op: Any, c: float) -> None:
    """a op c, for three numbers and one."""
    function = _assign(op)
    a[0:3] = [function(a[k], c) for k in range(3)]


def dOPE2(a: Any, op1: Any, b: Any, op2: Any, c: Any) -> None:
    """a op1 b op2 c, for three numbers each: a += b * c, with "+=" and "*"."""
    assign, function = _assign(op1), _infix(op2)
    a[0:3] = [assign(a[k], function(b[k], c[k])) for k in range(3)]


def dCROSSpqr(a: Any, op: Any, b: Any, c: Any, p: int, q: int, r: int) -> None:
    """a op b x c, with the strides p, q and r."""
    assign = _assign(op)
    one, two = [b[k * q] for k in range(3)], [c[k * r] for k in range(3)]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        a[k * p] = assign(a[k * p], one[i] * two[j] - one[j] * two[i])


def dCROSS(a: Any, op: Any, b: Any, c: Any) -> None:
    """a op b x c."""
    dCROSSpqr(a, op, b, c, 1, 1, 1)


def dCROSS114(a: Any, op: Any, b: Any, c: Any) -> None:
    """a op b x c, c a column of a matrix."""
    dCROSSpqr(a, op, b, c, 1, 1, 4)


def dCROSS141(a: Any, op: Any, b: Any, c: Any) -> None:
    dCROSSpqr(a, op, b, c, 1, 4, 1)


def dCROSS144(a: Any, op: Any, b: Any, c: Any) -> None:
    dCROSSpqr(a, op, b, c, 1, 4, 4)


def dCROSS411(a: Any, op: Any, b: Any, c: Any) -> None:
    dCROSSpqr(a, op, b, c, 4, 1, 1)


def dCROSS414(a: Any, op: Any, b: Any, c: Any) -> None:
    dCROSSpqr(a, op, b, c, 4, 1, 4)


def dCROSS441(a: Any, op: Any, b: Any, c: Any) -> None:
    dCROSSpqr(a, op, b, c, 4, 4, 1)


def dCROSS444(a: Any, op: Any, b: Any, c: Any) -> None:
    dCROSSpqr(a, op, b, c, 4, 4, 4)


def dCROSSMAT(A: Any, a: Any, skip: int, plus: int = 1, minus: int = -1) -> None:
    """Write the matrix of "a x" to A, with the row stride `skip` and the signs `plus` and `minus`; its diagonal is unchanged."""
    x, y, z = a[0], a[1], a[2]
    A[1], A[2] = minus * z, plus * y
    A[skip], A[skip + 2] = plus * z, minus * x
    A[2 * skip], A[2 * skip + 1] = minus * y, plus * x
