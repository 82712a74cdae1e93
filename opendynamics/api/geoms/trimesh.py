"""Triangle mesh."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.member import note_change
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Matrix, Place, Vector
from opendynamics.core.arrays.geoms import GEOMS

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Trimesh(Geom):
    """A triangle mesh: solid if closed; an open one is solid behind its triangles.

    Args:
        data: a MeshData, or the vertices (n, 3), m.
        triangles: with vertices, their indices, counterclockwise as seen from outside, shape (m, 3).
        place: see `Geom`.

    Callbacks are called by `od.collide` and by `world.advance`, which returns to Python for every pair with a mesh while any mesh
    of the world has callbacks (about 20 µs per pair). As in ODE:

    * `callback(mesh, other, triangle)`: contacts with a triangle are dropped if it returns a false value.
    * `array_callback(mesh, other, triangles)`: called with all triangles that have contacts.
    * `ray_callback(mesh, ray, triangle, u, v)`: a ray hit, at the first corner + u (second - first) + v (third - first), is
      dropped if it returns a false value.
    * `merge_callback(mesh, first, second)`: triangle of a contact merged from two. Contacts are never merged here, so it is
      stored, but not called.
    """

    __slots__ = (
        "_coherent",
        "_data",
        "_last_transform",
        "array_callback",
        "callback",
        "merge_callback",
        "ray_callback",
        "source",
        "source_array_callback",
    )

    shape = "trimesh"
    _shared = frozenset({"_data", "source"})

    def __init__(self, data: Any, triangles: Any = None, **place: Unpack[Place]) -> None:
        self._data = _mesh_data(data, triangles)
        self.callback: Callable[[Trimesh, Geom, int], Any] | None = None
        self.array_callback: Callable[[Trimesh, Geom, list[int]], Any] | None = None
        self.ray_callback: Callable[[Trimesh, Geom, int, float, float], Any] | None = None
        self.merge_callback: Callable[[Trimesh, int, int], Any] | None = None
        self.source: Any = None  # data of the C names
        self.source_array_callback: Any = None
        self._coherent: set[int] = set()
        self._last_transform = np.eye(4)
        super().__init__((), **place)

    @classmethod
    def load(cls, path: str | Path, *, scale: float = 1.0, **place: Unpack[Place]) -> Trimesh:
        """Load a mesh from a file; see `MeshData.load`."""
        return cls(MeshData.load(path, scale=scale), **place)

    @property
    def _data_address(self) -> int:
        return self._data.address

    def _solid(self) -> tuple[float, Array, Array]:
        return self._data.solid()

    @property
    def _asks(self) -> bool:
        """Whether any contact callback is set."""
        return not (self.callback is None and self.array_callback is None and self.ray_callback is None)

    @property
    def mesh(self) -> MeshData:
        """The triangles. Setting it replaces them."""
        self._row  # noqa: B018
        return self._data

    @mesh.setter
    def mesh(self, data: MeshData) -> None:
        row, given = self._row, _mesh_data(data, None)
        self._reshapes()
        before = self._data  # until no record refers to it
        self._data = given
        self._store[GEOMS]["data"][row] = given.address
        self._notify_carrier()
        del before

    @property
    def triangle_count(self) -> int:
        """Number of triangles."""
        return len(self.mesh)

    def triangle(self, index: int) -> Array:
        """Corners of a triangle in the world frame, m, shape (3, 3)."""
        vertices, triangles = self.mesh._given
        k = checks.count(self._say("the triangle"), index, 0, len(triangles) - 1)
        return np.asarray(self.position + vertices[triangles[k]] @ self.rotation.T)

    def point(self, index: int, u: float, v: float) -> Array:
        """Point of a triangle in the world frame, m: first corner + u (second - first) + v (third - first)."""
        a, b, c = self.triangle(index)
        along, across = checks.finite(self._say("u"), u), checks.finite(self._say("v"), v)
        return np.asarray(a + along * (b - a) + across * (c - a))

    def point_depth(self, point: Vector) -> float:
        """Signed depth, m, of a point of the world frame, shape (3,), in the mesh; negative outside. ValueError if it is open."""
        self.mesh.require_closed("the depth of a point")
        return super().point_depth(point)

    @property
    def last_transform(self) -> Array:
        """Pose in the previous step as set by the user, a matrix, shape (4, 4). It is stored, but not used."""
        self._row  # noqa: B018
        return read_only(self._last_transform)

    @last_transform.setter
    def last_transform(self, matrix: Matrix) -> None:
        given = checks.array(self._say("the last transform"), matrix)
        if given.size != 16:
            raise ValueError(f"{self._say('the last transform')} must be 4x4 numbers, not of shape {given.shape}")
        self._last_transform = given.reshape(4, 4)

    def set_temporal_coherence(self, kind: int, enabled: bool) -> None:
        """Set temporal coherence for a class of geoms, as in ODE. It is stored, but has no effect."""
        self._row  # noqa: B018
        k = checks.count(self._say("the class"), kind)
        note_change()
        if checks.flag(self._say("temporal coherence"), enabled):
            self._coherent.add(k)
        else:
            self._coherent.discard(k)

    def has_temporal_coherence(self, kind: int) -> bool:
        """The value of `set_temporal_coherence`."""
        self._row  # noqa: B018
        return kind in self._coherent


def _mesh_data(data: Any, triangles: Any) -> MeshData:
    if isinstance(data, MeshData):
        if triangles is not None:
            raise TypeError("a MeshData has its triangles already; give vertices and triangles, or a MeshData")
        return data
    return MeshData(data, triangles)
