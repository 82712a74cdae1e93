"""Resource as a geometry: everything in another file as one mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.robot.geometry import Mesh, triangles_of
from opendynamics.robot.nodes.resources import shapes_of
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Source

TYPES = ("Resource",)


def read(node: Node, source: Source) -> Any:
    """The mesh of the file."""
    shapes, transform = shapes_of(node, source)
    node.ignore("remove_redundant_vertices")
    if not shapes:
        source.note(node.place, "the Resource has no shapes and is skipped")
        return None
    if len(shapes) == 1 and isinstance(shapes[0].geometry, Mesh) and np.array_equal(shapes[0].transform, np.eye(4)):
        return shapes[0].geometry, transform
    vertices, triangles, count = [], [], 0
    for shape in shapes:
        mesh = triangles_of(shape.geometry)
        vertices.append(mesh.vertices @ shape.transform[:3, :3].T + shape.transform[:3, 3])
        flipped = np.linalg.det(shape.transform[:3, :3]) < 0.0
        triangles.append((mesh.triangles[:, ::-1] if flipped else mesh.triangles) + count)
        count += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(triangles)), transform
