"""Shapes. One file of this family is one shape.

A member has: KIND, its number (ODE's geom class); `bounds`, an entry that sets a placed geom's axis-aligned box;
`mass_per_density(size)`, volume and principal moments of inertia about the centre at density 1 (None for shapes without
volume); `point_depth(geom, point)`, how deep a world point lies inside, negative outside; and, if convex and bounded,
`support(size, direction)`, the shape's furthest point along a direction of its own frame.
"""

from __future__ import annotations

from numba import types

from opendynamics.core.arrays.geoms import GEOM
from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import kernel

BOUNDS = types.void(types.int64)
POINT_DEPTH = types.float64(types.int64, types.float64, types.float64, types.float64)

_geoms_at = array_of(GEOM, 1)


@kernel
def geom_at(address):
    """The geom whose record stands at `address`."""
    return _geoms_at(address)[0]


@kernel
def set_bounds(geom, centre, reach):
    """Set the box of `geom`: `reach` to both sides of `centre` along each world axis."""
    bounds = geom.bounds
    bounds[0] = centre[0] - reach[0]
    bounds[1] = centre[0] + reach[0]
    bounds[2] = centre[1] - reach[1]
    bounds[3] = centre[1] + reach[1]
    bounds[4] = centre[2] - reach[2]
    bounds[5] = centre[2] + reach[2]
