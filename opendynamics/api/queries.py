"""Queries on shapes outside a step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.suggestions import explain_function
from opendynamics.api.types import Vector
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shapes import CONTRACTS, CONVEX, HALF_SPACE, RAY
from opendynamics.core.collide import shape_queries

Array = npt.NDArray[np.float64]


@explain_function
def closest_points_of_segments(a1: Vector, a2: Vector, b1: Vector, b2: Vector) -> tuple[Array, Array]:
    """Closest points of the segments from `a1` to `a2` and from `b1` to `b2`: a point on each, m, shape (3,)."""
    ends = np.array([checks.vector("an end of a segment", end) for end in (a1, a2, b1, b2)])
    closest = np.empty((2, 3))
    shape_queries.closest_segment_points(ends, closest)
    return closest[0], closest[1]


@explain_function
def boxes_touch(a: Box, b: Box) -> bool:
    """Whether two boxes intersect (ODE's dBoxTouchesBox). TypeError for other geoms."""
    for box in (a, b):
        if not isinstance(box, Box):
            raise TypeError(f"boxes_touch takes two boxes, not {box!r}; distance takes any two convex geoms")
    return bool(shape_queries.boxes_touch(a._address, b._address))


@explain_function
def distance(a: Geom, b: Geom) -> tuple[float, Array, Array]:
    """Distance of two convex geoms, m, and the closest point of each, shape (3,).

    Penetrating geoms have a negative distance, minus the length of the minimum translation vector (MTV); the points are then
    the deepest of each along it. One of the two may be a plane. TypeError for geoms that are not convex.
    """
    for geom in (a, b):
        if not isinstance(geom, Geom):
            raise TypeError(f"distance takes two geoms, not {geom!r}")
    traits = [int(CONTRACTS["traits"][geom._store[GEOMS][geom._row]["kind"]]) for geom in (a, b)]
    if not all(each & (CONVEX | RAY | HALF_SPACE) for each in traits) or traits[0] & traits[1] & HALF_SPACE:
        raise TypeError(
            f"the distance of {a.name} (a {a.shape}) and {b.name} (a {b.shape}) is not known: it takes two convex "
            "geoms or rays, or one of them and a plane"
        )
    from opendynamics.core.collide.narrowphase.convex.signed_distance import signed_distance

    closest, scratch = np.empty((2, 3)), np.empty(SCRATCH)
    found = signed_distance(a._address, b._address, scratch.ctypes.data, closest)
    return float(found), closest[0], closest[1]
