"""Box with rounded edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Place, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack


class RoundedBox(Geom):
    """A box with rounded edges and corners.

    Args:
        lengths: overall side lengths (3), m.
        radius: of edges and corners, m; less than half the shortest side.
        place: see `Geom`.
    """

    __slots__ = ()

    shape = "rounded_box"
    size_count = 4

    @overload
    def __init__(self, lengths: Vector, radius: float, **place: Unpack[Place]) -> None: ...

    @overload
    def __init__(self, *, size: Vector, radius: float, **place: Unpack[Place]) -> None: ...

    def __init__(self, lengths: Any, radius: float, **place: Any) -> None:  # type: ignore[misc]  # `size` comes as `lengths`
        super().__init__(_checked("a rounded box", lengths, radius), **place)

    @classmethod
    def of_size(cls, size: Any, **place: Unpack[Place]) -> RoundedBox:
        """A rounded box with these three lengths and this radius, m."""
        return cls(size[:3], size[3], **place)

    @property
    def lengths(self) -> Array:
        """Overall side lengths, m, shape (3,)."""
        return read_only(self._values["size"][:3])

    @lengths.setter
    def lengths(self, lengths: Vector) -> None:
        self._set_size(*_checked(self.name, lengths, self.radius))

    size = Alias[Array, Vector]("lengths")

    @property
    def radius(self) -> float:
        """Radius of edges and corners, m."""
        return float(self._values["size"][3])

    @radius.setter
    def radius(self, radius: float) -> None:
        self._set_size(*_checked(self.name, self.lengths, radius))


def _checked(what: str, lengths: Any, radius: Any) -> tuple[float, ...]:
    sides = checks.vector(f"the lengths of {what}", lengths)
    r = checks.positive(f"the radius of {what}", radius)
    if not min(sides) > 2.0 * r:
        raise ValueError(f"the radius of {what} must be less than half its shortest side, {min(sides)} m, not {r}")
    return *sides, r
