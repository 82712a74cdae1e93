"""The smaller and the larger of two floats, one instruction each: Python's `min` and `max` have cases for NaN.

Loops over lanes become vector instructions where they end in one comparison of such numbers, and not where they have several.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel


@kernel
def smaller(a, b):
    return a if a < b else b


@kernel
def larger(a, b):
    return a if a > b else b
