"""ElevationGrid: heights in y over a grid in x and z (ISO/IEC 14772-1:1997, section 6.17)."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.robot.reading.meshes import checked_mesh
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Source

TYPES = ("ElevationGrid",)


def read(node: Node, source: Source) -> Any:
    """The mesh, which faces up."""
    node.ignore(
        "normal", "normals", "normal_per_vertex", "color", "colors", "color_per_vertex", "tex_coord", "tex_coords"
    )
    across, along = node.whole("x_dimension"), node.whole("z_dimension")
    dx, dz = node.positive("x_spacing"), node.positive("z_spacing")
    heights = node.finite("height")
    if across < 2 or along < 2:
        raise node.error("an ElevationGrid must have at least two rows and two columns")
    if heights is None or heights.size != across * along:
        count = 0 if heights is None else heights.size
        raise node.error(
            f"an ElevationGrid of {across} x {along} points must have as many heights, not {count}", "height"
        )
    source.load.files.count_vertices(heights.size, node.place)
    z, x = np.meshgrid(np.arange(along) * dz, np.arange(across) * dx, indexing="ij")
    vertices = np.column_stack([x.ravel(), heights, z.ravel()])
    row, column = np.meshgrid(np.arange(along - 1), np.arange(across - 1), indexing="ij")
    a = (row * across + column).ravel()
    b, c, d = a + across, a + across + 1, a + 1
    triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    ccw = node.flag("ccw", default=True)
    return checked_mesh(vertices, triangles if ccw else triangles[:, ::-1].copy(), node.place), np.eye(4)
