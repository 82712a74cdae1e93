"""Capsule and cylinder: by the direction of least overlap, with two contacts where the capsule lies along the cylinder."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.convex.convex_convex import collide

__all__ = ["collide"]
