"""collision.h: boxes."""

from __future__ import annotations

from opendynamics.api.geoms.box import Box
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Array, Null, or_null, the


def dCreateBox(space: dSpaceID | Null, lx: float, ly: float, lz: float) -> dGeomID:
    return Box((lx, ly, lz), space=or_null(Space, space))


def dGeomBoxSetLengths(box: dGeomID, lx: float, ly: float, lz: float) -> None:
    the(Box, box).lengths = lx, ly, lz


def dGeomBoxGetLengths(box: dGeomID) -> Array:
    return the(Box, box).lengths


def dGeomBoxPointDepth(box: dGeomID, x: float, y: float, z: float) -> float:
    """Signed depth of a world point inside the box; negative outside."""
    return the(Box, box).point_depth((x, y, z))
