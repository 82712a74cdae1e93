"""IndexedFaceSet and TriangleMesh: vertices and faces; VRML97 has them as coord and coordIndex."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.reading.meshes import checked_mesh
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.polygons import triangulated
from opendynamics.robot.reading.source import Source

TYPES = ("IndexedFaceSet", "TriangleMesh")


def read(node: Node, source: Source) -> Any:
    """The mesh; None, with a finding, if no triangle has an area."""
    node.ignore("normal", "normals", "normal_index", "normal_indices", "normal_per_vertex", "color", "colors")
    node.ignore("color_index", "color_indices", "color_per_vertex", "tex_coord", "tex_coords", "tex_coord_index")
    node.ignore("tex_coord_indices", "set_coord_index")
    coordinates = node.node("coord")
    points = node.finite("vertices") if coordinates is None else coordinates.finite("point")
    points = np.zeros(0) if points is None else points
    if points.size % 3:
        raise node.error(f"vertices must be three numbers each, but there are {points.size} numbers")
    vertices = points.reshape(-1, 3)
    source.load.files.count_vertices(len(vertices), node.place)
    indices = node.finite("faces", "coord_index", "triangles")
    faces = _whole(node, np.zeros(0) if indices is None else indices)
    if faces.size and faces.max() >= len(vertices):
        raise node.error(f"faces name the vertex {faces.max()}, but there are {len(vertices)}")
    ccw = node.flag("ccw", default=True)
    if "triangles" in node or (_kind(node) == "TriangleMesh" and not (faces < 0).any()):
        if faces.size % 3:
            raise node.error(f"triangles must be three numbers each, but there are {faces.size}")
        triangles = faces.reshape(-1, 3)
    else:
        triangles = triangulated(vertices, _polygons(faces))
    triangles = triangles[_has_area(vertices, triangles)]
    if not len(triangles):
        source.note(node.place, f"the {_kind(node)} has no triangle with an area and is skipped")
        return None
    return checked_mesh(vertices.copy(), triangles if ccw else triangles[:, ::-1].copy(), node.place), np.eye(4)


def _kind(node: Node) -> str:
    return node.kind or node.text("type")


def _whole(node: Node, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    if numbers.size and (np.abs(numbers).max() > 2**31 or (numbers != np.floor(numbers)).any()):
        raise node.error("faces must be whole numbers")
    return numbers.astype(np.int64)


def _polygons(faces: npt.NDArray[np.int64]) -> list[list[int]]:
    ends = np.flatnonzero(faces < 0)
    return [part[part >= 0].tolist() for part in np.split(faces, ends)]


def _has_area(vertices: Any, triangles: Any) -> Any:
    if not len(triangles):
        return np.zeros(0, bool)
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return (np.cross(b - a, c - a) != 0.0).any(axis=1)
