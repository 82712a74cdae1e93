"""Box and cylinder: by the direction of least overlap, with as many contacts as the faces that meet have in common."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convex.convex_convex import collide

__all__ = ["collide"]
