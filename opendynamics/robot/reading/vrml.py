"""VRML97 as nodes: parse, then replace USE by the node of its DEF, and names of PROTOs by their bodies.

Reads the text of a file. A PROTO's interface gives each node of that type its defaults; a PROTO whose name the reader does
not know is replaced by its body, with the fields marked IS taken from the node (ISO/IEC 14772-1:1997, section 4.8).
EXTERNPROTO and ROUTE are skipped.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.robot.reading.files import Limits
from opendynamics.robot.reading.findings import Findings, ModelError, place
from opendynamics.robot.reading.node import Items, Node, Numbers, Text, snake_case


@lru_cache(maxsize=1)
def _parser() -> Any:
    try:
        import lark
    except ImportError:
        raise ImportError(
            "reading VRML97 files needs the lark package: pip install 'opendynamics[robot]'", name="lark"
        ) from None
    grammar = Path(__file__).with_name("vrml.lark").read_text(encoding="utf-8")
    return lark.Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=False, maybe_placeholders=False)


def parse_vrml(text: str, file: Path, limits: Limits, findings: Findings, known: Collection[str]) -> list[Node]:
    """The top-level nodes of a file.

    Args:
        text: of the file.
        file: its path, for messages.
        limits: of depth and number of nodes.
        findings: what is skipped.
        known: types that the caller reads itself, even if the file has a PROTO of that name.
    """
    parser = _parser()
    import lark

    if text.startswith("#VRML V1"):
        raise ModelError(f"{place(file, 1)}: this is VRML 1.0; only VRML97 (#VRML V2.0 utf8) is read")
    try:
        tree = parser.parse(text)
    except lark.exceptions.UnexpectedInput as error:
        line = error.line if error.line and error.line > 0 else text.count("\n") + 1
        what = str(getattr(error, "token", "") or getattr(error, "char", "") or "the end of the file")
        raise ModelError(f"{place(file, line)}: this is not VRML97: {what[:40]!r} is out of place") from None
    return _Reader(file, limits, findings, frozenset(known)).read(tree)


class _Prototype:
    """A PROTO: defaults of its interface, and the statements of its body."""

    def __init__(self, name: str, line: int) -> None:
        self.name, self.line = name, line
        self.defaults: dict[str, Any] = {}
        self.events: set[str] = set()
        self.body: list[Any] = []


class _Reader:
    def __init__(self, file: Path, limits: Limits, findings: Findings, known: frozenset[str]) -> None:
        self.file, self.limits, self.findings, self.known = file, limits, findings, known
        self._count = 0

    def read(self, tree: Any) -> list[Node]:
        scope = _Scope()
        found = (self._statement(child, scope, 1) for child in tree.children)
        return [node for node in found if node is not None]

    def _place(self, line: int) -> str:
        return place(self.file, line)

    def _statement(self, tree: Any, scope: _Scope, depth: int) -> Node | None:
        """A node; None for a PROTO, which is added to the scope, and for skipped statements."""
        kind = tree.data
        if kind == "proto":
            self._proto(tree, scope, depth)
        elif kind == "externproto":
            name = tree.children[0]
            self.findings.note(self._place(name.line), f"EXTERNPROTO {name} is skipped: its file is not read")
        elif kind == "node":
            return self._node(tree, scope, depth)
        elif kind == "definition":
            return self._definition(tree, scope, depth)
        elif kind == "use":
            return self._use(tree.children[0], scope)
        return None

    def _definition(self, tree: Any, scope: _Scope, depth: int) -> Node | None:
        name, inner = tree.children
        scope.open.add(str(name))
        node = self._node(inner, scope, depth, str(name))
        scope.open.discard(str(name))
        if node is not None:
            scope.nodes[str(name)] = node
        return node

    def _use(self, name: Any, scope: _Scope) -> Node:
        if name in scope.open:
            raise ModelError(f"{self._place(name.line)}: USE {name} is within DEF {name}, without end")
        try:
            return scope.nodes[str(name)]
        except KeyError:
            raise ModelError(f"{self._place(name.line)}: USE {name} has no DEF {name} before it") from None

    def _node(self, tree: Any, scope: _Scope, depth: int, name: str = "") -> Node | None:
        kind = tree.children[0]
        self._count += 1
        if self._count > self.limits.nodes:
            raise ModelError(f"{self._place(kind.line)}: more than {self.limits.nodes} nodes")
        if depth > self.limits.depth:
            raise ModelError(f"{self._place(kind.line)}: nodes are nested more than {self.limits.depth} deep")
        node = Node(str(kind), self.file, kind.line, name)
        for member in tree.children[1:]:
            if member.data == "field":
                key, value = member.children
                node.set(str(key), self._value(value, scope, depth))
            elif member.data == "is_field":
                self._follow(node, member, scope)
            else:
                self._statement(member, scope, depth + 1)
        prototype = scope.prototype(str(kind))
        return node if prototype is None else self._instance(node, prototype, scope, depth)

    def _follow(self, node: Node, member: Any, scope: _Scope) -> None:
        """`field IS name` within the body of a PROTO."""
        key, source = member.children
        if scope.given is None:
            raise ModelError(f"{self._place(key.line)}: IS {source} is not within a PROTO")
        found = scope.given.get(snake_case(str(source)))
        if found is not None:
            node.set(str(key), found)

    def _instance(self, node: Node, prototype: _Prototype, scope: _Scope, depth: int) -> Node | None:
        for key, value in node.unread():
            if key not in prototype.defaults and key not in prototype.events:
                line = getattr(value, "line", node.line)
                text = f"{node.spelling(key)!r} is not in the interface of PROTO {prototype.name}"
                self.findings.note(self._place(line), text)
        for key, value in prototype.defaults.items():
            if key not in node:
                node.set(key, value)
        if prototype.name in self.known:
            return node
        inner = _Scope(scope, node.fields, prototype.name)
        found = (self._statement(child, inner, depth + 1) for child in prototype.body)
        nodes = [child for child in found if child is not None]
        if not nodes:
            return None
        nodes[0].name = nodes[0].name or node.name
        return nodes[0]

    def _proto(self, tree: Any, scope: _Scope, depth: int) -> None:
        name, *rest = tree.children
        prototype = _Prototype(str(name), name.line)
        for child in rest:
            if child.data == "interface":
                _, key, value = child.children
                prototype.defaults[snake_case(str(key))] = self._value(value, scope, depth)
            elif child.data == "event":
                prototype.events.add(snake_case(str(child.children[1])))
            else:
                prototype.body.append(child)
        scope.prototypes[prototype.name] = prototype

    def _value(self, tree: Any, scope: _Scope, depth: int) -> Any:
        kind = tree.data
        if kind == "numbers":
            return self._numbers(tree.children)
        if kind in ("string", "word"):
            token = tree.children[0]
            if kind == "word":
                return Text("" if token == "NULL" else str(token), token.line)
            return Text(str(token)[1:-1].replace('\\"', '"').replace("\\\\", "\\"), token.line, True)
        if kind == "items":
            if depth > self.limits.depth:
                raise ModelError(f"{self.file}: lists are nested more than {self.limits.depth} deep")
            values = [self._value(child, scope, depth + 1) for child in tree.children]
            line = getattr(values[0], "line", 0) if values else 0
            return Items([value for value in values if value is not None], line)
        return self._statement(tree, scope, depth + 1)

    def _numbers(self, tokens: list[Any]) -> Numbers:
        words = [word for token in tokens for word in token.replace(",", " ").split()]
        try:
            values = np.array([float(w) if "x" not in w.lower() else float(int(w, 16)) for w in words], np.float64)
        except (ValueError, OverflowError):
            wrong = next((w for w in words if not _readable(w)), words[0])
            raise ModelError(f"{self._place(tokens[0].line)}: {wrong[:40]!r} is not a number") from None
        return Numbers(values, tokens[0].line)


class _Scope:
    """Known names: of nodes in this file or PROTO body, and of PROTOs here and outside."""

    def __init__(self, outer: _Scope | None = None, given: dict[str, Any] | None = None, expanding: str = "") -> None:
        self.outer, self.given = outer, given
        self.nodes: dict[str, Node] = {}
        self.open: set[str] = set()
        self.prototypes: dict[str, _Prototype] = {}
        self.expanding = expanding

    def prototype(self, name: str) -> _Prototype | None:
        """The PROTO of that name, except one whose own body this is, which would recurse endlessly."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.prototypes:
                return scope.prototypes[name]
            if scope.expanding == name:
                return None
            scope = scope.outer
        return None


def _readable(word: str) -> bool:
    try:
        float(int(word, 16)) if "x" in word.lower() else float(word)
    except (ValueError, OverflowError):
        return False
    return True
