"""Box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Place, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Box(Geom):
    """A box with side `lengths` (3) m. For the other arguments see `Geom`."""

    __slots__ = ()

    shape = "box"
    size_count = 3

    @overload
    def __init__(self, lengths: Vector, **place: Unpack[Place]) -> None: ...

    @overload
    def __init__(self, *, size: Vector, **place: Unpack[Place]) -> None: ...

    def __init__(self, lengths: Any, **place: Any) -> None:  # type: ignore[misc]  # `size` comes as `lengths`
        super().__init__(checks.positive_vector("the lengths of a box", lengths), **place)

    @classmethod
    def of_size(cls, size: Any, **place: Unpack[Place]) -> Box:
        """A box with these sides, m."""
        return cls(size, **place)

    @property
    def lengths(self) -> Array:
        """Side lengths, m, shape (3,)."""
        return read_only(self._values["size"][:3])

    @lengths.setter
    def lengths(self, lengths: Vector) -> None:
        self._set_size(*checks.positive_vector(self._say("the lengths"), lengths))

    size = Alias[Array, Vector]("lengths")
