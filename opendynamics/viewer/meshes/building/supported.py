"""Convex shapes as the hull of support points in all directions, for shapes without a file in `meshes/`.

A point in the direction n is s(n) + r n, s being the core's support function and r the radius around it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.reading import record_of
from opendynamics.core.bodies.hulls.quickhull import hull_polygons
from opendynamics.core.collide.shape_queries import support_points
from opendynamics.viewer.meshes.building.creases import SHARP, part_at_edges
from opendynamics.viewer.meshes.building.mesh import Mesh


def key(geom: Any) -> tuple[Any, ...]:
    """Geoms of one shape and size share one."""
    return geom.shape, tuple(record_of(geom)["size"].tolist())


def mesh(geom: Any, detail: Any) -> Mesh:
    """The hull, smooth except at sharp edges."""
    directions = _directions(max(8, detail.resolution * 3 // 2))  # more points: they cluster where the shape is round
    points = np.empty_like(directions)
    record = np.array([record_of(geom)])
    support_points(record.ctypes.data, directions, points)
    points = np.unique(points, axis=0)
    polygons = hull_polygons(points)
    triangles = [(p[0], p[k], p[k + 1]) for p in polygons for k in range(1, len(p) - 1)]
    return part_at_edges(points, triangles, SHARP)


def _directions(resolution: int) -> Any:
    """Unit vectors on a grid of latitude and longitude, shifted from ring to ring, including the six axes."""
    rings = 2 * (resolution // 4) + 1
    found = [(0.0, 0.0, -1.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)]
    for ring in range(1, rings):
        latitude = np.pi * (ring / rings - 0.5)
        count = max(6, round(resolution * float(np.cos(latitude))))
        for turn in 2.0 * np.pi * (np.arange(count) + 0.5 * (ring % 2)) / count:
            found.append((np.cos(latitude) * np.cos(turn), np.cos(latitude) * np.sin(turn), np.sin(latitude)))
    return np.ascontiguousarray(found, np.float64)
