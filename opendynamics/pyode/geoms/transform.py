"""Geom transform: a geom with an offset in another's frame."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import GeomObject, geom_of
from opendynamics.pyode.handle import id_of


class GeomTransform(GeomObject):
    """Encapsulates a geom, whose pose is relative to this one's frame."""

    __slots__ = ("_ode_geom",)

    _ode_geom: GeomObject | None

    def _ode_make(self, space: Any = None) -> Any:
        self._ode_geom = None
        identifier = c.dCreateGeomTransform(self._ode_in(space))
        c.dGeomTransformSetCleanup(identifier, 0)  # the encapsulated geom is destroyed with its own object
        return identifier

    def setGeom(self, geom: GeomObject) -> None:
        """Encapsulate a geom that has a pose, and no body, space or other transform."""
        identifier = id_of(GeomObject, "the geom of a transform", geom)
        if not geom.placeable():
            raise ValueError(
                f"Only placeable geoms can be encapsulated by a GeomTransform, not a {type(geom).__name__}"
            )
        if c.dGeomGetSpace(identifier) is not None:
            raise ValueError("The encapsulated geom was already inserted into a space: remove it there first")
        if c.dGeomGetBody(identifier) is not None:
            raise ValueError("The encapsulated geom is already on a body: take it off with setBody(None)")
        c.dGeomTransformSetGeom(self._ode_id, identifier)
        self._ode_geom = geom

    def getGeom(self) -> GeomObject | None:
        identifier = c.dGeomTransformGetGeom(self._ode_id)
        geom: GeomObject | None = None if identifier is None else geom_of(identifier)
        return geom

    def setInfo(self, mode: int) -> None:
        """Set whether contacts name the transform (1) or the encapsulated geom (0)."""
        if mode not in (0, 1):
            raise ValueError(f"Invalid information mode ({mode}). Must be either 0 or 1.")
        c.dGeomTransformSetInfo(self._ode_id, mode)

    def getInfo(self) -> int:
        return int(c.dGeomTransformGetInfo(self._ode_id))
