"""Node: a mapping of YAML, or a node of VRML97, as typed values with file and line.

Keys are in snake_case, whatever spelling the file has: `jointAxis` and `joint_axis` are the same. Scalars remain text until
they are read as a number, a flag or text, so that no rule of YAML 1.1 turns `on` into True or `1e10` into a string.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.reading.findings import Findings, ModelError, place

Array = npt.NDArray[np.float64]

TRUE, FALSE = {"true", "yes", "on", "y"}, {"false", "no", "off", "n"}

# Of one value: about as many as a file of the default size can spell out. Lists that are used twice can have any number.
MAX_NUMBERS = 1 << 25

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=4096)
def snake_case(key: str) -> str:
    """`jointAxis` as `joint_axis`."""
    return _CAMEL.sub("_", key).lower()


class Text:
    """A scalar: its text, line, and whether it was quoted."""

    __slots__ = ("line", "quoted", "text")

    def __init__(self, text: str, line: int, quoted: bool = False) -> None:
        self.text, self.line, self.quoted = text, line, quoted


class Numbers:
    """A sequence of numbers, as in VRML97."""

    __slots__ = ("line", "values")

    def __init__(self, values: Array, line: int) -> None:
        self.values, self.line = values, line


class Items:
    """A list."""

    __slots__ = ("items", "line")

    def __init__(self, items: list[Any], line: int) -> None:
        self.items, self.line = items, line


# A dash alone begins an item of a list.
_PLAIN = re.compile(r"(?!-(?: |\Z))[A-Za-z0-9_.+-]+(?: [A-Za-z0-9_.()+-]+)*")


def _is_plain(text: str) -> bool:
    """Whether YAML needs no quotes around a text."""
    return _PLAIN.fullmatch(text) is not None


class Node:
    """Values by key.

    Args:
        kind: type of the node; "" if none is given.
        file, line: its first line.
        name: its name from DEF or an anchor.
    """

    __slots__ = ("_spelling", "_used", "fields", "file", "kind", "line", "name")

    def __init__(self, kind: str, file: Path, line: int, name: str = "") -> None:
        self.kind, self.file, self.line, self.name = kind, file, line, name
        self.fields: dict[str, Any] = {}
        self._spelling: dict[str, str] = {}
        self._used: set[str] = set()

    def __repr__(self) -> str:
        return f"<{self.kind or 'node'} at {self.place}>"

    @property
    def place(self) -> str:
        """File and line."""
        return place(self.file, self.line)

    def set(self, key: str, value: Any) -> None:
        """Set the value of a key, in either spelling. A second spelling of a key is a key of its own, which is never read."""
        name = snake_case(key)
        if self._spelling.get(name, key) != key:
            name = key
        self.fields[name] = value
        self._spelling[name] = key

    def put(self, key: str, value: Any) -> None:
        """Set a key to text, a flag, or a list of texts, with the key written as given."""
        if isinstance(value, bool):
            value = "true" if value else "false"
        if isinstance(value, (list, tuple)):
            self.fields[key] = Items([Text(item, 0) for item in value], 0)
        else:
            self.fields[key] = Text(value, 0, quoted=not _is_plain(value))
        self._spelling[key] = key

    def remove(self, key: str) -> None:
        """Remove a key, if it exists."""
        self.fields.pop(key, None)
        self._spelling.pop(key, None)

    def spelling(self, key: str) -> str:
        """The key as in the file."""
        return self._spelling.get(key, key)

    def error(self, text: str, key: str | None = None) -> ModelError:
        """A ModelError at this node, or at one of its keys."""
        line = getattr(self.fields.get(key or ""), "line", 0) or self.line
        return ModelError(f"{place(self.file, line)}: {text}")

    def __contains__(self, key: str) -> bool:
        return key in self.fields

    def find(self, *keys: str) -> str | None:
        """The first of these keys that is present, which is then marked as read; None if none is."""
        for key in keys:
            if key in self.fields:
                self._used.add(key)
                return key
        return None

    def ignore(self, *keys: str) -> None:
        """Mark keys as read."""
        self._used.update(keys)

    def unread(self) -> Iterator[tuple[str, Any]]:
        """Unread keys, with their values."""
        for key, value in self.fields.items():
            if key not in self._used:
                yield key, value

    def note_unread(self, findings: Findings, what: str, known: tuple[str, ...] = ()) -> None:
        """Report unread keys."""
        for key, value in self.unread():
            line = getattr(value, "line", self.line)
            close = get_close_matches(key, known or self._used, 1, 0.8)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            findings.note(place(self.file, line), f"unknown key {self.spelling(key)!r} of {what} is skipped{hint}")

    # -- typed values ----------------------------------------------------------------------------------------------

    def text(self, *keys: str, default: str = "") -> str:
        """A scalar as text."""
        key = self.find(*keys)
        if key is None:
            return default
        value = self.fields[key]
        if isinstance(value, Items) and len(value.items) == 1:
            value = value.items[0]
        if isinstance(value, Numbers) and value.values.size == 1:
            return f"{value.values.flat[0]:g}"
        if not isinstance(value, Text):
            raise self.error(f"{self.spelling(key)} must be text", key)
        return value.text

    def flag(self, *keys: str, default: bool = False) -> bool:
        """True or False."""
        key = self.find(*keys)
        if key is None:
            return default
        word = self.text(key).lower()
        if word not in TRUE | FALSE:
            raise self.error(f"{self.spelling(key)} must be true or false, not {word!r}", key)
        return word in TRUE

    def numbers(self, *keys: str) -> Array | None:
        """Numbers in a row, however they are nested; None if there is no such key. NaN is not allowed."""
        key = self.find(*keys)
        if key is None:
            return None
        value = self.fields[key]
        try:
            result = _flat(value, {})
        except _TooManyNumbersError:
            text = f"{self.spelling(key)} has more than {MAX_NUMBERS} numbers, with those used twice counted twice"
            raise self.error(text, key) from None
        except _NotNumbersError as wrong:
            raise self.error(f"{self.spelling(key)} must be numbers, not {str(wrong)[:60]!r}", key) from None
        if np.isnan(result).any():
            raise self.error(f"{self.spelling(key)} must be numbers, but one is not", key)
        return result

    def finite(self, *keys: str, size: int | None = None) -> Array | None:
        """Finite numbers, `size` of them if it is given."""
        result = self.numbers(*keys)
        if result is None:
            return None
        key = self.find(*keys)
        assert key is not None
        if size is not None and result.size != size:
            raise self.error(f"{self.spelling(key)} must be {size} numbers, not {result.size}", key)
        if not np.isfinite(result).all():
            raise self.error(f"{self.spelling(key)} must be finite", key)
        return result

    def vector(self, *keys: str, default: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Array:
        """As many finite numbers as the default has."""
        result = self.finite(*keys, size=len(default))
        return np.array(default, np.float64) if result is None else result

    def number(self, *keys: str, default: float = 0.0, infinite: bool = False) -> float:
        """One number, finite unless `infinite`."""
        result = self.numbers(*keys)
        if result is None:
            return default
        key = self.find(*keys)
        assert key is not None
        if result.size != 1:
            raise self.error(f"{self.spelling(key)} must be one number, not {result.size}", key)
        value = float(result[0])
        if not infinite and not math.isfinite(value):
            raise self.error(f"{self.spelling(key)} must be finite, not {value}", key)
        return value

    def positive(self, *keys: str, default: float = 1.0) -> float:
        """One finite number above zero."""
        value = self.number(*keys, default=default)
        if not value > 0.0:
            key = self.find(*keys) or keys[0]
            raise self.error(f"{self.spelling(key)} must be greater than 0, not {value:g}", key)
        return value

    def whole(self, *keys: str, default: int = 0) -> int:
        """One integer."""
        value = self.number(*keys, default=default)
        if value != int(value) or abs(value) > 1e9:
            key = self.find(*keys) or keys[0]
            raise self.error(f"{self.spelling(key)} must be a whole number, not {value:g}", key)
        return int(value)

    def node(self, *keys: str) -> Node | None:
        """A node; None if there is no such key or it is empty."""
        key = self.find(*keys)
        value = None if key is None else self.fields[key]
        if value is None or (isinstance(value, Text) and not value.quoted and value.text in ("", "NULL", "null", "~")):
            return None
        if isinstance(value, Items) and len(value.items) == 1:
            value = value.items[0]
        if not isinstance(value, Node):
            raise self.error(f"{self.spelling(key or '')} must be a node", key)
        return value

    def nodes(self, *keys: str) -> list[Node]:
        """Nodes of a list, or one."""
        return [item for item in self.items(*keys) if isinstance(item, Node)]

    def items(self, *keys: str) -> list[Any]:
        """Members of a list; a single value is a list of one."""
        key = self.find(*keys)
        value = None if key is None else self.fields[key]
        if value is None:
            return []
        return list(value.items) if isinstance(value, Items) else [value]


class _NotNumbersError(Exception):
    pass


class _TooManyNumbersError(Exception):
    pass


def _flat(value: Any, known: dict[int, Array], depth: int = 0) -> Array:
    """The numbers of a value in a row; those of lists that are used twice are `known` the second time, by id."""
    if isinstance(value, Numbers):
        return value.values.flatten()
    if isinstance(value, Text):
        return _parsed([value])
    if not isinstance(value, Items) or depth >= 4:
        raise _NotNumbersError(getattr(value, "kind", "a list in a list") or "a mapping")
    if id(value) not in known:
        if all(isinstance(item, Text) for item in value.items):
            known[id(value)] = _parsed(value.items)
        else:
            parts = [_flat(item, known, depth + 1) for item in value.items]
            if sum(part.size for part in parts) > MAX_NUMBERS:
                raise _TooManyNumbersError
            known[id(value)] = np.concatenate(parts)
    return known[id(value)]


def _parsed(items: list[Text]) -> Array:
    """Numbers from texts, as C++ reads them: no underscores, no words but inf and nan."""
    try:
        texts = [item.text for item in items]
        if any("_" in text for text in texts):
            raise ValueError
        return np.array([float(text) for text in texts], np.float64)
    except ValueError:
        wrong = next(text for text in texts if not _is_number(text))
        raise _NotNumbersError(wrong) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def plain(value: Any) -> Any:
    """A value as plain Python; levels beyond 20 are omitted. Lists and mappings that are used twice remain shared."""
    return _plain(value, 0, {})


def _plain(value: Any, depth: int, known: dict[tuple[int, int], Any]) -> Any:
    if depth > 20:
        return None
    if isinstance(value, Text):
        return value.text if value.quoted else _scalar(value.text)
    if isinstance(value, Numbers):
        numbers = value.values.tolist()
        return numbers[0] if len(numbers) == 1 else numbers
    if not isinstance(value, (Items, Node)):
        return value
    key = (id(value), depth)
    if key not in known:
        if isinstance(value, Items):
            known[key] = [_plain(item, depth + 1, known) for item in value.items]
        else:
            known[key] = {value.spelling(name): _plain(item, depth + 1, known) for name, item in value.fields.items()}
    return known[key]


def _scalar(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text in ("", "~", "null"):
        return None
    if re.fullmatch(r"[-+]?\d{1,18}", text):
        return int(text)
    return float(text) if _is_number(text) else text
