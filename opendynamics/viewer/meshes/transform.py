"""Geom transform: the encapsulated geom. The record of a transform has its pose."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from opendynamics.viewer.meshes.building.mesh import NOTHING, Mesh

# The encapsulated geom may be of a shape that is not.
FIXED = False


def key(geom: Any) -> Hashable:
    """That of the encapsulated geom."""
    from opendynamics.viewer.meshes import key_of

    return key_of(geom.geom) if geom.geom is not None else ("nothing",)


def mesh(geom: Any, detail: Any) -> Mesh:
    """That of the encapsulated geom; empty without one."""
    from opendynamics.viewer.meshes import mesh_of

    return mesh_of(geom.geom, detail) if geom.geom is not None else NOTHING


def scale(geom: Any, detail: Any) -> Any:
    """That of the encapsulated geom."""
    from opendynamics.viewer.meshes import scale_of

    return scale_of(geom.geom, detail) if geom.geom is not None else (1.0, 1.0, 1.0)
