"""Convex polyhedron: its own faces."""

from __future__ import annotations

from typing import Any

from opendynamics.viewer.meshes.building.creases import flat_faces
from opendynamics.viewer.meshes.building.mesh import Mesh


def key(geom: Any) -> tuple[Any, ...]:
    """Those with the same vertices and faces share one."""
    return "convex", geom.points.tobytes(), tuple(geom.polygons)


def mesh(geom: Any, detail: Any) -> Mesh:
    """The polygons as they are."""
    return flat_faces(geom.points, geom.polygons)
