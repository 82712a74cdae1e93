"""collision_space.h: spaces."""

from __future__ import annotations

from typing import Any

from opendynamics.api.spaces.hash import HashSpace
from opendynamics.api.spaces.simple import SimpleSpace
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.collision.geom import dGeomGetClass
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, flag, geom_or_space, or_null, the, whole


def dSimpleSpaceCreate(space: dSpaceID | Null) -> dSpaceID:
    """In `space`, if that is not null."""
    return SimpleSpace(space=or_null(Space, space), like="ode")


def dHashSpaceCreate(space: dSpaceID | Null) -> dSpaceID:
    return HashSpace(space=or_null(Space, space), like="ode")


def dHashSpaceSetLevels(space: dSpaceID, minlevel: int, maxlevel: int) -> None:
    """Smallest and largest cell, as powers of two of a metre."""
    the(HashSpace, space).levels = minlevel, maxlevel


def dHashSpaceGetLevels(space: dSpaceID) -> tuple[int, int]:
    return the(HashSpace, space).levels


def dSpaceDestroy(space: dSpaceID) -> None:
    """With cleanup on, the default, also its geoms."""
    the(Space, space).destroy()


def dSpaceSetCleanup(space: dSpaceID, mode: int) -> None:
    the(Space, space).cleanup = flag(mode)


def dSpaceGetCleanup(space: dSpaceID) -> int:
    return int(the(Space, space).cleanup)


def dSpaceSetSublevel(space: dSpaceID, sublevel: int) -> None:
    """dSpaceCollide2 opens the one of two spaces with the larger sublevel, or both if they are equal."""
    the(Space, space).sublevel = whole(sublevel)


def dSpaceGetSublevel(space: dSpaceID) -> int:
    return the(Space, space).sublevel


def dSpaceSetManualCleanup(space: dSpaceID, mode: int) -> None:
    """Stored for the getter; no effect."""
    marked: Any = the(Space, space)
    marked._c_manual_cleanup = int(flag(mode))


def dSpaceGetManualCleanup(space: dSpaceID) -> int:
    return getattr(the(Space, space), "_c_manual_cleanup", 0)


def dSpaceClean(space: dSpaceID) -> None:
    """Updates all boxes, which all other functions do automatically."""
    the(Space, space).clean()


def dSpaceAdd(space: dSpaceID, geom: dGeomID) -> None:
    """No effect on a geom that is already in the space."""
    if geom_or_space(geom).space is not the(Space, space):
        space.add(geom)


def dSpaceRemove(space: dSpaceID, geom: dGeomID) -> None:
    """No effect on a geom that is not in the space."""
    if geom_or_space(geom).space is the(Space, space):
        space.remove(geom)


def dSpaceQuery(space: dSpaceID, geom: dGeomID) -> int:
    """1 if the geom is in the space."""
    return int(geom_or_space(geom) in the(Space, space))


def dSpaceGetNumGeoms(space: dSpaceID) -> int:
    return len(the(Space, space))


def dSpaceGetGeom(space: dSpaceID, i: int) -> dGeomID | None:
    """By number; the most recently added or moved is first, as in ODE; None if there are fewer."""
    return dict(enumerate(the(Space, space))).get(whole(i))


def dSpaceGetClass(space: dSpaceID) -> int:
    return dGeomGetClass(the(Space, space))
