"""A table: one structured array, reached from compiled code through a single array of addresses.

Kernels take one argument for the whole state, `tables`, an int64 array with three numbers a table: the address of
its memory, its capacity in rows, and the rows in use. A table's accessors make an array of it again:

    body = MOTIONS.rows(tables)[i]    # in a kernel: a record of the memory that the Store owns
    body.linear_velocity[0]

A call from Python then costs the same however many tables there are, and a new table changes no signature.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
from numba import types
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_builtin, lower_constant
from numba.core.typing import signature
from numba.core.typing.templates import AttributeTemplate, bound_function, infer_getattr
from numba.extending import intrinsic, register_model, typeof_impl
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

ADDRESS, CAPACITY, USED = 0, 1, 2
FIELDS = 3

# The type of the `tables` argument, for the signatures of entries.
TABLES = types.Array(types.int64, 1, "C")

# Every table that exists, in the order of declaration: its position is its place in the `tables` argument.
DECLARED: list[Table] = []


class Role(Enum):
    """What a table is for, and so whether saving a world copies it."""

    STATE = "state"  # what the world is; saved, and part of its hash
    CONVERGENCE = "state of convergence"  # what solvers start from, such as cached impulses; saved, part of the hash
    REPORT = "report"  # what the last step did, for users to read
    CACHE = "cache"  # can be rebuilt from the state at any time; zeroed rows are valid
    SCRATCH = "scratch"  # written before it is read within a step or a query
    CODE = "code"  # addresses of machine code, and the choices of the process


class Table:
    """Declares a table: `name`, the `dtype` of its rows, its `role`, and how many rows kernels may count on.

    `derived`: fields of a saved table that follow from the rest, such as addresses: not part of a world's hash, and
    rewritten when a saved world is loaded. `common`: all Stores of the process share its rows.

    In kernels: `TABLE.rows(tables)` is the array over the table's capacity, `TABLE.used(tables)` the number of rows in
    use, `TABLE.use(tables, n)` sets it, and `TABLE.has_room(tables, n)` returns whether n rows fit; if not, it notes the
    shortage, so that the caller can return and Python can make room.
    """

    name: str

    def __init__(
        self,
        name: str,
        dtype: Any,
        role: Role,
        *,
        room: int = 0,
        derived: tuple[str, ...] = (),
        common: bool = False,
    ) -> None:
        self.name = name
        self.role = role
        self.derived = derived
        self.common = common
        if any(table.name == name for table in DECLARED):
            raise ValueError(f"table {name!r} is declared twice")
        self.dtype = np.dtype(dtype)
        self.room = room
        self.position = len(DECLARED)
        DECLARED.append(self)

    @property
    def used_at(self) -> int:
        """Where the number of rows in use stands in the `tables` argument."""
        return FIELDS * self.position + USED

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.dtype.itemsize} bytes a row>"


class TableType(types.Opaque):
    """Numba's type of one table: what lets kernels write `TABLE.rows(tables)` though Table is a Python class."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.row_type = from_dtype(table.dtype)
        super().__init__(f"Table({table.name})")


register_model(TableType)(OpaqueModel)


@typeof_impl.register(Table)
def _type_of_table(table: Table, context: Any) -> Any:
    return TableType(table)


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


def array_of(dtype: Any, fixed: int = 0) -> Any:
    """An intrinsic `array(address, length)`: the array of `length` rows of `dtype` at an integer address.

    With a `fixed` length it is `array(address)`. An intrinsic, because a kernel does not count references and so cannot
    return an array.
    """
    array_type = types.Array(from_dtype(np.dtype(dtype)), 1, "C")
    itemsize = np.dtype(dtype).itemsize

    def typer(*arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(array_type)(context, builder)
            size = context.get_constant(types.intp, itemsize)
            data = builder.inttoptr(args[0], array.data.type)
            length = context.get_constant(types.intp, fixed) if fixed else args[1]
            populate_array(array, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
            return array._getvalue()

        return array_type(*arguments), codegen

    def array(context: Any, address: Any, length: Any) -> Any:
        return typer(types.int64, types.int64)

    def fixed_array(context: Any, address: Any) -> Any:
        return typer(types.int64)

    return intrinsic(fixed_array if fixed else array)


# The first table holds two numbers: which table was too small, and how many rows it needs.
SHORTAGE = Table("shortage", np.int64, Role.SCRATCH, room=2)
