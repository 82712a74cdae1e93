"""Cylinder, Cone and Capsule: radius and height, m, along y in files and along z in models. A capsule's height excludes its
caps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.robot.geometry import Capsule, Cone, Cylinder, Geometry
from opendynamics.robot.reading.node import Node

TYPES = ("Cylinder", "Cone", "Capsule")

# Takes z to y.
FROM_Z = np.array([[1.0, 0, 0, 0], [0, 0, 1.0, 0], [0, -1.0, 0, 0], [0, 0, 0, 1.0]])


def read(node: Node, source: Any) -> Any:
    """The shape, centred in its frame."""
    kind = node.kind or node.text("type")
    default = 2.0 if node.kind else 1.0
    radius = node.positive("radius", "bottom_radius", default=1.0)
    height = node.positive("height", default=default)
    node.ignore("top", "bottom", "side")
    shapes: dict[str, Geometry] = {
        "Cylinder": Cylinder(radius, height),
        "Cone": Cone(radius, height),
        "Capsule": Capsule(radius, height),
    }
    return shapes[kind], FROM_Z
