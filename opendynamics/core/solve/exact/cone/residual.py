"""Residual of a problem with friction circles: reads the assembled rows and the bounds of the phase."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.cones import ASSEMBLED_ROWS, CONES
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.prepared import inverse_mass_of, projected, response


@kernel
def into_circle(x1, x2, radius):
    """Nearest point of a disc."""
    length = sqrt(x1 * x1 + x2 * x2)
    if length <= radius:
        return x1, x2
    return x1 * (radius / length), x2 * (radius / length)


@kernel
def project(tables, record, x):
    """Project the forces of pairs into their discs."""
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        i = cone.first
        x[i], x[i + 1] = into_circle(x[i], x[i + 1], cone.radius)


@kernel
def find_diagonal(tables, record, diagonal):
    """J M⁻¹ Jᵀ + cfm of each row."""
    for k in range(record.rows):
        row = ASSEMBLED_ROWS.rows(tables)[k]
        diagonal[k] = row.cfm
        if row.slot0 >= 0:
            diagonal[k] += _own(tables, record, row.slot0, row.j0)
        if row.slot1 >= 0:
            diagonal[k] += _own(tables, record, row.slot1, row.j1)


@kernel
def _own(tables, record, slot, j):
    linear, angular = response(inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[record.first_body + slot]), j)
    return projected(j, linear, angular)


@kernel
def find_cone_residuals(tables, record, x, y, residuals):
    """residuals <- b - A x for the assembled rows; `y`: scratch, six numbers a body."""
    assembled = ASSEMBLED_ROWS.rows(tables)
    for k in range(6 * record.bodies):
        y[k] = 0.0
    for i in range(record.rows):
        for j in range(6):
            if assembled[i].slot0 >= 0:
                y[6 * assembled[i].slot0 + j] += assembled[i].j0[j] * x[i]
            if assembled[i].slot1 >= 0:
                y[6 * assembled[i].slot1 + j] += assembled[i].j1[j] * x[i]
    for slot in range(record.bodies):
        body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
        own = piece(y, 6 * slot, 6)
        linear, angular = response(inverse_mass_of(tables, body), own)
        for j in range(3):
            own[j], own[3 + j] = linear[j], angular[j]
    for i in range(record.rows):
        value = assembled[i].rhs - assembled[i].cfm * x[i]
        for j in range(6):
            if assembled[i].slot0 >= 0:
                value -= assembled[i].j0[j] * y[6 * assembled[i].slot0 + j]
            if assembled[i].slot1 >= 0:
                value -= assembled[i].j1[j] * y[6 * assembled[i].slot1 + j]
        residuals[i] = value


@kernel
def measure_cones(tables, record, x, residuals, diagonal):
    """Residual: largest force change if each row, or pair, were solved by itself, relative to the largest force.

    NaN if anything is not finite.
    """
    largest, farthest, poison = 0.0, 0.0, 0.0
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        poison += 0.0 * residuals[i] + 0.0 * x[i]
        largest = max(largest, abs(x[i]))
        if row.pair == 0 and diagonal[i] > 0.0:
            goal = min(max(x[i] + residuals[i] / diagonal[i], row.lo), row.hi)
            farthest = max(farthest, abs(goal - x[i]))
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        i = cone.first
        own = max(diagonal[i], diagonal[i + 1])
        if own > 0.0:
            to1, to2 = into_circle(x[i] + residuals[i] / own, x[i + 1] + residuals[i + 1] / own, cone.radius)
            farthest = max(farthest, abs(to1 - x[i]), abs(to2 - x[i + 1]))
    return poison + (farthest / largest if largest > 0.0 else farthest)
