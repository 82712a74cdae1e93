"""Memory that a batch needs next, asked for a few lines of the cache at a time while a world is stepped.

A processor drops what is asked for while it waits for some twenty lines already: whole worlds have to be asked for bit by bit.
`tables` ends in the address of a queue and the number of its entries; each is the address of up to LINES lines, with their
number in its lowest bits. `load_ahead` stands in loops that every step runs through. In a world that is stepped by itself the
queue is empty. No result depends on it.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.table import array_of
from opendynamics.core.constrain.look_ahead import prefetch
from opendynamics.core.kernels import kernel

LINE = 64  # bytes
LINES = 8  # of an entry

queue_at = array_of(np.int64)
lines_at = array_of(np.int64)


@kernel
def load_ahead(tables):
    """Ask for the lines of the queue's last entry."""
    last = len(tables) - 1
    left = tables[last]
    if left > 0:
        tables[last] = left - 1
        entry = queue_at(tables[last - 1], left)[left - 1]
        lines = lines_at(entry & -LINE, LINES * LINE // 8)
        for k in range(entry & (LINE - 1)):
            prefetch(lines, k * LINE // 8)


@kernel
def enqueue(queue, entries, address, size):
    """Add the lines of some memory to a queue; returns how many entries it has then."""
    at = address & -LINE
    lines = (address + size - at + LINE - 1) // LINE
    while lines > 0 and entries < len(queue):
        queue[entries] = at | min(lines, LINES)
        entries += 1
        lines -= LINES
        at += LINE * LINES
    return entries
