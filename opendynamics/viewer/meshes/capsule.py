"""Capsule: one of radius 1 with the same proportions, scaled to the radius, as other scales would deform the caps."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.viewer.meshes.building.mesh import Mesh
from opendynamics.viewer.meshes.building.revolution import revolve, segments_of


def key(geom: Any) -> tuple[str, float]:
    """Capsules with the same ratio of length and radius share one."""
    return "capsule", geom.length / geom.radius


def mesh(geom: Any, detail: Any) -> Mesh:
    """Radius 1, along z, around the origin: two half spheres and the side between them."""
    segments = segments_of(detail.resolution)
    cap = np.linspace(0.0, 0.5 * np.pi, segments // 4 + 1)
    half = 0.5 * geom.length / geom.radius
    radii, heights = np.cos(cap), np.sin(cap) + half
    radii[-1] = 0.0
    if half == 0.0:  # both caps have the ring on the equator
        return revolve([*radii[::-1], *radii[1:]], [*-heights[::-1], *heights[1:]], segments)
    return revolve([*radii[::-1], *radii], [*-heights[::-1], *heights], segments)


def scale(geom: Any, detail: Any) -> Any:
    """The radius, m, along every axis."""
    return (geom.radius,) * 3
