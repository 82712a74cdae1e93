"""collision.h: pose of a geom. Setting that of a geom on a body moves the body."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.rotation import quaternion_from_matrix
from opendynamics.c_api.common.identifiers import dGeomID
from opendynamics.c_api.ids import Array, matrix12, matrix33, the


def dGeomSetPosition(geom: dGeomID, x: float, y: float, z: float) -> None:
    the(Geom, geom).position = x, y, z


def dGeomGetPosition(geom: dGeomID) -> Array:
    return the(Geom, geom).position


def dGeomSetRotation(geom: dGeomID, R: Any) -> None:
    the(Geom, geom).rotation = matrix33(R)


def dGeomGetRotation(geom: dGeomID) -> Array:
    return matrix12(the(Geom, geom).rotation)


def dGeomSetQuaternion(geom: dGeomID, Q: Any) -> None:
    the(Geom, geom).quaternion = np.asarray(Q)


def dGeomGetQuaternion(geom: dGeomID) -> Array:
    """For a geom on a body without an offset the body's, otherwise that of its matrix; q and -q are the same rotation."""
    known = the(Geom, geom)
    if known.body is not None and not known.has_offset:
        return known.body.quaternion
    return quaternion_from_matrix(known.rotation)


dGeomCopyPosition = dGeomGetPosition
dGeomCopyRotation = dGeomGetRotation


def dGeomGetRelPointPos(geom: dGeomID, px: float, py: float, pz: float) -> Array:
    """World position of a point of the geom's frame."""
    return the(Geom, geom).point_to_world((px, py, pz))


def dGeomGetPosRelPoint(geom: dGeomID, px: float, py: float, pz: float) -> Array:
    """A world point in the geom's frame."""
    return the(Geom, geom).point_from_world((px, py, pz))


def dGeomVectorToWorld(geom: dGeomID, px: float, py: float, pz: float) -> Array:
    return the(Geom, geom).vector_to_world((px, py, pz))


def dGeomVectorFromWorld(geom: dGeomID, px: float, py: float, pz: float) -> Array:
    return the(Geom, geom).vector_from_world((px, py, pz))
