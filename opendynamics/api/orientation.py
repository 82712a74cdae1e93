"""Orientations that are given as a quaternion or as a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, rotation

Array = npt.NDArray[np.float64]


def orientation(label: str, quaternion: Any, matrix: Any) -> tuple[Array, Array]:
    """Quaternion and matrix from whichever of the two is given; neither: no turn."""
    if quaternion is not None and matrix is not None:
        raise ValueError(f"give the quaternion {label} or its rotation, not both")
    if matrix is not None:
        r = checks.rotation(f"the rotation {label}", matrix)
        return rotation.quaternion_from_matrix(r), r
    q = (1.0, 0.0, 0.0, 0.0) if quaternion is None else checks.quaternion(f"the quaternion {label}", quaternion)
    return np.array(q), rotation.matrix_from_quaternion(q)
