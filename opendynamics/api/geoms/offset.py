"""Offset of a geom on its body: position and orientation in the body's frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, rotation
from opendynamics.api.aliases import Alias
from opendynamics.api.body import Body
from opendynamics.api.handle import Handle
from opendynamics.api.orientation import written_quaternion
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Matrix, Vector
from opendynamics.core.arrays import geoms as layout

Array = npt.NDArray[np.float64]


class Displaced(Handle):
    """Mixin of a geom with its offset."""

    __slots__ = ()

    @property
    def body(self) -> Body | None:
        """The body that carries the geom."""
        raise NotImplementedError

    @property
    def _record(self) -> Any:
        """The record, for a change of pose or shape."""
        raise NotImplementedError

    @property
    def _settings(self) -> Any:
        """The record, for a change of other fields than pose and shape."""
        raise NotImplementedError

    @property
    def _values(self) -> Any:
        """The record, for reading."""
        raise NotImplementedError

    def _require_body(self, what: str) -> Body:
        if self.body is None:
            raise ValueError(f"{self._say(what)} needs a body: set its body first")
        return self.body

    @property
    def has_offset(self) -> bool:
        """Whether the geom has an offset from its body's frame."""
        return bool(self._values["flags"] & layout.OFFSET)

    @property
    def offset_position(self) -> Array:
        """Position in the body's frame, m, shape (3,); zero by default."""
        return read_only(self._values["offset_position"])

    @offset_position.setter
    def offset_position(self, value: Vector) -> None:
        v = checks.vector(self._say("the offset"), value)
        self._require_body("the offset")
        self._record["offset_position"] = v
        self._record["flags"] |= layout.OFFSET

    @property
    def offset_rotation(self) -> Array:
        """Orientation in the body's frame as a matrix (3, 3)."""
        return read_only(self._values["offset_rotation"].reshape(3, 3))

    @offset_rotation.setter
    def offset_rotation(self, value: Matrix) -> None:
        matrix = checks.rotation(self._say("the offset"), value)
        self._require_body("the offset")
        self._record["offset_rotation"] = matrix.reshape(9)
        self._record["flags"] |= layout.OFFSET

    @property
    def offset_quaternion(self) -> Array:
        """Orientation in the body's frame (w, x, y, z)."""
        return read_only(rotation.quaternion_from_matrix(self.offset_rotation))

    @offset_quaternion.setter
    def offset_quaternion(self, value: Vector) -> None:
        written_quaternion(self._say("the offset"), value)
        self.offset_rotation = rotation.matrix_from_quaternion(value)

    offset_orientation = Alias[Array, Vector]("offset_quaternion")

    def set_offset_world_position(self, position: Vector) -> None:
        """Set the offset so that the geom's current position in the world frame is `position`."""
        p = checks.vector(self._say("the offset"), position)
        self.offset_position = self._require_body("the offset").point_from_world(p)

    def set_offset_world_rotation(self, matrix: Matrix) -> None:
        """Set the offset so that the geom has this current orientation in the world frame."""
        r = checks.rotation(self._say("the offset"), matrix)
        self.offset_rotation = self._require_body("the offset").rotation.T @ r

    def set_offset_world_quaternion(self, quaternion: Vector) -> None:
        """Set the offset so that the geom has this current orientation (w, x, y, z) in the world frame."""
        q = checks.quaternion(self._say("the offset"), quaternion)
        self.set_offset_world_rotation(rotation.matrix_from_quaternion(q))

    def clear_offset(self) -> None:
        """Reset the geom to its body's frame."""
        record = self._record if self._values["flags"] & layout.OFFSET else self._settings
        record["offset_position"] = 0.0
        record["offset_rotation"] = np.eye(3).reshape(9)
        record["flags"] &= ~np.uint32(layout.OFFSET)
