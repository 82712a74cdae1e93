"""collision.h: geom transforms, deprecated in ODE in favour of offsets."""

from __future__ import annotations

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.transform import GeomTransform
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, flag, or_null, the


def dCreateGeomTransform(space: dSpaceID | Null) -> dGeomID:
    return GeomTransform(space=or_null(Space, space))


def dGeomTransformSetGeom(g: dGeomID, obj: dGeomID | Null) -> None:
    """The encapsulated geom, without body and space. A previous one is destroyed if cleanup is on."""
    transform = the(GeomTransform, g)
    before = transform.geom
    transform.geom = or_null(Geom, obj)
    if before is not None and before is not transform.geom and transform.cleanup:
        before.destroy()


def dGeomTransformGetGeom(g: dGeomID) -> dGeomID | None:
    return the(GeomTransform, g).geom


def dGeomTransformSetCleanup(g: dGeomID, mode: int) -> None:
    """1: the encapsulated geom is destroyed with the transform."""
    the(GeomTransform, g).cleanup = flag(mode)


def dGeomTransformGetCleanup(g: dGeomID) -> int:
    return int(the(GeomTransform, g).cleanup)


def dGeomTransformSetInfo(g: dGeomID, mode: int) -> None:
    """1: contacts name the transform, not the encapsulated geom."""
    the(GeomTransform, g).info = flag(mode)


def dGeomTransformGetInfo(g: dGeomID) -> int:
    return int(the(GeomTransform, g).info)
