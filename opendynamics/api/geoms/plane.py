"""Plane."""

from __future__ import annotations

import math
from typing import Any

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only


class Plane(Geom):
    """The half space n·x <= d, solid below the plane. It has no body and cannot be placed.

    Args:
        normal: points out of the solid side; of any length but zero.
        d: distance of the plane from the origin along the normal, m. With a normal that is not of length one, `normal`
        and `d`
            are taken as the coefficients of a x + b y + c z = d and scaled together.
        place: see `Geom`.
    """

    __slots__ = ()

    shape = "plane"
    size_count = 4
    placeable = False

    def __init__(self, normal: Any = (0, 0, 1), d: float = 0.0, **place: Any) -> None:
        super().__init__(_checked("a plane", normal, d), **place)

    @classmethod
    def of_size(cls, size: Any, **place: Any) -> Plane:
        """The plane a x + b y + c z = d of these four numbers."""
        return cls(size[:3], size[3], **place)

    @property
    def normal(self) -> Array:
        """Unit normal, pointing out of the solid side."""
        return read_only(self._values["size"][:3])

    @normal.setter
    def normal(self, normal: Any) -> None:
        self._set_size(*checks.direction(self._say("the normal"), normal), self.d)

    @property
    def d(self) -> float:
        """Distance from the origin along the normal, m."""
        return float(self._values["size"][3])

    @d.setter
    def d(self, d: float) -> None:
        self._set_size(*self.normal, checks.finite(self._say("d"), d))

    def set_params(self, a: float, b: float, c: float, d: float) -> None:
        """The plane a x + b y + c z = d."""
        self._set_size(*_checked(self.name, (a, b, c), d))


def _checked(what: str, normal: Any, d: Any) -> tuple[float, ...]:
    n = checks.vector(f"the normal of {what}", normal)
    distance = checks.finite(f"d of {what}", d)
    unit = checks.direction(f"the normal of {what}", n)
    # An exact unit vector stays as it is, to the last bit.
    length = math.hypot(*n)
    if length == 1.0:
        return *n, distance
    return *unit, checks.finite(f"d of {what} for a normal of length one", distance / length)
