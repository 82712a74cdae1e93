"""Plausible small mistakes in a source: their places, and the text with one of them.

    compare      < for <=, == for !=, is for is not        sign       + for -, x for -x
    factor       * for /                                   logic      and for or, x for not x
    constant     n + 1 for n, 1.5 x for x, not b for b     off by one range(n - 1) for range(n)
    swap         the first two arguments of a call         drop       a call, or an assignment to something's part

Not mutated: what no test should look at (text, messages of errors, annotations, room reserved in advance), and tolerances
below SMALL, which are only ever right to a decade.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

SMALL = 1e-3

_COMPARE = {
    ast.Lt: (b"<", b"<="),
    ast.LtE: (b"<=", b"<"),
    ast.Gt: (b">", b">="),
    ast.GtE: (b">=", b">"),
    ast.Eq: (b"==", b"!="),
    ast.NotEq: (b"!=", b"=="),
    ast.Is: (b"is", b"is not"),
    ast.IsNot: (b"is not", b"is"),
}
_ARITHMETIC = {
    ast.Add: ("sign", b"+", b"-"),
    ast.Sub: ("sign", b"-", b"+"),
    ast.Mult: ("factor", b"*", b"/"),
    ast.Div: ("factor", b"/", b"*"),
}
_UNSEEN = ("annotation", "returns", "decorator_list", "type_params", "exc", "msg", "bases", "keywords")
_SYMMETRIC = ("array_equal", "fadd", "fmul", "hypot", "maximum", "minimum")  # their first two arguments may be swapped
_UNSEEN_NAMES = ("__all__", "__slots__")
_UNSEEN_KEYWORDS = (
    "room",
    "strict",
)  # the first room of a table; `zip(..., strict=True)`, which is there for other programs


@dataclass(frozen=True)
class Mutant:
    """One mistake.

    Attributes:
        kind: of those above.
        start, end: which bytes of the source are replaced.
        text: by what.
        line: number of the line, from 1.
        inside: names of the functions and classes around it.
    """

    kind: str
    start: int
    end: int
    text: bytes
    line: int
    inside: tuple[str, ...]

    def apply(self, source: bytes) -> bytes:
        """The source with this mistake."""
        return source[: self.start] + self.text + source[self.end :]


@cache
def mutants_of(source: bytes) -> tuple[Mutant, ...]:
    """All mistakes in a source, in the order of its lines."""
    found = set(_Finder(source).visit(ast.parse(source), ()))
    return tuple(sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.text)))


class _Finder:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def start(self, node: ast.AST) -> int:
        return self.lines[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return self.lines[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def text(self, node: ast.AST) -> bytes:
        return self.source[self.start(node) : self.end(node)]

    def visit(self, node: ast.AST, inside: tuple[str, ...]) -> Iterator[Mutant]:
        """Mistakes in a node and its children."""
        if isinstance(node, ast.JoinedStr) or _is_unseen(node):
            return
        for kind, start, end, text in self.here(node):
            yield Mutant(kind, start, end, text, bisect_right(self.lines, start), inside)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*inside, node.name)
        for field, value in ast.iter_fields(node):
            if field in _UNSEEN and not (field == "keywords" and isinstance(node, ast.Call)):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.keyword) and child.arg in _UNSEEN_KEYWORDS:
                    continue
                if isinstance(child, ast.AST):
                    yield from self.visit(child, inside)

    def here(self, node: ast.AST) -> Iterator[tuple[str, int, int, bytes]]:
        """Mistakes in a node itself: kind, start, end, new text."""
        if isinstance(node, ast.Compare):
            for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                if type(operator) in _COMPARE:
                    yield self.between("compare", left, right, *_COMPARE[type(operator)])
        elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            kind, old, new = _ARITHMETIC[type(node.op)]
            yield self.between(kind, node.left, node.right, old, new)
        elif isinstance(node, ast.AugAssign):
            yield "drop", self.start(node), self.end(node), b"pass"
            if type(node.op) in _ARITHMETIC:
                kind, old, new = _ARITHMETIC[type(node.op)]
                yield self.between(kind, node.target, node.value, old, new)
        elif isinstance(node, ast.BoolOp):
            old, new = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield self.between("logic", left, right, old, new)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
            kind, operator = ("logic", b"not ") if isinstance(node.op, ast.Not) else ("sign", b"-")
            if self.text(node).startswith(operator):
                yield kind, self.start(node), self.start(node) + len(operator), b""
        elif isinstance(node, ast.Constant):
            yield from self.constant(node)
        elif isinstance(node, ast.Call):
            yield from self.call(node)
        elif _may_be_dropped(node):
            yield "drop", self.start(node), self.end(node), b"pass"

    def between(self, kind: str, left: ast.AST, right: ast.AST, old: bytes, new: bytes) -> tuple[str, int, int, bytes]:
        """The operator between two operands, by another one."""
        at = self.source.index(old, self.end(left))
        assert at < self.start(right)
        return kind, at, at + len(old), new

    def constant(self, node: ast.Constant) -> Iterator[tuple[str, int, int, bytes]]:
        value = node.value
        if isinstance(value, bool):
            new = repr(not value)
        elif isinstance(value, int):
            new = repr(value + 1)
        elif isinstance(value, float) and value == 0.0:
            new = "1.0"
        elif isinstance(value, float) and abs(value) >= SMALL:
            new = repr(1.5 * value)
        else:
            return
        yield "constant", self.start(node), self.end(node), new.encode()

    def call(self, node: ast.Call) -> Iterator[tuple[str, int, int, bytes]]:
        arguments = node.args
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            return
        if isinstance(node.func, ast.Name) and node.func.id == "range" and len(arguments) == 1:
            end = self.end(arguments[0])
            yield "off by one", end, end, b" - 1"
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max", "isinstance", "getattr"):
            return  # the same, or an error at once
        if isinstance(node.func, ast.Attribute) and node.func.attr in _SYMMETRIC:
            return
        if len(arguments) >= 2 and self.text(arguments[0]) != self.text(arguments[1]):
            one, two = arguments[:2]
            between = self.source[self.end(one) : self.start(two)]
            yield "swap", self.start(one), self.end(two), self.text(two) + between + self.text(one)


def _may_be_dropped(node: ast.AST) -> bool:
    """Whether this is a call that stands alone, or sets a part of something: without it, all names are still there."""
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _is_unseen(node: ast.AST) -> bool:
    """Whether this is not code that a test should check."""
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id in _UNSEEN_NAMES for target in node.targets)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Import | ast.ImportFrom)
