"""The Store owns the memory of all tables, makes room, and hands out rows with generations."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from opendynamics.core.arrays.table import ADDRESS, CAPACITY, DECLARED, FIELDS, SHORTAGE, Table

Array = npt.NDArray[Any]


class Store:
    """Memory of one or more worlds: an array a table, zeroed when made, grown by doubling.

    `tables` is the one argument of every kernel entry. A NumPy array taken with `store[TABLE]` stays valid memory
    after a growth but is no longer the Store's: take it anew each time.

    `lent`: compiled code works on it and has called back to Python, so that nothing in it may move.
    """

    lent = False

    def __init__(self, *, without: tuple[Table, ...] = ()) -> None:
        self.arrays: list[Array] = [np.zeros(0 if table in without else table.room, table.dtype) for table in DECLARED]
        self.tables = np.zeros(FIELDS * len(DECLARED), np.int64)
        for table in DECLARED:
            self._note(table)
        STORES.add(self)

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
        self.require_unlent()
        new = np.zeros(max(rows, 2 * len(old), 16), table.dtype)
        new[: len(old)] = old
        self.arrays[table.position] = new
        self._note(table)

    def require_unlent(self) -> None:
        """Raise if things of this store cannot be made or destroyed now."""
        if self.lent:
            raise RuntimeError(
                "a collider cannot make, destroy or change what is colliding; note the change and make it afterwards"
            )

    def make_missing_room(self) -> None:
        """Grow the table that a kernel found too small, to what it asked for and a quarter more."""
        position, rows = (int(x) for x in self[SHORTAGE])
        self.make_room(DECLARED[position], rows + rows // 4)

    def _note(self, table: Table) -> None:
        array = self.arrays[table.position]
        self.tables[FIELDS * table.position + ADDRESS] = array.ctypes.data
        self.tables[FIELDS * table.position + CAPACITY] = len(array)


# All there are, for those who have to change something in each.
STORES: WeakSet[Store] = WeakSet()


class Branch(Store):
    """The tables of another Store, but for some of its own: what a thread works with."""

    def __init__(self, trunk: Store, own: tuple[Table, ...]) -> None:
        super().__init__(without=tuple(table for table in DECLARED if table not in own))
        self.trunk = trunk
        self.own = own

    def follow(self) -> None:
        """See the trunk's tables where they are now."""
        mine = [FIELDS * table.position + field for table in self.own for field in range(FIELDS)]
        kept = self.tables[mine]
        self.tables[:] = self.trunk.tables
        self.tables[mine] = kept

    def make_room(self, table: Table, rows: int) -> None:
        """Let `table` have room for at least `rows` rows, wherever it is."""
        if table in self.own:
            super().make_room(table, rows)
        else:
            self.trunk.make_room(table, rows)


class Rows:
    """Hands out rows of tables that are indexed alike, reuses freed ones, and tells a new owner from an old one.

    `changes` counts how often a row was taken, given back, or handed out to be changed: as long as it stays the same, so does
    what the rows say, but for what steps change.
    """

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
        self.store.require_unlent()
        self.changes += 1
        if self.free:
            row = self.free.pop()
            for table in self.tables:
                self.store[table][row] = np.zeros((), table.dtype)
            return row, self.generations[row]
        row = len(self.generations)
        self.generations.append(0)
        for table in self.tables:
            self.store.use(table, row + 1)
        return row, 0

    def give_back(self, row: int) -> None:
        """Free `row`: zero it and let every handle on it know by a new generation."""
        self.store.require_unlent()
        self.changes += 1
        self.generations[row] += 1
        for table in self.tables:
            self.store[table][row] = np.zeros((), table.dtype)
        self.free.append(row)


class AgedRows(Rows):
    """Rows in the order in which they were taken: freed ones are used again only from the end."""

    def __init__(self, store: Store, tables: tuple[Table, ...]) -> None:
        super().__init__(store, tables)
        self.count = 0
        self.dead: set[int] = set()

    def take(self) -> tuple[int, int]:
        """A zeroed row after all others, and its generation."""
        self.store.require_unlent()
        row = self.count
        self.count += 1
        if row == len(self.generations):
            self.generations.append(0)
        for table in self.tables:
            self.store.use(table, self.count)
            self.store[table][row] = np.zeros((), table.dtype)
        return row, self.generations[row]

    def give_back(self, row: int) -> None:
        """Free `row`."""
        self.store.require_unlent()
        self.generations[row] += 1
        for table in self.tables:
            self.store[table][row] = np.zeros((), table.dtype)
        self.dead.add(row)
        while self.count - 1 in self.dead:
            self.count -= 1
            self.dead.remove(self.count)
        for table in self.tables:
            self.store.use(table, self.count)
