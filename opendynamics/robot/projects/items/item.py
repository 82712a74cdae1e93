"""Item: base of all items of a project, and the class of those that are preserved without effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opendynamics.robot.reading.findings import ModelError
from opendynamics.robot.reading.node import Node

if TYPE_CHECKING:
    from opendynamics.robot.projects.building import Building
    from opendynamics.robot.projects.project import Project


class Item:
    """An item of a project.

    Attributes:
        node: its node in the file; `data` is a part of it.
        project: its project.
        parent: the item above it.
        children: items below it.
    """

    children: tuple[Item, ...] = ()

    def __init__(self, node: Node, project: Project, parent: Item | None) -> None:
        self.node, self.project, self.parent = node, project, parent
        self.data = node.node("data") or Node("", node.file, node.line)
        self.name, self.kind = node.text("name"), node.text("class")

    def walk(self) -> Iterator[Item]:
        """The item and all items below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def add_to(self, building: Building) -> None:
        """Apply it to a simulator; errors are a ModelError with its place in the file."""
        try:
            self.build(building)
        except ModelError:
            raise
        except (ValueError, KeyError) as error:
            text = str(error.args[0]) if isinstance(error, KeyError) else str(error)
            raise self.node.error(f"{self.kind} {self.name!r}: {text}") from error

    def build(self, building: Building) -> None:
        """Apply it, and those below it."""
        for child in self.children:
            child.add_to(building)

    def own_data(self) -> Node:
        """The data as a part of the file, for writing."""
        if self.node.node("data") is None:
            self.node.fields["data"] = self.data
        return self.data

    def __repr__(self) -> str:
        return f"<{self.kind or 'item'} {self.name!r} at {self.node.place}>"
