"""Plane."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import PointDepth
from opendynamics.pyode.sequences import Vector, three


class GeomPlane(PointDepth):
    """The half space normal·x <= dist, which has no pose."""

    __slots__ = ()

    _ode_placeable = False

    def _ode_make(self, space: Any = None, normal: Any = (0, 0, 1), dist: float = 0) -> Any:
        return c.dCreatePlane(self._ode_in(space), *three(normal), dist)

    def setParams(self, normal: Any, dist: float) -> None:
        """Set normal, of any length, and distance along it."""
        c.dGeomPlaneSetParams(self._ode_id, *three(normal), dist)

    def getParams(self) -> tuple[Vector, float]:
        """Return the unit normal, and the distance."""
        x, y, z, dist = c.dGeomPlaneGetParams(self._ode_id).tolist()
        return (x, y, z), dist
