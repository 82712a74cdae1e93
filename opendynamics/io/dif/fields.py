"""Contents of a table of a DIF file, taken out and checked field by field; remaining fields are an error."""

from __future__ import annotations

import math
from typing import Any

from opendynamics.api.files import Fail, FileError, quoted
from opendynamics.io.dif.syntax import Reference, Table


class Fields:
    """The named values of a table. Each method takes one out; `default` if it is missing, an error without a default."""

    def __init__(self, table: Table, fail: Fail) -> None:
        self.table, self.line, self._fail = table, table.line, fail
        self._left = dict(table.named)

    def error(self, problem: str, remedy: str = "") -> FileError:
        """An error in this table."""
        return self._fail(f"line {self.line}", problem, remedy)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def require_done(self) -> None:
        """Raise if any field was not taken out."""
        if self._left:
            raise self.error(f"{quoted(next(iter(self._left)))} is not a known field", "leave it out")

    def _take(self, key: str, default: Any) -> Any:
        if key in self._left:
            return self._left.pop(key)
        if default is ...:
            raise self.error(f"{key} is missing")
        return default

    def number(self, key: str, default: Any = ..., *, infinite: bool = False) -> Any:
        """A number, finite unless `infinite` ones are allowed."""
        value = self._take(key, default)
        if value is not default and not _is_number(value, infinite):
            raise self.error(f"{key} must be a {'number' if infinite else 'finite number'}, not {_said(value)}")
        return value

    def whole(self, key: str, most: int, default: Any = ...) -> Any:
        """An integer from 0 to `most`."""
        value = self._take(key, default)
        if value is default:
            return value
        if not _is_number(value, False) or not 0 <= value <= most or value != int(value):
            raise self.error(f"{key} must be a whole number from 0 to {most}, not {_said(value)}")
        return int(value)

    def length(self, key: str) -> int:
        """Number of values in the list of a field, which is not taken out."""
        value = self._left.get(key)
        return len(value.items) if isinstance(value, Table) else 0

    def flag(self, key: str, default: bool) -> bool:
        """0 or 1."""
        return bool(self.whole(key, 1, int(default)))

    def text(self, key: str, default: Any = ...) -> Any:
        """A string."""
        value = self._take(key, default)
        if value is not default and not isinstance(value, str):
            raise self.error(f"{key} must be a text in quotes, not {_said(value)}")
        return value

    def numbers(self, key: str, size: int | None = None, default: Any = ..., *, infinite: bool = False) -> Any:
        """A list of numbers, of the given length unless `size` is None."""
        value = self._take(key, default)
        if value is default:
            return value
        items = value.items if isinstance(value, Table) and not value.named and not value.kind else None
        if items is None or size not in (None, len(items)) or not all(_is_number(x, infinite) for x in items):
            count = "numbers" if size is None else f"{size} numbers"
            raise self.error(f"{key} must be {count} in braces, not {_said(value)}")
        return list(items)

    def matrix(self, key: str) -> list[list[float]]:
        """Three rows of three numbers, each row in braces."""
        rows = Fields(_renamed(self.tables(key), self.table), self._fail)
        if len(rows.table.named) != 3:
            raise self.error(f"{key} must be three rows of three numbers in braces, not {len(rows.table.named)} rows")
        return [rows.numbers(name, 3) for name in rows.table.named]

    def of(self, table: Table) -> Fields:
        """The fields of a table, taken from `tables`."""
        return Fields(table, self._fail)

    def indices(self, key: str, default: Any = ...) -> Any:
        """A list of integers from 0 on."""
        found = self.numbers(key, None, default)
        if found is not default and not all(0 <= x < 1 << 31 and x == int(x) for x in found):
            raise self.error(f"{key} must be whole numbers from 0 on")
        return found if found is default else [int(x) for x in found]

    def tables(self, key: str) -> list[Table]:
        """A list of tables; empty if it is missing."""
        value = self._take(key, None)
        if value is None:
            return []
        items = value.items if isinstance(value, Table) else None
        if items is None or value.named or not all(isinstance(item, Table) for item in items):
            raise self.error(f"{key} must be tables in braces, not {_said(value)}")
        return list(items)

    def references(self, key: str) -> list[Reference]:
        """A list of references."""
        value = self._take(key, ...)
        items = value.items if isinstance(value, Table) else None
        if items is None or value.named or not all(isinstance(item, Reference) for item in items):
            raise self.error(f"{key} must be names in braces, not {_said(value)}")
        return list(items)

    def reference(self, key: str, default: Any = ...) -> Any:
        """A reference."""
        value = self._take(key, default)
        if value is not default and not isinstance(value, Reference):
            raise self.error(f"{key} must be a name, not {_said(value)}")
        return value

    def inner(self, key: str) -> Fields | None:
        """The fields of an inner table; None if it is missing. Call its `require_done`, too."""
        value = self._take(key, None)
        if value is None:
            return None
        if not isinstance(value, Table) or value.items:
            raise self.error(f"{key} must be a table of fields, not {_said(value)}")
        return Fields(value, self._fail)


def _is_number(value: Any, infinite: bool) -> bool:
    return isinstance(value, float) and not math.isnan(value) and (infinite or math.isfinite(value))


def _renamed(tables: list[Table], around: Table) -> Table:
    """A table with these values by name, for messages."""
    renamed = Table("", around.line)
    renamed.named = {f"row {k + 1}": table for k, table in enumerate(tables)}
    return renamed


def _said(value: Any) -> str:
    if isinstance(value, Table):
        return f"a table of {len(value.items) + len(value.named)}"
    return quoted(str(value) if isinstance(value, Reference) else repr(value))
