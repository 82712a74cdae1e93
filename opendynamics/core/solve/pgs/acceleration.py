"""Acceleration with restart: the nonsmooth nonlinear conjugate gradient method (NNCG) around projected Gauss-Seidel.

M. Silcowitz-Hansen, S. Niebe and K. Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact
force problems, The Visual Computer 26 (2010). With the change d that an iteration makes, relative to the one before
(Fletcher-Reeves),

    beta = |d|² / |d before|²;  x <- x + beta p,  p <- beta p + d;   or restart, p <- 0, if beta > 1,

for forces and accelerations alike, which still belong together afterwards because all this is linear. |d|² is measured
by the bodies' accelerations: it does not see forces that cancel.

Each array of n numbers is followed by three more of as many: as it was before the iteration, p, and weights.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.kernels import fast_kernel, kernel


@fast_kernel
def change_squared(x, n):
    """Σ weight (x - x before)²."""
    total = 0.0
    before, weight = np.uint64(n), np.uint64(3 * n)
    for k in range(np.uint64(n)):
        change = x[k] - x[before + k]
        total += x[weight + k] * change * change
    return total


@fast_kernel
def extrapolate(x, n, beta, kept):
    """x and p after an iteration; `kept` is 1, or 0 for a restart. Notes x."""
    before, direction = np.uint64(n), np.uint64(2 * n)
    for k in range(np.uint64(n)):
        gained = beta * x[direction + k]
        x[direction + k] = gained + kept * (x[k] - x[before + k])
        x[k] += gained
        x[before + k] = x[k]


@kernel
def largest_change(x, n):
    """Largest |x - x before|."""
    largest = 0.0
    for k in range(n):
        largest = max(largest, abs(x[k] - x[n + k]))
    return largest


@kernel
def clear(x, n):
    """x <- 0."""
    for k in range(np.uint64(n)):
        x[k] = 0.0


@kernel
def begin(x, n):
    """Note x before the first iteration; p is 0."""
    before = np.uint64(n)
    for k in range(np.uint64(n)):
        x[before + k] = x[k]
