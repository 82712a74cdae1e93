"""Force of each contact in the last step: the sum of J λ of its rows over the linear part of body0's Jacobian.

Reads CONTACTS and FORCES of the last step.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.contacts import CONTACTS, REVERSED
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.constrain.parts.contact import count_contact_rows, wrench_of_rows
from opendynamics.core.kernels import entry, kernel


@kernel
def force_of(tables, contact):
    """The force on body0 in the last step; zero if the contact took no part in it, and so has rows of an earlier one."""
    count = contact.row_count
    if count != count_contact_rows(tables, contact.surface) or contact.first_row + count > REPORTS.rows(tables)[0].rows:
        return 0.0, 0.0, 0.0
    force, _ = wrench_of_rows(tables, contact, contact.first_row)
    return force


@entry(types.void(TABLES, types.int64, types.Array(types.float64, 2, "C")))
def gather_forces(tables, first, forces):
    """The forces on geom a, N, of the contacts made by `advance` from row `first` on, as many as there is room for."""
    for k in range(len(forces)):
        contact = CONTACTS.rows(tables)[first + k]
        force = force_of(tables, contact)
        sign = -1.0 if contact.flags & REVERSED else 1.0
        for c in range(3):
            forces[k, c] = sign * force[c]
