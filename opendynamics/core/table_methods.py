"""The accessors of tables in kernels, for Numba. Imported when something is compiled that names a table."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_builtin, lower_constant
from numba.core.registry import cpu_target
from numba.core.typing import signature
from numba.core.typing.templates import AttributeTemplate, bound_function, infer_getattr
from numba.extending import register_model
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from opendynamics.core.arrays.table import ADDRESS, CAPACITY, FIELDS, SHORTAGE, USED, Table

TABLES = types.Array(types.int64, 1, "C")


class TableType(types.Opaque):
    """Numba's type of one table: what lets kernels write `TABLE.rows(tables)` though Table is a Python class."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.row_type = from_dtype(table.dtype)
        super().__init__(f"Table({table.name})")


register_model(TableType)(OpaqueModel)


@lower_constant(TableType)
def _table_constant(context: Any, builder: Any, type_: Any, value: Any) -> Any:
    return context.get_dummy_value()


# The accessors are written as instructions, not as functions: a function would be compiled once for every table, and
# that took a quarter of all compile time.


@infer_getattr
class _TableMethods(AttributeTemplate):
    key = TableType

    @bound_function("table.rows")
    def resolve_rows(self, table: Any, args: Any, kws: Any) -> Any:
        return signature(types.Array(table.row_type, 1, "C"), *args, recvr=table)

    @bound_function("table.used")
    def resolve_used(self, table: Any, args: Any, kws: Any) -> Any:
        return signature(types.int64, *args, recvr=table)

    @bound_function("table.capacity")
    def resolve_capacity(self, table: Any, args: Any, kws: Any) -> Any:
        return signature(types.int64, *args, recvr=table)

    @bound_function("table.address")
    def resolve_address(self, table: Any, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0], types.int64, recvr=table)

    @bound_function("table.use")
    def resolve_use(self, table: Any, args: Any, kws: Any) -> Any:
        return signature(types.none, args[0], types.int64, recvr=table)

    @bound_function("table.has_room")
    def resolve_has_room(self, table: Any, args: Any, kws: Any) -> Any:
        return signature(types.boolean, args[0], types.int64, recvr=table)


def _field(context: Any, builder: Any, tables: Any, position: int) -> Any:
    """Pointer to one of the numbers of the `tables` argument."""
    data = context.make_array(TABLES)(context, builder, tables).data
    return builder.gep(data, [context.get_constant(types.intp, position)])


def _own_field(context: Any, builder: Any, signature: Any, args: Any, field: int) -> Any:
    return _field(context, builder, args[1], FIELDS * signature.args[0].table.position + field)


@lower_builtin("table.rows", TableType, types.Array)
def _rows(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array_type = signature.return_type
    array = context.make_array(array_type)(context, builder)
    address = builder.load(_own_field(context, builder, signature, args, ADDRESS))
    capacity = builder.load(_own_field(context, builder, signature, args, CAPACITY))
    size = context.get_constant(types.intp, signature.args[0].table.dtype.itemsize)
    populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=[capacity],
        strides=[size],
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()


@lower_builtin("table.used", TableType, types.Array)
def _used(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.load(_own_field(context, builder, signature, args, USED))


@lower_builtin("table.capacity", TableType, types.Array)
def _capacity(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.load(_own_field(context, builder, signature, args, CAPACITY))


@lower_builtin("table.address", TableType, types.Array, types.int64)
def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    size = context.get_constant(types.int64, signature.args[0].table.dtype.itemsize)
    return builder.add(builder.load(_own_field(context, builder, signature, args, ADDRESS)), builder.mul(args[2], size))


@lower_builtin("table.use", TableType, types.Array, types.int64)
def _use(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    builder.store(args[2], _own_field(context, builder, signature, args, USED))
    return context.get_dummy_value()


@lower_builtin("table.has_room", TableType, types.Array, types.int64)
def _has_room(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    capacity = builder.load(_own_field(context, builder, signature, args, CAPACITY))
    fits = builder.icmp_signed("<=", args[2], capacity)
    with builder.if_then(builder.not_(fits), likely=False):
        address = builder.load(_field(context, builder, args[1], FIELDS * SHORTAGE.position + ADDRESS))
        note = builder.inttoptr(address, args[2].type.as_pointer())
        builder.store(context.get_constant(types.int64, signature.args[0].table.position), note)
        builder.store(args[2], builder.gep(note, [context.get_constant(types.intp, 1)]))
    return fits


# Numba may be in the middle of typing a function.
cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
