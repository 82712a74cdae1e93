"""Capsule and convex polyhedron: by the direction of least overlap, with the contacts that the meeting faces share."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convex.convex_convex import collide

__all__ = ["collide"]
