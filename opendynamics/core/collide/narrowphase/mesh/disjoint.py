"""Whether a body and a triangle have no point in common: what is left to ask when neither one's faces lie between them."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import transposed, transposed_times
from opendynamics.core.algebra.vec3 import get3_from, negate, put3_at
from opendynamics.core.arrays.hulls import hull_floats
from opendynamics.core.bodies.triangles import normal_of
from opendynamics.core.collide.narrowphase.collider import floats_at
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.mesh.box_triangle import edges_separate
from opendynamics.core.collide.narrowphase.mesh.contact_points import SIMPLEX, TRIANGLE_AT
from opendynamics.core.collide.narrowphase.mesh.cylinder_triangle import cylinder_is_apart
from opendynamics.core.collide.narrowphase.mesh.polyhedron_triangle import polyhedron_is_apart
from opendynamics.core.collide.narrowphase.mesh.triangle_triangle import triangles_touch
from opendynamics.core.collide.narrowphase.shape_pair import BOX, CONVEX, CYLINDER, TRIANGLE, radius_of
from opendynamics.core.kernels import kernel

# Distance that may be rounding, as part of the body's size.
NEAR = 1.0e-7


@kernel
def has_own_test(kind):
    """Whether `own_is_apart` knows this kind of body."""
    return kind == BOX or kind == CYLINDER or kind == CONVEX


@kernel
def own_is_apart(body, seen, extent, scratch):
    """Whether a cylinder or polyhedron of this `extent` and a triangle are apart by more than rounding.

    Or a box and a triangle that no face of theirs separates. `seen`: the corners in the body's own frame.
    """
    kind, size, near = body[0], body[1], NEAR * extent
    if kind == BOX:
        return edges_separate(seen, size)
    if kind == CYLINDER:
        return cylinder_is_apart(seen[0], seen[1], seen[2], size[0] + near, 0.5 * size[1] + near)
    return polyhedron_is_apart(body[2], seen, near, scratch)


@kernel
def core_is_apart(body, corners, extent, scratch):
    """As `own_is_apart`, for a triangle or a body by its support function."""
    floats = floats_at(scratch)
    if body[0] == TRIANGLE:
        own = hull_floats(body[2], 9)
        one = (get3_from(own, 0), get3_from(own, 3), get3_from(own, 6))
        return not triangles_touch(one, normal_of(one), corners, NEAR * extent)
    for k in range(3):
        put3_at(floats, TRIANGLE_AT + 3 * k, corners[k])
    kind, size, data, place, turn = body
    offset = negate(transposed_times(turn, place))
    couple = (kind, size, data, TRIANGLE, size, scratch + 8 * TRIANGLE_AT, offset, transposed(turn))
    distance, _, _, _ = closest_points(couple, scratch + 8 * SIMPLEX)
    return distance - radius_of(kind, size) > NEAR * extent
