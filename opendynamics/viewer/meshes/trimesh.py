"""Triangle mesh: its own triangles."""

from __future__ import annotations

from typing import Any

from opendynamics.viewer.meshes.building.creases import part_at_edges
from opendynamics.viewer.meshes.building.mesh import Mesh


def key(geom: Any) -> tuple[Any, ...]:
    """Geoms with the same data share one."""
    return "trimesh", geom.mesh


def mesh(geom: Any, detail: Any) -> Mesh:
    """The triangles, smooth except at sharp edges."""
    return part_at_edges(geom.mesh.vertices, geom.mesh.triangles)
