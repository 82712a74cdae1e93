"""Handles: thin objects over a row of a Store's tables."""

from __future__ import annotations

from typing import Any

from opendynamics.api.checks import DestroyedError, require_name
from opendynamics.api.member import Belonging, set_first
from opendynamics.api.rows import Rows
from opendynamics.core.arrays.store import Store


class Gone:
    """Replaces the store of a destroyed object: every access raises DestroyedError."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, what: str) -> Any:
        raise DestroyedError(f"{self._name} has been destroyed; make a new one")

    __getitem__ = __getattr__


class Handle(Belonging):
    """An object in a Store: its row, and the generation that shows whether the row is still its own.

    `name` is for messages; `data` is for the user.
    """

    __slots__ = ("__weakref__", "_generation", "_index", "_name", "_rows", "data")

    _rows: Rows
    _index: int
    _generation: int
    _name: str | None
    data: Any

    _noun = "object"

    def __init__(self, rows: Rows, name: str | None = None) -> None:
        self._begin(rows, *rows.take(), name)

    def _begin(self, rows: Rows, row: int, generation: int, name: str | None) -> None:
        """Become the handle of an allocated row."""
        set_first(self, "_rows", rows)
        set_first(self, "_index", row)
        set_first(self, "_generation", generation)
        set_first(self, "_name", name)
        set_first(self, "data", None)

    @property
    def name(self) -> str:
        """The object's name in messages; its kind and a number unless given."""
        return self._name if self._name is not None else f"{self._noun} {self._index}"

    @name.setter
    def name(self, name: str | None) -> None:
        require_name(f"the name of {self.name}", name)
        self._name = name

    @property
    def alive(self) -> bool:
        """Whether the object still exists."""
        generations = self._rows.generations
        return self._index < len(generations) and generations[self._index] == self._generation

    @property
    def _row(self) -> int:
        """The row of a living object."""
        index = self._index
        try:
            if self._rows.generations[index] == self._generation:
                return index
        except IndexError:  # a restored world has no such row
            pass
        raise DestroyedError(f"{self.name} has been destroyed; make a new one")

    @property
    def _store(self) -> Store:
        return self._rows.store

    def _say(self, what: str) -> str:
        """`what` of this object, for error messages."""
        return f"{what} of {self.name}"

    def __repr__(self) -> str:
        what = self._described() if self.alive else "destroyed"
        return f"<{type(self).__name__} {self.name!r}{f': {what}' if what else ''}>"

    def _described(self) -> str:
        """Description of a living object."""
        return ""
