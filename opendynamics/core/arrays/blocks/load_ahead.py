"""Prefetching; for batches, a few cache lines at a time of the next world while a world is stepped.

A processor drops prefetches while some twenty lines are pending: whole worlds have to be prefetched in small portions.
`tables` ends with the address of a queue and the number of its entries; each is the address of up to LINES lines, with their
number in its lowest bits. `load_ahead` is called in loops that every step runs through. In a world that is stepped by itself
the queue is empty. No result depends on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import LazyModule, intrinsic, kernel

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")
arrayobj = LazyModule("numba.np.arrayobj")

LINE = 64  # bytes
LINES = 8  # of an entry

# Maximum number of lines prefetched for a record.
OF_RECORD = 5

# LLVM's locality of a prefetch: into all levels of the cache, or not into the first, which a whole world would overflow.
ALL_LEVELS, SECOND_LEVEL = 3, 2

queue_at = array_of(np.int64)
lines_at = array_of(np.int64)


@intrinsic
def prefetch(typingctx: Any, array: Any, n: Any) -> Any:
    """Have record n of an array loaded into the cache meanwhile, as far as its first lines; no result depends on it."""
    return _prefetching(array, OF_RECORD, ALL_LEVELS)


@intrinsic
def prefetch_beginning(typingctx: Any, array: Any, n: Any) -> Any:
    """The same for the first line of the record."""
    return _prefetching(array, 1, ALL_LEVELS)


@intrinsic
def prefetch_two_lines(typingctx: Any, array: Any, n: Any) -> Any:
    """The same for the first two lines of the record."""
    return _prefetching(array, 2, ALL_LEVELS)


@intrinsic
def prefetch_for_later(typingctx: Any, array: Any, n: Any) -> Any:
    """The same for the line of element n, which is not needed before the present world's step is over."""
    return _prefetching(array, 1, SECOND_LEVEL)


def _prefetching(array: Any, lines: int, locality: int) -> Any:
    """Signature and code of a prefetch of at most this many lines of a record."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        record = builder.gep(arrayobj.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])
        record = builder.bitcast(record, cgutils.voidptr_t)
        flag = cgutils.int32_t
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
        load = builder.module.declare_intrinsic("llvm.prefetch", (cgutils.voidptr_t,), kind)
        read, keep, data = flag(0), flag(locality), flag(1)
        size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
        for line in range(min(-(-size // LINE), lines)):
            builder.call(load, [cgutils.gep_inbounds(builder, record, LINE * line), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


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
            prefetch_for_later(lines, k * LINE // 8)


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
