"""Cone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.types import Place

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Cone(Geom):
    """A cone along z, its apex up. The origin of its frame is the centre of mass, a quarter of the height above the base.

    Args:
        radius: of the base, m.
        height: m.
        place: see `Geom`.
    """

    __slots__ = ()

    shape = "cone"
    size_count = 2

    def __init__(self, radius: float, height: float, **place: Unpack[Place]) -> None:
        size = checks.positive("the radius of a cone", radius), checks.positive("the height of a cone", height)
        super().__init__(size, **place)

    @property
    def radius(self) -> float:
        """Radius of the base, m."""
        return float(self._values["size"][0])

    @radius.setter
    def radius(self, radius: float) -> None:
        self._set_size(checks.positive(self._say("the radius"), radius))

    @property
    def height(self) -> float:
        """Height, m."""
        return float(self._values["size"][1])

    @height.setter
    def height(self, height: float) -> None:
        self._set_size(self.radius, checks.positive(self._say("the height"), height))
