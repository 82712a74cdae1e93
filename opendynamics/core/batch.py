"""Many worlds, one after the other, in one call.

Each world is a store of its own; a thread gets a run of the list and needs nothing of Python until it is through. Worlds
share nothing that a step writes, so that neither their order nor the number of threads changes a bit of any.
"""

from __future__ import annotations

import numpy as np
from numba import types

from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.table import DECLARED, FIELDS, array_of
from opendynamics.core.kernels import caller, entry
from opendynamics.core.step import ADVANCE, begin

# States of a world in a batch.
NEW, WAITING, DONE, LACKING = range(4)

INTEGERS = types.Array(types.int64, 1, "C")

call_advance = caller(ADVANCE.return_type, len(ADVANCE.args))
tables_at = array_of(np.int64, FIELDS * len(DECLARED))


@entry(
    types.void(INTEGERS, INTEGERS, INTEGERS, types.int64, types.int64, types.int64, types.float64, types.int64),
    nogil=True,
)
def advance_run(addresses, states, faults, first, end, advance, h, steps):
    """Call `advance`, by its address, for the worlds from `first` to `end` that wait.

    `addresses` are those of the worlds' `tables`. A NEW world begins anew to count steps; one that lacks room or a kernel is
    left LACKING. `faults` is set to the number of each world's islands that were frozen so far.
    """
    for k in range(first, end):
        tables = tables_at(addresses[k])
        if states[k] == NEW:
            begin(tables)
            states[k] = WAITING
        if states[k] == WAITING:
            states[k] = DONE if call_advance(advance, tables, h, steps) else LACKING
            faults[k] = REPORTS.rows(tables)[0].faults
