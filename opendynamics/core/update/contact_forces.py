"""What each contact did in the last step: the force of its rows, sum of J λ over the linear part of body0's Jacobian.

Reads CONTACTS, and of the last step LINKS, ROWS and FORCES.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.contacts import CONTACTS, REVERSED
from opendynamics.core.arrays.islands import CONTACT, LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel


@kernel
def force_of(tables, contact, index):
    """The force on body0 in the last step; zero if the contact took no part in it, and so has rows of an earlier one."""
    first, end = contact.first_row, contact.first_row + contact.row_count
    zero = (0.0, 0.0, 0.0)
    if contact.row_count == 0 or end > REPORTS.rows(tables)[0].rows:
        return zero
    link = LINKS.rows(tables)[ROWS.rows(tables)[first].link]
    if link.kind != CONTACT or link.index != index or link.first_row != first:
        return zero
    fx = fy = fz = 0.0
    for r in range(first, end):
        row = ROWS.rows(tables)[r]
        force = FORCES.rows(tables)[r]
        fx += row.j0[0] * force
        fy += row.j0[1] * force
        fz += row.j0[2] * force
    return fx, fy, fz


@entry(types.void(TABLES, types.int64, types.Array(types.float64, 2, "C")))
def gather_forces(tables, first, forces):
    """The forces on geom a, N, of the contacts from row `first` on, which `advance` made, as many as there is room for."""
    for k in range(len(forces)):
        contact = CONTACTS.rows(tables)[first + k]
        force = force_of(tables, contact, first + k)
        sign = -1.0 if contact.flags & REVERSED else 1.0
        for c in range(3):
            forces[k, c] = sign * force[c]
