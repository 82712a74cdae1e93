"""Least width of geoms."""

from __future__ import annotations

from math import inf

from opendynamics.core.bodies.shape import min_width, shape_of
from opendynamics.core.bodies.shapes import CONVEX, TRIANGLES, has_trait
from opendynamics.core.kernels import kernel


@kernel
def width_of_geom(geom):
    """Least width of a convex geom, m; of its box for a triangle mesh; infinity for geoms that are never stopped."""
    if has_trait(geom.kind, CONVEX):
        return min_width(shape_of(geom))
    least = inf
    if has_trait(geom.kind, TRIANGLES):
        for axis in range(0, 6, 2):
            least = min(least, geom.bounds[axis + 1] - geom.bounds[axis])
    return least
