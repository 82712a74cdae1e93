"""The Store owns the memory of all tables and grows it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from math import prod
from struct import Struct
from threading import Lock, get_ident
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.core.arrays.table import ADDRESS, CAPACITY, DECLARED, FIELDS, SHORTAGE, USED, Role, Table

Array = npt.NDArray[Any]


class Views(dict[Table, memoryview]):
    """Tables as sequences of numbers of one type, row after row: one number is read or written in a tenth of NumPy's time.

    Fields of other types are reinterpreted, as in a union; `column` gives the index of a field.
    """

    __slots__ = ("_arrays", "_type")

    def __init__(self, arrays: list[Array], number: type[np.generic]) -> None:
        self._arrays, self._type = arrays, number

    def __missing__(self, table: Table) -> memoryview:
        view = self[table] = self._arrays[table.position].view(self._type).data
        return view


def column(table: Table, field: str, size: int = 8) -> int:
    """Where a field begins in a row of the views of a table, as numbers of `size` bytes."""
    assert table.dtype.fields is not None
    offset: int = table.dtype.fields[field][1]
    return offset // size


def put_numbers(view: memoryview, at: int, numbers: Iterable[Any]) -> None:
    """Write numbers one after another into a view of a table."""
    for number in numbers:
        view[at] = number
        at += 1


LARGE = 1 << 20  # bytes of a table from which on it keeps fewer rows in reserve: it seldom grows by much in a step

ALIGNED = 64  # bytes that tables begin at multiples of: a cache line

_CODES = {"f8": "d", "i8": "q", "u8": "Q", "i4": "i", "u4": "I"}  # of numbers, as `struct` calls them


def packing(table: Table) -> Struct:
    """Packs all numbers of a row at once: `packing(TABLE).pack_into(store.bytes[TABLE], row * size, ...)`."""
    packed = Struct("=" + _codes_of(table.dtype))
    assert packed.size == table.dtype.itemsize
    return packed


def _codes_of(dtype: np.dtype[Any]) -> str:
    if dtype.subdtype is not None:
        return _codes_of(dtype.subdtype[0]) * prod(dtype.shape)
    if dtype.fields is None:
        return _CODES[dtype.str[1:]]
    return "".join(_codes_of(field[0]) for field in map(dtype.fields.__getitem__, dtype.names or ()))


def _is_large(table: Table, rows: int) -> bool:
    size: int = table.dtype.itemsize
    return rows * size >= LARGE


_BYTE = np.dtype(np.uint8)


def _zeros(rows: int, dtype: np.dtype[Any]) -> Array:
    """An array of zeros that begins where a cache line does."""
    memory = np.zeros(rows * dtype.itemsize + ALIGNED, np.uint8)
    return np.ndarray(rows, dtype, memory, -memory.ctypes.data % ALIGNED)


def _whole_lines(size: int) -> int:
    """A number of bytes, rounded up to whole cache lines."""
    return -(-size // ALIGNED) * ALIGNED


class Store:
    """Memory of one world: an array a table, zeroed when made, grown by half at least, and large ones by an eighth.

    `tables` is the one argument of every kernel entry. A NumPy array from `store[TABLE]` remains valid memory after a growth
    but is no longer the Store's: get it again each time.

    A new Store has no memory of its own, so that thousands of worlds are cheap: `allocate` makes the initial rows that
    kernels rely on. Tables of addresses of machine code belong to the process, and are shared by all Stores.

    `doubles`, `longs`, `words` and `bytes` are views of the tables as 64-bit floats, 64-bit and 32-bit integers, and bytes,
    with which Python reads and writes single values, or rows (`packing`); get them again each time, too.
    `model`: what its rows are copies of.
    `busy`: why nothing in it may be made, destroyed or moved now; empty if it may.
    `patient`: whether a step waits for that of another thread, and does not raise.
    """

    __slots__ = (
        "__weakref__",
        "_lock",
        "_numbers",
        "_outgrown",
        "_stepper",
        "_unallocated",
        "arrays",
        "busy",
        "bytes",
        "doubles",
        "longs",
        "patient",
        "tables",
        "words",
    )

    def __init__(self, *, allocated: bool = True, model: Model | None = None) -> None:
        self.arrays, self.tables = _beginning() if model is None else model.copies()
        self._numbers = self.tables.data
        self.doubles, self.longs = Views(self.arrays, np.float64), Views(self.arrays, np.int64)
        self.words, self.bytes = Views(self.arrays, np.int32), Views(self.arrays, np.uint8)
        self.busy = ""
        self.patient = False
        self._lock = Lock()
        self._stepper = 0  # the thread that steps it, 0: none does
        self._outgrown: tuple[Array, Any] | None = None  # memory whose address kernels may still have
        self._unallocated: tuple[Table, ...] | None = None  # tables without initial rows; None: all
        if allocated:
            self.allocate()

    def allocate(self, *, without: tuple[Table, ...] = ()) -> None:
        """Allocate the initial rows of every table, with some exceptions."""
        if self._unallocated is None or (self._unallocated and not without):
            small = [table for table in DECLARED if table not in without and len(self[table]) < table.room]
            self._allocate_together([table for table in small if not len(self[table])])
            for table in small:
                self.make_room(table, table.room)
            self._unallocated = without

    def _allocate_together(self, tables: list[Table]) -> None:
        """Give empty tables their initial rows in one block of memory, of which NumPy is asked for the address once."""
        sizes = [_whole_lines(table.room * table.dtype.itemsize) for table in tables]
        memory = _zeros(sum(sizes), _BYTE)
        address, at = memory.ctypes.data, 0
        before = self._outgrown
        self._outgrown = (memory, before)  # as in `make_room`
        for table, size in zip(tables, sizes, strict=True):
            self._replace(table, np.ndarray(table.room, table.dtype, memory, at), address + at)
            at += size
        self._outgrown = before

    def __getitem__(self, table: Table) -> Array:
        """The rows of `table`, over all its capacity."""
        return self.arrays[table.position]

    def used(self, table: Table) -> int:
        """Rows of `table` in use."""
        rows: int = self._numbers[table.used_at]
        return rows

    def use(self, table: Table, rows: int) -> None:
        """Set the number of rows in use, and grow the table for them if necessary."""
        position = table.position
        if rows > len(self.arrays[position]):
            self.make_room(table, rows)
        self._numbers[FIELDS * position + USED] = rows

    def use_alike(self, tables: Iterable[Table], rows: int) -> None:
        """`use` this many rows of each table."""
        numbers, arrays = self._numbers, self.arrays
        for table in tables:
            position = table.position
            if rows > len(arrays[position]):
                self.make_room(table, rows)
            numbers[FIELDS * position + USED] = rows

    def clear(self, table: Table, row: int) -> None:
        """Zero a row."""
        size = table.dtype.itemsize
        self.bytes[table][row * size : (row + 1) * size] = bytes(size)

    def make_room(self, table: Table, rows: int) -> None:
        """Grow `table` to at least `rows` rows; its contents are kept, new rows are zero."""
        old = self.arrays[table.position]
        if len(old) >= rows:
            return
        self.require_idle()
        more = len(old) // 8 if _is_large(table, len(old)) else len(old) // 2
        new = _zeros(max(rows, len(old) + more, table.room if len(old) else 0), table.dtype)
        if len(old):
            new.view(np.uint8)[: old.nbytes] = old.view(np.uint8)  # records would be copied field by field
        before = self._outgrown
        self._outgrown = (old, before)  # an interrupt may come before the kernels' address is the new one
        self._replace(table, new)
        self._outgrown = before

    def share(self, table: Table, array: Array) -> None:
        """Let the rows of a table that is common to Stores be this array, from now on."""
        self._replace(table, array)

    def _replace(self, table: Table, array: Array, address: int | None = None) -> None:
        for views in (self.doubles, self.longs, self.words, self.bytes):
            views.pop(table, None)
        self.arrays[table.position] = array
        self._note(table, address)

    def begin_step(self, name: str, *, without: tuple[Table, ...] = ()) -> None:
        """Let this thread be the one that steps the world `name`. RuntimeError if it is being stepped and is not `patient`."""
        if not (self._lock.acquire(False) or (self.patient and self._stepper != get_ident() and self._lock.acquire())):
            raise RuntimeError(
                f"{name} is being stepped; a callback cannot step it again"
                if self._stepper == get_ident()
                else f"{name} is being stepped by another thread; wait for it"
            )
        self._stepper = get_ident()
        if self._unallocated != ():
            self.allocate(without=without)
        if self._outgrown is not None:
            self._note_addresses()

    def end_step(self) -> None:
        """The step is over, or given up."""
        self._stepper = 0
        self._lock.release()

    @property
    def stepping(self) -> bool:
        """Whether the world is being stepped."""
        return self._stepper != 0

    def require_idle(self) -> None:
        """Raise if things of this store cannot be made or destroyed now."""
        if self.busy:
            raise RuntimeError(self.busy)
        if self._stepper and self._stepper != get_ident():
            raise RuntimeError(
                "nothing can be made, destroyed or put elsewhere while another thread steps the world; wait for its step"
            )

    def make_missing_room(self) -> None:
        """Grow the table that a kernel found too small, and those that grow with it.

        To the requested size and an eighth more, a sixteenth if it is large.
        """
        position, rows = (int(x) for x in self[SHORTAGE])
        table = DECLARED[position]
        rows += rows // (16 if _is_large(table, rows) else 8)
        for each in table.grows_with:
            self.make_room(each, rows)

    def _note_addresses(self) -> None:
        """Give kernels the address of every array, where an interrupt may have come between an array and its address."""
        for table in DECLARED:
            self._note(table)
        self._outgrown = None

    def _note(self, table: Table, address: int | None = None) -> None:
        array = self.arrays[table.position]
        self._numbers[FIELDS * table.position + ADDRESS] = array.ctypes.data if address is None else address
        self._numbers[FIELDS * table.position + CAPACITY] = len(array)

    # -- saving ----------------------------------------------------------------------------------------------------

    def save(self) -> list[Array]:
        """Copies of the rows in use of every table that is saved, as bytes, one behind the other in one memory."""
        numbers, views, places = self._numbers, self.bytes, _saved_places()
        memory = np.empty(sum([numbers[used] * size for _, used, size in places]), np.uint8)
        view, saved, end = memory.data, [], 0
        for table, used, size in places:
            rows = numbers[used]
            if rows:  # NumPy takes longer for the few bytes of most tables
                begin, end = end, end + rows * size
                view[begin:end] = views[table][: end - begin]
                saved.append(memory[begin:end])
            else:
                saved.append(_NO_BYTES)
        return saved

    def restore(self, saved: list[Array]) -> None:
        """Make the rows in use those that `save` returned, here or in another process."""
        numbers, views = self._numbers, self.bytes
        for (table, used, size), rows in zip(_saved_places(), saved, strict=True):
            before, now = numbers[used] * size, len(rows)
            if before != now:
                self.use(table, now // size)
            if now:
                views[table][:now] = rows.data
            if before > now:
                views[table][now:before] = bytes(before - now)  # as rows that were never taken


@cache
def saved_tables() -> tuple[Table, ...]:
    """The tables that a saved world consists of, in their order."""
    return tuple(table for table in DECLARED if table.role in (Role.STATE, Role.CONVERGENCE))


_NO_BYTES = np.zeros(0, np.uint8)


@cache
def _saved_places() -> list[tuple[Table, int, int]]:
    """Of each saved table: where the number of rows in use is, and the bytes of a row."""
    return [(table, table.used_at, table.dtype.itemsize) for table in saved_tables()]


class Model:
    """The rows of a store, which others begin with: one behind the other in one memory, so that a copy costs little."""

    def __init__(self, store: Store) -> None:
        own = [k for k, array in enumerate(store.arrays) if len(array) and not DECLARED[k].common]
        ends = accumulate(_whole_lines(store.arrays[k].nbytes) for k in own)
        *begins, size = 0, *ends
        self._memory = np.empty(size, np.uint8)
        self._arrays, self._tables = store.arrays.copy(), store.tables.copy()
        self._places = [
            (k, store.arrays[k].shape, store.arrays[k].dtype, at) for k, at in zip(own, begins, strict=True)
        ]
        self._addresses = FIELDS * np.array(own) + ADDRESS
        self._tables[self._addresses] = begins
        for k, _, _, at in self._places:
            self._memory[at : at + store.arrays[k].nbytes] = store.arrays[k].view(np.uint8)

    def copies(self) -> tuple[list[Array], Array]:
        """Arrays and `tables` argument of a new Store."""
        memory, arrays, tables = _zeros(len(self._memory), self._memory.dtype), self._arrays.copy(), self._tables.copy()
        memory[:] = self._memory
        for k, shape, dtype, at in self._places:
            arrays[k] = np.ndarray(shape, dtype, memory, at)
        tables[self._addresses] += memory.ctypes.data
        return arrays, tables


def _beginning() -> tuple[list[Array], Array]:
    """Arrays and `tables` argument of a new Store without rows."""
    arrays, tables = _no_rows()
    return arrays.copy(), tables.copy()


@cache
def _no_rows() -> tuple[list[Array], Array]:
    arrays = [np.zeros(table.room if table.common else 0, table.dtype) for table in DECLARED]
    tables = np.zeros(FIELDS * len(DECLARED) + 2, np.int64)  # at the end, the queue of `blocks/load_ahead.py`
    for table, array in zip(DECLARED, arrays, strict=True):
        tables[FIELDS * table.position + ADDRESS] = array.ctypes.data
        tables[FIELDS * table.position + CAPACITY] = len(array)
    return arrays, tables


def common_array(table: Table) -> Array:
    """The rows of a table that is common to all Stores."""
    return _no_rows()[0][table.position]


class Branch(Store):
    """The tables of another Store, except for some of its own: the tables of a thread."""

    __slots__ = ("own_tables", "trunk")

    def __init__(self, trunk: Store, own: tuple[Table, ...]) -> None:
        super().__init__(allocated=False)
        self.trunk = trunk
        self.own_tables = own
        for table in own:
            super().make_room(table, table.room)

    def follow(self) -> None:
        """See the trunk's tables where they are now."""
        mine = [FIELDS * table.position + field for table in self.own_tables for field in range(FIELDS)]
        kept = self.tables[mine]
        self.tables[:] = self.trunk.tables
        self.tables[mine] = kept

    def make_room(self, table: Table, rows: int) -> None:
        """Grow `table` to at least `rows` rows, whichever Store owns it."""
        if table in self.own_tables:
            super().make_room(table, rows)
        else:
            self.trunk.make_room(table, rows)
