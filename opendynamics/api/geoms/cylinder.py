"""Cylinder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.geoms.ends import placed_between
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.types import Look, Place, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Cylinder(Geom):
    """A cylinder along z.

    Args:
        radius: m.
        length: m.
        place: see `Geom`.
    """

    __slots__ = ()

    shape = "cylinder"
    size_count = 2

    def __init__(self, radius: float, length: float, **place: Unpack[Place]) -> None:
        size = checks.positive("the radius of a cylinder", radius), checks.positive("the length of a cylinder", length)
        super().__init__(size, **place)

    @classmethod
    def between(cls, start: Vector, end: Vector, radius: float, **look: Unpack[Look]) -> Cylinder:
        """Create a cylinder from `start` to `end`, m, in the body's frame, or the world for a static geom.

        Args:
            start, end: centres of the two caps, two different points, shape (3,).
            radius: m.
            look: `material`, `sensor`, `color` and `name`, see `Geom`.
        """
        length, position, rotation = placed_between("a cylinder", start, end)
        return cls(radius, length, position=position, rotation=rotation, **look)

    @property
    def radius(self) -> float:
        """Radius, m."""
        return float(self._values["size"][0])

    @radius.setter
    def radius(self, radius: float) -> None:
        self._set_size(checks.positive(self._say("the radius"), radius))

    @property
    def length(self) -> float:
        """Length, m."""
        return float(self._values["size"][1])

    @length.setter
    def length(self, length: float) -> None:
        self._set_size(self.radius, checks.positive(self._say("the length"), length))
