"""Items of projects, a family: one file for some classes of items. `CLASSES` are their names in projects, `Entry` reads them.

Items of all other classes are preserved; those below them are read.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING

from opendynamics.robot.projects.items.item import Item
from opendynamics.robot.reading.node import Node

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project

# Structure, and items that only a program with windows needs.
_OTHERS = ("FolderItem", "RootItem", "SimulatorItem", "LogItem", "LogFileItem", "View")


@lru_cache(maxsize=1)
def _entries() -> dict[str, type[Item]]:
    """Classes that read items, by the classes of the items."""
    found: dict[str, type[Item]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for name in getattr(module, "CLASSES", ()):
            found[name] = module.Entry
    return found


def read_item(node: Node, project: Project, parent: Item | None = None, depth: int = 0) -> Item:
    """The item of a node at this depth, with those below it."""
    project.files.count_node(node.place, depth)
    kind = node.text("class")
    entry = _entries().get(kind, Item)
    if kind and entry is Item and not kind.endswith(_OTHERS):
        project.findings.note(node.place, f"items of the class {kind} are skipped")
    item = entry(node, project, parent)
    item.children = tuple(read_item(child, project, item, depth + 1) for child in node.nodes("children"))
    return item
