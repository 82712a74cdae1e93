"""Allocation of table rows for handles, with generations that invalidate stale handles."""

from __future__ import annotations

from typing import Any, ClassVar

from opendynamics.api.member import Member, note_change
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.table import Table


class _Generations:
    """Generations are unique in a process, so that a handle on a freed row stays invalid, also after a saved world is
    restored or loaded."""

    last = 0

    def next(self) -> int:
        self.last += 1
        return self.last


_GENERATIONS = _Generations()
FREED = -1


class Rows(Member):
    """Allocates rows of tables with a common index, reuses freed ones, and distinguishes a new owner from an old one.

    `generations`: generation of each row's owner, FREED without one.
    `changes` counts allocations, releases and write accesses: while it is constant, only steps have changed the rows.
    """

    __slots__ = ("changes", "free", "generations", "store", "tables")

    _transient: ClassVar[dict[str, Any]] = {"changes": int}
    _shared = frozenset({"tables"})

    # `changes`, which is not saved, is the only attribute that is set after construction: there is nothing to count.
    __setattr__ = object.__setattr__

    def __init__(self, store: Store, tables: tuple[Table, ...], first: int = 0) -> None:
        self.store = store
        self.tables = tables
        self.free: list[int] = []
        self.generations: list[int] = [0] * first
        self.changes = 0
        for table in tables:
            store.use(table, max(first, store.used(table)))

    def take(self) -> tuple[int, int]:
        """Allocate a zeroed row; returns it and its generation."""
        store, generations = self.store, self.generations
        store.require_idle()
        note_change()
        self.changes += 1
        if self.free:
            row = self.free.pop()  # zero since it was given back
        else:
            row = len(generations)
            generations.append(FREED)
            store.use_alike(self.tables, row + 1)
        generation = generations[row] = _GENERATIONS.next()
        return row, generation

    def take_many(self, count: int) -> tuple[list[int], list[int]]:
        """Allocate zeroed rows; returns them and their generations, as `take` would one by one."""
        self.store.require_idle()
        note_change()
        self.changes += count
        rows = [self.free.pop() for _ in range(min(count, len(self.free)))]
        first = len(self.generations)
        fresh = count - len(rows)
        if fresh:
            rows += range(first, first + fresh)
            self.generations += [FREED] * fresh
            self.store.use_alike(self.tables, first + fresh)
        generations = [_GENERATIONS.next() for _ in rows]
        for row, generation in zip(rows, generations, strict=True):
            self.generations[row] = generation
        return rows, generations

    def give_back(self, row: int) -> None:
        """Free `row`: zero it and invalidate all handles on it."""
        self.store.require_idle()
        note_change()
        self.changes += 1
        self.generations[row] = FREED
        self._zero(row)
        self.free.append(row)

    def _zero(self, row: int) -> None:
        for table in self.tables:
            self.store.clear(table, row)

    def _reinstated(self) -> None:
        self.changes += 1
        _GENERATIONS.last = max(_GENERATIONS.last, *self.generations, 0)
