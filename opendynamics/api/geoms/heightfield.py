"""Heightfield."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.geoms.heightfield_data import HeightfieldData
from opendynamics.api.types import Place
from opendynamics.core.arrays.geoms import GEOMS

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Options(Place, total=False):
    width: float
    depth: float
    scale: float
    offset: float
    thickness: float
    wrap: bool
    samples: tuple[int, int] | None


class Heightfield(Geom):
    """A heightfield: heights over a rectangle, solid below.

    Args:
        data: a HeightfieldData, or its arguments: heights of shape (depth samples, width samples), with `width`, `depth`,
            `scale`, `offset`, `thickness`, `wrap` and `samples` by name.
        up: "y" as in ODE, or "z": then x is unchanged, depth runs along -y, and heights along z, before the geom is placed.
        placeable: False for a field in a fixed pose, which cannot be moved or attached to a body.
        place: see `Geom`.

    As in ODE, the geom's own frame has y up; `up="z"` rotates that frame by 90 degrees about x.
    """

    __slots__ = ("_data", "_placeable", "source")

    shape = "heightfield"
    _further_arguments = ("width", "depth", "scale", "offset", "thickness", "wrap", "samples")  # of its data

    def __init__(self, data: Any, *, up: str = "y", placeable: bool = True, **options: Unpack[_Options]) -> None:
        given: dict[str, Any] = {**options}
        place = {key: given.pop(key) for key in _PLACE & given.keys()}
        self._placeable = checks.flag("placeable", placeable)
        if up not in ("y", "z"):
            raise ValueError(f"up must be 'y' or 'z', not {up!r}")
        if up == "z" and not (place.get("quaternion") is None and place.get("rotation") is None):
            raise ValueError("give a heightfield up='z' or a quaternion or rotation, not both")
        self._data = _heightfield_data(data, given)
        self.source: Any = None  # data of the C names
        super().__init__((), **place)
        self._data._geoms.add(self)
        if up == "z":
            self._record["rotation"] = _Z_UP

    @property
    def placeable(self) -> bool:  # type: ignore[override]
        """Whether the field can be moved and attached to a body."""
        return self._placeable

    def _reinstated(self) -> None:
        super()._reinstated()
        self._data._geoms.add(self)

    @property
    def _data_address(self) -> int:
        return self._data.address

    def _solid(self) -> tuple[float, Array, Array]:
        raise ValueError(f"a heightfield has no mass: give the body of {self.name} its mass, as mass=Mass(...)")

    @property
    def field(self) -> HeightfieldData:
        """The heights. Setting it replaces them."""
        self._row  # noqa: B018
        return self._data

    @field.setter
    def field(self, data: HeightfieldData) -> None:
        row, given = self._row, _heightfield_data(data, {})
        self._reshapes()
        before = self._data  # until no record refers to it
        before._geoms.discard(self)
        self._data = given
        given._geoms.add(self)
        self._store[GEOMS]["data"][row] = given.address
        self._notify_carrier()
        del before


def _heightfield_data(data: Any, options: dict[str, Any]) -> HeightfieldData:
    if not isinstance(data, HeightfieldData):
        if not {"width", "depth"} <= options.keys():
            raise TypeError("heights need 'width' and 'depth', m: Heightfield(heights, width=10, depth=10)")
        return HeightfieldData(data, **options)
    if options:
        raise TypeError(f"a HeightfieldData has its {', '.join(options)} already")
    return data


_PLACE = frozenset(Place.__annotations__)

# The rotation that maps the frame's y to the world's z and its x to x, row by row.
_Z_UP = (1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0)
