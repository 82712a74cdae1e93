"""Sphere: the unit sphere, scaled to the radius."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.viewer.meshes.building.mesh import Mesh
from opendynamics.viewer.meshes.building.revolution import revolve, segments_of


def key(geom: Any) -> tuple[str]:
    """All spheres share one."""
    return ("sphere",)


def mesh(geom: Any, detail: Any) -> Mesh:
    """The sphere of radius 1, with rings of latitude as far apart as those of longitude."""
    segments = segments_of(detail.resolution)
    latitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, segments // 2 + 1)
    radii = np.cos(latitude)
    radii[[0, -1]] = 0.0
    return revolve(radii, np.sin(latitude), segments)


def scale(geom: Any, detail: Any) -> Any:
    """The radius, m, along every axis."""
    return (geom.radius,) * 3
