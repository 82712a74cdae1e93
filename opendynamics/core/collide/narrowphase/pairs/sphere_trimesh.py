"""Sphere and triangle mesh: see `surfaces/sphere.py`."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.surfaces.sphere import collide

__all__ = ["collide"]
