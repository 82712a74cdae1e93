"""What has a frame of its own in the world: points and vectors there and back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.types import Vector

Array = npt.NDArray[np.float64]


class Framed:
    """Something with a position and an orientation."""

    __slots__ = ()

    @property
    def position(self) -> Array:
        """Position in the world, m."""
        raise NotImplementedError

    @property
    def rotation(self) -> Array:
        """Orientation in the world as a matrix (3, 3)."""
        raise NotImplementedError

    def point_to_world(self, point: Vector) -> Array:
        """Where a point of the own frame is in the world."""
        return self.position + self.vector_to_world(point)

    def point_from_world(self, point: Vector) -> Array:
        """A point of the world in the own frame."""
        p = np.array(checks.vector("the point", point))
        return np.asarray(self.rotation.T @ (p - self.position))

    def vector_to_world(self, vector: Vector) -> Array:
        """A vector of the own frame in the world."""
        return np.asarray(self.rotation @ np.array(checks.vector("the vector", vector)))

    def vector_from_world(self, vector: Vector) -> Array:
        """A vector of the world in the own frame."""
        return np.asarray(self.rotation.T @ np.array(checks.vector("the vector", vector)))
