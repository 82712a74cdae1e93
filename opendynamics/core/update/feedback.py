"""Force of a joint or contact on its bodies in the last step: Jᵀλ over its rows."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry


@entry(types.void(TABLES, types.int64, types.int64, types.Array(types.float64, 1, "C")))
def sum_feedback(tables, first, count, out):
    """Force and torque on body0, then on body1: the twelve numbers of `out`, N and N m."""
    out[:] = 0.0
    for r in range(first, first + count):
        row = ROWS.rows(tables)[r]
        force = FORCES.rows(tables)[r]
        for k in range(6):
            out[k] += row.j0[k] * force
            out[6 + k] += row.j1[k] * force
