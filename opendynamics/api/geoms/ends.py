"""Shapes along z that are placed by the two ends of their axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, rotation

Array = npt.NDArray[np.float64]


def placed_between(what: str, start: Any, end: Any) -> tuple[float, Array, Array]:
    """Length, m, centre (3,) and rotation (3, 3) of a shape whose axis runs from `start` to `end`, m."""
    first = np.array(checks.vector(f"the start of {what}", start))
    last = np.array(checks.vector(f"the end of {what}", end))
    axis = last - first
    length = math.hypot(*axis.tolist())
    if length == 0.0:
        raise ValueError(f"the start and the end of {what} must be different points, not both {tuple(first.tolist())}")
    return length, 0.5 * (first + last), rotation.from_z_axis(axis)
