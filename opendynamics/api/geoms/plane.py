"""Plane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.types import PlaneOptions, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.spaces.space import Space


class Plane(Geom):
    """The half space normal·x <= offset, solid below the plane. It has no body and no pose.

    Args:
        normal: points out of the solid side; of any length except zero.
        offset: distance of the plane from the origin along the normal, m: its height if the normal is z. If the normal is not a
            unit vector, both are scaled together, as coefficients of a x + b y + c z = offset.
        space, look: see `Geom`; a plane has no position and orientation.
    """

    __slots__ = ()

    shape = "plane"
    size_count = 4
    placeable = False
    _placed_by = "give the normal and offset of the plane"

    def __init__(
        self,
        normal: Vector = (0, 0, 1),
        offset: float = 0.0,
        *,
        space: Space | None = None,
        **look: Unpack[PlaneOptions],
    ) -> None:
        super().__init__(_checked("a plane", normal, offset), space=space, **look)

    @classmethod
    def of_size(cls, size: Any, **place: Any) -> Plane:
        """Create the plane a x + b y + c z = d from these four numbers."""
        return cls(size[:3], size[3], **place)

    @property
    def normal(self) -> Array:
        """Unit normal, pointing out of the solid side, shape (3,); (0, 0, 1) unless given."""
        return read_only(self._values["size"][:3])

    @normal.setter
    def normal(self, normal: Vector) -> None:
        self._set_size(*checks.direction(self._say("the normal"), normal), self.offset)

    @property
    def offset(self) -> float:
        """Distance from the origin along the normal, m; 0 unless given."""
        return float(self._values["size"][3])

    @offset.setter
    def offset(self, offset: float) -> None:
        self._set_size(*self.normal, checks.finite(self._say("the offset"), offset))

    d = Alias[float, float]("offset")

    def set_params(self, a: float, b: float, c: float, d: float) -> None:
        """Set the plane to a x + b y + c z = d."""
        self._set_size(*_checked(self.name, (a, b, c), d))


def _checked(what: str, normal: Any, offset: Any) -> tuple[float, ...]:
    n = checks.vector(f"the normal of {what}", normal)
    distance = checks.finite(f"the offset of {what}", offset)
    unit = checks.direction(f"the normal of {what}", n)
    # An exact unit vector is unchanged, to the last bit.
    length = math.hypot(*n)
    if length == 1.0:
        return *n, distance
    return *unit, checks.finite(f"the offset of {what} for a normal of length one", distance / length)
