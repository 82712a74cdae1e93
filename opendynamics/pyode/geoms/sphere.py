"""Sphere."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import PointDepth


class GeomSphere(PointDepth):
    """A sphere."""

    __slots__ = ()

    def _ode_make(self, space: Any = None, radius: float = 1.0) -> Any:
        return c.dCreateSphere(self._ode_in(space), radius)

    def setRadius(self, radius: float) -> None:
        c.dGeomSphereSetRadius(self._ode_id, radius)

    def getRadius(self) -> float:
        return float(c.dGeomSphereGetRadius(self._ode_id))
