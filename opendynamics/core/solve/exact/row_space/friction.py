"""ODE's two phases for the bounded rows that remain after elimination of the others.

The first phase omits the rows whose bounds depend on a normal force; the second freezes those bounds at mu times the normal
forces found. Pivoting starts from the states of FORCES: those of the last step where the contact cache has them, or of an earlier
solution of the step. The initial states affect the number of iterations, not the solution.
"""

from __future__ import annotations

from math import isnan, nan

from opendynamics.core.arrays.islands import ISLAND_LINKS, LINKS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel
from opendynamics.core.solve._lcp.active_set import AT_HI, AT_LO, FREE
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.row_space.box_lcp import INTEGERS_A_ROW, Box, guess_states
from opendynamics.core.solve.exact.row_space.envelope import DEPENDENT
from opendynamics.core.solve.exact.row_space.free_rows import substitute_free_rows
from opendynamics.core.solve.exact.row_space.workspace import X, use_floats, use_integers, vectors_of_border
from opendynamics.core.solve.friction_bounds import friction_bound
from opendynamics.core.solve.warm_starting import attempt_to_solve, start_link

# Which vectors of the bounded rows' integers are their states, and those guessed from FORCES. Scratch is from vector 2 on.
STATES, GUESSES = 6, 8

# In place of a guess, where FORCES has none: the state of the first phase is the best one.
UNKNOWN = -1

# Distance from its bound within which friction is taken as slipping.
SLIPPING = 0.99


@kernel
def friction_state(force, bound):
    """State of a friction row by a force that is about right."""
    return AT_LO if force <= -SLIPPING * bound else AT_HI if force >= SLIPPING * bound else FREE


@kernel
def read_cached_forces(tables, record):
    """Set FORCES of the island to those of the last step; NaN, which is at no bound, where the cache has none."""
    attempt = attempt_to_solve(tables, record)
    for k in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if start_link(tables, link, 1.0, attempt) == 0:
            for r in range(link.first_row, link.first_row + link.row_count):
                FORCES.rows(tables)[r] = nan


@kernel
def begin_phases(tables, record, size):
    """Set up the bounded rows' matrix, and their bounds and states of the first phase. Returns the number of phases."""
    rows, row0, bounded = ROWS.rows(tables), record.first_row, record.bounded_rows
    e = record.rows - bounded
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    border = ints.bounded
    phases = 1 if bounded > 0 else 0
    for i in range(bounded):
        border[i] = ints.origin[e + i] + e
        border[bounded + i] = max(ints.first[e + i] - e, 0)
        row = rows[row0 + ints.order[e + i]]
        force = FORCES.rows(tables)[row0 + ints.order[e + i]]
        state = AT_LO if force <= row.lo else FREE
        border[STATES * bounded + i], border[GUESSES * bounded + i] = state, UNKNOWN if isnan(force) else state
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
    border = ints.bounded
    state = piece(border, STATES * bounded, bounded)
    if phase == 1:
        _note_normal_forces(tables, record, size, ints, floats)
        _freeze_friction(
            tables, record, ints.order, floats.lo, floats.hi, state, piece(border, GUESSES * bounded, bounded)
        )
    lo, hi = piece(floats.lo, e, bounded), piece(floats.hi, e, bounded)
    for i in range(bounded):  # a row that depends on the eliminated rows alone has no force
        if not floats.values[border[i] + i] > DEPENDENT * floats.diagonal[e + i]:
            lo[i] = hi[i] = min(max(0.0, lo[i]), hi[i])
    guess_states(state, lo, hi)
    return Box(
        floats.values,
        piece(border, 0, bounded),
        piece(border, bounded, bounded),
        vectors_of_border(tables, record),
        piece(floats.z, e, bounded),
        lo,
        hi,
        piece(floats.x, e, bounded),
        state,
        piece(border, 2 * bounded, INTEGERS_A_ROW * bounded),
        floats.bounded,
    )


@kernel
def _note_normal_forces(tables, record, size, ints, floats):
    """Write the normal forces of the first phase on which friction depends, also those of eliminated rows."""
    rows, forces, row0, n = ROWS.rows(tables), FORCES.rows(tables), record.first_row, record.rows
    e, order, x = n - record.bounded_rows, ints.order, floats.x
    eliminated = False
    for i in range(e, n):
        normal = rows[row0 + order[i]].normal
        if normal < 0:
            forces[row0 + order[i]] = x[i]
        else:
            eliminated |= not is_bounded(rows[row0 + normal])
    if eliminated:  # contacts that pull without a limit
        for i in range(e):
            x[i] = floats.z[i]
        substitute_free_rows(tables, record, size, X)
        for i in range(e):
            forces[row0 + order[i]] = x[i]


@kernel
def _freeze_friction(tables, record, order, lo, hi, state, guesses):
    """Set bounds that depend on a normal force, from the forces of the first phase; all states from the initial forces."""
    rows, forces, row0, n = ROWS.rows(tables), FORCES.rows(tables), record.first_row, record.rows
    e = n - record.bounded_rows
    for i in range(e, n):
        row, guess = rows[row0 + order[i]], forces[row0 + order[i]]
        if row.normal >= 0:
            normal_force = forces[row0 + row.normal]
            hi[i] = friction_bound(row.hi, normal_force)
            lo[i] = -hi[i]
            state[i - e] = friction_state(guess, hi[i])
        elif guesses[i - e] != UNKNOWN:
            state[i - e] = guesses[i - e]
