"""Shape by a support function and heightfield: see `surfaces/settle.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.surfaces.settle import collide

__all__ = ["collide"]
