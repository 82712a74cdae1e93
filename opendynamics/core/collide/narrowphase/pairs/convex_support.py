"""Convex polyhedron and shape by a support function: by the shortest way between them or the least overlap."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convex.convex_convex import collide

__all__ = ["collide"]
