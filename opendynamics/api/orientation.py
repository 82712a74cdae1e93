"""Orientations given as a quaternion or as a matrix."""

from __future__ import annotations

from typing import Any, TypeAlias

from opendynamics.api import checks, rotation
from opendynamics.api.units import check_quaternion

Numbers: TypeAlias = tuple[float, ...]

# Quaternion, and the nine numbers of the matrix, of the identity.
UNTURNED: tuple[Numbers, Numbers] = (1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def written_quaternion(what: str, value: Any) -> Numbers:
    """`value` as a unit quaternion, with a warning if it looks like one in the order (x, y, z, w)."""
    q = checks.quaternion(what, value)
    check_quaternion(what, value)
    return q


def orientation(label: str, quaternion: Any, matrix: Any) -> tuple[Numbers, Numbers]:
    """Quaternion and the nine numbers of the matrix, from the one that is given; the identity if neither is."""
    if quaternion is None and matrix is None:
        return UNTURNED
    if quaternion is not None and matrix is not None:
        raise ValueError(f"give the quaternion {label} or its rotation, not both")
    if matrix is not None:
        r = checks.rotation(f"the rotation {label}", matrix)
        return tuple(rotation.quaternion_from_matrix(r).tolist()), tuple(r.reshape(9).tolist())
    q = written_quaternion(f"the quaternion {label}", quaternion)
    return q, rotation.matrix_numbers(q)
