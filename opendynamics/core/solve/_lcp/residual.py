"""Residual of a solution, and the report of an island."""

from __future__ import annotations

import math

from opendynamics.core.kernels import kernel


@kernel
def measure(n, e, diagonal, lo, hi, x, residuals):
    """Residual: how far forces would jump if each row were solved by itself, relative to the largest force.

    The first `e` rows have no bounds. NaN if anything is not finite.
    """
    largest, farthest, poison = 0.0, 0.0, 0.0  # poison: NaN if any number is not finite, which max() would hide
    for i in range(n):
        jump = residuals[i] / diagonal[i] if diagonal[i] > 0.0 else residuals[i]
        poison += 0.0 * jump + 0.0 * x[i]
        if i >= e:
            jump = min(max(x[i] + jump, lo[i]), hi[i]) - x[i]
        largest = max(largest, abs(x[i]))
        farthest = max(farthest, abs(jump))
    return poison + (farthest / largest if largest > 0.0 else farthest)


@kernel
def report(record, residual, forces):
    """Note the residual. Forces that are not finite are withdrawn, and the island is faulty."""
    record.residual = residual
    if not residual < math.inf:
        record.residual = math.inf
        record.faulty = 1
        for k in range(record.first_row, record.first_row + record.rows):
            forces[k] = 0.0
