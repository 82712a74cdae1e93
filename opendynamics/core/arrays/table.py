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

from opendynamics.core import types
from opendynamics.core.compile.symbols import define_symbol
from opendynamics.core.kernels import Intrinsic, LazyModule, intrinsic

numba_types = LazyModule("numba.core.types")
arrayobj = LazyModule("numba.np.arrayobj")
numpy_support = LazyModule("numba.np.numpy_support")

ADDRESS, CAPACITY, USED = 0, 1, 2
FIELDS = 3

# The type of the `tables` argument, for the signatures of entries.
TABLES = types.Array(types.int64, 1, "C")

# Every table that exists, in the order of declaration: its position is its place in the `tables` argument.
DECLARED: list[Table] = []


class Role(Enum):
    """Purpose of a table, which determines whether saving a world copies it."""

    STATE = "state"  # what the world is; saved, and part of its hash
    CONVERGENCE = "state of convergence"  # what solvers start from, such as cached impulses; saved, part of the hash
    REPORT = "report"  # what the last step did, for users to read
    CACHE = "cache"  # can be rebuilt from the state at any time; zeroed rows are valid
    SCRATCH = "scratch"  # written before it is read within a step or a query
    CODE = "code"  # addresses of machine code, and the choices of the process


class Table:
    """Declares a table: `name`, the `dtype` of its rows, its `role`, and how many rows kernels may count on.

    `derived`: fields of a saved table that follow from the rest, such as addresses: not part of a world's hash, and
    rewritten when a saved world is loaded. `common`: all Stores of the process share its rows. `rows_of`: what it has a row for
    each of; tables of the same grow together, so that a step is not begun again for each of them.

    In kernels: `TABLE.rows(tables)` is the array over the table's capacity, `TABLE.address(tables, k)` the address of row k,
    `TABLE.used(tables)` the number of rows in use, and `TABLE.use(tables, n)` sets it. `TABLE.has_room(tables, n)` returns
    whether n rows fit; if not, it notes the shortage, so that the caller can return and Python can make room.
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
        rows_of: str = "",
    ) -> None:
        self.name = name
        self.role = role
        self.derived = derived
        self.common = common
        self.rows_of = rows_of
        if any(table.name == name for table in DECLARED):
            raise ValueError(f"table {name!r} is declared twice")
        self.dtype = np.dtype(dtype)
        self.room = room
        self.position = len(DECLARED)
        DECLARED.append(self)

    @property
    def address_at(self) -> int:
        """Index of the address of the first row in the `tables` argument."""
        return FIELDS * self.position + ADDRESS

    @property
    def used_at(self) -> int:
        """Index of the number of rows in use in the `tables` argument."""
        return FIELDS * self.position + USED

    @property
    def grows_with(self) -> list[Table]:
        """This table and those with as many rows."""
        return [table for table in DECLARED if table is self or (self.rows_of and table.rows_of == self.rows_of)]

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.dtype.itemsize} bytes a row>"

    @property
    def _numba_type_(self) -> Any:
        from opendynamics.core.table_methods import TableType

        return TableType(self)


def array_of(dtype: Any, fixed: int = 0) -> Intrinsic:
    """An intrinsic `array(address, length)`: the array of `length` rows of `dtype` at an integer address.

    With a `fixed` length it is `array(address)`. An intrinsic, because a kernel does not count references and so cannot
    return an array.
    """

    def typer(*arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            length = context.get_constant(numba_types.intp, fixed) if fixed else args[1]
            return _array_at(context, builder, dtype, args[0], length)

        return _array_type(dtype)(*arguments), codegen

    def array(context: Any, address: Any, length: Any) -> Any:
        return typer(numba_types.int64, numba_types.int64)

    def fixed_array(context: Any, address: Any) -> Any:
        return typer(numba_types.int64)

    return intrinsic(fixed_array if fixed else array)


def array_of_process(symbol: str, array: np.ndarray[Any, Any]) -> Intrinsic:
    """An intrinsic `array()`: an array of this process, which stays where it is.

    Machine code names it by a symbol, so that cache files contain no address.
    """
    define_symbol(symbol, array)
    dtype, rows = array.dtype, len(array)

    def array_named(context: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = context.get_value_type(numba_types.uint8)
            address = builder.ptrtoint(
                context.get_c_value(builder, pointer, symbol), context.get_value_type(numba_types.intp)
            )
            return _array_at(context, builder, dtype, address, context.get_constant(numba_types.intp, rows))

        return _array_type(dtype)(), codegen

    return intrinsic(array_named)


def _array_type(dtype: Any) -> Any:
    return numba_types.Array(numpy_support.from_dtype(np.dtype(dtype)), 1, "C")


def _array_at(context: Any, builder: Any, dtype: Any, address: Any, length: Any) -> Any:
    """The array of `length` rows at an address, as LLVM has it."""
    array = context.make_array(_array_type(dtype))(context, builder)
    size = context.get_constant(numba_types.intp, np.dtype(dtype).itemsize)
    data = builder.inttoptr(address, array.data.type)
    arrayobj.populate_array(array, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()


# The first table holds two numbers: which table was too small, and how many rows it needs.
SHORTAGE = Table("shortage", np.int64, Role.SCRATCH, room=2)
