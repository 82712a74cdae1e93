"""Triangle surfaces: the common interface of triangle meshes and heightfields.

A surface is a record: kind MESH and the address of a mesh record, or GRID and that of a grid record (`GEOM.data` of the
geom). Its triangles have int64 keys. Coordinates are in the geom's own frame, metres. Triangles are counterclockwise as seen
from outside: their normals point out of the solid.

`triangle(surface, key)` returns the corners a, b, c and, for the edges ab, bc, ca, the corner of the neighbour across that
does not lie on the edge. At an open edge it is the triangle's own third corner, so that a condition on both sides of an edge
holds for the missing one if it holds for the triangle.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import cross, dot, negate, normalize, subtract
from opendynamics.core.arrays.blocks.scratch import integers_at
from opendynamics.core.bodies.triangles import grid, mesh, mesh_queries
from opendynamics.core.bodies.triangles.mesh import ALONG
from opendynamics.core.kernels import kernel

MESH, GRID = 8, 9  # ODE's geom classes, as KIND of the shapes


class Surface(NamedTuple):
    """A triangle mesh or a heightfield."""

    kind: Any
    data: Any


# Type of a surface as an argument of entries.
SURFACE = types.NamedTuple((types.int64, types.int64), Surface)


@kernel
def surface_of(geom):
    """The surface of a geom's record."""
    return Surface(np.int64(geom.kind), geom.data)


@kernel
def hull_of(surface):
    """Address of the hull's block if the mesh bounds a convex solid, otherwise 0."""
    if surface.kind == MESH:
        return mesh.mesh_at(surface.data).hull
    return np.int64(0)


@kernel
def triangle(surface, key):
    """(a, b, c), (across ab, across bc, across ca)."""
    if surface.kind == MESH:
        return mesh.triangle(mesh.mesh_at(surface.data), key)
    return grid.triangle(grid.grid_at(surface.data), key)


@kernel
def corners_of(surface, key):
    """The corners (a, b, c) alone."""
    if surface.kind == MESH:
        return mesh.corners_of(mesh.mesh_at(surface.data), key)
    return grid.corners_of(grid.grid_at(surface.data), key)


@kernel
def normal_of(corners):
    """Unit normal of a triangle."""
    return normalize(cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0])))


@kernel
def normal_at(surface, key):
    """Unit normal of a triangle of a surface."""
    if surface.kind == MESH:
        return mesh.normal_at(mesh.mesh_at(surface.data), key)
    return grid.normal_at(grid.grid_at(surface.data), key)


@kernel
def is_endless(surface, low, high):
    """Whether the box (low, high) meets so many triangles of a field that wraps that colliders refuse it (ENDLESS)."""
    return surface.kind != MESH and grid.is_endless(grid.grid_at(surface.data), low, high)


@kernel
def gather(surface, low, high, scratch, first, room, cursor):
    """Write the keys of triangles whose boxes overlap the box (low, high) to scratch memory, from index `first`.

    Returns their number and a cursor: -1 if those were all, otherwise the value to continue with after `room` keys. There are
    none for a box that `is_endless`.
    """
    if surface.kind == MESH:
        return mesh_queries.gather(mesh.mesh_at(surface.data), low, high, scratch, first, room, cursor)
    return grid.gather(grid.grid_at(surface.data), low, high, integers_at(scratch), first, room, cursor)


@kernel
def gather_in(surface, low, high, oriented, scratch, first, room, cursor):
    """`gather`, without triangles that lie outside a face of an oriented box, see `oriented_box.py`."""
    if surface.kind == MESH:
        return mesh_queries.gather_in(mesh.mesh_at(surface.data), low, high, oriented, scratch, first, room, cursor)
    return grid.gather_in(grid.grid_at(surface.data), low, high, oriented, integers_at(scratch), first, room, cursor)


@kernel
def gather_near(surface, p, distance, scratch, first, room, cursor):
    """`gather` for triangles whose boxes and planes are within `distance` of a point."""
    if surface.kind == MESH:
        return mesh_queries.gather_near(mesh.mesh_at(surface.data), p, distance, scratch, first, room, cursor)
    return grid.gather_near(grid.grid_at(surface.data), p, distance, integers_at(scratch), first, room, cursor)


@kernel
def is_peak(surface, key, corner, n):
    """Whether `n` is in the normal cone of a triangle's corner (0, 1, 2): no neighbouring vertex lies higher along it."""
    if surface.kind == MESH:
        return mesh.is_peak(mesh.mesh_at(surface.data), key, corner, n)
    return grid.is_peak(grid.grid_at(surface.data), key, corner, n)


@kernel
def may_be_peak(corners, across, corner, n):
    """Conservative `is_peak` from this triangle's neighbours alone: False is certain."""
    before = corner - 1 if corner > 0 else 2
    return is_below(n, corners[corner], across[corner]) and is_below(n, corners[corner], across[before])


@kernel
def is_below(n, point, other):
    """Whether `other` lies no higher than `point` along the unit vector `n`, within rounding."""
    edge = subtract(other, point)
    return dot(n, edge) <= ALONG * (abs(edge[0]) + abs(edge[1]) + abs(edge[2]))


@kernel
def ridge_at(surface, key, corners, across, k, normal):
    """Whether edge k is convex, so that contact normals lie on an arc from the triangle's normal; and the arc's other end.

    At an open edge the arc ends at the outward perpendicular in the triangle's plane. Flat and concave edges have no arc.
    """
    start, end = corners[k], corners[k + 1 if k < 2 else 0]
    if surface.kind == MESH:
        ridge, is_open, other = mesh.ridge_at(mesh.mesh_at(surface.data), key, k)
        return ridge, normalize(cross(subtract(end, start), normal)) if ridge and is_open else other
    third, beyond = corners[k - 1 if k > 0 else 2], across[k]
    if beyond[0] == third[0] and beyond[1] == third[1] and beyond[2] == third[2]:
        return True, normalize(cross(subtract(end, start), normal))
    if is_below(negate(normal), start, beyond):
        return False, normal
    return True, normalize(cross(subtract(beyond, start), subtract(end, start)))


@kernel
def side_of(surface, key):
    """The triangle's number in the public API."""
    if surface.kind == MESH:
        return key
    return grid.side_of(grid.grid_at(surface.data), key)


@kernel
def is_solid(surface):
    """Whether the surface bounds a volume: a closed mesh, or a grid, which is solid below."""
    if surface.kind == MESH:
        return mesh.mesh_at(surface.data).flags & mesh.CLOSED != 0
    return True
