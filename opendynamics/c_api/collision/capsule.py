"""collision.h: capsules, along z."""

from __future__ import annotations

from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, or_null, the


def dCreateCapsule(space: dSpaceID | Null, radius: float, length: float) -> dGeomID:
    """`length`: of the cylinder between the caps."""
    return Capsule(radius, length, space=or_null(Space, space))


def dGeomCapsuleSetParams(ccylinder: dGeomID, radius: float, length: float) -> None:
    capsule = the(Capsule, ccylinder)
    capsule.radius, capsule.length = radius, length


def dGeomCapsuleGetParams(ccylinder: dGeomID) -> tuple[float, float]:
    """Radius and length."""
    capsule = the(Capsule, ccylinder)
    return capsule.radius, capsule.length


def dGeomCapsulePointDepth(ccylinder: dGeomID, x: float, y: float, z: float) -> float:
    """Signed depth of a world point inside the capsule; negative outside."""
    return the(Capsule, ccylinder).point_depth((x, y, z))


dCreateCCylinder = dCreateCapsule
dGeomCCylinderSetParams = dGeomCapsuleSetParams
dGeomCCylinderGetParams = dGeomCapsuleGetParams
dGeomCCylinderPointDepth = dGeomCapsulePointDepth
