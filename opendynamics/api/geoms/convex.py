"""Convex polyhedron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Place
from opendynamics.core.arrays.blocks.hulls import HULL
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.hulls.block import pack
from opendynamics.core.bodies.hulls.polyhedron import Polyhedron, polyhedron
from opendynamics.core.bodies.hulls.quickhull import FlatError, hull_polygons

if TYPE_CHECKING:
    from typing_extensions import Unpack


# Tolerance of a given plane against its polygon: relative to the extent, and of the unit normal.
PLANE_FITS = 1.0e-4


class Convex(Geom):
    """A convex polyhedron. `Convex.hull(points)` creates the convex hull of points.

    Args:
        points: corners in the geom's frame, m, shape (n, 3).
        polygons: for each face the indices of its corners, counterclockwise as seen from outside. A flat list of integers is
            read in ODE's format: the number of corners of the first face, its corners, and so on.
        planes: one for each polygon, in any order, shape (faces, 4): a x + b y + c z = d, solid below. Optional: they follow
            from the polygons, and are checked against them.
        place: see `Geom`.

    ValueError if the polygons are not flat, counterclockwise, closed and convex, or enclose no volume.
    """

    __slots__ = ("_block", "_solid_body")

    shape = "convex"
    _shared = frozenset({"_block", "_solid_body"})

    def __init__(self, points: Any, polygons: Any, planes: Any = None, **place: Unpack[Place]) -> None:
        self._hold(checked_polyhedron("the convex", points, polygons, planes))
        super().__init__((), **place)

    @classmethod
    def hull(cls, points: Any, **place: Unpack[Place]) -> Convex:
        """Convex hull of `points`, m, shape (n, 3). ValueError for coplanar points; interior points are dropped."""
        corners = _points("the points of a hull", points)
        try:
            polygons = hull_polygons(corners)
        except FlatError:
            raise ValueError(
                f"the {len(corners)} points of the hull lie in one plane, so that it has no volume; give it a thickness"
            ) from None
        return cls(corners, polygons, **place)

    def _hold(self, body: Polyhedron) -> None:
        self._solid_body = body
        self._block: npt.NDArray[np.uint8] = pack(body)

    def reshape(self, points: Any, polygons: Any, planes: Any = None) -> None:
        """Replace the polyhedron; arguments as for a new one."""
        body = checked_polyhedron(self.name, points, polygons, planes)
        row = self._row
        self._reshapes()
        before = self._block  # until no record refers to it
        self._hold(body)
        self._store[GEOMS]["data"][row] = self._data_address
        self._notify_carrier()
        del before

    @property
    def _data_address(self) -> int:
        return int(self._block.ctypes.data)

    @property
    def points(self) -> Array:
        """Corners in the geom's frame, m, shape (n, 3)."""
        self._row  # noqa: B018
        return read_only(self._solid_body.vertices)

    @property
    def polygons(self) -> list[tuple[int, ...]]:
        """Corners of each face, counterclockwise from outside."""
        self._row  # noqa: B018
        return list(self._solid_body.polygons)

    @property
    def planes(self) -> Array:
        """a, b, c, d of each face, shape (faces, 4): unit normal outward, solid where a x + b y + c z <= d."""
        self._row  # noqa: B018
        return read_only(self._solid_body.planes)

    @property
    def volume(self) -> float:
        """Volume, m³."""
        self._row  # noqa: B018
        return float(self._block[:HULL_BYTES].view(HULL)["volume"][0])

    @property
    def centroid(self) -> Array:
        """Centre of volume in the geom's frame, m, shape (3,)."""
        self._row  # noqa: B018
        return read_only(self._block[:HULL_BYTES].view(HULL)["centroid"][0])

    def _solid(self) -> tuple[float, Array, Array]:
        header = self._block[:HULL_BYTES].view(HULL)[0]
        return float(header["volume"]), np.array(header["inertia"]).reshape(3, 3), np.array(header["centroid"])


HULL_BYTES = np.dtype(HULL).itemsize


def checked_polyhedron(what: str, points: Any, polygons: Any, planes: Any) -> Polyhedron:
    """The polyhedron of checked arguments; `what` is for messages."""
    corners = _points(f"the points of {what}", points)
    body = polyhedron(what, corners, _polygons(what, polygons, len(corners)))
    if planes is not None:
        _require_planes(what, checks.array(f"the planes of {what}", planes), body)
    return body


def _points(what: str, points: Any) -> Array:
    corners = checks.array(what, points)
    if corners.ndim == 1 and corners.size % 3 == 0:
        corners = corners.reshape(-1, 3)
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise ValueError(f"{what} must be of shape (n, 3), not {corners.shape}")
    checks.require_near(what, corners)
    if len(corners) < 4:
        raise ValueError(f"{what} must be at least 4 for a volume, not {len(corners)}")
    return corners


def _polygons(what: str, polygons: Any, count: int) -> list[list[int]]:
    try:
        given = list(polygons)
        flat = all(isinstance(item, (int, np.integer)) for item in given)
        faces = _unpacked(what, [int(item) for item in given]) if flat else [list(face) for face in given]
    except TypeError:
        raise TypeError(f"the polygons of {what} must be lists of corners, not {polygons!r}") from None
    if len(faces) < 4:
        raise ValueError(f"{what} needs at least 4 polygons for a volume, not {len(faces)}")
    for k, face in enumerate(faces):
        if len(face) < 3:
            raise ValueError(f"polygon {k} of {what} must have at least 3 corners, not {len(face)}")
        faces[k] = [checks.count(f"each corner of polygon {k} of {what}", corner, 0, count - 1) for corner in face]
    return faces


def _unpacked(what: str, numbers: list[int]) -> list[list[int]]:
    """ODE's flat list (count, corners, count, corners, ...) as lists of corners."""
    faces, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        if numbers[at] < 3 or end > len(numbers):
            raise ValueError(
                f"the polygons of {what} are 'number of corners, corners' for each face, but place {at} says "
                f"{numbers[at]} and {len(numbers) - at - 1} follow"
            )
        faces.append(numbers[at + 1 : end])
        at = end
    return faces


def _require_planes(what: str, planes: Array, body: Polyhedron) -> None:
    faces = len(body.planes)
    if planes.size != 4 * faces:
        raise ValueError(f"the planes of {what} must be {faces}, one for each polygon, not of shape {planes.shape}")
    given = planes.reshape(-1, 4)
    margin = PLANE_FITS * np.array([1.0, 1.0, 1.0, float(abs(body.vertices).max())])
    for k, plane in enumerate(given):
        if not (abs(body.planes - plane) <= margin).all(axis=1).any():
            raise ValueError(
                f"plane {k} of {what}, {plane.tolist()}, matches none of its polygons; planes are outward unit normals "
                f"and offsets: {body.planes.tolist()}"
            )
