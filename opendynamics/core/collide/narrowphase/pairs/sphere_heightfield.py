"""Sphere and heightfield: see `surfaces/sphere.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.surfaces.sphere import collide

__all__ = ["collide"]
