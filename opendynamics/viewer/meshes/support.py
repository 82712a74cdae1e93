"""Convex shape with a user-defined support function: the hull of support points in all directions."""

from __future__ import annotations

from typing import Any

from opendynamics.viewer.meshes.building.supported import mesh

__all__ = ["key", "mesh"]


def key(geom: Any) -> tuple[Any, ...]:
    """Those of one class with the same parameters and radius share one."""
    return "support", geom.geom_class, geom.parameters.tobytes(), geom.radius
