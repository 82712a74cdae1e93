"""Least width of geoms."""

from __future__ import annotations

from math import inf

from opendynamics.core.bodies.shape import least_width, shape_of
from opendynamics.core.bodies.shapes import CONVEX, TRIANGLES, has_trait
from opendynamics.core.kernels import kernel


@kernel
def width_of_geom(geom):
    """The least width of a convex geom, m; for a triangle mesh that of its box; infinity for what is never stopped."""
    if has_trait(geom.kind, CONVEX):
        return least_width(shape_of(geom))
    least = inf
    if has_trait(geom.kind, TRIANGLES):
        for axis in range(0, 6, 2):
            least = min(least, geom.bounds[axis + 1] - geom.bounds[axis])
    return least
