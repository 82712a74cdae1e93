"""collision.h: spheres."""

from __future__ import annotations

from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, or_null, the


def dCreateSphere(space: dSpaceID | Null, radius: float) -> dGeomID:
    return Sphere(radius, space=or_null(Space, space))


def dGeomSphereSetRadius(sphere: dGeomID, radius: float) -> None:
    the(Sphere, sphere).radius = radius


def dGeomSphereGetRadius(sphere: dGeomID) -> float:
    return the(Sphere, sphere).radius


def dGeomSpherePointDepth(sphere: dGeomID, x: float, y: float, z: float) -> float:
    """Signed depth of a world point inside the sphere; negative outside."""
    return the(Sphere, sphere).point_depth((x, y, z))
