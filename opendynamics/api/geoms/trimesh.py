"""Triangle mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.member import note_change
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Place
from opendynamics.core.arrays.geoms import GEOMS

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Trimesh(Geom):
    """A mesh of triangles: a closed one is solid, an open one is solid behind its triangles.

    Args:
        data: a MeshData, or the vertices (n, 3), m.
        triangles: with vertices, three of their numbers each, anticlockwise as seen from outside, shape (m, 3).
        place: see `Geom`.

    The callbacks take part in `od.collide` and in `world.advance`, which comes back to Python for every pair with a mesh as
    long as a mesh of the world has any (some 20 µs a pair); in ODE's way:

    * `callback(mesh, other, triangle)`: contacts with a triangle for which it returns something false are left out.
    * `array_callback(mesh, other, triangles)`: is called with all triangles that have contacts.
    * `ray_callback(mesh, ray, triangle, u, v)`: a hit of a ray, at the first corner + u (second - first)
      + v (third - first), for which it returns something false is left out.
    * `merge_callback(mesh, first, second)`: the triangle that a contact merged of two has. Contacts are never merged
      here, so that it is kept, but not called.
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
        self.source: Any = None  # what the C names made it of
        self.source_array_callback: Any = None
        self._coherent: set[int] = set()
        self._last_transform = np.eye(4)
        super().__init__((), **place)

    @classmethod
    def load(cls, path: Any, *, scale: float = 1.0, **place: Unpack[Place]) -> Trimesh:
        """The mesh of a file; see `MeshData.load`."""
        return cls(MeshData.load(path, scale=scale), **place)

    @property
    def _data_address(self) -> int:
        return self._data.address

    def _solid(self) -> tuple[float, Array, Array]:
        return self._data.solid()

    @property
    def _asks(self) -> bool:
        """Whether any callback wants to know about contacts."""
        return not (self.callback is None and self.array_callback is None and self.ray_callback is None)

    @property
    def mesh(self) -> MeshData:
        """The triangles. Setting it replaces them."""
        self._row  # noqa: B018
        return self._data

    @mesh.setter
    def mesh(self, data: MeshData) -> None:
        row = self._row
        self._changes()
        self._data = _mesh_data(data, None)
        self._store[GEOMS]["data"][row] = self._data.address
        self._notify_carrier()

    @property
    def triangle_count(self) -> int:
        """How many triangles there are."""
        return len(self.mesh)

    def triangle(self, index: int) -> Array:
        """The corners of a triangle in the world, m, shape (3, 3)."""
        vertices, triangles = self.mesh._given
        k = checks.count(self._say("the triangle"), index, 0, len(triangles) - 1)
        return np.asarray(self.position + vertices[triangles[k]] @ self.rotation.T)

    def point(self, index: int, u: float, v: float) -> Array:
        """A point of a triangle in the world, m: first corner + u (second - first) + v (third - first)."""
        a, b, c = self.triangle(index)
        along, across = checks.finite(self._say("u"), u), checks.finite(self._say("v"), v)
        return np.asarray(a + along * (b - a) + across * (c - a))

    def point_depth(self, point: Any) -> float:
        """How deep a point of the world lies inside, m; negative outside. ValueError if the mesh is not closed."""
        self.mesh.require_closed("the depth of a point")
        return super().point_depth(point)

    @property
    def last_transform(self) -> Array:
        """Where the mesh was in the step before, as the user set it: a 4x4 matrix. Nothing here depends on it."""
        return read_only(self._last_transform)

    @last_transform.setter
    def last_transform(self, matrix: Any) -> None:
        given = checks.array(self._say("the last transform"), matrix)
        if given.size != 16:
            raise ValueError(f"{self._say('the last transform')} must be 4x4 numbers, not of shape {given.shape}")
        self._last_transform = given.reshape(4, 4)

    def set_temporal_coherence(self, kind: int, enabled: bool) -> None:
        """Note whether meetings with this class of geoms should be remembered. The tree of boxes does not need it."""
        k = checks.count(self._say("the class"), kind)
        note_change()
        if checks.flag(self._say("temporal coherence"), enabled):
            self._coherent.add(k)
        else:
            self._coherent.discard(k)

    def has_temporal_coherence(self, kind: int) -> bool:
        """What was noted."""
        return kind in self._coherent


def _mesh_data(data: Any, triangles: Any) -> MeshData:
    if isinstance(data, MeshData):
        if triangles is not None:
            raise TypeError("a MeshData has its triangles already; give vertices and triangles, or a MeshData")
        return data
    return MeshData(data, triangles)
