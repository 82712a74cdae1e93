"""Table of materials: friction and restitution of each pair (Choreonoid's materials.yaml).

Pairs that the table does not list follow from the materials' own roughness r and viscosity v: friction √(r1 r2) and
restitution √((1 - v1)(1 - v2)). Unknown materials are treated as the material Default.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opendynamics.api.files import require_file
from opendynamics.api.suggestions import explain_calls, explain_function
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.robot.reading.files import Files, Limits, decoded
from opendynamics.robot.reading.findings import ModelError
from opendynamics.robot.reading.node import Items, Node, Text
from opendynamics.robot.reading.yaml_tree import parse_yaml

# Friction and restitution of unlisted pairs without Default.
USUAL = (0.5, 0.0)
DEFAULT = "Default"


@explain_calls
@dataclass(frozen=True)
class MaterialTable:
    """Friction and restitution of pairs of materials.

    Args:
        materials: roughness and viscosity by name.
        pairs: friction and restitution by the names of two materials.
    """

    materials: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    pairs: Mapping[frozenset[str], tuple[float, float]] = field(default_factory=dict)

    def between(self, one: str, two: str) -> tuple[float, float]:
        """Friction and restitution of two materials."""
        names = frozenset((one, two))
        if names in self.pairs:
            return self.pairs[names]
        known = [name if self._knows(name) else DEFAULT for name in (one, two)]
        if frozenset(known) in self.pairs:
            return self.pairs[frozenset(known)]
        if not all(name in self.materials for name in known):
            return USUAL
        (r1, v1), (r2, v2) = (self.materials[name] for name in known)
        return math.sqrt(r1 * r2), math.sqrt((1.0 - v1) * (1.0 - v2))

    def _knows(self, name: str) -> bool:
        return name in self.materials or any(name in pair for pair in self.pairs)

    def apply(self, world: World, names: Iterable[str], slowest: float) -> None:
        """Set the surfaces of a world's materials with these names according to the table.

        Args:
            world: the world.
            names: of all materials of its geoms.
            slowest: m/s, approach speed below which nothing bounces, so that resting bodies do not chatter.
        """
        ordered = sorted(set(names))
        for place, one in enumerate(ordered):
            for two in ordered[place:]:
                friction, restitution = self.between(one, two)
                bounce = restitution if restitution > 0.0 else None
                world.surfaces[one, two] = Surface(mu=friction, bounce=bounce, bounce_velocity=slowest)


@explain_function
def load_materials(path: str | os.PathLike[str], *, limits: Limits | None = None) -> MaterialTable:
    """The table of a YAML file with `materials` and `contact_materials`; ModelError with file and line if it is invalid."""
    file = Path(path)
    require_file(file, "a file of materials")
    files = Files([file.resolve().parent], limits=limits)
    with files.opened(file.resolve(), str(file)) as data:
        return table_of(parse_yaml(decoded(data, file), file, files.limits), file)


def table_of(root: object, file: Path) -> MaterialTable:
    """The table of a parsed file."""
    if not isinstance(root, Node) or not ("materials" in root or "contact_materials" in root):
        raise ModelError(f"{file}:1: this is no table of materials: it has neither materials nor contact_materials")
    materials: dict[str, tuple[float, float]] = {}
    for node in root.nodes("materials"):
        name = node.text("name")
        if not name:
            raise node.error("a material must have a name")
        materials[name] = _within(node, "roughness", 0.5, None), _within(node, "viscosity", 1.0, 1.0)
    pairs: dict[frozenset[str], tuple[float, float]] = {}
    for node in root.nodes("contact_materials"):
        names = node.fields.get("materials")
        texts = [one.text for one in names.items if isinstance(one, Text)] if isinstance(names, Items) else []
        if len(texts) != 2:
            raise node.error("materials of a pair must be two names", "materials")
        pairs[frozenset(texts)] = _within(node, "friction", 0.5, None), _within(node, "restitution", 0.0, 1.0)
    return MaterialTable(materials, pairs)


def _within(node: Node, key: str, default: float, high: float | None) -> float:
    value = node.number(key, default=default)
    if value < 0.0 or (high is not None and value > high):
        bound = "at least 0" if high is None else f"between 0 and {high:g}"
        raise node.error(f"{key} must be {bound}, not {value:g}", key)
    return value
