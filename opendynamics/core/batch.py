"""Many worlds, one after the other, in one call.

Each world is a store of its own; a thread gets a run of the list, and scratch memory that all worlds of the run use in turn,
so that it stays in the cache. While it steps one world, the next one's tables are loaded. Worlds share nothing else that a step
writes: neither their order nor the number of threads changes a bit of any.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.arrays.contacts import CONTACTS, POINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.table import ADDRESS, DECLARED, FIELDS, SHORTAGE, TABLES, USED, Role, array_of
from opendynamics.core.constrain.look_ahead import prefetch
from opendynamics.core.kernels import caller, entry, kernel
from opendynamics.core.step import ADVANCE, begin

# States of a world in a batch.
NEW, WAITING, DONE, LACKING = range(4)

INTEGERS = types.Array(types.int64, 1, "C")
RUN = types.void(
    INTEGERS, INTEGERS, INTEGERS, TABLES, types.int64, types.int64, types.int64, types.float64, types.int64
)

# The tables that worlds use in turn. What a world lacks is noted in its own.
SHARED = tuple(table for table in DECLARED if table.role is Role.SCRATCH and table is not SHORTAGE)
_OWN = np.array([table.position for table in DECLARED if table not in SHARED])
_SIZES = np.array([0 if table.common else table.dtype.itemsize for table in DECLARED if table not in SHARED])
_NUMBERS, _CONTACTS, _POINTS = FIELDS * len(DECLARED), CONTACTS.position, POINTS.position
LINE = 8  # numbers of 64 bits in a line of the cache

call_advance = caller(ADVANCE.return_type, len(ADVANCE.args))
tables_at = array_of(np.int64, _NUMBERS)
numbers_at = array_of(np.int64)


@entry(RUN, nogil=True)
def advance_run(addresses, states, faults, tables, first, end, advance, h, steps):
    """Call `advance`, by its address, for the worlds from `first` to `end` that wait.

    `addresses` are those of the worlds' `tables`, of which the shared ones are replaced by those of this thread, in the
    argument `tables`. A NEW world begins anew to count steps; one that lacks room or a kernel is left LACKING. `faults` is set
    to the number of each world's islands that were frozen so far.
    """
    _ask_for_tables(addresses, first + 1, end)
    for k in range(first, end):
        _ask_for_tables(addresses, k + 2, end)
        if k + 1 < end:
            _ask_for_rows(tables_at(addresses[k + 1]))
        if states[k] == NEW:
            begin(tables_at(addresses[k]))
            states[k] = WAITING
        if states[k] == WAITING:
            own = tables_at(addresses[k])
            _take(own, tables)
            states[k] = DONE if call_advance(advance, tables, h, steps) else LACKING
            faults[k] = REPORTS.rows(tables)[0].faults
            _give_back(own, tables)


@kernel
def _ask_for_tables(addresses, k, end):
    """Have the `tables` of world k loaded meanwhile, if there is such a world."""
    if k < end:
        own = tables_at(addresses[k])
        for line in range(0, _NUMBERS, LINE):
            prefetch(own, line)


@kernel
def _ask_for_rows(own):
    """Have the rows in use of a world's tables loaded while the world before it is stepped."""
    for place in range(len(_OWN)):
        first = FIELDS * _OWN[place]
        rows = own[first + USED]
        if _OWN[place] == _CONTACTS:  # those of the last step follow the user's
            rows += own[FIELDS * _POINTS + USED]
        numbers = numbers_at(own[first + ADDRESS], rows * _SIZES[place] // 8)
        for line in range(0, len(numbers), LINE):
            prefetch(numbers, line)


@kernel
def _take(own, tables):
    for position in _OWN:
        for field in range(FIELDS):
            tables[FIELDS * position + field] = own[FIELDS * position + field]


@kernel
def _give_back(own, tables):
    for position in _OWN:
        own[FIELDS * position + USED] = tables[FIELDS * position + USED]
