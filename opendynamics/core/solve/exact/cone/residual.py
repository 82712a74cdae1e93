"""How far forces are from solving a problem with circles: reads the rows kept and the bounds of the stage."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.cones import CONES, KEPT_ROWS
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.kernels import kernel


@kernel
def into_circle(x1, x2, radius):
    """The nearest point of a circle's disc."""
    length = sqrt(x1 * x1 + x2 * x2)
    if length <= radius:
        return x1, x2
    return x1 * (radius / length), x2 * (radius / length)


@kernel
def project(tables, record, x):
    """Move the forces of pairs into their circles."""
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        i = cone.first
        x[i], x[i + 1] = into_circle(x[i], x[i + 1], cone.radius)


@kernel
def find_diagonal(tables, record, diagonal):
    """J M⁻¹ Jᵀ + cfm of each row."""
    for k in range(record.rows):
        row = KEPT_ROWS.rows(tables)[k]
        diagonal[k] = row.cfm
        if row.slot0 >= 0:
            diagonal[k] += _own(tables, record, row.slot0, row.j0)
        if row.slot1 >= 0:
            diagonal[k] += _own(tables, record, row.slot1, row.j1)


@kernel
def _own(tables, record, slot, j):
    body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
    inverse_mass, inverse = MOTIONS.rows(tables)[body].inverse_mass, INERTIAS.rows(tables)[body].world_inverse
    total = 0.0
    for a in range(3):
        total += inverse_mass * j[a] * j[a]
        for b in range(3):
            total += j[3 + a] * inverse[3 * a + b] * j[3 + b]
    return total


@kernel
def find_cone_misfit(tables, record, x, y, misfit):
    """misfit <- b - A x for the rows kept; `y`: scratch, six numbers a body."""
    kept = KEPT_ROWS.rows(tables)
    for k in range(6 * record.bodies):
        y[k] = 0.0
    for i in range(record.rows):
        for j in range(6):
            if kept[i].slot0 >= 0:
                y[6 * kept[i].slot0 + j] += kept[i].j0[j] * x[i]
            if kept[i].slot1 >= 0:
                y[6 * kept[i].slot1 + j] += kept[i].j1[j] * x[i]
    for slot in range(record.bodies):
        body = ISLAND_BODIES.rows(tables)[record.first_body + slot]
        inverse_mass, inverse = MOTIONS.rows(tables)[body].inverse_mass, INERTIAS.rows(tables)[body].world_inverse
        u, v, w = y[6 * slot + 3], y[6 * slot + 4], y[6 * slot + 5]
        for j in range(3):
            y[6 * slot + j] *= inverse_mass
            y[6 * slot + 3 + j] = inverse[3 * j] * u + inverse[3 * j + 1] * v + inverse[3 * j + 2] * w
    for i in range(record.rows):
        value = kept[i].rhs - kept[i].cfm * x[i]
        for j in range(6):
            if kept[i].slot0 >= 0:
                value -= kept[i].j0[j] * y[6 * kept[i].slot0 + j]
            if kept[i].slot1 >= 0:
                value -= kept[i].j1[j] * y[6 * kept[i].slot1 + j]
        misfit[i] = value


@kernel
def measure_cones(tables, record, x, misfit, diagonal):
    """How far forces would jump if each row, or pair, were solved by itself, in units of the largest force.

    Not a number if anything is not finite.
    """
    largest, farthest, nothing = 0.0, 0.0, 0.0
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        nothing += 0.0 * misfit[i] + 0.0 * x[i]
        largest = max(largest, abs(x[i]))
        if row.pair == 0 and diagonal[i] > 0.0:
            goal = min(max(x[i] + misfit[i] / diagonal[i], row.lo), row.hi)
            farthest = max(farthest, abs(goal - x[i]))
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        i = cone.first
        own = max(diagonal[i], diagonal[i + 1])
        if own > 0.0:
            to1, to2 = into_circle(x[i] + misfit[i] / own, x[i + 1] + misfit[i + 1] / own, cone.radius)
            farthest = max(farthest, abs(to1 - x[i]), abs(to2 - x[i + 1]))
    return nothing + (farthest / largest if largest > 0.0 else farthest)
