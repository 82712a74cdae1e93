"""Triangle mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics import c_api as c
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import Handle, id_of
from opendynamics.pyode.sequences import Vector, three, vector


class TriMeshData(Handle):
    """Triangles, which any number of geoms may share."""

    __slots__ = ()

    def _ode_make(self) -> Any:
        return c.dGeomTriMeshDataCreate()

    def build(self, verts: Any, faces: Any) -> None:
        """Set vertices, m, and for each triangle three of their indices. Vertices have single precision, as in PyODE.

        Raises:
            ValueError: if a triangle refers to a vertex that does not exist, or all triangles have zero area.
        """
        points, corners = self._threes("verts", verts), self._threes("faces", faces)
        for corner in corners:
            if not all(isinstance(k, (int, np.integer)) for k in corner):
                raise TypeError(f"a triangle must be three whole numbers of vertices, not {corner!r}")
            if not all(0 <= k < len(points) for k in corner):
                raise ValueError(
                    f"Vertex index out of range: triangle {corner!r}, but there are {len(points)} vertices"
                )
        try:
            vertices = np.array(points, np.float32).reshape(-1, 3)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"TriMeshData.build: verts must be numbers that fit a float, not {verts!r}") from None
        indices = np.array(corners, np.int64).reshape(-1, 3)
        c.dGeomTriMeshDataBuildSingle(self._ode_id, vertices, 12, len(points), indices, 3 * len(corners), 12)

    def _threes(self, argument: str, rows: Any) -> list[tuple[Any, Any, Any]]:
        """The rows of an argument of `build`, with the first three elements of each."""
        try:
            each = iter(rows)
        except TypeError:
            raise TypeError(f"TriMeshData.build: {argument} must be a sequence, not {rows!r}") from None
        return [three(row) for row in each]


class GeomTriMesh(GeomObject):
    """A mesh of triangles."""

    __slots__ = ("_ode_data",)

    def _ode_make(self, data: TriMeshData, space: Any = None) -> Any:
        identifier = id_of(TriMeshData, "the data of a mesh", data)
        self._ode_data = data
        return c.dCreateTriMesh(self._ode_in(space), identifier, None, None, None)

    def clearTCCache(self) -> None:
        """Clear the cache of earlier collisions."""
        c.dGeomTriMeshClearTCCache(self._ode_id)

    def getTriangleCount(self) -> int:
        return int(c.dGeomTriMeshGetTriangleCount(self._ode_id))

    def getTriangle(self, idx: int) -> tuple[Vector, Vector, Vector]:
        """Return the corners of a triangle in the world frame, m."""
        one, two, three_ = c.dGeomTriMeshGetTriangle(self._ode_id, idx)
        return vector(one), vector(two), vector(three_)
