"""Questions about shapes outside a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.core.collide.narrowphase import queries

Array = npt.NDArray[np.float64]


def closest_points_of_segments(a1: Any, a2: Any, b1: Any, b2: Any) -> tuple[Array, Array]:
    """Where the segments a1 a2 and b1 b2 come closest: a point on each, shape (3,)."""
    ends = np.array([checks.vector("an end of a segment", end) for end in (a1, a2, b1, b2)])
    closest = np.empty((2, 3))
    queries.closest_segment_points(ends, closest)
    return closest[0], closest[1]


def boxes_touch(a: Box, b: Box) -> bool:
    """Whether two boxes have a point in common."""
    one = a._address
    other = b._address
    return bool(queries.boxes_touch(one, other))
