"""collision.h: cylinders, along z."""

from __future__ import annotations

from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, or_null, the


def dCreateCylinder(space: dSpaceID | Null, radius: float, length: float) -> dGeomID:
    return Cylinder(radius, length, space=or_null(Space, space))


def dGeomCylinderSetParams(cylinder: dGeomID, radius: float, length: float) -> None:
    known = the(Cylinder, cylinder)
    known.radius, known.length = radius, length


def dGeomCylinderGetParams(cylinder: dGeomID) -> tuple[float, float]:
    """Radius and length."""
    known = the(Cylinder, cylinder)
    return known.radius, known.length
