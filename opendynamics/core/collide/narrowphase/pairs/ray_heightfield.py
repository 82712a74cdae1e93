"""Ray and heightfield: see `surfaces/ray.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.surfaces.ray import collide

__all__ = ["collide"]
