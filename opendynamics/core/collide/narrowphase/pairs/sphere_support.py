"""Sphere and shape by a support function: by the shortest connection or the direction of least overlap, see `convexes.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convexes import collide

__all__ = ["collide"]
