"""User-defined geom classes, with Python functions for their bounding boxes and contacts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.types import Place, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack


# collider(geom, other, max_contacts): contacts with normals into geom, or NotImplemented.
Collider = Callable[[Any, Any, int], Any]


@explain_calls
class GeomClass:
    """A class of geoms defined by Python functions. Calling it creates a geom: `ball = Balls(position=(0, 0, 1))`.

    Args:
        name: name of the shape in messages.
        bounds: `bounds(geom)` returns its axis-aligned box in the world frame, (x min, x max, y min, y max, z min, z max), m;
            infinite bounds are allowed.
        collider: `collider(geom, other, max_contacts)` returns a list of at most so many `Contact`s with normals into `geom`.
            `other` is any geom. NotImplemented delegates the pair to the class of `other`, if that is user-defined as well;
            otherwise there are no contacts.
        box_test: `box_test(geom, other, box)` returns whether `geom` may touch the box of `other`, for geoms much smaller than
            their own box; spaces call it before they report a pair.
        destroyed: `destroyed(geom)` is called by `geom.destroy()`, while the geom still exists.

    The functions may be called more than once per step and must not change anything: during `world.advance` they cannot create or
    destroy bodies, geoms and joints of the world. Their exceptions propagate to the caller of the collision.
    """

    def __init__(
        self,
        name: str,
        *,
        bounds: Callable[[Any], Any],
        collider: Collider,
        box_test: Callable[[Any, Any, Array], Any] | None = None,
        destroyed: Callable[[Any], Any] | None = None,
    ) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a geom class must be a string, not {name!r}")
        needed = {"bounds": bounds, "collider": collider}
        for what, function in (needed | {"box_test": box_test, "destroyed": destroyed}).items():
            if not callable(function) and (what in needed or function is not None):
                raise TypeError(f"{what} of the geom class {name} must be a function, not {function!r}")
        self.name = name
        self.bounds = bounds
        self.collider = collider
        self.box_test = box_test
        self.destroyed = destroyed
        self.number: int | None = None  # by which C names identify the class

    def __call__(self, data: Any = None, **place: Unpack[Place]) -> CustomGeom:
        """Create a geom of this class. `data` becomes `geom.data`; place: see `Geom`."""
        return CustomGeom(self, data, **place)

    def __repr__(self) -> str:
        return f"<GeomClass {self.name!r}>"


class CustomGeom(Geom):
    """A geom of a `GeomClass`; `data` is for the functions of the class. Its mass must be given, as its volume is unknown."""

    __slots__ = ("_asking", "class_data", "geom_class")

    shape = "custom"
    _shared = frozenset({"geom_class"})
    _transient: ClassVar[dict[str, Any]] = {"_asking": bool}

    def __init__(self, geom_class: GeomClass, data: Any = None, **place: Unpack[Place]) -> None:
        if not isinstance(geom_class, GeomClass):
            raise TypeError(f"the class of a custom geom must be a GeomClass, not {geom_class!r}")
        self.geom_class = geom_class
        self.class_data: Any = None  # data of the C names
        self._asking = False
        super().__init__((), **place)
        self.data = data

    def _bound(self) -> None:
        """Update the bounding box at the current pose."""
        self._values["bounds"] = self.aabb

    def _checked_box(self, given: Any) -> Array:
        what = f"the box that {self.geom_class.name}'s bounds gave for {self.name}"
        try:
            box = np.array(given, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError):
            raise TypeError(f"{what} must be six numbers, not {given!r}") from None
        if box.size != 6:
            raise ValueError(f"{what} must be (x min, x max, y min, y max, z min, z max), not {given!r}")
        if not (box[0::2] <= box[1::2]).all():
            raise ValueError(f"{what} must have no NaN, and each minimum before its maximum, not {box.tolist()}")
        return box

    def destroy(self) -> None:
        """Remove the geom from its space and its body, and destroy it."""
        self._row  # noqa: B018
        self._store.require_idle()
        if self.geom_class.destroyed is not None:
            self.geom_class.destroyed(self)
        super().destroy()

    @property
    def aabb(self) -> Array:
        """Axis-aligned bounding box in the world frame: x min, x max, y min, y max, z min, z max, m, shape (6,)."""
        known = self._values["bounds"]
        if self._asking:
            return read_only(known)
        self._asking = True
        try:
            return read_only(self._checked_box(self.geom_class.bounds(self)))
        finally:
            self._asking = False

    def point_depth(self, point: Vector) -> float:
        """Not available for custom geoms: raises TypeError."""
        checks.vector("the point", point)
        raise TypeError(f"{self.name} is of the class {self.geom_class.name}, which has no point depth")

    def _solid(self) -> tuple[float, Array, Array]:
        raise ValueError(
            f"{self.name} is of the class {self.geom_class.name}, whose volume is unknown; give the body's mass as a Mass"
        )
