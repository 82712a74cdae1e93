"""Ray."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.sequences import Vector, three, vector


class GeomRay(GeomObject):
    """A ray; the depth of its contacts is the distance from the start."""

    __slots__ = ()

    def _ode_make(self, space: Any = None, rlen: float = 1.0) -> Any:
        return c.dCreateRay(self._ode_in(space), rlen)

    def set(self, p: Any, u: Any) -> None:
        """Set the start, m, and the direction, of any length except zero."""
        c.dGeomRaySet(self._ode_id, *three(p), *three(u))

    def get(self) -> tuple[Vector, Vector]:
        """Return the start, and the direction as a unit vector."""
        start, direction = c.dGeomRayGet(self._ode_id)
        return vector(start), vector(direction)

    def setLength(self, rlen: float) -> None:
        c.dGeomRaySetLength(self._ode_id, rlen)

    def getLength(self) -> float:
        return float(c.dGeomRayGetLength(self._ode_id))
