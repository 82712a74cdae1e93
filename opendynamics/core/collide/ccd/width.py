"""How wide shapes are where they are thinnest."""

from __future__ import annotations

from math import inf

from numba import int64

from opendynamics.core.algebra.mat3 import get9
from opendynamics.core.algebra.vec3 import get3
from opendynamics.core.bodies.shapes import plane
from opendynamics.core.bodies.triangles import GRID, MESH
from opendynamics.core.collide.narrowphase.placed_shape import width_of
from opendynamics.core.collide.narrowphase.shape_pair import BOX, CAPSULE, CONVEX, CYLINDER, SPHERE
from opendynamics.core.kernels import kernel

PLANE = plane.KIND


@kernel
def is_convex(kind):
    """Whether a shape has a support function and a volume."""
    return kind == SPHERE or kind == BOX or kind == CAPSULE or kind == CYLINDER or kind == CONVEX


@kernel
def width_of_geom(geom):
    """The least width of a convex geom, m; for a surface that of its box; infinity for what is never stopped."""
    if geom.kind == SPHERE:
        return 2.0 * geom.size[0]
    if is_convex(geom.kind):
        return width_of((int64(geom.kind), get3(geom.size), geom.data, get3(geom.position), get9(geom.rotation)))
    least = inf
    if geom.kind == MESH or geom.kind == GRID:
        for axis in range(0, 6, 2):
            least = min(least, geom.bounds[axis + 1] - geom.bounds[axis])
    return least
