"""Surfaces made of triangles, and what triangle meshes and heightfields have in common.

A surface is a record: kind MESH and the address of a mesh record, or GRID and that of a grid record (`GEOM.data` of the
geom). A triangle of it has a key, an int64. All is in the geom's own frame, metres. Triangles are
seen from outside anticlockwise: their normals point out of what is solid.

`triangle(surface, key)` gives the corners a, b, c and, for the edges ab, bc, ca, the corner of the neighbour across that
does not lie on the edge. Where there is no neighbour it is the triangle's own third corner, so that a condition on both
sides of an edge holds for the missing one if it holds for the triangle.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from opendynamics.core.algebra.vec3 import cross, dot, negate, normalize, subtract
from opendynamics.core.bodies.triangles import grid, mesh
from opendynamics.core.bodies.triangles.mesh import ALONG
from opendynamics.core.kernels import kernel

MESH, GRID = 8, 9  # ODE's geom classes, as KIND of the shapes


class Surface(NamedTuple):
    """A triangle mesh or a heightfield."""

    kind: Any
    data: Any


@kernel
def surface_of(geom):
    """The surface of a geom's record."""
    return Surface(np.int64(geom.kind), geom.data)


@kernel
def hull_of(surface):
    """Address of the hull's block of a mesh that bounds a convex solid; 0: it does not."""
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
    """The corners alone, for a first look."""
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
def gather(surface, low, high, keys, first, room, cursor):
    """Keys of triangles whose boxes meet the box (low, high), written to `keys` from `first` on.

    Returns their number and a cursor: -1 if those were all, otherwise what to continue with where there was no `room`.
    """
    if surface.kind == MESH:
        return mesh.gather(mesh.mesh_at(surface.data), low, high, keys, first, room, cursor)
    return grid.gather(grid.grid_at(surface.data), low, high, keys, first, room, cursor)


@kernel
def gather_in(surface, low, high, oriented, keys, first, room, cursor):
    """As `gather`, of those triangles only that do not lie beside a side of a second box, see `oriented_box.py`."""
    if surface.kind == MESH:
        return mesh.gather_in(mesh.mesh_at(surface.data), low, high, oriented, keys, first, room, cursor)
    return grid.gather_in(grid.grid_at(surface.data), low, high, oriented, keys, first, room, cursor)


@kernel
def gather_near(surface, p, distance, keys, first, room, cursor):
    """As `gather`, of triangles whose boxes and planes are no further than `distance` from a point."""
    if surface.kind == MESH:
        return mesh.gather_near(mesh.mesh_at(surface.data), p, distance, keys, first, room, cursor)
    return grid.gather_near(grid.grid_at(surface.data), p, distance, keys, first, room, cursor)


@kernel
def is_peak(surface, key, corner, n):
    """Whether no neighbour of a corner (0, 1, 2) of a triangle lies higher along `n`: whether n is in its normal cone."""
    if surface.kind == MESH:
        return mesh.is_peak(mesh.mesh_at(surface.data), key, corner, n)
    return grid.is_peak(grid.grid_at(surface.data), key, corner, n)


@kernel
def may_be_peak(corners, across, corner, n):
    """`is_peak` as far as the triangles beside this one show; a no is certain."""
    before = corner - 1 if corner > 0 else 2
    return is_below(n, corners[corner], across[corner]) and is_below(n, corners[corner], across[before])


@kernel
def is_below(n, point, other):
    """Whether `other` lies no higher than `point` along the unit vector `n`, but for rounding."""
    edge = subtract(other, point)
    return dot(n, edge) <= ALONG * (abs(edge[0]) + abs(edge[1]) + abs(edge[2]))


@kernel
def ridge_at(surface, key, corners, across, k, normal):
    """Whether the surface has directions at edge k that neither side of it has, and what they end at, of length one.

    They begin at the triangle's normal. An open edge has those up to straight out; a seam of a flat part has none, and in
    a hollow nothing can touch the edge alone.
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
    """The number of a triangle that users see."""
    if surface.kind == MESH:
        return key
    return grid.side_of(grid.grid_at(surface.data), key)


@kernel
def is_solid(surface):
    """Whether the surface bounds a volume: a closed mesh, or a grid, which is solid below."""
    if surface.kind == MESH:
        return mesh.mesh_at(surface.data).flags & mesh.CLOSED != 0
    return True
