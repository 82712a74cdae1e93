"""collision.h: convex polyhedra."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, or_null, the


def dCreateConvex(
    space: dSpaceID | Null, planes: Any, planecount: int, points: Any, pointcount: int, polygons: Any
) -> dGeomID:
    """Planes a, b, c, d and points x, y, z in sequence; polygons: number of vertices, vertices, and so on.

    Polygons are counterclockwise from outside, in the order of the planes. Everything is copied; changes need dGeomSetConvex.
    """
    parts = _parts(planes, planecount, points, pointcount, polygons)
    return Convex(*parts, space=or_null(Space, space))


def dGeomSetConvex(g: dGeomID, planes: Any, count: int, points: Any, pointcount: int, polygons: Any) -> None:
    known = the(Convex, g)
    known.reshape(*_parts(planes, count, points, pointcount, polygons))


def _parts(planes: Any, planecount: int, points: Any, pointcount: int, polygons: Any) -> tuple[Any, Any, Any]:
    """Points, polygons and planes, as many as given by the counts; C's arrays may be longer."""
    coefficients = _first("planes", planes, planecount, 4)
    return _first("points", points, pointcount, 3), _first_polygons(polygons, planecount), coefficients


def _first(what: str, numbers: Any, count: int, each: int) -> list[float]:
    """The numbers of `count` points or planes. ValueError if there are fewer."""
    if numbers is None:
        raise TypeError(f"the {what} of a convex must be a sequence of numbers, not None")
    given: list[float] = checks.array(f"the {what} of a convex", numbers).ravel().tolist()
    needed = each * checks.count(f"the number of {what} of a convex", count, 1)
    if len(given) < needed:
        raise ValueError(f"{count} {what} of a convex have {needed} numbers, not {len(given)}")
    return given[:needed]


def _first_polygons(polygons: Any, count: int) -> list[int]:
    """The flat list up to the end of the last polygon."""
    if polygons is None:
        raise TypeError("the polygons of a convex must be a sequence of numbers, not None")
    numbers = [int(number) for number in polygons]
    end = 0
    for number in range(count):
        if end >= len(numbers):
            raise ValueError(f"a convex of {count} planes has as many polygons, not {number}")
        end += 1 + checks.count(f"the number of vertices of polygon {number} of a convex", numbers[end], 3)
    return numbers[:end]
