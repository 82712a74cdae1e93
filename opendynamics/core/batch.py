"""Many worlds, one after the other, in one call.

Each world is a store of its own; a thread gets a run of the list, and scratch memory that all worlds of the run use in turn,
so that it stays in the cache. While it steps one world, the next one's tables are loaded. Worlds share nothing else that a step
writes: neither their order nor the number of threads changes a bit of any.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.arrays.blocks.load_ahead import enqueue
from opendynamics.core.arrays.contacts import CONTACTS, POINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.table import ADDRESS, DECLARED, FIELDS, SHORTAGE, TABLES, USED, Role, array_of
from opendynamics.core.kernels import caller, entry, kernel
from opendynamics.core.step import ADVANCE, begin

# States of a world in a batch.
NEW, WAITING, DONE, LACKING = range(4)

INTEGERS = types.Array(types.int64, 1, "C")
RUN = types.void(
    INTEGERS, INTEGERS, INTEGERS, TABLES, INTEGERS, types.int64, types.int64, types.int64, types.float64, types.int64
)

# The tables shared by worlds. A shortage of a world is recorded in its own.
SHARED = tuple(table for table in DECLARED if table.role is Role.SCRATCH and table is not SHORTAGE)
_OWN = np.array([table.position for table in DECLARED if table not in SHARED])
_SIZES = np.array([0 if table.common else table.dtype.itemsize for table in DECLARED if table not in SHARED])
_NUMBERS, _CONTACTS, _POINTS = FIELDS * len(DECLARED), CONTACTS.position, POINTS.position
MAX_ENTRIES = 4096  # prefetched part of a world's memory

call_advance = caller(ADVANCE)
tables_at = array_of(np.int64, _NUMBERS)


@entry(RUN, nogil=True)
def advance_run(addresses, states, faults, tables, queue, first, end, advance, h, steps):
    """Call `advance`, by its address, for the worlds from `first` to `end` that wait.

    `addresses` are those of the worlds' `tables`, of which the shared ones are replaced by those of this thread, in the
    argument `tables`. A NEW world starts counting steps at 0; one that lacks memory or a kernel is left LACKING. `faults` is
    set to the number of each world's islands that were frozen so far.
    """
    tables[_NUMBERS] = queue.ctypes.data
    for k in range(first, end):
        tables[_NUMBERS + 1] = _list_memory(queue, addresses, k + 1, end)
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
def _list_memory(queue, addresses, k, end):
    """List the `tables` of the world after k and the rows in use of world k; returns the number of entries."""
    entries = 0
    if k < end:
        own = tables_at(addresses[k])
        for place in range(len(_OWN) - 1, -1, -1):
            first = FIELDS * _OWN[place]
            rows = own[first + USED]
            if _OWN[place] == _CONTACTS:  # those of the last step follow the user's
                rows += own[FIELDS * _POINTS + USED]
            entries = enqueue(queue, entries, own[first + ADDRESS], rows * _SIZES[place])
    if k + 1 < end:
        entries = enqueue(queue, entries, addresses[k + 1], 8 * _NUMBERS)
    return entries


@kernel
def _take(own, tables):
    for position in _OWN:
        for field in range(FIELDS):
            tables[FIELDS * position + field] = own[FIELDS * position + field]


@kernel
def _give_back(own, tables):
    for position in _OWN:
        own[FIELDS * position + USED] = tables[FIELDS * position + USED]
