"""Rows of elliptic cones: rotated to a given direction, bounded by the circle's bounding square, and restored.

With d = (c, s) and t = (-s, c) in the plane of a pair's two rows, the force is x = p (d + l t) + q t. Then p = d·x is bounded,
and the shear l = -cfm_dt / (cfm_tt + σ) makes the regularisation cfm + σ t tᵀ diagonal:

    row p = row d + l row t,   row q = row t,   cfm_p = cfm_dd + l cfm_dt,   cfm_q = cfm_tt + σ
"""

from __future__ import annotations

from opendynamics.core.arrays.cones import ASSEMBLED_ROWS, CONES
from opendynamics.core.arrays.rows import FORCES, ROWS, UNBOUNDED
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.friction_bounds import friction_bound

# Radius, relative to the largest one, below which a circle is a point.
NARROW = 1e-11


@kernel
def copy_rows(tables, record):
    """Copy the island's rows, and list its pairs."""
    assembled, rows = ASSEMBLED_ROWS.rows(tables), ROWS.rows(tables)
    count = 0
    for k in range(record.rows):
        assembled[k] = rows[record.first_row + k]
        if assembled[k].pair > 0:
            CONES.rows(tables)[count].first = k
            count += 1


@kernel
def restore_rows(tables, record):
    """Restore the rows as assembled."""
    assembled, rows = ASSEMBLED_ROWS.rows(tables), ROWS.rows(tables)
    for k in range(record.rows):
        rows[record.first_row + k] = assembled[k]


@kernel
def bound_rows(tables, record, phase):
    """Set the bounds of the first phase (0) or, from the forces of the previous phase, of a later one.

    Returns whether there may be another phase, and the largest change of a bound, relative to the widest.
    """
    assembled, rows, forces = ASSEMBLED_ROWS.rows(tables), ROWS.rows(tables), FORCES.rows(tables)
    bounded = 0
    frictional = False
    change, widest_bound = 0.0, 0.0
    for k in range(record.rows):
        row = rows[record.first_row + k]
        normal = assembled[k].normal
        if normal >= 0:
            frictional = True
            row.normal = -1
            force = forces[record.first_row + normal] if phase > 0 else 0.0
            bound = friction_bound(assembled[k].hi, force)
            if bound < UNBOUNDED and assembled[k].pair >= 0:  # the second of a pair has the bound of the first
                change, widest_bound = max(change, abs(bound - row.hi)), max(widest_bound, bound)
            row.hi = bound
            row.lo = -row.hi
        bounded += is_bounded(row)
    record.bounded_rows = bounded
    widest = 0.0
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        cone.radius = rows[record.first_row + cone.first].hi
        widest = max(widest, cone.radius)
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        if cone.radius <= NARROW * widest:
            cone.radius = 0.0
    return frictional, change / widest_bound if widest_bound > 0.0 else change


@kernel
def rotate_rows(tables, record):
    """Rotate every pair to its cone's direction."""
    assembled, rows = ASSEMBLED_ROWS.rows(tables), ROWS.rows(tables)
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        c, s = cone.cosine, cone.sine
        a, b = assembled[cone.first], assembled[cone.first + 1]
        first, second = rows[record.first_row + cone.first], rows[record.first_row + cone.first + 1]
        coupling = c * s * (b.cfm - a.cfm)
        second.cfm = s * s * a.cfm + c * c * b.cfm + cone.curvature
        lean = -coupling / second.cfm if second.cfm > 0.0 else 0.0
        first.cfm = c * c * a.cfm + s * s * b.cfm + lean * coupling
        cone.lean = lean
        u, v = c - lean * s, s + lean * c
        for j in range(6):
            first.j0[j], second.j0[j] = u * a.j0[j] + v * b.j0[j], c * b.j0[j] - s * a.j0[j]
            first.j1[j], second.j1[j] = u * a.j1[j] + v * b.j1[j], c * b.j1[j] - s * a.j1[j]
        first.rhs, second.rhs = u * a.rhs + v * b.rhs, c * b.rhs - s * a.rhs
        first.hi, second.hi = cone.radius, cone.radius * (1.0 + abs(lean))
        first.lo, second.lo = -first.hi, -second.hi


@kernel
def rotate_forces_back(tables, record, x):
    """x <- forces of the assembled rows, from those of the rotated ones."""
    forces = FORCES.rows(tables)
    for k in range(record.rows):
        x[k] = forces[record.first_row + k]
    for k in range(record.pairs):
        cone = CONES.rows(tables)[k]
        along = x[cone.first]
        across = x[cone.first + 1] + cone.lean * along
        x[cone.first] = cone.cosine * along - cone.sine * across
        x[cone.first + 1] = cone.sine * along + cone.cosine * across
