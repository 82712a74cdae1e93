"""Sphere and triangle mesh: see `mesh/sphere_mesh.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.mesh.sphere_mesh import collide

__all__ = ["collide"]
