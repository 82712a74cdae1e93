"""Mesh data: the triangles of a mesh, prepared for collision, shared by any number of geoms."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.files import located, require_file
from opendynamics.api.geoms.mesh_files import MeshFileError, read_triangles
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import Strict, explain_calls
from opendynamics.core.bodies.hulls.block import Bytes, pack
from opendynamics.core.bodies.hulls.polyhedron import polyhedron
from opendynamics.core.bodies.hulls.quickhull import hull_polygons
from opendynamics.core.bodies.triangles import adjacency
from opendynamics.core.bodies.triangles.bvh import WORK, build_tree
from opendynamics.core.bodies.triangles.bvh8 import leaves, wide_nodes
from opendynamics.core.bodies.triangles.mesh import CLOSED, MESH, NODE
from opendynamics.core.bodies.triangles.patches import patches

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

# Vertices are numbered in 32 bits.
MOST = (1 << 31) - 1

# Triangles up to which a convex mesh is also kept as a convex polyhedron.
MAX_OF_HULL = 2000


@explain_calls
class MeshData(Strict):
    """Triangles with their adjacency and bounding volume hierarchy (BVH); immutable.

    Args:
        vertices: corners, m, shape (n, 3).
        triangles: vertex indices, counterclockwise as seen from outside, shape (m, 3). By default each three consecutive
            vertices are a triangle.
        repair: drop degenerate and repeated triangles instead of raising.

    Coincident vertices are merged, so that triangles with different indices are neighbours as well.
    ValueError if there is no triangle, an index is out of range, a coordinate is not finite, or a triangle is degenerate or
    repeated.
    """

    __slots__ = ("__weakref__", "_arrays", "_given", "_hull", "_links", "_moments", "_record")

    def __init__(self, vertices: Any, triangles: Any = None, *, repair: bool = False) -> None:
        points = _points(vertices)
        corners = _corners(triangles, len(points))
        places, welded = adjacency.weld(points, corners)
        kept = _sound(places, welded, checks.flag("repair", repair))
        self._given: tuple[Array, Indices] = points, corners[kept]
        self._links = adjacency.link(places, welded[kept])
        self._moments = adjacency.moments(places, welded[kept])
        self._pack()

    @classmethod
    def load(cls, path: str | Path, *, scale: float = 1.0, repair: bool = True) -> MeshData:
        """Load a file: OBJ, STL, PLY, OFF, glTF or DAE, with all its parts merged.

        `scale`: metres per unit of the file; `repair`: see `MeshData`. Needs the extra `mesh`. MeshFileError, a ValueError, if
        the file is damaged, of another format, or declares more data than its size allows.
        """
        factor = checks.positive("the scale of a mesh file", scale)
        require_file(Path(path), "a mesh file")
        points, corners = read_triangles(Path(path))
        with located(partial(MeshFileError, path), "", "export the mesh again"):
            return cls(points * factor, corners, repair=repair)

    def __copy__(self) -> MeshData:
        return self

    def __deepcopy__(self, memo: Any) -> MeshData:
        return self

    def __reduce__(self) -> Any:
        return MeshData, self._given

    def _note_addresses(self) -> None:
        for name, array in self._arrays.items():
            array.flags.writeable = False
            self._record[name] = array.ctypes.data
        self._record["hull"] = 0 if self._hull is None else self._hull.ctypes.data

    def _pack(self) -> None:
        links = self._links
        corners = links.vertices[links.corners]
        boxes = np.empty((len(corners), 6))
        boxes[:, 0::2], boxes[:, 1::2] = corners.min(axis=1), corners.max(axis=1)
        order = np.arange(len(corners), dtype=np.int32)
        nodes = np.zeros(2 * len(corners), NODE)
        count = build_tree(boxes, order, nodes.ctypes.data, np.zeros(WORK))
        point_count, points, owners = patches(links.vertices, links.corners)
        self._arrays = {
            "vertices": links.vertices,
            "triangles": links.triangles,
            "nodes": nodes[:count].copy(),
            "order": order,
            "ring_starts": links.ring_starts,
            "rings": links.rings,
            "points": points,
            "owners": owners,
            "wide_nodes": wide_nodes(nodes[:count]),
            "leaves": leaves(nodes[:count], order, corners),
        }
        self._record = np.zeros(1, MESH)
        self._record["vertex_count"] = len(links.vertices)
        self._record["point_count"] = point_count
        self._record["triangle_count"] = len(corners)
        self._record["node_count"] = count
        self._record["flags"] = CLOSED if self.closed else 0
        self._hull = self._convex_hull(corners)
        self._note_addresses()

    def _convex_hull(self, corners: Array) -> Bytes | None:
        """Block of the convex polyhedron bounded by the mesh; None if it is not convex, or too large.

        Coplanar triangles are merged into one face, so that contacts cover all of it.
        """
        links = self._links
        if not self.closed or len(corners) > MAX_OF_HULL:
            return None
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        heights = links.vertices @ normals.T - np.einsum("ni,ni->n", normals, corners[:, 0])
        if heights.max() > 1e-9 * float(np.ptp(links.vertices, axis=0).max()):
            return None
        try:
            return pack(polyhedron("the mesh", links.vertices, hull_polygons(links.vertices)))
        except ValueError:
            return None

    @property
    def address(self) -> int:
        """Address of the record that kernels read."""
        return int(self._record.ctypes.data)

    @property
    def vertices(self) -> Array:
        """Vertices as given, m, shape (n, 3)."""
        return read_only(self._given[0])

    @property
    def triangles(self) -> Indices:
        """Vertex indices, shape (m, 3)."""
        return self._given[1].copy()

    def __len__(self) -> int:
        return len(self._given[1])

    @property
    def closed(self) -> bool:
        """Whether the triangles bound a volume: each edge has two triangles, and all face outward."""
        return not len(self._links.open_edges) and self._moments[0] > 0.0

    @property
    def volume(self) -> float:
        """Volume of a closed mesh, m³."""
        self.require_closed("the volume")
        return self._moments[0]

    def solid(self) -> tuple[float, Array, Array]:
        """Volume, inertia (3, 3) about the origin, and centre of mass, at density 1, of a closed mesh."""
        self.require_closed("the mass")
        volume, center, inertia = self._moments
        return volume, inertia, center

    def require_closed(self, what: str) -> None:
        """Raise ValueError with the reason unless the mesh encloses a volume."""
        edges = self._links.open_edges
        if len(edges):
            a, b = self._links.vertices[edges[0]].tolist()
            raise ValueError(
                f"{what} of a mesh needs a closed surface, but {len(edges)} edges of this one do not have one triangle on "
                f"each side, such as the edge from {a} to {b}; close it, or reverse triangles that face the other way"
            )
        if self._moments[0] <= 0.0:
            raise ValueError(
                f"{what} of a mesh needs triangles that look outward, but the volume is {self._moments[0]} m3; "
                "reverse the order of every triangle's corners: triangles[:, ::-1]"
            )

    def __repr__(self) -> str:
        return f"<MeshData: {len(self._given[0])} vertices, {len(self)} triangles{', closed' * self.closed}>"

    def _repr_html_(self) -> str:
        """A picture, for notebooks."""
        from opendynamics.api.geoms.trimesh import Trimesh
        from opendynamics.viewer.pictures.notebook import picture_page

        shape = Trimesh(self)
        try:
            return picture_page(self, None, (shape,))
        finally:
            shape.destroy()


def _points(vertices: Any) -> Array:
    if isinstance(vertices, str | Path):
        raise TypeError(f"the vertices of a mesh must be numbers, not {vertices!r}; od.Trimesh.load(path) reads a file")
    points = checks.array("the vertices of a mesh", vertices)
    if points.ndim == 1 and points.size % 3 == 0:
        points = points.reshape(-1, 3)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"the vertices of a mesh must be of shape (n, 3), not {points.shape}")
    checks.require_near("the vertices of a mesh", points)
    return points


def _corners(triangles: Any, count: int) -> Indices:
    if triangles is None:
        if count % 3:
            raise ValueError(f"without triangles, each three vertices are one, but there are {count}")
        triangles = np.arange(count).reshape(-1, 3)
    given = np.asarray(triangles)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"the triangles of a mesh must be whole numbers, not {given.dtype}")
    corners = np.array(given, dtype=np.int64)
    if corners.ndim == 1 and corners.size % 3 == 0:
        corners = corners.reshape(-1, 3)
    if not corners.size:
        raise ValueError("a mesh must have at least one triangle")
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise ValueError(f"the triangles of a mesh must be of shape (m, 3), not {corners.shape}")
    wrong = np.flatnonzero(((corners < 0) | (corners >= count)).any(axis=1))
    if wrong.size:
        raise ValueError(
            f"triangle {wrong[0]} of the mesh, {corners[wrong[0]].tolist()}, names vertices that do not exist: there are "
            f"{count}, counted from 0; {wrong.size} of {len(corners)} triangles are wrong"
        )
    if max(count, len(corners)) > MOST:
        raise ValueError(f"a mesh may have at most {MOST} vertices and triangles")
    return corners


def _sound(places: Array, corners: Indices, repair: bool) -> npt.NDArray[np.bool_]:
    """Mask of triangles that are neither degenerate nor repeated; raises without `repair` unless all are."""
    a, b, c = (places[corners[:, k]] for k in range(3))
    longest = np.max([((b - a) ** 2).sum(1), ((c - b) ** 2).sum(1), ((a - c) ** 2).sum(1)], axis=0)
    # A height of less than 1e-12 of the longest side is rounding, and gives no normal.
    flat = np.linalg.norm(np.cross(b - a, c - a), axis=1) <= 1e-12 * longest
    _, first = np.unique(np.sort(corners, axis=1), axis=0, return_index=True)
    repeated = np.ones(len(corners), bool)
    repeated[first] = False
    kept: npt.NDArray[np.bool_] = ~(flat | repeated)
    if not kept.any():
        raise ValueError(f"none of the {len(corners)} triangles of the mesh has an area")
    for wrong, what in ((flat, "no area"), (repeated & ~flat, "the corners of another one")):
        if wrong.any() and not repair:
            k = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"{int(wrong.sum())} triangles of the mesh have {what}, such as triangle {k} with the corners "
                f"{places[corners[k]].tolist()}; MeshData(..., repair=True) leaves them out"
            )
    return kept
