"""Ray and heightfield: see `mesh/ray_mesh.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.mesh.ray_mesh import collide

__all__ = ["collide"]
