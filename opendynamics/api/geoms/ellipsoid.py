"""Ellipsoid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Place, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Ellipsoid(Geom):
    """An ellipsoid with semi-axes `radii` (3) m along x, y, z. For the other arguments see `Geom`."""

    __slots__ = ()

    shape = "ellipsoid"
    size_count = 3

    def __init__(self, radii: Vector, **place: Unpack[Place]) -> None:
        super().__init__(checks.positive_vector("the radii of an ellipsoid", radii), **place)

    @classmethod
    def of_size(cls, size: Any, **place: Unpack[Place]) -> Ellipsoid:
        """An ellipsoid with these semi-axes, m."""
        return cls(size, **place)

    @property
    def radii(self) -> Array:
        """Semi-axes along x, y, z, m, shape (3,)."""
        return read_only(self._values["size"][:3])

    @radii.setter
    def radii(self, radii: Vector) -> None:
        self._set_size(*checks.positive_vector(self._say("the radii"), radii))
