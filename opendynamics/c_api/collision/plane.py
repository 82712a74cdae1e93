"""collision.h: planes, a x + b y + c z = d, solid below."""

from __future__ import annotations

import numpy as np

from opendynamics.api.geoms.plane import Plane
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Array, Null, or_null, the


def dCreatePlane(space: dSpaceID | Null, a: float, b: float, c: float, d: float) -> dGeomID:
    return Plane((a, b, c), d, space=or_null(Space, space))


def dGeomPlaneSetParams(plane: dGeomID, a: float, b: float, c: float, d: float) -> None:
    the(Plane, plane).set_params(a, b, c, d)


def dGeomPlaneGetParams(plane: dGeomID) -> Array:
    """a, b, c, d, with a unit normal."""
    known = the(Plane, plane)
    return np.append(known.normal, known.offset)


def dGeomPlanePointDepth(plane: dGeomID, x: float, y: float, z: float) -> float:
    """Signed depth of a world point below the plane; negative above."""
    return the(Plane, plane).point_depth((x, y, z))
