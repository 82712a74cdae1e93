"""The text of DIF files: tables in Lua syntax, each with its first line.

Parses text to values: numbers, strings, `Reference` (a name, optionally with an index) and `Table`. Commas are not required,
since ODE omits some. Comments extend from -- to the end of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from opendynamics.api.files import Fail, FileError, quoted

# Limits of a decompressed file; of its tokens; and of the nesting of tables.
MAX_BYTES, MAX_TOKENS, MAX_DEPTH = 1 << 24, 1_000_000, 16

_NUMBER = r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?:inf|nan)(?![\w.]))"
_TOKEN = re.compile(
    r"(?P<space>\s+|--[^\n]*)"
    rf"|(?P<number>{_NUMBER})"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r'|(?P<text>"[^"\n\\]*")'
    r"|(?P<mark>[{}\[\]=,;])"
)


class DifError(FileError):
    """A DIF file that cannot be read: names the file, the line, the problem and the remedy."""


@dataclass(frozen=True)
class Reference:
    """`name`, or `name[index]`."""

    name: str
    index: int | None
    line: int

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


class Table:
    """`{...}`: named values and a sequence of values; `kind` is the word before it, as in dynamics.body {...}."""

    __slots__ = ("items", "kind", "line", "named")

    def __init__(self, kind: str, line: int) -> None:
        self.kind, self.line = kind, line
        self.named: dict[str, Any] = {}
        self.items: list[Any] = []


@dataclass(frozen=True)
class Statement:
    """`target = value`."""

    target: Reference
    value: Any


def statements(text: str, fail: Fail) -> Iterator[Statement]:
    """The assignments of a file, in its order; `fail` creates the error for a line."""
    words = _Words(text, fail)
    while words.kind != "end":
        target = _reference(words, "the name of what is defined")
        words.skip("=")
        yield Statement(target, _value(words, 0))
        words.skip_separators()


class _Words:
    """The tokens of a text: `kind`, `word` and `line` of the current one."""

    def __init__(self, text: str, fail: Fail) -> None:
        self._text, self._fail = text, fail
        self._at, self._seen, self._next_line = 0, 0, 1
        self.kind, self.word, self.line = "", "", 1
        self.advance()

    def advance(self) -> None:
        """Move to the next token."""
        while True:
            self.line = self._next_line
            if self._at == len(self._text):
                self.kind, self.word = "end", "the end of the file"
                return
            found = _TOKEN.match(self._text, self._at)
            if found is None:
                self.word = self._text[self._at : self._at + 20].split("\n")[0]
                raise self.error("a name, a number, a text in quotes or one of {}[]=, is expected")
            self._at = found.end()
            self.kind, self.word = str(found.lastgroup), found[0]
            if self.kind != "space":
                break
            self._next_line += self.word.count("\n")
        self._seen += 1
        if self._seen > MAX_TOKENS:
            raise self._fail(f"line {self.line}", f"more than {MAX_TOKENS} words, which is the limit")

    def error(self, wanted: str) -> FileError:
        """The error that something else is expected here."""
        return self._fail(f"line {self.line}", f"{wanted}, not {quoted(self.word)!r}")

    def skip(self, mark: str) -> None:
        """Skip a mark, which is required here."""
        if self.kind != "mark" or self.word != mark:
            raise self.error(f"{mark!r} is expected")
        self.advance()

    def at(self, mark: str) -> bool:
        """Whether the current token is this mark."""
        return self.kind == "mark" and self.word == mark

    def skip_separators(self) -> None:
        """Skip commas and semicolons."""
        while self.at(",") or self.at(";"):
            self.advance()


def _reference(words: _Words, what: str) -> Reference:
    if words.kind != "name":
        raise words.error(f"{what} is expected")
    name, line = words.word, words.line
    words.advance()
    return Reference(name, _index(words) if words.at("[") else None, line)


def _index(words: _Words) -> int:
    words.skip("[")
    if words.kind != "number" or not words.word.isdecimal() or len(words.word) > 9:
        raise words.error("a whole number is expected in brackets")
    index = int(words.word)
    words.advance()
    words.skip("]")
    return index


def _value(words: _Words, depth: int) -> Any:
    kind, word = words.kind, words.word
    if kind == "number":
        words.advance()
        return float(word)
    if kind == "text":
        words.advance()
        return word[1:-1]
    if words.at("{"):
        return _table(words, "", depth)
    reference = _reference(words, "a value")
    return _table(words, reference.name, depth) if reference.index is None and words.at("{") else reference


def _table(words: _Words, kind: str, depth: int) -> Table:
    if depth == MAX_DEPTH:
        raise words.error(f"no table is expected, as there are {MAX_DEPTH} around it")
    table = Table(kind, words.line)
    words.skip("{")
    while not words.at("}"):
        value = _value(words, depth + 1)
        if words.at("="):
            if not isinstance(value, Reference) or value.index is not None:
                raise words.error("a name is expected before '='")
            words.skip("=")
            if value.name in table.named:
                raise words.error(f"{value.name} has a value already; another name is expected")
            table.named[value.name] = _value(words, depth + 1)
        else:
            table.items.append(value)
        words.skip_separators()
    words.skip("}")
    return table
