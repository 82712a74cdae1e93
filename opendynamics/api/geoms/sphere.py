"""Sphere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.types import Place

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Sphere(Geom):
    """A sphere of `radius` m. For the other arguments see `Geom`."""

    __slots__ = ()

    shape = "sphere"
    size_count = 1

    def __init__(self, radius: float, **place: Unpack[Place]) -> None:
        super().__init__((checks.positive("the radius of a sphere", radius),), **place)

    @property
    def radius(self) -> float:
        """Radius, m."""
        return float(self._values["size"][0])

    @radius.setter
    def radius(self, radius: float) -> None:
        self._set_size(checks.positive(self._say("the radius"), radius))
