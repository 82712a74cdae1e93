"""Inertia tensors of nodes: nine numbers, or the six of the upper triangle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.robot.reading.findings import Findings
from opendynamics.robot.reading.node import Node

Array = npt.NDArray[np.float64]


def read_inertia(node: Node, findings: Findings, *keys: str) -> Array | None:
    """A symmetric matrix (3, 3), kg m²; None if there is no such key. An asymmetric one is reported."""
    given = node.finite(*keys)
    if given is None:
        return None
    key = node.find(*keys) or ""
    if given.size == 6:
        xx, xy, xz, yy, yz, zz = given.tolist()
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if given.size != 9:
        raise node.error(
            f"{node.spelling(key)} must be nine numbers, or six of the upper triangle, not {given.size}", key
        )
    matrix = given.reshape(3, 3)
    return symmetric(matrix, node.place, findings)


def symmetric(matrix: Array, place: str, findings: Findings) -> Array:
    """The symmetric part; asymmetry beyond rounding is reported."""
    error = float(np.abs(matrix - matrix.T).max())
    if error > 1e-6 * float(np.abs(matrix).max()):
        findings.note(place, f"the inertia is not symmetric (off by {error:.3g} kg m2); its symmetric part is taken")
    return np.asarray(0.5 * (matrix + matrix.T))
