"""Objects with their own frame: conversion of points and vectors from and to the world frame.

world = position + R own; own = R^T (world - position), summed in the order of the columns on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.types import Vector

Array = npt.NDArray[np.float64]
Numbers: TypeAlias = tuple[float, float, float]


class Framed:
    """An object with a position and an orientation."""

    __slots__ = ()

    @property
    def position(self) -> Array:
        """Position in the world, m, shape (3,)."""
        raise NotImplementedError

    @property
    def rotation(self) -> Array:
        """Orientation in the world frame as a matrix (3, 3)."""
        raise NotImplementedError

    def _frame(self) -> tuple[Sequence[float], Sequence[float]]:
        """Position, and the nine numbers of the rotation, as plain floats."""
        return self.position.tolist(), self.rotation.reshape(9).tolist()

    def point_to_world(self, point: Vector) -> Array:
        """World position, m, shape (3,), of a point of the own frame."""
        return np.array(self._point_outside(*_three("the point", point)))

    def point_from_world(self, point: Vector) -> Array:
        """Position in the own frame, m, shape (3,), of a point of the world frame."""
        return np.array(self._point_inside(*_three("the point", point)))

    def vector_to_world(self, vector: Vector) -> Array:
        """World components, shape (3,), of a vector of the own frame: rotated, not moved."""
        return np.array(turned(self._frame()[1], *_three("the vector", vector)))

    def vector_from_world(self, vector: Vector) -> Array:
        """Components in the own frame, shape (3,), of a vector of the world frame: rotated, not moved."""
        return np.array(turned_back(self._frame()[1], *_three("the vector", vector)))

    def _point_outside(self, x: float, y: float, z: float) -> Numbers:
        (px, py, pz), r = self._frame()
        x, y, z = turned(r, x, y, z)
        return px + x, py + y, pz + z

    def _point_inside(self, x: float, y: float, z: float) -> Numbers:
        (px, py, pz), r = self._frame()
        return turned_back(r, x - px, y - py, z - pz)


def turned(r: Sequence[float], x: float, y: float, z: float) -> Numbers:
    """A vector rotated by a rotation, given as nine numbers."""
    return r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z


def turned_back(r: Sequence[float], x: float, y: float, z: float) -> Numbers:
    """A vector rotated by the inverse of a rotation."""
    return r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z


def _three(what: str, value: Any) -> Sequence[float]:
    return checks.three(str, what, value)
