"""Whether Numba compiles a small function on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numba

from opendynamics.cli.checks import BROKEN, FINE, Finding

TITLE, ORDER = "compiler", 40


def _sum_of_squares(n: int) -> float:
    total = 0.0
    for k in range(n):
        total += k * k
    return total


def findings() -> Iterator[Finding]:
    """Whether the result is right, and the compile time."""
    start = perf_counter()
    compiled = numba.njit(_sum_of_squares)
    right = compiled(1000) == 332833500.0
    text = f"one function in {perf_counter() - start:.2f} s" + ("" if right else ", which gives a wrong number")
    remedy = "" if right else "reinstall numba and llvmlite: pip install --force-reinstall numba"
    yield Finding(TITLE, FINE if right else BROKEN, text, remedy)
