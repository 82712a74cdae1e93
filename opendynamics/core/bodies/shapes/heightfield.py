"""Heightfield. data: address of a GRID record, see `triangles/grid.py`. The sizes are not used."""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import get9, row0, row1, row2, transposed_times
from opendynamics.core.algebra.vec3 import get3, subtract
from opendynamics.core.bodies.shapes import BOUNDS, POINT_DEPTH, TRIANGLES, geom_at
from opendynamics.core.bodies.triangles.grid import grid_at, height_at
from opendynamics.core.kernels import entry, kernel

KIND = 9
TRAITS = TRIANGLES


@entry(BOUNDS)
def bounds(address):
    """The box of the turned box from the lowest height less the thickness to the highest; a field that wraps is endless."""
    geom = geom_at(address)
    grid = grid_at(geom.data)
    x = inf if grid.wrap != 0 else -grid.first_x
    z = inf if grid.wrap != 0 else -grid.first_z
    low, high = (-x, grid.low - grid.thickness, -z), (x, grid.high, z)
    r = get9(geom.rotation)
    rows = (row0(r), row1(r), row2(r))
    for axis in range(3):
        row = rows[axis]
        geom.bounds[2 * axis] = geom.position[axis] + _least(row, low, high)
        geom.bounds[2 * axis + 1] = geom.position[axis] - _least((-row[0], -row[1], -row[2]), low, high)


@kernel
def _least(row, low, high):
    """The least row·x of a box, whose sides may be infinite: those count where the row is not zero."""
    total = 0.0
    for k in range(3):
        if row[k] > 0.0:
            total += row[k] * low[k]
        elif row[k] < 0.0:
            total += row[k] * high[k]
    return total


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """How far below the surface, along the field's y axis; minus infinity outside a field that ends."""
    geom, point = geom_at(address), (x, y, z)
    p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
    above, height = height_at(grid_at(geom.data), p[0], p[2])
    return height - p[1] if above else -inf


def mass_per_density(size):
    """A heightfield has no mass."""
    return None
