"""Text of a DIF file: fields, indented by tabs as in ODE, numbers with as many digits as are needed to read them back exactly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


class Lines:
    """Lines of a file under construction."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append("\t" * self._depth + text)

    def field(self, key: str, value: Any) -> None:
        """Add `key = value`, with a number, numbers, a string in quotes, or an unquoted name (`Name`)."""
        self.line(f"{key} = {said(value)},")

    @contextmanager
    def table(self, opening: str = "", closing: str = "},") -> Iterator[None]:
        """Add a table around the lines that are added meanwhile; `opening` is the text before its brace."""
        self.line(f"{opening}{{")
        self._depth += 1
        yield
        self._depth -= 1
        self.line(closing)


class Name(str):
    """A name in a file, written without quotes."""


def said(value: Any) -> str:
    """The text of a value."""
    if isinstance(value, Name):
        return value
    if isinstance(value, str):
        return '"' + "".join(letter if letter.isprintable() and letter not in '"\\' else "_" for letter in value) + '"'
    if np.ndim(value):
        return "{" + ",".join(said(item) for item in np.asarray(value).ravel().tolist()) + "}"
    number = float(value)
    if math.isinf(number):
        return "inf" if number > 0.0 else "-inf"
    return f"{number:.0f}" if number.is_integer() and abs(number) < 1e15 else repr(number)
