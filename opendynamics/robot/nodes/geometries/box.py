"""Box: size x, y, z, m. One without thickness is a sheet of two triangles, which faces along that axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.robot.geometry import Box, Mesh
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Source

TYPES = ("Box",)


def read(node: Node, source: Source) -> Any:
    """The box, centred in its frame."""
    size = node.vector("size", default=(2.0, 2.0, 2.0) if node.kind else (1.0, 1.0, 1.0))
    if (size < 0.0).any() or np.count_nonzero(size) < 2:
        raise node.error(f"size of a Box must be greater than 0, not {size.tolist()}", "size")
    if size.all():
        x, y, z = size.tolist()
        return Box((x, y, z)), np.eye(4)
    source.note(node.place, "a Box without thickness is taken as a sheet")
    flat = int(np.flatnonzero(size == 0.0)[0])
    a, b = np.eye(3)[(flat + 1) % 3] * size / 2, np.eye(3)[(flat + 2) % 3] * size / 2
    return Mesh(np.array([-a - b, a - b, a + b, b - a]), np.array([(0, 1, 2), (0, 2, 3)])), np.eye(4)
