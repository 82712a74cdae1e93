"""Triangle mesh and another: see `surfaces/meshes.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.surfaces.meshes import collide

__all__ = ["collide"]
