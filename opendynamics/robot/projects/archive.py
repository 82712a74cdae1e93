"""Archive: the tree of a YAML file back to text. Scalars keep their notation and quotes; only comments and layout are lost.

Shared values are written once, with an anchor, so that a few lines that represent gigabytes remain a few lines.
"""

from __future__ import annotations

import json
import re
from typing import Any

from opendynamics.robot.reading.node import Items, Node, Numbers, Text

# Text that needs no quotes as a key or in a list on one line.
_SAFE = re.compile(r"[A-Za-z0-9_.+-]+")


def written(root: Any) -> str:
    """YAML text of a tree of Nodes, Items and Texts."""
    writer = _Writer(_shared(root))
    lines = writer.lines(root, 0)
    return "\n".join(lines) + "\n"


def _shared(root: Any) -> dict[int, str]:
    """Names for the lists and mappings that occur more than once."""
    seen: set[int] = set()
    twice: dict[int, str] = {}
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if not isinstance(value, (Items, Node)):
            continue
        if id(value) in seen:
            twice.setdefault(id(value), f"a{len(twice) + 1}")
            continue
        seen.add(id(value))
        waiting.extend(value.items if isinstance(value, Items) else value.fields.values())
    return twice


class _Writer:
    """Writes values as lines; `names` are the anchors of shared values."""

    def __init__(self, names: dict[int, str]) -> None:
        self._names = names
        self._written: set[int] = set()

    def lines(self, value: Any, indent: int) -> list[str]:
        """Lines of a list or mapping that starts its own line, without anchors, or of a scalar."""
        pad = " " * indent
        if isinstance(value, Node):
            found = []
            for key, item in value.fields.items():
                found += self._member(f"{pad}{_key(value.spelling(key))}:", item, indent)
            return found or [f"{pad}{{}}"]
        if isinstance(value, Items):
            found = []
            for item in value.items:
                found += self._member(f"{pad}-", item, indent)
            return found or [f"{pad}[]"]
        return [pad + _scalar(value)]

    def _member(self, head: str, item: Any, indent: int) -> list[str]:
        """A key, or the dash of a list, with its value."""
        if not isinstance(item, (Node, Items)):
            return [f"{head} {_scalar(item)}".rstrip()]
        name = self._names.get(id(item))
        if name is not None and id(item) in self._written:
            return [f"{head} *{name}"]
        self._written.add(id(item))
        anchor = f" &{name}" if name is not None else ""
        content = item.fields if isinstance(item, Node) else item.items
        if not content:
            return [f"{head}{anchor} {'{}' if isinstance(item, Node) else '[]'}"]
        if isinstance(item, Items) and all(isinstance(one, Text) and _flows(one) for one in item.items):
            return [f"{head}{anchor} [ {', '.join(_scalar(one) for one in item.items)} ]"]
        return [head + anchor, *self.lines(item, indent + 2)]


def _flows(text: Text) -> bool:
    """Whether a scalar can be written in a list on one line without quotes."""
    return text.quoted or _SAFE.fullmatch(text.text) is not None


def _key(key: str) -> str:
    return key if _SAFE.fullmatch(key) else _quoted(key)


def _scalar(value: Any) -> str:
    if isinstance(value, Numbers):
        return "[ " + ", ".join(repr(x) for x in value.values.tolist()) + " ]"
    text: str = value.text
    if value.quoted or "\n" in text:
        return _quoted(text)
    return text


def _quoted(text: str) -> str:
    """A text in double quotes. JSON's escapes are YAML's, but for characters beyond U+FFFF, which JSON writes as two."""
    return '"' + "".join(f"\\U{ord(c):08x}" if c > "\uffff" else json.dumps(c)[1:-1] for c in text) + '"'


def same(one: Any, other: Any) -> bool:
    """Whether two trees are equal, with scalars in the same notation."""
    waiting = [(one, other)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        a, b = waiting.pop()
        if (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        if type(a) is not type(b):
            return False
        if isinstance(a, Node):
            names = [[node.spelling(key) for key in node.fields] for node in (a, b)]
            if names[0] != names[1]:
                return False
            waiting += zip(a.fields.values(), b.fields.values(), strict=True)
        elif isinstance(a, Items):
            if len(a.items) != len(b.items):
                return False
            waiting += zip(a.items, b.items, strict=True)
        elif isinstance(a, Text) and (a.text != b.text or (a.quoted or "\n" in a.text) != b.quoted):
            return False
    return True
