"""Capsule, formerly called capped cylinder."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import PointDepth


class GeomCapsule(PointDepth):
    """A capsule along z; `length` is that of the cylinder between the caps, m."""

    __slots__ = ()

    def _ode_make(self, space: Any = None, radius: float = 0.5, length: float = 1.0) -> Any:
        return c.dCreateCapsule(self._ode_in(space), radius, length)

    def setParams(self, radius: float, length: float) -> None:
        c.dGeomCapsuleSetParams(self._ode_id, radius, length)

    def getParams(self) -> tuple[float, float]:
        """Return radius and length."""
        radius, length = c.dGeomCapsuleGetParams(self._ode_id)
        return float(radius), float(length)


GeomCCylinder = GeomCapsule
