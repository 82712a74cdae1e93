"""Schemas of values read from JSON: descriptions in the structure of the data, checked before anything is built.

A description is a dictionary of descriptions by key, where a key ending in "?" is optional; a list with the description of
each of its items; or a function that returns what is expected if the value is something else, and None if it is valid. Other
keys are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from opendynamics.api.files import Fail, quoted

Rule = Callable[[Any], "str | None"]


def require(value: Any, schema: Any, fail: Fail, place: str = "") -> None:
    """Raise what `fail` returns for the first value that does not match `schema`; `place` is the key of `value`."""
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            raise _wrong(fail, place, value, "values by name")
        for key, rule in schema.items():
            name = key.removesuffix("?")
            if name in value:
                require(value[name], rule, fail, f"{place}.{name}" if place else name)
            elif name == key:
                raise fail(place, f"{name} is missing")
    elif isinstance(schema, list):
        if not isinstance(value, list):
            raise _wrong(fail, place, value, "a list")
        for k, item in enumerate(value):
            require(item, schema[0], fail, f"{place}[{k}]")
    else:
        wanted = schema(value)
        if wanted is not None:
            raise _wrong(fail, place, value, wanted)


def _wrong(fail: Fail, place: str, value: Any, wanted: str) -> Exception:
    return fail(place, f"{wanted} expected, not {quoted(repr_of(value))}")


def repr_of(value: Any) -> str:
    """`repr`, but for lists and dictionaries, which may be long or deep, only the number of their entries."""
    return f"a {type(value).__name__} of {len(value)}" if isinstance(value, (list, dict)) else repr(value)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number that fits a float."""
    return type(value) in (int, float) and -math.inf < value < math.inf and abs(value) < 1e308


def number(value: Any) -> str | None:
    """A finite number."""
    return None if is_number(value) else "a finite number"


def positive(value: Any) -> str | None:
    """A finite number above zero."""
    return None if is_number(value) and value > 0 else "a finite number above 0"


def word(value: Any) -> str | None:
    """A string, without unpaired surrogates, which no file can contain."""
    right = isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)
    return None if right else "text"


def flag(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "true or false"


def whole(least: int, most: int) -> Rule:
    """An integer within bounds."""

    def rule(value: Any) -> str | None:
        right = type(value) is int and least <= value <= most
        return None if right else f"a whole number from {least} to {most}"

    return rule


def numbers(size: int | None = None) -> Rule:
    """A list of finite numbers, optionally of a certain length."""

    def rule(value: Any) -> str | None:
        right = isinstance(value, list) and size in (None, len(value)) and all(map(is_number, value))
        return None if right else f"a list of {'' if size is None else f'{size} '}finite numbers"

    return rule


def or_null(rule: Rule) -> Rule:
    """The same, or null."""
    return lambda value: None if value is None else rule(value)


def anything(value: Any) -> str | None:
    """Any value, but required."""
    return None
