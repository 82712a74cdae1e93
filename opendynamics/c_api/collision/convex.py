"""collision.h: convex polyhedra."""

from __future__ import annotations

from typing import Any

from opendynamics.api.geoms.convex import Convex
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, or_null, the


def dCreateConvex(
    space: dSpaceID | Null, planes: Any, planecount: int, points: Any, pointcount: int, polygons: Any
) -> dGeomID:
    """Planes a, b, c, d and points x, y, z one after another; polygons: number of corners, corners, and so on.

    Polygons are counterclockwise from outside, in the order of the planes. All is copied; changes need dGeomSetConvex.
    """
    parts = _parts(planes, planecount, points, pointcount, polygons)
    return Convex(*parts, space=or_null(Space, space))


def dGeomSetConvex(g: dGeomID, planes: Any, count: int, points: Any, pointcount: int, polygons: Any) -> None:
    known = the(Convex, g)
    known.reshape(*_parts(planes, count, points, pointcount, polygons))


def _parts(planes: Any, planecount: int, points: Any, pointcount: int, polygons: Any) -> tuple[Any, Any, Any]:
    """Points, polygons and planes, as many as the counts say."""
    return list(points)[: 3 * pointcount], _first_polygons(polygons, planecount), list(planes)[: 4 * planecount]


def _first_polygons(polygons: Any, count: int) -> list[int]:
    """The flat list up to the end of the last polygon: C's arrays may be longer."""
    numbers = [int(number) for number in polygons]
    end = 0
    for _ in range(count):
        if end < len(numbers):
            end += 1 + numbers[end]
    return numbers[:end]
