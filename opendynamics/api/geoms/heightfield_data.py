"""Heightfield data: heights over a rectangle, shared by any number of geoms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.member import Member
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import Suggesting, explain_calls
from opendynamics.core.bodies.triangles.grid import GRID

if TYPE_CHECKING:
    from opendynamics.api.geoms.heightfield import Heightfield

Array = npt.NDArray[np.float64]


@explain_calls
class HeightfieldData(Suggesting, Member):
    """Heights of a regular grid, in ODE's frame: x along the width, z along the depth, y up, centred on the origin.

    Args:
        heights: samples, of any number type, shape (depth samples, width samples): a row for each z, from -depth / 2 to
            depth / 2, with a column for each x. Or a function of (column, row) that returns a sample; then `samples` is their
            number, (along the width, along the depth). It is called for every sample now, and again in `update`.
        width, depth: of the whole field along x and z, m.
        scale, offset: a sample s has the height scale * s + offset, m.
        thickness: depth below the lowest height down to which the field collides, m.
        wrap: whether the field repeats infinitely, with its last row and column equal to its first.

    Cells are split along the diagonal from (x + 1, z) to (x, z + 1). The field is solid below the surface.
    """

    __slots__ = ("__weakref__", "_bounds", "_function", "_geoms", "_heights", "_record", "_scaling")

    _shared = frozenset({"_heights"})
    _transient: ClassVar[dict[str, Any]] = {"_geoms": WeakSet}

    def __init__(
        self,
        heights: Any,
        width: float,
        depth: float,
        *,
        scale: float = 1.0,
        offset: float = 0.0,
        thickness: float = 0.0,
        wrap: bool = False,
        samples: tuple[int, int] | None = None,
    ) -> None:
        self._geoms: WeakSet[Heightfield] = WeakSet()
        self._function: Callable[[int, int], float] | None = heights if callable(heights) else None
        if self._function is None:
            given = _samples(heights, samples)
        else:
            given = _asked(self._function, samples)
        sides = (
            checks.positive("the width of a heightfield", width),
            checks.positive("the depth of a heightfield", depth),
        )
        checks.require_near("the corners of a heightfield", np.array(sides))
        self._scaling = (
            checks.finite("the scale of a heightfield", scale),
            checks.finite("the offset of a heightfield", offset),
        )
        self._bounds: tuple[float, float] | None = None
        self._record = np.zeros(1, GRID)
        record = self._record
        rows, columns = given.shape
        record["rows"], record["columns"] = rows, columns
        record["cell_x"], record["cell_z"] = sides[0] / (columns - 1), sides[1] / (rows - 1)
        record["first_x"], record["first_z"] = -0.5 * sides[0], -0.5 * sides[1]
        record["thickness"] = checks.not_negative("the thickness of a heightfield", thickness)
        record["wrap"] = checks.flag("wrap", wrap)
        self._heights = given
        self._take(given)

    def _reinstated(self) -> None:
        self._record["heights"] = self._heights.ctypes.data
        self._bound()

    def _take(self, samples: Array) -> None:
        """Use these samples, with the same shape as before."""
        scale, offset = self._scaling
        with np.errstate(over="ignore", invalid="ignore"):
            heights = np.ascontiguousarray(scale * samples + offset)
        if not np.isfinite(heights).all():
            raise ValueError(f"heights of {scale} times the samples plus {offset} are too large for a float")
        checks.require_near("the heights of a heightfield", heights)
        for geom in tuple(self._geoms):
            geom._reshapes()
        before = self._heights  # until the record refers to the new ones
        self._heights = heights
        self._record["heights"] = heights.ctypes.data
        del before
        self._bound()

    def _bound(self) -> None:
        low, high = float(self._heights.min()), float(self._heights.max())
        if self._bounds is not None:
            scale, offset = self._scaling
            ends = sorted(scale * bound + offset for bound in self._bounds)
            low, high = (end if math.isfinite(end) else known for end, known in zip(ends, (low, high), strict=True))
        self._record["low"], self._record["high"] = low, high

    def update(self, heights: Any = None) -> None:
        """Set new samples of the same shape, or call the function again, for moving surfaces."""
        rows, columns = self.shape
        if heights is not None:
            given = _samples(heights, (columns, rows))
        elif self._function is not None:
            given = _asked(self._function, (columns, rows))
        else:
            raise ValueError("give the new heights: this heightfield was not made from a function")
        self._take(given)

    def set_bounds(self, low: float, high: float) -> None:
        """Set bounds of the samples (before scale and offset); infinite: computed from the samples.

        They only change the bounding box, as in ODE. Rays hit only the part within them.
        """
        least, most = checks.number("the lower bound", low), checks.number("the upper bound", high)
        if least > most:
            raise ValueError(f"the lower bound of a heightfield must not be above the upper one: {least}, {most}")
        self._bounds = least, most
        self._bound()

    @property
    def address(self) -> int:
        """Address of the record that kernels read."""
        return int(self._record.ctypes.data)

    @property
    def heights(self) -> Array:
        """Heights above the frame's plane y = 0, m, shape (depth samples, width samples)."""
        return read_only(self._heights)

    @property
    def shape(self) -> tuple[int, int]:
        """Samples along the depth and along the width."""
        return int(self._record["rows"][0]), int(self._record["columns"][0])

    @property
    def width(self) -> float:
        """Width of the whole field along x, m."""
        return -2.0 * float(self._record["first_x"][0])

    @property
    def depth(self) -> float:
        """Depth of the whole field along z, m."""
        return -2.0 * float(self._record["first_z"][0])

    @property
    def wrap(self) -> bool:
        """Whether the field repeats infinitely."""
        return bool(self._record["wrap"][0])

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<HeightfieldData: {columns} x {rows} samples>"


def _samples(heights: Any, samples: tuple[int, int] | None) -> Array:
    given = checks.array("the heights of a heightfield", heights)
    if samples is not None:
        columns, rows = _counts(samples)
        if given.size != rows * columns:
            raise ValueError(
                f"a heightfield of {columns} x {rows} samples needs {rows * columns} heights, not {given.size}"
            )
        given = given.reshape(rows, columns)
    if given.ndim != 2 or min(given.shape) < 2:
        raise ValueError(f"the heights of a heightfield must be at least 2 x 2 samples, not of shape {given.shape}")
    return given


def _asked(function: Callable[[int, int], float], samples: tuple[int, int] | None) -> Array:
    if samples is None:
        raise ValueError("a heightfield made from a function needs samples=(along the width, along the depth)")
    columns, rows = _counts(samples)
    values = [[checks.finite(f"the height at {i}, {k}", function(i, k)) for i in range(columns)] for k in range(rows)]
    return np.array(values)


def _counts(samples: Any) -> tuple[int, int]:
    columns, rows = samples
    most = 1 << 28
    return (
        checks.count("the samples along the width", columns, 2, most),
        checks.count("the samples along the depth", rows, 2, most),
    )
