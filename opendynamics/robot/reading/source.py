"""Source: one file of a load, with the context of its nodes: units, files, findings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.reading.files import Files
from opendynamics.robot.reading.findings import Findings
from opendynamics.robot.reading.node import Items, Node, Text

Array = npt.NDArray[np.float64]

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass
class Load:
    """State shared by all files of a load; `cache` has meshes and VRML97 nodes by path."""

    files: Files
    findings: Findings
    cache: dict[Any, Any] = field(default_factory=dict)
    fixed_root: bool | None = None


@dataclass
class Source:
    """One file of a load.

    Args:
        load: the shared state.
        path: of the file.
        angle: radians per unit of angle in the file.
        anchors: known YAML anchors.
    """

    load: Load
    path: Path
    angle: float = 1.0
    anchors: dict[str, Any] = field(default_factory=dict)

    def note(self, place: str, text: str) -> None:
        """Report a finding."""
        self.load.findings.note(place, text)

    def children(self, node: Node, *keys: str) -> Iterator[tuple[str, Node]]:
        """Nodes within a node with their types: a list of nodes, one node, or a mapping from type to node."""
        for item in node.items(*keys):
            if isinstance(item, Node):
                yield from self._typed(item)
            elif not (isinstance(item, Text) and item.text in ("", "NULL", "null", "~")):
                key = node.find(*keys)
                raise node.error(f"{node.spelling(key or '')} must be nodes", key)

    def _typed(self, node: Node) -> Iterator[tuple[str, Node]]:
        if node.kind:
            yield node.kind, node
        elif "type" in node:
            yield node.text("type"), node
        else:
            for key, value in node.fields.items():
                kind = node.spelling(key)
                for item in value.items if isinstance(value, Items) else [value]:
                    if isinstance(item, Node):
                        yield kind, item
                    elif isinstance(item, Text) and item.text in ("", "~", "null"):
                        yield kind, Node("", node.file, item.line)
                    else:
                        raise node.error(f"{kind} must be a node with keys and values", key)

    def rotation(self, node: Node, *keys: str) -> Array:
        """Axis and angle, or a list of those multiplied from left to right, as a matrix (3, 3)."""
        given = node.finite(*keys)
        if given is None:
            return np.eye(3)
        key = node.find(*keys) or ""
        if given.size == 0 or given.size % 4:
            raise node.error(f"{node.spelling(key)} must be an axis and an angle, four numbers, not {given.size}", key)
        result = np.eye(3)
        for x, y, z, angle in given.reshape(-1, 4).tolist():
            length = math.sqrt(x * x + y * y + z * z)
            if not 0.0 < length < math.inf:
                if angle == 0.0 and length == 0.0:
                    continue
                raise node.error(f"the axis of {node.spelling(key)} must not be zero", key)
            result = result @ axis_rotation((x / length, y / length, z / length), angle * self.angle)
        return result

    def transform(self, node: Node) -> Array:
        """translation, rotation and scale of a node as a matrix (4, 4); VRML97's center and scaleOrientation too."""
        linear = self.rotation(node, "rotation")
        scale = node.finite("scale")
        if scale is not None:
            if scale.size not in (1, 3):
                raise node.error(f"scale must be one or three numbers, not {scale.size}", "scale")
            if not (scale != 0.0).all():
                raise node.error("scale must not be 0", "scale")
            turned = self.rotation(node, "scale_orientation")
            linear = linear @ turned @ np.diag(np.broadcast_to(scale, 3)) @ turned.T
        node.ignore("scale_orientation")
        result = np.eye(4)
        center = node.vector("center")
        result[:3, :3] = linear
        result[:3, 3] = node.vector("translation") + center - linear @ center
        return result

    def axis(self, node: Node, *keys: str) -> Array | None:
        """Three numbers, or X, Y, Z with or without a sign; None if there is no such key."""
        key = node.find(*keys)
        if key is None:
            return None
        value = node.fields[key]
        if isinstance(value, Text):
            word = value.text.strip().lower()
            sign, letter = (-1.0, word[1:]) if word.startswith("-") else (1.0, word.lstrip("+"))
            if letter not in AXES:
                raise node.error(
                    f"{node.spelling(key)} must be three numbers or one of X, Y, Z, not {value.text!r}", key
                )
            return sign * np.array(AXES[letter])
        return node.finite(key, size=3)


def axis_rotation(axis: tuple[float, float, float], angle: float) -> Array:
    """Rotation matrix about a unit axis; quarter turns are exact."""
    quarters = angle / (0.5 * math.pi)
    if abs(quarters - round(quarters)) < 1e-14 * max(1.0, abs(quarters)):
        s, c = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[round(quarters) % 4]
    else:
        s, c = math.sin(angle), math.cos(angle)
    x, y, z = axis
    k = 1.0 - c
    return np.array(
        [
            [c + k * x * x, k * x * y - s * z, k * x * z + s * y],
            [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
            [k * x * z - s * y, k * y * z + s * x, c + k * z * z],
        ]
    )
