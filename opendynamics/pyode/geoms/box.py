"""Box."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import PointDepth
from opendynamics.pyode.sequences import Vector, three, vector


class GeomBox(PointDepth):
    """A box."""

    __slots__ = ()

    def _ode_make(self, space: Any = None, lengths: Any = (1.0, 1.0, 1.0)) -> Any:
        return c.dCreateBox(self._ode_in(space), *three(lengths))

    def setLengths(self, lengths: Any) -> None:
        """Set the side lengths, m."""
        c.dGeomBoxSetLengths(self._ode_id, *three(lengths))

    def getLengths(self) -> Vector:
        return vector(c.dGeomBoxGetLengths(self._ode_id))
