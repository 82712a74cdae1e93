"""Cylinder and shape by a support function: by the shortest connection or the direction of least overlap."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convex.convex_convex import collide

__all__ = ["collide"]
