"""collision.h: offset of a geom on its body."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.geoms.geom import Geom
from opendynamics.c_api.common.identifiers import dGeomID
from opendynamics.c_api.ids import Array, matrix12, matrix33, the


def dGeomSetOffsetPosition(geom: dGeomID, x: float, y: float, z: float) -> None:
    the(Geom, geom).offset_position = x, y, z


def dGeomSetOffsetRotation(geom: dGeomID, R: Any) -> None:
    the(Geom, geom).offset_rotation = matrix33(R)


def dGeomSetOffsetQuaternion(geom: dGeomID, Q: Any) -> None:
    the(Geom, geom).offset_quaternion = np.asarray(Q)


def dGeomSetOffsetWorldPosition(geom: dGeomID, x: float, y: float, z: float) -> None:
    """Set the offset so that the geom's current world position is this point."""
    the(Geom, geom).set_offset_world_position((x, y, z))


def dGeomSetOffsetWorldRotation(geom: dGeomID, R: Any) -> None:
    the(Geom, geom).set_offset_world_rotation(matrix33(R))


def dGeomSetOffsetWorldQuaternion(geom: dGeomID, Q: Any) -> None:
    the(Geom, geom).set_offset_world_quaternion(Q)


def dGeomClearOffset(geom: dGeomID) -> None:
    the(Geom, geom).clear_offset()


def dGeomIsOffset(geom: dGeomID) -> int:
    return int(the(Geom, geom).has_offset)


def dGeomGetOffsetPosition(geom: dGeomID) -> Array:
    return the(Geom, geom).offset_position


def dGeomGetOffsetRotation(geom: dGeomID) -> Array:
    return matrix12(the(Geom, geom).offset_rotation)


def dGeomGetOffsetQuaternion(geom: dGeomID) -> Array:
    return the(Geom, geom).offset_quaternion


dGeomCopyOffsetPosition = dGeomGetOffsetPosition
dGeomCopyOffsetRotation = dGeomGetOffsetRotation
