"""Triangle mesh. data: address of a MESH record, see `triangles/mesh.py`. The sizes are not used."""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import get9, row0, row1, row2, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, magnitudes, subtract
from opendynamics.core.bodies.shapes import BOUNDS, MESH, POINT_DEPTH, TRIANGLES, geom_at, set_bounds
from opendynamics.core.bodies.triangles.mesh import mesh_at, node
from opendynamics.core.bodies.triangles.nearest import nearest_on_mesh
from opendynamics.core.kernels import entry, kernel

KIND = 8
TRAITS = TRIANGLES | MESH


@entry(BOUNDS)
def bounds(address):
    """The box of the turned box around the mesh."""
    geom = geom_at(address)
    bound_turned_box(geom, node(mesh_at(geom.data), 0).box)


@kernel
def bound_turned_box(geom, box):
    """Bound a box (x min, x max, y min, ...) of the geom's frame."""
    r = get9(geom.rotation)
    centre = (0.5 * (box[0] + box[1]), 0.5 * (box[2] + box[3]), 0.5 * (box[4] + box[5]))
    half = (0.5 * (box[1] - box[0]), 0.5 * (box[3] - box[2]), 0.5 * (box[5] - box[4]))
    half_extents = dot(magnitudes(row0(r)), half), dot(magnitudes(row1(r)), half), dot(magnitudes(row2(r)), half)
    set_bounds(geom, add(get3(geom.position), times(r, centre)), half_extents)


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """Distance to the surface, negative outside. Behind the nearest triangle is inside."""
    geom, point = geom_at(address), (x, y, z)
    p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
    square, _, _, outside = nearest_on_mesh(geom.data, p)
    return -sqrt(square) if outside else sqrt(square)


def mass_per_density(size):
    """Unknown to the sizes: the mesh's data has its moments."""
    return None
