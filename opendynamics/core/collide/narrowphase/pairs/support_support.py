"""Shape by a support function and another: by the shortest connection or the direction of least overlap, see `convexes.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convexes import collide

__all__ = ["collide"]
