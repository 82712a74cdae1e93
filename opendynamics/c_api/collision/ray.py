"""collision.h: rays."""

from __future__ import annotations

from opendynamics.api.geoms.ray import Ray
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Array, Null, flag, or_null, the


def dCreateRay(space: dSpaceID | Null, length: float) -> dGeomID:
    return Ray(length, space=or_null(Space, space))


def dGeomRaySetLength(ray: dGeomID, length: float) -> None:
    the(Ray, ray).length = length


def dGeomRayGetLength(ray: dGeomID) -> float:
    return the(Ray, ray).length


def dGeomRaySet(ray: dGeomID, px: float, py: float, pz: float, dx: float, dy: float, dz: float) -> None:
    """Start and direction; the direction may have any length."""
    the(Ray, ray).set((px, py, pz), (dx, dy, dz))


def dGeomRayGet(ray: dGeomID) -> tuple[Array, Array]:
    """Start, and unit direction."""
    known = the(Ray, ray)
    return known.start, known.direction


def dGeomRaySetFirstContact(g: dGeomID, firstContact: int) -> None:
    the(Ray, g).first_contact = flag(firstContact)


def dGeomRayGetFirstContact(g: dGeomID) -> int:
    return int(the(Ray, g).first_contact)


def dGeomRaySetBackfaceCull(g: dGeomID, backfaceCull: int) -> None:
    the(Ray, g).backface_cull = flag(backfaceCull)


def dGeomRayGetBackfaceCull(g: dGeomID) -> int:
    return int(the(Ray, g).backface_cull)


def dGeomRaySetClosestHit(g: dGeomID, closestHit: int) -> None:
    the(Ray, g).closest_hit = flag(closestHit)


def dGeomRayGetClosestHit(g: dGeomID) -> int:
    return int(the(Ray, g).closest_hit)


def dGeomRaySetParams(g: dGeomID, FirstContact: int, BackfaceCull: int) -> None:
    """Deprecated in ODE: both settings in one call."""
    ray = the(Ray, g)
    ray.first_contact, ray.backface_cull = flag(FirstContact), flag(BackfaceCull)


def dGeomRayGetParams(g: dGeomID) -> tuple[int, int]:
    """First contact and back-face culling."""
    ray = the(Ray, g)
    return int(ray.first_contact), int(ray.backface_cull)
