"""Capsule and heightfield: see `mesh/convex_mesh.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.mesh.convex_mesh import collide

__all__ = ["collide"]
