"""Cylinder: one of radius 1 and length 1, scaled to radius and length."""

from __future__ import annotations

from typing import Any

from opendynamics.viewer.meshes.building.mesh import Mesh, join
from opendynamics.viewer.meshes.building.revolution import revolve, segments_of


def key(geom: Any) -> tuple[str]:
    """All cylinders share one."""
    return ("cylinder",)


def mesh(geom: Any, detail: Any) -> Mesh:
    """Radius 1 and length 1, along z, around the origin; side and ends have separate vertices, for visible edges."""
    segments = segments_of(detail.resolution)
    side = revolve((1.0, 1.0), (-0.5, 0.5), segments)
    bottom = revolve((0.0, 1.0), (-0.5, -0.5), segments)
    top = revolve((1.0, 0.0), (0.5, 0.5), segments)
    return join([bottom, side, top])


def scale(geom: Any, detail: Any) -> Any:
    """Radius, radius and length, m."""
    return geom.radius, geom.radius, geom.length
