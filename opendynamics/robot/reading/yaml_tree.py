"""YAML as nodes: the events of PyYAML's parser assembled with file and line, without recursion.

The parser only splits the text into scalars, lists and mappings; types are determined by the reader. Aliases share their
node, so that a few lines cannot expand to gigabytes, and merge keys (`<<`) are followed. An alias within its own anchor is
rejected.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opendynamics.robot.reading.files import Limits
from opendynamics.robot.reading.findings import ModelError, place
from opendynamics.robot.reading.node import Items, Node, Text

_OPEN = object()


def parse_yaml(text: str, file: Path, limits: Limits, anchors: dict[str, Any] | None = None) -> Any:
    """The first document: a Node, Items or Text; None if the file is empty.

    Args:
        text: of the file.
        file: its path, for messages.
        limits: of depth and number of nodes.
        anchors: those of a file that includes this one; they are known here, and new ones are added.
    """
    try:
        import yaml
    except ImportError:
        raise ImportError(
            "reading .body and YAML files needs the PyYAML package: pip install 'opendynamics[robot]'", name="yaml"
        ) from None
    builder = _Builder(file, limits, {} if anchors is None else anchors)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if builder.take(event, type(event).__name__):
                break
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        raise ModelError(f"{place(file, mark.line + 1 if mark else 1)}: this is not YAML: {problem}") from None
    except RecursionError:
        raise ModelError(f"{file}: lists are nested too deep") from None
    return builder.root


class _Builder:
    """Assembles events with a stack of open lists and mappings."""

    def __init__(self, file: Path, limits: Limits, anchors: dict[str, Any]) -> None:
        self.file, self.limits, self.anchors = file, limits, anchors
        self.root: Any = None
        self._stack: list[tuple[Any, str | None]] = []  # container, anchor
        self._keys: list[str | None] = []  # of each open mapping: the key that waits for its value
        self._count = 0

    def take(self, event: Any, name: str) -> bool:
        """Take one event; True at the end of the document."""
        if name == "DocumentEndEvent":
            return True
        if name in ("StreamStartEvent", "StreamEndEvent", "DocumentStartEvent"):
            return False
        line = event.start_mark.line + 1
        self._count += 1
        if self._count > 20 * self.limits.nodes:
            raise ModelError(f"{place(self.file, line)}: the file has more than {20 * self.limits.nodes} values")
        if name in ("SequenceStartEvent", "MappingStartEvent"):
            self._open(Items([], line) if name[0] == "S" else Node("", self.file, line), event.anchor, line)
        elif name in ("SequenceEndEvent", "MappingEndEvent"):
            self._close()
        elif name == "AliasEvent":
            self._add(self._alias(event.anchor, line), line)
        else:
            value = Text(event.value, line, event.style not in (None, ""))
            if event.anchor:
                self.anchors[event.anchor] = value
            self._add(value, line)
        return False

    def _open(self, container: Any, anchor: str | None, line: int) -> None:
        if len(self._stack) >= self.limits.depth:
            raise ModelError(
                f"{place(self.file, line)}: lists and mappings are nested more than {self.limits.depth} deep"
            )
        if isinstance(container, Node) and anchor:
            container.name = anchor
        if anchor:
            self.anchors[anchor] = _OPEN
        self._stack.append((container, anchor))
        self._keys.append(None)

    def _close(self) -> None:
        container, anchor = self._stack.pop()
        self._keys.pop()
        if isinstance(container, Node):
            _merge(container)
        if anchor:
            self.anchors[anchor] = container
        self._add(container, container.line)

    def _alias(self, anchor: str, line: int) -> Any:
        value = self.anchors.get(anchor)
        if value is None:
            raise ModelError(f"{place(self.file, line)}: the alias *{anchor} has no anchor before it")
        if value is _OPEN:
            raise ModelError(f"{place(self.file, line)}: the alias *{anchor} is within its own anchor, without end")
        return value

    def _add(self, value: Any, line: int) -> None:
        if not self._stack:
            self.root = value
            return
        container = self._stack[-1][0]
        if isinstance(container, Items):
            container.items.append(value)
            return
        key = self._keys[-1]
        if key is None:
            if not isinstance(value, Text):
                raise ModelError(f"{place(self.file, line)}: a key must be text, not a list or mapping")
            self._keys[-1] = value.text
            return
        self._keys[-1] = None
        if key == "<<":
            container.fields.setdefault("<<", []).append(value)
        else:
            container.set(key, value)


def _merge(node: Node) -> None:
    """Add the keys of mappings named by `<<`; a mapping's own keys take precedence, then those named first."""
    for value in node.fields.pop("<<", []):
        for source in value.items if isinstance(value, Items) else [value]:
            if not isinstance(source, Node):
                raise node.error("<< must name a mapping")
            for key, item in source.fields.items():
                if key not in node.fields:
                    node.set(source.spelling(key), item)
