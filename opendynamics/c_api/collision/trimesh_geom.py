"""collision_trimesh.h: geoms of mesh data."""

from __future__ import annotations

from typing import Any

from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.collision.trimesh import (
    _built,
    dTriArrayCallback,
    dTriCallback,
    dTriMeshDataID,
    dTriRayCallback,
    dTriTriMergeCallback,
)
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Array, Null, flag, function_or_null, or_null, the


def dCreateTriMesh(
    space: dSpaceID | Null,
    Data: dTriMeshDataID,
    Callback: dTriCallback | Null,
    ArrayCallback: dTriArrayCallback | Null,
    RayCallback: dTriRayCallback | Null,
) -> dGeomID:
    """A mesh that shares `Data`; the callbacks may be null."""
    geom = Trimesh(_built(Data), space=or_null(Space, space))
    _remember(geom, Data)
    dGeomTriMeshSetCallback(geom, Callback)
    dGeomTriMeshSetArrayCallback(geom, ArrayCallback)
    dGeomTriMeshSetRayCallback(geom, RayCallback)
    return geom


def _remember(geom: Trimesh, data: dTriMeshDataID) -> None:
    before = geom.source
    if isinstance(before, dTriMeshDataID):
        before.geoms.discard(geom)
    geom.source = data
    data.geoms.add(geom)


def dGeomTriMeshSetData(g: dGeomID, Data: dTriMeshDataID) -> None:
    geom = the(Trimesh, g)
    geom.mesh = _built(Data)
    _remember(geom, Data)


def dGeomTriMeshGetData(g: dGeomID) -> dTriMeshDataID | None:
    """The data that the geom was created with; None if it was not created here."""
    source = the(Trimesh, g).source
    return source if isinstance(source, dTriMeshDataID) else None


dGeomTriMeshGetTriMeshDataID = dGeomTriMeshGetData


def dGeomTriMeshSetCallback(g: dGeomID, Callback: dTriCallback | Null) -> None:
    """`Callback(mesh, other, triangle)`: 0 drops contacts with the triangle. Null: no callback."""
    the(Trimesh, g).callback = function_or_null("the callback of a mesh", Callback)


def dGeomTriMeshGetCallback(g: dGeomID) -> dTriCallback | None:
    return the(Trimesh, g).callback


def dGeomTriMeshSetArrayCallback(g: dGeomID, ArrayCallback: dTriArrayCallback | Null) -> None:
    """`ArrayCallback(mesh, other, triangles, count)` receives the triangles that have contacts."""
    geom = the(Trimesh, g)
    function: Any = function_or_null("the array callback of a mesh", ArrayCallback)
    geom.source_array_callback = function
    geom.array_callback = None
    if function is not None:
        geom.array_callback = lambda mesh, other, triangles: function(mesh, other, triangles, len(triangles))


def dGeomTriMeshGetArrayCallback(g: dGeomID) -> dTriArrayCallback | None:
    callback: dTriArrayCallback | None = the(Trimesh, g).source_array_callback
    return callback


def dGeomTriMeshSetRayCallback(g: dGeomID, Callback: dTriRayCallback | Null) -> None:
    """`Callback(mesh, ray, triangle, u, v)`: 0 drops the hit."""
    the(Trimesh, g).ray_callback = function_or_null("the ray callback of a mesh", Callback)


def dGeomTriMeshGetRayCallback(g: dGeomID) -> dTriRayCallback | None:
    return the(Trimesh, g).ray_callback


def dGeomTriMeshSetTriMergeCallback(g: dGeomID, Callback: dTriTriMergeCallback | Null) -> None:
    """Stored, but never called: contacts are not merged."""
    the(Trimesh, g).merge_callback = function_or_null("the merge callback of a mesh", Callback)


def dGeomTriMeshGetTriMergeCallback(g: dGeomID) -> dTriTriMergeCallback | None:
    return the(Trimesh, g).merge_callback


def dGeomTriMeshEnableTC(g: dGeomID, geomClass: int, enable: int) -> None:
    """Accepted without effect: the bounding tree needs no temporal coherence."""
    the(Trimesh, g).set_temporal_coherence(geomClass, flag(enable))


def dGeomTriMeshIsTCEnabled(g: dGeomID, geomClass: int) -> int:
    return int(the(Trimesh, g).has_temporal_coherence(geomClass))


def dGeomTriMeshClearTCCache(g: dGeomID) -> None:
    """No effect: there is no cache."""
    the(Trimesh, g)


def dGeomTriMeshSetLastTransform(g: dGeomID, last_trans: Any) -> None:
    """16 numbers, 4x4, row-major."""
    the(Trimesh, g).last_transform = last_trans


def dGeomTriMeshGetLastTransform(g: dGeomID) -> Array:
    """16 numbers, 4x4, row-major."""
    return the(Trimesh, g).last_transform.reshape(16)


def dGeomTriMeshGetTriangle(g: dGeomID, Index: int) -> tuple[Array, Array, Array]:
    """The corners in the world frame."""
    one, two, three = the(Trimesh, g).triangle(Index)
    return one, two, three


def dGeomTriMeshGetPoint(g: dGeomID, Index: int, u: float, v: float) -> Array:
    """first corner + u (second - first) + v (third - first), in the world frame."""
    return the(Trimesh, g).point(Index, u, v)


def dGeomTriMeshGetTriangleCount(g: dGeomID) -> int:
    return the(Trimesh, g).triangle_count
