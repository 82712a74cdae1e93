"""Heightfield: the surface, closed by walls and a floor where the solid ends; a field that wraps is repeated instead.

Read in ODE's frame: x along the width, z along the depth, y up.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from opendynamics.api import reading
from opendynamics.viewer.meshes.building.creases import part_at_edges
from opendynamics.viewer.meshes.building.mesh import Mesh

# The samples can change without a change of the geom's record.
FIXED = False

# Number of shown repetitions of an infinite field, along either side.
REPEATED = 3


def key(geom: Any) -> tuple[Any, ...]:
    """Geoms with the same data share one, while its heights are unchanged."""
    return "heightfield", geom.field, zlib.crc32(reading.heights_of(geom.field).tobytes())


def mesh(geom: Any, detail: Any) -> Mesh:
    """The triangles that bodies collide with, and walls and a floor that make the field a solid block."""
    record = reading.grid_of(geom.field)
    heights = reading.heights_of(geom.field)
    if record["wrap"]:
        heights = np.tile(heights[:-1, :-1], (REPEATED, REPEATED))
        heights = np.pad(heights, ((0, 1), (0, 1)), mode="wrap")
    rows, columns = heights.shape
    x = (np.arange(columns) - 0.5 * (columns - 1)) * record["cell_x"]
    z = (np.arange(rows) - 0.5 * (rows - 1)) * record["cell_z"]
    surface = np.stack([np.broadcast_to(x, heights.shape), heights, np.broadcast_to(z[:, None], heights.shape)], axis=2)
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = number[:-1, :-1], number[:-1, 1:], number[1:, :-1], number[1:, 1:]
    faces = np.stack([a, c, b, d, b, c], axis=2).reshape(-1, 3)
    if record["wrap"]:
        return part_at_edges(surface.reshape(-1, 3), faces)
    return _closed(surface, number, faces, float(record["low"] - record["thickness"]))


def _closed(surface: Any, number: Any, faces: Any, floor: float) -> Mesh:
    """With walls from the boundary of the surface down to a floor."""
    top = np.concatenate([number[0, ::-1], number[1:, 0], number[-1, 1:], number[-2:0:-1, -1]])
    points = surface.reshape(-1, 3)
    below = points[top].copy()
    below[:, 1] = floor
    bottom = len(points) + np.arange(len(top))
    middle = len(points) + len(top)
    centre = np.array([[0.0, floor, 0.0]])
    beside, under = np.roll(top, -1), np.roll(bottom, -1)
    walls = np.concatenate([np.stack([top, bottom, under], 1), np.stack([top, under, beside], 1)])
    base = np.column_stack([bottom, np.full(len(top), middle), under])
    every = np.concatenate([faces, walls, base])
    places = np.concatenate([points, below, centre])
    corners = places[every]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return part_at_edges(places, every[area.any(axis=1)])  # a wall has no height where the field is lowest
