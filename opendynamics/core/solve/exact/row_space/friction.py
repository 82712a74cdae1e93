"""ODE's two phases for the bounded rows that are left when the others are eliminated.

The first phase leaves out the rows whose bounds depend on a normal force; the second freezes those bounds at mu times the
normal forces found.
"""

from __future__ import annotations

from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import AT_LO, FREE
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.box_lcp import INTEGERS_A_ROW, Box, guess_states
from opendynamics.core.solve.exact.row_space.envelope import DEPENDENT
from opendynamics.core.solve.exact.row_space.workspace import use_floats, use_integers


@kernel
def begin_phases(tables, record, size):
    """The bounded rows' matrix, and their bounds in the first phase. Returns the number of phases.

    Every row is free at first, or as in an earlier solution of the step.
    """
    rows, row0, bounded = ROWS.rows(tables), record.first_row, record.bounded_rows
    e = record.rows - bounded
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    border = ints.bounded
    phases = 1 if bounded > 0 else 0
    for i in range(bounded):
        border[i] = ints.origin[e + i] + e
        border[bounded + i] = max(ints.first[e + i] - e, 0)
        border[6 * bounded + i] = FREE
        row = rows[row0 + ints.order[e + i]]
        if record.solutions > 0 and FORCES.rows(tables)[row0 + ints.order[e + i]] <= row.lo:
            border[6 * bounded + i] = AT_LO
        floats.lo[e + i], floats.hi[e + i] = row.lo, row.hi
        if row.normal >= 0:
            floats.lo[e + i], floats.hi[e + i] = 0.0, 0.0
            phases = 2
    return phases


@kernel
def bounded_part(tables, record, size, phase):
    """The problem of a phase in the bounded rows."""
    bounded = record.bounded_rows
    e = record.rows - bounded
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    if phase == 1:
        _freeze_friction(tables, record, ints.order, floats.x, floats.lo, floats.hi)
    lo, hi, border = piece(floats.lo, e, bounded), piece(floats.hi, e, bounded), ints.bounded
    for i in range(bounded):  # a row in which nothing is left that the rows without bounds do not decide has no force
        if not floats.values[border[i] + i] > DEPENDENT * floats.diagonal[e + i]:
            lo[i] = hi[i] = min(max(0.0, lo[i]), hi[i])
    state = piece(border, 6 * bounded, bounded)
    guess_states(state, lo, hi)
    return Box(
        floats.values,
        piece(border, 0, bounded),
        piece(border, bounded, bounded),
        piece(floats.z, e, bounded),
        lo,
        hi,
        piece(floats.x, e, bounded),
        state,
        piece(border, 2 * bounded, INTEGERS_A_ROW * bounded),
        floats.bounded,
    )


@kernel
def _freeze_friction(tables, record, order, x, lo, hi):
    """Bounds that depend on a normal force, from the forces of the first phase."""
    rows, forces, row0, n = ROWS.rows(tables), FORCES.rows(tables), record.first_row, record.rows
    e = n - record.bounded_rows
    for i in range(e, n):
        forces[row0 + order[i]] = x[i]
    for i in range(e, n):
        row = rows[row0 + order[i]]
        if row.normal >= 0:
            normal_force = forces[row0 + row.normal]
            hi[i] = abs(row.hi * normal_force) if normal_force != 0.0 else 0.0
            lo[i] = -hi[i]
