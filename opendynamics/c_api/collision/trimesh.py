"""collision_trimesh.h: triangle meshes and their data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from weakref import WeakSet

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.c_api.ids import the
from opendynamics.c_api.outputs import fill_outputs, require_outputs

dMTV__MIN = dMTV_FIRST = 0
dMTV_SECOND, dMTV_THIRD, dMTV__MAX = 1, 2, 3

dTRIMESHDATA__MIN = dTRIMESHDATA_FACE_NORMALS = 0
dTRIMESHDATA_USE_FLAGS, dTRIMESHDATA__MAX = 1, 2

dMESHDATAUSE_EDGE1, dMESHDATAUSE_EDGE2, dMESHDATAUSE_EDGE3 = 0x01, 0x02, 0x04
dMESHDATAUSE_VERTEX1, dMESHDATAUSE_VERTEX2, dMESHDATAUSE_VERTEX3 = 0x08, 0x10, 0x20

dTRIDATAPREPROCESS_BUILD__MIN = dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES = 0
dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, dTRIDATAPREPROCESS_BUILD__MAX = 1, 2
dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MIN = dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_POSITIVE = 0
dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__DEFAULT = 0
dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_ALL, dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_WORD_ALL = 1, 2
dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MAX = 3

# (mesh, other, triangle); (mesh, other, triangles, count); (mesh, ray, triangle, u, v); (mesh, triangle, triangle)
dTriCallback = Callable[..., Any]
dTriArrayCallback = Callable[..., Any]
dTriRayCallback = Callable[..., Any]
dTriTriMergeCallback = Callable[..., Any]


class dTriMeshDataID:
    """Data shared by meshes: filled in by one of the build functions, and constant afterwards.

    `geoms`: meshes that are updated when it is rebuilt.
    """

    __slots__ = ("__weakref__", "built", "extra", "geoms", "rebuild")

    def __init__(self) -> None:
        self.built: MeshData | None = None
        self.rebuild: Callable[[], None] | None = None
        self.extra: dict[int, Any] = {}
        self.geoms: WeakSet[Trimesh] = WeakSet()


def _built(g: object) -> MeshData:
    data = the(dTriMeshDataID, g).built
    if data is None:
        raise ValueError("the mesh data is empty or destroyed: build it first, as with dGeomTriMeshDataBuildSimple")
    return data


_Rows: TypeAlias = tuple[Any, int, int, int]  # numbers, stride in bytes, count, bytes per number in C


def _build(g: object, vertices: _Rows, indices: _Rows) -> None:
    """Fill in mesh data from rows of numbers: arrays (n, 3 or more), or flat ones with a stride in bytes; and their count."""
    data = the(dTriMeshDataID, g)
    built = MeshData(_rows("vertices", *vertices), _rows("indices", *indices), repair=True)
    data.built = built
    for geom in data.geoms:
        if geom.alive:
            geom.mesh = built


def _rows(what: str, values: Any, stride: int, count: int, size: int = 4) -> Any:
    """The first `count` rows of three numbers. The last row of a flat array may end before its stride does, as in C.

    `size`: bytes per number in C, for lists.
    """
    array = np.asarray(values)
    if array.ndim == 1:
        size = size if isinstance(values, (list, tuple)) else array.itemsize
        width = stride // size if stride else 3
        if width < 3 or stride % size:
            raise ValueError(f"a stride of {stride} bytes has no room for {what} of 3 numbers of {size} bytes")
        padded = np.concatenate([array, np.zeros(width - 3, array.dtype)])
        array = padded[: padded.size - padded.size % width].reshape(-1, width)
    if array.ndim != 2 or array.shape[1] < 3:
        raise ValueError(f"the {what} must be rows of at least 3 numbers, not of shape {array.shape}")
    if len(array) < checks.count(f"the number of {what}", count):
        raise ValueError(f"{count} rows of {what} were announced, but there are {len(array)}")
    return array[:count, :3]


def dGeomTriMeshDataCreate() -> dTriMeshDataID:
    return dTriMeshDataID()


def dGeomTriMeshDataDestroy(g: dTriMeshDataID) -> None:
    """Empty the data; geoms that use it keep it as long as they need it."""
    data = the(dTriMeshDataID, g)
    data.built, data.rebuild = None, None
    data.geoms.clear()


def dGeomTriMeshDataBuildSingle(
    g: dTriMeshDataID,
    Vertices: Any,
    VertexStride: int,
    VertexCount: int,
    Indices: Any,
    IndexCount: int,
    TriStride: int,
) -> None:
    """`Vertices`: (n, 3), or flat with a stride in bytes; `Indices` likewise. Copied; floats of any size."""
    _build_to_stay(g, (Vertices, VertexStride, VertexCount, 4), (Indices, TriStride, IndexCount // 3, 4))


def _build_to_stay(g: object, vertices: _Rows, indices: _Rows) -> None:
    """Build, and record how to rebuild."""
    _build(g, vertices, indices)
    the(dTriMeshDataID, g).rebuild = lambda: _build(g, vertices, indices)


def dGeomTriMeshDataBuildDouble(
    g: dTriMeshDataID,
    Vertices: Any,
    VertexStride: int,
    VertexCount: int,
    Indices: Any,
    IndexCount: int,
    TriStride: int,
) -> None:
    """The same for double precision, which matters for strides of lists."""
    _build_to_stay(g, (Vertices, VertexStride, VertexCount, 8), (Indices, TriStride, IndexCount // 3, 4))


def dGeomTriMeshDataBuildSingle1(
    g: dTriMeshDataID,
    Vertices: Any,
    VertexStride: int,
    VertexCount: int,
    Indices: Any,
    IndexCount: int,
    TriStride: int,
    Normals: Any,
) -> None:
    """`Normals` are ignored and computed."""
    dGeomTriMeshDataBuildSingle(g, Vertices, VertexStride, VertexCount, Indices, IndexCount, TriStride)


def dGeomTriMeshDataBuildDouble1(
    g: dTriMeshDataID,
    Vertices: Any,
    VertexStride: int,
    VertexCount: int,
    Indices: Any,
    IndexCount: int,
    TriStride: int,
    Normals: Any,
) -> None:
    """`Normals` are ignored and computed."""
    dGeomTriMeshDataBuildDouble(g, Vertices, VertexStride, VertexCount, Indices, IndexCount, TriStride)


dGeomTriMeshDataBuild = dGeomTriMeshDataBuildDouble1


def dGeomTriMeshDataBuildSimple(
    g: dTriMeshDataID, Vertices: Any, VertexCount: int, Indices: Any, IndexCount: int
) -> None:
    """`Vertices`: (n, 3), or flat: 4 numbers each, as dVector3 has, or 3; `Indices`: (m, 3) or flat."""

    def build() -> None:
        vertices = np.asarray(Vertices, np.float64)
        padded = vertices.ndim == 1 and vertices.size >= 4 * VertexCount - 1
        _build(g, (vertices, 32 if padded else 24, VertexCount, 8), (Indices, 0, IndexCount // 3, 4))

    build()
    the(dTriMeshDataID, g).rebuild = build


def dGeomTriMeshDataBuildSimple1(
    g: dTriMeshDataID, Vertices: Any, VertexCount: int, Indices: Any, IndexCount: int, Normals: Any
) -> None:
    """`Normals` are ignored and computed."""
    dGeomTriMeshDataBuildSimple(g, Vertices, VertexCount, Indices, IndexCount)


def dGeomTriMeshDataUpdate(g: dTriMeshDataID) -> None:
    """Rebuild from the given arrays, whose numbers may have changed."""
    _built(g)
    rebuild = the(dTriMeshDataID, g).rebuild
    assert rebuild is not None
    rebuild()


def dGeomTriMeshDataSet(g: dTriMeshDataID, data_id: int, in_data: Any) -> None:
    """Store face normals or use flags for dGeomTriMeshDataGet; collision computes its own."""
    the(dTriMeshDataID, g).extra[_kind(data_id)] = in_data


def dGeomTriMeshDataGet(g: dTriMeshDataID, data_id: int) -> Any:
    """The argument of dGeomTriMeshDataSet, or None."""
    return the(dTriMeshDataID, g).extra.get(_kind(data_id))


def dGeomTriMeshDataGet2(g: dTriMeshDataID, data_id: int, pout_size: Any = None) -> Any:
    """The argument of dGeomTriMeshDataSet, and its size in bytes; as in C, the size is written to `pout_size` if it is given."""
    data = dGeomTriMeshDataGet(g, data_id)
    size = 0 if data is None else int(np.asarray(data).nbytes)
    if pout_size is None:
        return data, size
    require_outputs("dGeomTriMeshDataGet2", {3: pout_size})
    fill_outputs("dGeomTriMeshDataGet2", {3: pout_size}, (size,))
    return data


def _kind(data_id: int) -> int:
    if data_id not in (dTRIMESHDATA_FACE_NORMALS, dTRIMESHDATA_USE_FLAGS):
        raise ValueError(f"the kind of mesh data must be 0 (face normals) or 1 (use flags), not {data_id!r}")
    return int(data_id)


def dGeomTriMeshDataPreprocess(g: dTriMeshDataID) -> int:
    """1: edges are computed when the data is built."""
    _built(g)
    return 1


def dGeomTriMeshDataPreprocess2(g: dTriMeshDataID, buildRequestFlags: int, requestExtraData: Any) -> int:
    """1: edges and angles are computed when the data is built."""
    _built(g)
    return 1


def dGeomTriMeshDataGetBuffer(g: dTriMeshDataID, buf: Any = None, bufLen: Any = None) -> tuple[Any, Any]:
    """The use flags, and their size in bytes; as in C, they are also written to `buf`, a list, and `bufLen`."""
    found = dGeomTriMeshDataGet2(g, dTRIMESHDATA_USE_FLAGS)
    if bufLen is not None:
        require_outputs("dGeomTriMeshDataGetBuffer", {2: buf, 3: bufLen})
        fill_outputs("dGeomTriMeshDataGetBuffer", {3: bufLen}, found[1:])
        buf[0] = found[0]
    return found[0], found[1]


def dGeomTriMeshDataSetBuffer(g: dTriMeshDataID, buf: Any) -> None:
    """Store use flags."""
    dGeomTriMeshDataSet(g, dTRIMESHDATA_USE_FLAGS, buf)
