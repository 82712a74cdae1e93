"""collision.h: functions for all geoms. Spaces are geoms too, for functions that apply to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.checks import DestroyedError
from opendynamics.api.contact_run import NOW
from opendynamics.api.geoms.custom import CustomGeom
from opendynamics.api.geoms.geom import Geom, attached_body
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.collision import classes
from opendynamics.c_api.common.identifiers import dBodyID, dGeomID, dSpaceID
from opendynamics.c_api.ids import Array, Null, geom_or_space, or_null, the
from opendynamics.core.families import SHAPES

# ODE has no bounding tree; a hash space is the closest equivalent.
_SPACES = {
    "simple": classes.dSimpleSpaceClass,
    "hash": classes.dHashSpaceClass,
    "tree": classes.dHashSpaceClass,
    "sweep_and_prune": classes.dSweepAndPruneSpaceClass,
    "quad_tree": classes.dQuadTreeSpaceClass,
}


def dGeomDestroy(geom: dGeomID) -> None:
    geom_or_space(geom).destroy()


def dGeomSetData(geom: dGeomID, data: Any) -> None:
    geom_or_space(geom).data = data


def dGeomGetData(geom: dGeomID) -> Any:
    return geom_or_space(geom).data


def dGeomSetBody(geom: dGeomID, body: dBodyID | Null) -> None:
    """Attach the geom to a body, without an offset; null leaves it where it is."""
    the(Geom, geom).body = or_null(Body, body)


def dGeomGetBody(geom: dGeomID) -> dBodyID | None:
    try:  # instead of a test of the type, as loops call this for every pair
        body = attached_body(geom)
        if body is not None:
            return body  # type: ignore[no-any-return]
        one, other, _, _, _ = NOW.listed.current
        if geom is one or geom is other:  # which cannot be destroyed now
            return None
    except TypeError:  # no geom
        pass
    if isinstance(geom, Geom):
        try:
            return geom.body
        except DestroyedError:
            pass
    geom_or_space(geom)  # raises, with the name of the call, unless it is a space
    return None


def dGeomGetAABB(geom: dGeomID) -> Array:
    """x min, x max, y min, y max, z min, z max."""
    return geom_or_space(geom).aabb


def dInfiniteAABB(geom: dGeomID) -> Array:
    """The bounding box of a geom of unlimited size."""
    geom_or_space(geom)
    return np.array([-np.inf, np.inf] * 3)


def dGeomIsSpace(geom: dGeomID) -> int:
    return int(isinstance(geom_or_space(geom), Space))


def dGeomGetSpace(geom: dGeomID) -> dSpaceID | None:
    return geom_or_space(geom).space


def dGeomGetClass(geom: dGeomID) -> int:
    """One of dSphereClass and so on. Classes not created through C names have numbers from dGeomNumClasses on."""
    known = geom_or_space(geom)
    if isinstance(known, Space):
        return _SPACES[known.broadphase]
    if isinstance(known, CustomGeom) and known.geom_class.number is not None:
        return known.geom_class.number
    return int(SHAPES[known.shape].KIND)


def dGeomSetCategoryBits(geom: dGeomID, bits: int) -> None:
    geom_or_space(geom).category_bits = bits


def dGeomGetCategoryBits(geom: dGeomID) -> int:
    return geom_or_space(geom).category_bits


def dGeomSetCollideBits(geom: dGeomID, bits: int) -> None:
    geom_or_space(geom).collide_bits = bits


def dGeomGetCollideBits(geom: dGeomID) -> int:
    return geom_or_space(geom).collide_bits


def dGeomEnable(geom: dGeomID) -> None:
    geom_or_space(geom).enabled = True


def dGeomDisable(geom: dGeomID) -> None:
    geom_or_space(geom).enabled = False


def dGeomIsEnabled(geom: dGeomID) -> int:
    return int(geom_or_space(geom).enabled)


def dGeomMoved(geom: dGeomID) -> None:
    """No effect: geoms detect changes."""
    geom_or_space(geom)


def dGeomLowLevelControl(geom: dGeomID, controlClass: int, controlCode: int, dataValue: Any = None) -> tuple[int, Any]:
    """(1, value) if the geom has this control; (0, None) otherwise: no existing shape has any."""
    geom_or_space(geom)
    return 0, None
