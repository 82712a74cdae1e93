"""Fields of settings: each is declared once, with default, check, unit, help, key in projects and older keys.

Validation, help, storing and restoring all use the declarations, so that none of them can omit a field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.robot.reading.findings import ModelError
from opendynamics.robot.reading.node import Node, Text


@dataclass(frozen=True)
class Kind:
    """How the value of a field is checked, read and written.

    Args:
        check: called with the field's name and a value; returns the value, or raises TypeError or ValueError.
        read: the value from a node and a key of it; raises ModelError with file and line.
        write: the value as words of a project file: text, a list of texts, or a bool.
        words: description of the range in the help.
    """

    check: Callable[[str, Any], Any]
    read: Callable[[Node, str], Any]
    write: Callable[[Any], Any]
    words: str


@dataclass(frozen=True)
class Declaration:
    """Declaration of a field. `older`: further keys that are read, in snake_case; `optional`: written only if not the default."""

    kind: Kind
    help: str
    unit: str = ""
    older: tuple[str, ...] = ()
    optional: bool = False


def declared(default: Any, kind: Kind, help: str, *, unit: str = "", older: str = "", optional: bool = False) -> Any:
    """A dataclass field with its declaration."""
    declaration = Declaration(kind, help, unit, tuple(older.split()), optional)
    return field(default=default, metadata={"declaration": declaration})


def declarations(kind: Any) -> dict[str, Declaration]:
    """The declarations of a class, or object, by the names of its fields."""
    return {one.name: one.metadata["declaration"] for one in fields(kind) if "declaration" in one.metadata}


# -- kinds -------------------------------------------------------------------------------------------------------------


def _number_text(value: float) -> str:
    return f"{value:.17g}" if float(f"{value:.15g}") != value else f"{value:.15g}"


def number(low: float, high: float = np.inf, *, open_low: bool = False) -> Kind:
    """A finite number from `low`, which is excluded if `open_low`, to `high`."""

    def check(what: str, value: Any) -> float:
        found = checks.finite(what, value)
        if found < low or found > high or (open_low and found == low):
            raise ValueError(f"{what} must be {words}, not {found:g}")
        return found

    words = f"{'above' if open_low else 'at least'} {low:g}" if high == np.inf else f"between {low:g} and {high:g}"
    return Kind(check, lambda node, key: node.number(key), _number_text, words)


def whole(low: int, high: int) -> Kind:
    """An integer in a range."""

    def check(what: str, value: Any) -> int:
        return checks.count(what, value, low, high)

    return Kind(check, lambda node, key: node.whole(key), str, f"{low} to {high}")


def choice(labels: Mapping[str, str], aliases: Mapping[str, str] | None = None) -> Kind:
    """One of some words; `labels` are their names in projects, `aliases` other names there."""
    known = {**{label: name for name, label in labels.items()}, **{name: name for name in labels}, **(aliases or {})}

    def check(what: str, value: Any) -> str:
        checks.choice(what, value, tuple(labels))
        return str(value)

    def read(node: Node, key: str) -> str:
        word = node.text(key)
        if word not in known:
            raise node.error(f"{node.spelling(key)} must be one of {', '.join(labels.values())}, not {word!r}", key)
        return known[word]

    return Kind(check, read, lambda value: labels[value], " or ".join(labels))


def _check_flag(what: str, value: Any) -> bool:
    return checks.flag(what, value)


def _check_vector(what: str, value: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in checks.vector(what, value))


def _check_text(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {value!r}")
    return value


FLAG = Kind(_check_flag, lambda node, key: node.flag(key), lambda value: value, "true or false")
VECTOR = Kind(
    _check_vector,
    lambda node, key: tuple(float(x) for x in node.finite(key, size=3)),  # type: ignore[union-attr]
    lambda value: [_number_text(x) for x in value],
    "three numbers",
)
TEXT = Kind(_check_text, lambda node, key: "" if _empty(node, key) else node.text(key), str, "text")


def _empty(node: Node, key: str) -> bool:
    value = node.fields[key]
    return isinstance(value, Text) and not value.quoted and value.text in ("", "~", "null")


# -- all fields of a class --------------------------------------------------------------------------------------------


def checked(settings: Any, what: str) -> None:
    """Check all fields of a frozen dataclass, and store the checked values."""
    for name, declaration in declarations(settings).items():
        value = declaration.kind.check(f"{name} of {what}", getattr(settings, name))
        object.__setattr__(settings, name, value)


def restored(kind: Any, node: Node, what: str) -> dict[str, Any]:
    """The fields of a class in a node, by their keys or older ones; ModelError for invalid values."""
    found: dict[str, Any] = {}
    for name, declaration in declarations(kind).items():
        key = node.find(name, *declaration.older)
        if key is None:
            continue
        try:
            value = declaration.kind.read(node, key)
            found[name] = declaration.kind.check(f"{node.spelling(key)} of {what}", value)
        except ModelError:
            raise
        except (TypeError, ValueError) as error:
            raise node.error(str(error), key) from None
    return found


def store(settings: Any, node: Node) -> None:
    """Write the fields to a node: by their keys, instead of older ones; optional ones only if they are not the default."""
    defaults = {one.name: one.default for one in fields(settings)}
    for name, declaration in declarations(settings).items():
        value = getattr(settings, name)
        there = [key for key in (name, *declaration.older) if key in node]
        if declaration.optional and value == defaults[name] and not there:
            continue
        if there == [name] == [node.spelling(name)] and declaration.kind.read(node, name) == value:
            continue  # in its current notation
        for key in there:
            if key != name:
                node.remove(key)
        node.put(name, declaration.kind.write(value))


def described(kind: Any) -> str:
    """Help: a line for each field with its default, range, unit and meaning."""
    lines = []
    for one in fields(kind):
        if "declaration" not in one.metadata:
            continue
        declaration: Declaration = one.metadata["declaration"]
        unit = f" {declaration.unit}" if declaration.unit else ""
        default = "" if one.default is None else f"{one.default}{unit}; "
        lines.append(f"{one.name}: {declaration.help} ({default}{declaration.kind.words})")
    return "\n".join(lines)
