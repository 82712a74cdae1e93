"""Convex polyhedron and shape by a support function: by the shortest way between them or the least overlap (`convexes.py`)."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convexes import collide

__all__ = ["collide"]
