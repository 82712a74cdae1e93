"""Errors in XODE documents."""

from __future__ import annotations


class InvalidError(ValueError):
    """The document is malformed. The message names the line, the element, and the attribute if there is one."""


class ChildError(InvalidError):
    """An element is at a wrong place.

    Attributes:
        parent, child: names of the elements.
    """

    def __init__(self, parent: str, child: str, line: int | None = None) -> None:
        super().__init__(parent, child)
        self.parent, self.child, self.line = parent, child, line

    def __str__(self) -> str:
        return f"{at_line(self.line)}<{self.child}> is not a valid child of <{self.parent}>"


class MissingElementError(InvalidError):
    """An element lacks a child.

    Attributes:
        parent, child: names of the elements.
    """

    def __init__(self, parent: str, child: str, line: int | None = None) -> None:
        super().__init__(parent, child)
        self.parent, self.child, self.line = parent, child, line

    def __str__(self) -> str:
        return f"{at_line(self.line)}<{self.parent}> lacks the child <{self.child}>"


def at_line(line: int | None) -> str:
    """The beginning of a message."""
    return "" if line is None else f"line {line}: "
