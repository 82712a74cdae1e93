"""Triangle mesh and heightfield: see `mesh/mesh_mesh.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.mesh.mesh_mesh import collide

__all__ = ["collide"]
