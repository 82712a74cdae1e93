"""Elements of an XODE document: names, attributes, children, and their first lines.

Read by expat. Entities are neither declared nor expanded, and nothing outside the document is read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from xml.parsers import expat

from opendynamics.c_api.naming import without_call
from opendynamics.pyode.xode.errors import InvalidError, at_line

# Limit of nesting; no world is deeper.
DEEPEST = 100


class Element:
    """One element of a document."""

    __slots__ = ("attributes", "children", "line", "name")

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name, self.attributes, self.line = name, attributes, line
        self.children: list[Element] = []

    def error(self, what: str, attribute: str | None = None) -> InvalidError:
        """An error that names this element, and one of its attributes."""
        where = "" if attribute is None else f" attribute {attribute}"
        return InvalidError(f"{at_line(self.line)}<{self.name}>{where}: {what}")

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Name this element in errors that are raised meanwhile."""
        try:
            yield
        except InvalidError:
            raise
        except (ValueError, TypeError, ArithmeticError) as error:
            raise self.error(without_call(str(error))) from error

    def text(self, attribute: str, otherwise: str | None = None) -> str:
        """An attribute, which is required unless `otherwise` is given."""
        value = self.attributes.get(attribute, otherwise)
        if value is None:
            raise self.error("is missing", attribute)
        return value

    def number(self, attribute: str, otherwise: float | None = None, *, infinite: bool = False) -> float:
        """An attribute as a number, finite unless `infinite`."""
        if otherwise is not None and attribute not in self.attributes:
            return otherwise
        text = self.text(attribute)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value) or (math.isinf(value) and not infinite):
            raise self.error(f"must be a number, not {text!r}", attribute)
        return value

    def whole(self, attribute: str, otherwise: int | None = None) -> int:
        """An attribute as an integer."""
        if otherwise is not None and attribute not in self.attributes:
            return otherwise
        text = self.text(attribute)
        try:
            return int(text)
        except ValueError:
            raise self.error(f"must be a whole number, not {text!r}", attribute) from None

    def choice(self, attribute: str, options: tuple[str, ...]) -> str:
        """An attribute as one of some words; the first is the default."""
        value = self.text(attribute, options[0])
        if value not in options:
            raise self.error(f"must be {' or '.join(options)}, not {value!r}", attribute)
        return value

    def vector(self, *attributes: str) -> tuple[float, ...]:
        """Attributes as a vector: x, y and z unless they are named."""
        return tuple(self.number(attribute) for attribute in attributes or ("x", "y", "z"))


def read(document: str | bytes) -> Element:
    """The root of a document.

    Raises:
        InvalidError: if it is not XML, declares entities, or is nested too deeply.
    """
    if not isinstance(document, (str, bytes, bytearray)):
        raise TypeError(f"an XODE document must be str or bytes, not {document!r}")
    reader = _Reader()
    try:
        reader.expat.Parse(document, True)
    except expat.ExpatError as error:
        raise InvalidError(f"{at_line(error.lineno)}{expat.ErrorString(error.code)}") from error
    except ValueError as error:
        if isinstance(error, InvalidError):
            raise
        raise InvalidError(str(error)) from error
    assert reader.root is not None  # expat requires one
    return reader.root


class _Reader:
    """Creates elements from expat's events."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self.open: list[Element] = []
        self.expat: Any = expat.ParserCreate()
        self.expat.StartElementHandler = self.start
        self.expat.EndElementHandler = self.end
        self.expat.EntityDeclHandler = self.refuse_entity

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.expat.CurrentLineNumber
        element = Element(name, attributes, line)
        if len(self.open) >= DEEPEST:
            raise element.error(f"must not lie within {DEEPEST} elements")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, name: str) -> None:
        self.open.pop()

    def refuse_entity(self, name: str, *rest: Any) -> None:
        line = self.expat.CurrentLineNumber
        raise InvalidError(f"{at_line(line)}entity {name}: an XODE document must not declare entities")
