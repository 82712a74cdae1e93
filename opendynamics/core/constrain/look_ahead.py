"""Memory that is asked for before it is read. An island's links lead to and fro in the tables, as no processor foresees."""

from __future__ import annotations

from typing import Any

from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.kernels import Later, intrinsic, kernel

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")
arrayobj = Later("numba.np.arrayobj")

# Links by which contacts and joints are asked for before they are read.
AHEAD = 12

# Most lines of 64 bytes that are asked for at once.
LINES = 5


@intrinsic
def prefetch(typingctx: Any, array: Any, n: Any) -> Any:
    """Have record n of an array loaded into the cache meanwhile, as far as its first LINES lines; no result depends on it."""
    return _prefetching(array, LINES)


@intrinsic
def prefetch_beginning(typingctx: Any, array: Any, n: Any) -> Any:
    """The same for the first line of the record."""
    return _prefetching(array, 1)


def _prefetching(array: Any, lines: int) -> Any:
    """Signature and code of a prefetch of at most so many lines of a record."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        record = builder.gep(arrayobj.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])
        record = builder.bitcast(record, cgutils.voidptr_t)
        flag = cgutils.int32_t
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
        load = builder.module.declare_intrinsic("llvm.prefetch", (cgutils.voidptr_t,), kind)
        read, keep, data = flag(0), flag(3), flag(1)
        size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
        for line in range(min(-(-size // 64), lines)):
            builder.call(load, [cgutils.gep_inbounds(builder, record, 64 * line), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


@kernel
def look_ahead(tables, island, k):
    """Have the contact or joint of link k loaded, if there is such a link."""
    if k < island.links:
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]
        if link.kind == CONTACT:
            prefetch(CONTACTS.rows(tables), link.index)
        else:
            prefetch(JOINTS.rows(tables), link.index)
