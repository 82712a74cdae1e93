"""Single collisions by ODE's own C library: geoms like ours, and a compiled loop over `dCollide`."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import opendynamics as od
from benchmarks.peers import ode_c

Array = NDArray[np.float64]

_CONTACT_BYTES = 8 * 14  # dContactGeom: pos 4, normal 4, depth, two pointers, two ints, in doubles

_D, _P, _I = ctypes.c_double, ctypes.c_int64, ctypes.c_int
_MORE = {
    "dGeomGetAABB": (None, _P, _P),
    "dCreateCylinder": (_P, _P, _D, _D),
    "dCreateRay": (_P, _P, _D),
    "dGeomTriMeshDataPreprocess2": (_I, _P, ctypes.c_uint, _P),
    "dCreateConvex": (_P, _P, _P, ctypes.c_uint, _P, ctypes.c_uint, _P),
}


@functools.cache
def _library() -> tuple[Any, Callable[..., int]]:
    """The library, and a compiled loop that returns how many of some pairs touch."""
    lib, reason = ode_c.loaded_library()
    if lib is None:
        raise RuntimeError(reason)
    for name, (result, *arguments) in _MORE.items():
        getattr(lib, name).restype, getattr(lib, name).argtypes = result, arguments
    collide = lib.dCollide

    @numba.njit
    def collide_all(first, second, limit, buffer):  # type: ignore[no-untyped-def]
        touching = 0
        for k in range(first.size):
            touching += collide(first[k], second[k], limit, buffer, _CONTACT_BYTES) > 0
        return touching

    return lib, collide_all


class OdeShapes:
    """Makes geoms of ODE like given ones. RuntimeError if the library is not there."""

    def __init__(self) -> None:
        self._lib, self._collide_all = _library()
        self._kept: list[Any] = []  # arrays that the library points into

    def batch(
        self, one: od.Geom, other: od.Geom, poses: tuple[Array, Array, Array, Array], limit: int
    ) -> Callable[[], int]:
        """Collides geoms like `one` and `other` in the poses (positions and quaternions of each); returns how many touch."""
        p1, q1, p2, q2 = poses
        first, second = self._like(one, p1, q1), self._like(other, p2, q2)
        buffer = np.zeros((limit, _CONTACT_BYTES // 8))
        self._kept.append(buffer)
        return lambda: self._collide_all(first, second, limit, buffer.ctypes.data)

    def _like(self, geom: od.Geom, positions: Array, quaternions: Array) -> NDArray[np.int64]:
        make = self._maker(geom)
        made = np.empty(len(positions), np.int64)
        turn, bounds = (_D * 4)(), (_D * 6)()
        for k, (position, quaternion) in enumerate(zip(positions.tolist(), quaternions.tolist(), strict=True)):
            made[k] = make()
            if not isinstance(geom, od.Plane):
                turn[:] = quaternion
                self._lib.dGeomSetPosition(int(made[k]), *position)
                self._lib.dGeomSetQuaternion(int(made[k]), ctypes.addressof(turn))
            self._lib.dGeomGetAABB(int(made[k]), ctypes.addressof(bounds))  # which convex shapes need against meshes
        return made

    def _maker(self, geom: od.Geom) -> Callable[[], int]:
        lib = self._lib
        if isinstance(geom, od.Sphere):
            return lambda: int(lib.dCreateSphere(0, geom.radius))
        if isinstance(geom, od.Box):
            return lambda: int(lib.dCreateBox(0, *geom.lengths))
        if isinstance(geom, od.Capsule):
            return lambda: int(lib.dCreateCapsule(0, geom.radius, geom.length))
        if isinstance(geom, od.Cylinder):
            return lambda: int(lib.dCreateCylinder(0, geom.radius, geom.length))
        if isinstance(geom, od.Plane):
            return lambda: int(lib.dCreatePlane(0, *geom.normal, geom.offset))
        if isinstance(geom, od.Ray):
            return lambda: int(lib.dCreateRay(0, geom.length))
        if isinstance(geom, od.Convex):
            return self._convex(geom)
        if isinstance(geom, od.Trimesh):
            return self._trimesh(geom.mesh)
        if isinstance(geom, od.Heightfield):
            return self._heightfield(geom.field)
        raise TypeError(f"ODE has nothing like {geom.name}")

    def _convex(self, geom: od.Convex) -> Callable[[], int]:
        planes, points = np.ascontiguousarray(geom.planes), np.ascontiguousarray(geom.points)
        polygons = np.array([n for face in geom.polygons for n in (len(face), *face)], np.uint32)
        self._kept += [planes, points, polygons]
        places = planes.ctypes.data, len(planes), points.ctypes.data, len(points), polygons.ctypes.data
        return lambda: int(self._lib.dCreateConvex(0, *places))

    def _trimesh(self, data: od.MeshData) -> Callable[[], int]:
        lib = self._lib
        points = np.ascontiguousarray(data.vertices, dtype=np.float64)
        faces = np.ascontiguousarray(data.triangles, dtype=np.uint32)
        self._kept += [points, faces]
        made = lib.dGeomTriMeshDataCreate()
        lib.dGeomTriMeshDataBuildDouble(made, points.ctypes.data, 24, len(points), faces.ctypes.data, faces.size, 12)
        lib.dGeomTriMeshDataPreprocess2(made, 3, 0)  # concave edges and face angles
        return lambda: int(lib.dCreateTriMesh(0, made, 0, 0, 0))

    def _heightfield(self, data: od.HeightfieldData) -> Callable[[], int]:
        lib = self._lib
        heights = np.ascontiguousarray(data.heights, dtype=np.float64)
        self._kept.append(heights)
        rows, columns = heights.shape
        sides = data.width, data.depth
        made = lib.dGeomHeightfieldDataCreate()
        lib.dGeomHeightfieldDataBuildDouble(made, heights.ctypes.data, 0, *sides, columns, rows, 1.0, 0.0, 1.0, 0)
        return lambda: int(lib.dCreateHeightfield(0, made, 1))
