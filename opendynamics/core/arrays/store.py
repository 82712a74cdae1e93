"""The Store owns the memory of all tables, makes room, and hands out rows with generations."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.core.arrays.table import ADDRESS, CAPACITY, DECLARED, FIELDS, SHORTAGE, Role, Table

Array = npt.NDArray[Any]


class Store:
    """Memory of one world: an array a table, zeroed when made, grown by doubling.

    `tables` is the one argument of every kernel entry. A NumPy array taken with `store[TABLE]` stays valid memory
    after a growth but is no longer the Store's: take it anew each time.

    A new Store has no memory of its own, so that thousands of worlds cost little: `furnish` gives every table the room
    that kernels count on. Tables of addresses of machine code are the process's, and common to all Stores.

    `busy`: why nothing in it may be made, destroyed or moved now; empty if it may.
    """

    __slots__ = ("__weakref__", "_furnished", "_outgrown", "arrays", "busy", "tables")

    def __init__(self, *, furnished: bool = True) -> None:
        arrays, tables = _beginning()
        self.arrays: list[Array] = arrays.copy()
        self.tables = tables.copy()
        self.busy = ""
        self._outgrown: Array | None = None
        self._furnished = False
        if furnished:
            self.furnish()

    def furnish(self) -> None:
        """Give every table its first room."""
        if not self._furnished:
            for table in DECLARED:
                self.make_room(table, table.room)
            self._furnished = True

    def __getitem__(self, table: Table) -> Array:
        """The rows of `table`, over all its capacity."""
        return self.arrays[table.position]

    def used(self, table: Table) -> int:
        """Rows of `table` in use."""
        return int(self.tables[table.used_at])

    def use(self, table: Table, rows: int) -> None:
        """Set the number of rows in use, making room for them."""
        self.make_room(table, rows)
        self.tables[table.used_at] = rows

    def make_room(self, table: Table, rows: int) -> None:
        """Let `table` have room for at least `rows` rows; what it holds stays, new rows are zero."""
        old = self.arrays[table.position]
        if len(old) >= rows:
            return
        self.require_idle()
        new = np.zeros(max(rows, 2 * len(old), table.room if len(old) else 0), table.dtype)
        new[: len(old)] = old
        self._outgrown = old  # an interrupt may come before the kernels' address is the new one
        self.arrays[table.position] = new
        self._note(table)

    def own(self, table: Table) -> Array:
        """The rows of a table that is common to all Stores, from now on this Store's own copy of it."""
        if self.arrays[table.position] is _beginning()[0][table.position]:
            self.arrays[table.position] = self.arrays[table.position].copy()
            self._note(table)
        return self.arrays[table.position]

    def require_idle(self) -> None:
        """Raise if things of this store cannot be made or destroyed now."""
        if self.busy:
            raise RuntimeError(self.busy)

    def make_missing_room(self) -> None:
        """Grow the table that a kernel found too small, to what it asked for and a quarter more."""
        position, rows = (int(x) for x in self[SHORTAGE])
        self.make_room(DECLARED[position], rows + rows // 4)

    def note_addresses(self) -> None:
        """Give kernels the address of every array, where an interrupt may have come between an array and its address."""
        if self._outgrown is not None:
            for table in DECLARED:
                self._note(table)
            self._outgrown = None

    def _note(self, table: Table) -> None:
        array = self.arrays[table.position]
        self.tables[FIELDS * table.position + ADDRESS] = array.ctypes.data
        self.tables[FIELDS * table.position + CAPACITY] = len(array)

    # -- saving ----------------------------------------------------------------------------------------------------

    def save(self) -> list[Array]:
        """Copies of the rows in use of every table that is saved."""
        tables = self.tables
        return [self.arrays[table.position][: tables[table.used_at]].copy() for table in saved_tables()]

    def restore(self, saved: list[Array]) -> None:
        """Make the rows in use those that `save` returned, or rows like them from another process."""
        for table, rows in zip(saved_tables(), saved, strict=True):
            self.use(table, len(rows))
            self.arrays[table.position][: len(rows)] = rows


@cache
def saved_tables() -> tuple[Table, ...]:
    """The tables that a saved world consists of, in their order."""
    return tuple(table for table in DECLARED if table.role in (Role.STATE, Role.CONVERGENCE))


@cache
def _beginning() -> tuple[list[Array], Array]:
    """Arrays and `tables` argument of a new Store."""
    arrays = [np.zeros(table.room if table.common else 0, table.dtype) for table in DECLARED]
    tables = np.zeros(FIELDS * len(DECLARED), np.int64)
    for table, array in zip(DECLARED, arrays, strict=True):
        tables[FIELDS * table.position + ADDRESS] = array.ctypes.data
        tables[FIELDS * table.position + CAPACITY] = len(array)
    return arrays, tables


def common_array(table: Table) -> Array:
    """The rows of a table that is common to all Stores."""
    return _beginning()[0][table.position]


class Branch(Store):
    """The tables of another Store, but for some of its own: what a thread works with."""

    __slots__ = ("own_tables", "trunk")

    def __init__(self, trunk: Store, own: tuple[Table, ...]) -> None:
        super().__init__(furnished=False)
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
        """Let `table` have room for at least `rows` rows, wherever it is."""
        if table in self.own_tables:
            super().make_room(table, rows)
        else:
            self.trunk.make_room(table, rows)


# Generations are never given twice, so that a handle on a row that was freed stays dead when a saved world is restored.
_generations = count(1)


class Rows:
    """Hands out rows of tables that are indexed alike, reuses freed ones, and tells a new owner from an old one.

    `generations`: of every row, that of its owner; negative: the row is free.
    `changes` counts how often a row was taken, given back, or handed out to be changed: as long as it stays the same, so does
    what the rows say, but for what steps change.
    """

    __slots__ = ("changes", "free", "generations", "store", "tables")

    def __init__(self, store: Store, tables: tuple[Table, ...], first: int = 0) -> None:
        self.store = store
        self.tables = tables
        self.free: list[int] = []
        self.generations: list[int] = [0] * first
        self.changes = 0
        for table in tables:
            store.use(table, max(first, store.used(table)))

    def take(self) -> tuple[int, int]:
        """A zeroed row and its generation."""
        self.store.require_idle()
        self.changes += 1
        generation = next(_generations)
        if self.free:
            row = self.free.pop()
            for table in self.tables:
                self.store[table][row] = np.zeros((), table.dtype)
            self.generations[row] = generation
            return row, generation
        row = len(self.generations)
        self.generations.append(generation)
        for table in self.tables:
            self.store.use(table, row + 1)
        return row, generation

    def give_back(self, row: int) -> None:
        """Free `row`: zero it and let every handle on it know."""
        self.store.require_idle()
        self.changes += 1
        self.generations[row] = -1
        for table in self.tables:
            self.store[table][row] = np.zeros((), table.dtype)
        self.free.append(row)


class AgedRows(Rows):
    """Rows in the order in which they were taken: freed ones are used again only from the end."""

    __slots__ = ("count", "dead")

    def __init__(self, store: Store, tables: tuple[Table, ...]) -> None:
        super().__init__(store, tables)
        self.count = 0
        self.dead: set[int] = set()

    def take(self) -> tuple[int, int]:
        """A zeroed row after all others, and its generation."""
        self.store.require_idle()
        row, generation = self.count, next(_generations)
        self.count += 1
        if row == len(self.generations):
            self.generations.append(0)
        self.generations[row] = generation
        for table in self.tables:
            self.store.use(table, self.count)
            self.store[table][row] = np.zeros((), table.dtype)
        return row, generation

    def give_back(self, row: int) -> None:
        """Free `row`."""
        self.store.require_idle()
        self.generations[row] = -1
        for table in self.tables:
            self.store[table][row] = np.zeros((), table.dtype)
        self.dead.add(row)
        while self.count - 1 in self.dead:
            self.count -= 1
            self.dead.remove(self.count)
        for table in self.tables:
            self.store.use(table, self.count)
