"""Scene nodes common to `.body` files and VRML97. Two families, found by their files:

elements/: nodes of a link. `TYPES` are names of nodes, `add(kind, node, place, link)` adds one to a link. geometries/: nodes
of a Shape. `TYPES`, and `read(node, source)` returns the geometry and its pose in the shape.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.geometry import Geometry
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Source

Array = npt.NDArray[np.float64]


@lru_cache(maxsize=2)
def _family(folder: str) -> dict[str, ModuleType]:
    """Members of a family by the types of nodes that they read."""
    found: dict[str, ModuleType] = {}
    for info in pkgutil.iter_modules([str(Path(__file__).parent / folder)]):
        module = importlib.import_module(f"{__name__}.{folder}.{info.name}")
        for kind in module.TYPES:
            found[kind] = module
    return found


def element_types() -> frozenset[str]:
    """Types of nodes that a link may have."""
    return frozenset(_family("elements"))


def add_element(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the contents of a node to a link; a node of an unknown type is reported and skipped."""
    place.source.load.files.count_node(node.place, place.depth)
    member: Any = _family("elements").get(kind)
    if member is None:
        place.source.note(node.place, f"unknown node {kind!r} is skipped")
        return
    member.add(kind, node, place, link)


def add_children(node: Node, place: Place, link: Gathering, *keys: str) -> None:
    """Add the nodes within a node."""
    for kind, child in place.source.children(node, *(keys or ("elements", "children"))):
        add_element(kind, child, place, link)


def read_geometry(kind: str, node: Node, source: Source, depth: int) -> tuple[Geometry, Array] | None:
    """A geometry with its pose (4, 4) in the shape; None if its type is unknown, which is reported."""
    source.load.files.count_node(node.place, depth)
    member: Any = _family("geometries").get(kind)
    if member is None:
        source.note(node.place, f"unknown geometry {kind!r} is skipped")
        return None
    result: tuple[Geometry, Array] | None = member.read(node, source)
    if result is not None:
        node.ignore("type", "solid", "convex", "crease_angle", "division_number", "divisions", "name")
        node.note_unread(source.load.findings, f"the {kind}")
    return result
