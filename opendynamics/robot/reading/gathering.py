"""Gathering: shapes, masses and devices of one link, collected from its nodes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.geometry import Geometry, Shape
from opendynamics.robot.inertia import Inertia
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Source

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Place:
    """Context of a node: its frame in the link's (4, 4), its shape tree, its depth, its file."""

    source: Source
    transform: Array
    tree: str = "both"
    depth: int = 0

    def within(self, transform: Array) -> Place:
        """The context of children of a node with a transform."""
        return replace(self, transform=self.transform @ transform, depth=self.depth + 1)


@dataclass(frozen=True, eq=False)
class DeviceDraft:
    """A device before its link has an index."""

    kind: str
    name: str
    id: int | None
    transform: Array
    on: bool
    settings: dict[str, Any]
    place: str


@dataclass
class Gathering:
    """The contents of a link's nodes."""

    visual: list[Shape] = field(default_factory=list)
    collision: list[Shape] = field(default_factory=list)
    masses: list[Inertia] = field(default_factory=list)
    devices: list[DeviceDraft] = field(default_factory=list)

    def add_shape(self, geometry: Geometry, appearance: Any, transform: Array, place: Place, node: Node) -> None:
        """Add a shape to the trees of its context."""
        matrix = place.transform @ transform
        if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix[:3, :3])) < 1e-280:
            raise node.error("the shape is scaled or moved beyond what numbers can hold")
        shape = Shape(geometry, matrix, appearance)
        if place.tree in ("both", "visual"):
            self.visual.append(shape)
        if place.tree in ("both", "collision"):
            self.collision.append(shape)
