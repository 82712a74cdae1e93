"""XML as elements with lines, by the expat parser of the standard library.

A document type declaration is rejected, and thus entities: neither expanding nor external ones are ever read. Elements are
assembled with a stack, so that depth costs no recursion.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from opendynamics.robot.reading.files import Limits
from opendynamics.robot.reading.findings import ModelError, place


class Element:
    """An element: tag without namespace, attributes, children, line."""

    __slots__ = ("attributes", "children", "file", "line", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], file: Path, line: int) -> None:
        self.tag, self.attributes, self.file, self.line = tag, attributes, file, line
        self.children: list[Element] = []

    @property
    def place(self) -> str:
        """File and line."""
        return place(self.file, self.line)

    def all(self, tag: str) -> Iterator[Element]:
        """Children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child with a tag."""
        return next(self.all(tag), None)

    def error(self, text: str) -> ModelError:
        """A ModelError at this element."""
        return ModelError(f"{self.place}: {text}")

    def need(self, attribute: str) -> str:
        """A required attribute."""
        try:
            return self.attributes[attribute]
        except KeyError:
            raise self.error(f"<{self.tag}> must have the attribute {attribute!r}") from None


def parse_xml(data: bytes, file: Path, limits: Limits) -> Element:
    """The root element of a document."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    stack: list[Element] = []
    roots: list[Element] = []
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        element = Element(tag.rpartition(":")[2], attributes, file, parser.CurrentLineNumber)
        if count > limits.nodes or len(stack) >= limits.depth:
            raise element.error(f"more than {limits.nodes} elements, or nested more than {limits.depth} deep")
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def refuse(*_: Any) -> None:
        line = place(file, parser.CurrentLineNumber)
        raise ModelError(f"{line}: a document type declaration (<!DOCTYPE>) is refused, and entities with it")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ModelError(f"{place(file, error.lineno)}: this is not XML: {expat.ErrorString(error.code)}") from None
    except (ValueError, LookupError, UnicodeError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{place(file, parser.CurrentLineNumber)}: this is not XML: {error}") from None
    return roots[0]
