"""User-defined convex geoms with a compiled support function, collided by the same code as all convex shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.types import Place, Vector
from opendynamics.core.arrays.blocks.support_functions import MAPPING, MAPPING_BYTES, SUPPORT
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shapes import sphere
from opendynamics.core.bodies.shapes.support import sample
from opendynamics.core.compile.loading import address_of_user, is_compiled

if TYPE_CHECKING:
    from typing_extensions import Unpack


# Tolerance, relative to the extent, by which a point may be further along another direction than that one's own support point.
CONVEX_TO = 1.0e-9

# Factor by which the sampled least width may be too large.
SAFE = 0.5


def _directions() -> Array:
    """Directions to faces, edges and corners of a cube, then evenly distributed ones, mostly not unit vectors."""
    grid = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
    k = np.arange(74)
    z, turn = 1.0 - (2.0 * k + 1.0) / 74.0, k * np.pi * (3.0 - np.sqrt(5.0))
    round_ = np.column_stack([np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z])
    return np.ascontiguousarray(
        np.vstack([grid, -grid, round_ * 2.0 ** (k % 8 - 3)[:, None], -round_]), dtype=np.float64
    )


DIRECTIONS = _directions()


@explain_calls
class SupportClass:
    """A class of convex shapes defined by a compiled support function. Calling it creates a geom: `egg = Eggs((0.2, 0.3))`.

    Args:
        name: name of the shape in messages.
        support: a function compiled by `numba.njit`: `support(parameters, direction)` returns the point (x, y, z) of the shape
            that is furthest along a direction (x, y, z), in the geom's own frame. `parameters` is the geom's array of floats.
            Directions have any length except zero. It must not raise: exceptions of compiled code are lost.

    The function is compiled when the class is created, for one signature, and called by its address from the same code that
    collides cylinders and convex polyhedra; nothing else is compiled for it.
    """

    def __init__(self, name: str, support: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a support class must be a string, not {name!r}")
        if not is_compiled(support):
            raise TypeError(
                f"the support function of {name} must be compiled: decorate it with numba.njit, not {support!r}"
            )
        self.name = name
        self.support = support
        self._address = address_of_user(f"the support function of {name}", support, SUPPORT)

    def __call__(self, parameters: Any = (), *, radius: float = 0.0, **place: Unpack[Place]) -> SupportGeom:
        """Create a geom of this class.

        Args:
            parameters: numbers for the support function, shape (n,).
            radius: margin of the shape around the points that the function returns, m.
            place: see `Geom`.
        """
        return SupportGeom(self, parameters, radius=radius, **place)

    def __reduce__(self) -> Any:
        return SupportClass, (self.name, self.support)

    def __repr__(self) -> str:
        return f"<SupportClass {self.name!r}>"


class SupportGeom(Geom):
    """A geom of a `SupportClass`. Its mass must be given as a `Mass`."""

    __slots__ = ("_block", "_sizes", "geom_class")

    shape = "support"
    _shared = frozenset({"geom_class"})

    def __init__(
        self, geom_class: SupportClass, parameters: Any = (), *, radius: float = 0.0, **place: Unpack[Place]
    ) -> None:
        if not isinstance(geom_class, SupportClass):
            raise TypeError(f"the class of a support geom must be a SupportClass, not {geom_class!r}")
        self.geom_class = geom_class
        self._hold(f"a new {geom_class.name}", parameters, radius)
        super().__init__(self._sizes, **place)

    def _hold(self, what: str, parameters: Any, radius: Any) -> None:
        numbers = checks.array(f"the parameters of {what}", parameters).reshape(-1)
        r = checks.not_negative(f"the radius of {what}", radius)
        block = np.zeros(2 + len(numbers), np.float64).view(np.uint8)
        header = block[:MAPPING_BYTES].view(MAPPING)
        header["function"], header["count"] = self.geom_class._address, len(numbers)
        block[MAPPING_BYTES:].view(np.float64)[:] = numbers
        extent, width = _measured(what, block)
        if width + 2.0 * r <= 0.0:
            raise ValueError(f"{what} is flat or a point; give it a radius")
        self._block: npt.NDArray[np.uint8] = block
        self._sizes = (r, extent, SAFE * width + 2.0 * r)

    def reshape(self, parameters: Any, *, radius: float | None = None) -> None:
        """Change the shape; arguments as for a new one. Without a radius, it is unchanged."""
        row = self._row
        before = self._block  # until no record refers to it
        self._hold(self.name, parameters, self.radius if radius is None else radius)
        self._reshapes()
        self._store[GEOMS]["data"][row] = self._data_address
        self._set_size(*self._sizes)
        del before

    @property
    def _data_address(self) -> int:
        return int(self._block.ctypes.data)

    def _reinstated(self) -> None:
        self._block[:MAPPING_BYTES].view(MAPPING)["function"] = self.geom_class._address
        super()._reinstated()

    @property
    def parameters(self) -> Array:
        """The parameters of the support function, shape (n,)."""
        self._row  # noqa: B018
        return read_only(self._block[MAPPING_BYTES:].view(np.float64))

    @property
    def radius(self) -> float:
        """Margin of the shape around the points that the function returns, m."""
        self._row  # noqa: B018
        return self._sizes[0]

    def support(self, direction: Vector) -> Array:
        """Support point along a direction, both in the geom's frame, m, shape (3,)."""
        along = np.array([checks.vector("the direction", direction)])
        if not along.any():
            raise ValueError("the direction must not be the zero vector")
        point = np.empty((1, 3))
        sample(self._data_address, along, point)
        return np.asarray(point[0] + self.radius * along[0] / np.linalg.norm(along[0]))

    def point_depth(self, point: Vector) -> float:
        """Signed depth, m, of a point of the world frame, shape (3,), inside the shape; negative outside."""
        from opendynamics.core.arrays.blocks.scratch import SCRATCH
        from opendynamics.core.collide.narrowphase.convex.signed_distance import signed_distance

        speck = np.zeros(1, np.dtype(GEOMS.dtype))
        speck["kind"], speck["rotation"] = sphere.KIND, np.eye(3).reshape(9)
        speck["position"] = checks.vector("the point", point)
        scratch, closest = np.empty(SCRATCH), np.empty((2, 3))
        return -float(signed_distance(self._address, speck.ctypes.data, scratch.ctypes.data, closest))

    def _solid(self) -> tuple[float, Array, Array]:
        raise ValueError(
            f"{self.name} is of the class {self.geom_class.name}, whose volume is unknown; give the body's mass as a Mass"
        )


def _measured(what: str, block: npt.NDArray[np.uint8]) -> tuple[float, float]:
    """Extent and least width of a core; checks in many directions that its function is that of a convex shape."""
    points = np.empty_like(DIRECTIONS)
    sample(block.ctypes.data, DIRECTIONS, points)
    wrong = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if wrong.size:
        k = int(wrong[0])
        raise ValueError(
            f"the support function of {what} gives {points[k].tolist()} along {DIRECTIONS[k].tolist()}; it must be finite"
        )
    units = DIRECTIONS / np.linalg.norm(DIRECTIONS, axis=1, keepdims=True)
    reach = units @ points.T
    extent = float(np.ptp(points, axis=0).sum())
    beyond = reach.max(axis=1) - np.diagonal(reach)
    k = int(beyond.argmax())
    if beyond[k] > CONVEX_TO * extent:
        other = int(reach[k].argmax())
        raise ValueError(
            f"the support function of {what} is not that of a shape: along {units[k].tolist()} it gives "
            f"{points[k].tolist()}, though {points[other].tolist()}, which it gives elsewhere, is further"
        )
    width = float((reach.max(axis=1) - reach.min(axis=1)).min())
    return extent, max(width, 0.0)
