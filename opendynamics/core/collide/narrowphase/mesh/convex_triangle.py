"""Convex shape and triangle: chooses the file of this folder that computes their penetration depth, and whether they touch.

Boxes, capsules, cylinders and polyhedra have separate files. All other convex shapes, and triangles of other meshes, only
provide supports.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import transposed, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, get3_from, magnitudes, negate, put3_at
from opendynamics.core.arrays.blocks.hulls import hull_floats
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import BOX, CAPSULE, CONVEX, CYLINDER, TRIANGLE, radius_of, triangle_shape
from opendynamics.core.bodies.shapes import FIRST_BY_ADDRESS
from opendynamics.core.bodies.triangles import normal_at, normal_of, triangle
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.mesh.box_triangle import (
    box_face,
    box_mtv,
    box_mtv_bound,
    box_mtv_local,
    edges_separate,
)
from opendynamics.core.collide.narrowphase.mesh.capsule_triangle import capsule_mtv, capsule_mtv_local
from opendynamics.core.collide.narrowphase.mesh.contact_points import SIMPLEX, TRIANGLE_AT
from opendynamics.core.collide.narrowphase.mesh.cylinder_triangle import (
    cylinder_is_apart,
    cylinder_mtv,
    cylinder_mtv_bound,
)
from opendynamics.core.collide.narrowphase.mesh.general_triangle import core_mtv, core_mtv_bound
from opendynamics.core.collide.narrowphase.mesh.polyhedron_triangle import polyhedron_is_apart
from opendynamics.core.collide.narrowphase.mesh.triangle_triangle import triangles_touch
from opendynamics.core.collide.narrowphase.shape_pair import ShapePair
from opendynamics.core.kernels import kernel

# Gap, relative to the body's size, below which rounding may be its only cause.
MIN_GAP = 1.0e-7


@kernel
def has_own_manifold(kind):
    """Whether `few_triangles.py` serves this kind of body, by the three functions below."""
    return kind == BOX or kind == CAPSULE


@kernel
def has_own_cells(kind):
    """Whether `box_cells.py` serves this kind of body on the cells of a heightfield."""
    return kind == BOX


@kernel
def mtv_local(body, surface, key, local, n):
    """`triangle_mtv` in the body's own frame, in which the corners `local` and the normal n are."""
    if body.shape.kind == BOX:
        return box_mtv_local(body, surface, key, local, n)
    return capsule_mtv_local(body, surface, key, local, n)


@kernel
def own_extent(shape, n):
    """Half the extent of a shape along n, in the shape's own frame."""
    if shape.kind == BOX:
        return 0.5 * dot(magnitudes(n), get3(shape.size))
    return 0.5 * shape.size[1] * abs(n[2]) + shape.size[0]


@kernel
def own_face(shape, n):
    """(c, u, v) of the core's face most antiparallel to n, and the number of its corners; 2: a segment, c + s u."""
    if shape.kind == BOX:
        return box_face(get3(shape.size), n), 4
    return ((0.0, 0.0, 0.0), (0.0, 0.0, 0.5 * shape.size[1]), (0.0, 0.0, 0.0)), 2


@kernel
def has_own_test(kind):
    """Whether `own_is_apart` knows this kind of body."""
    return kind == BOX or kind == CYLINDER or kind == CONVEX


@kernel
def is_tested_whole(kind):
    """Whether that test alone decides contact: for a box, only the bound of the overlap tests the triangle's plane."""
    return kind == CYLINDER or kind == CONVEX


@kernel
def is_tested_by_distance(kind):
    """Whether the overlap along directions does not prove contact: shapes known by supports only."""
    return kind >= FIRST_BY_ADDRESS


@kernel
def mtv_bound(body, surface, key, normal, beyond, scratch):
    """A lower bound of the overlap, and zeros; or the overlap and its direction. Below zero: none."""
    corners, across = triangle(surface, key)
    kind, unknown = body.shape.kind, (0.0, 0.0, 0.0)
    if kind == BOX:
        return box_mtv_bound(body, surface, key, corners, across, normal, beyond), unknown
    if kind == CAPSULE:
        return capsule_mtv(body, surface, key, corners, across, normal, beyond)
    if kind == CYLINDER:
        return cylinder_mtv_bound(body, surface, key, corners, across, normal, beyond), unknown
    return core_mtv_bound(body, surface, key, corners, across, normal, beyond, scratch), unknown


@kernel
def triangle_mtv(body, surface, key, beyond, scratch):
    """Depth and direction of the body's minimum translation out of a triangle; a depth below zero: none.

    With `beyond`, the triangle need not be touched, only be in the way of the translation.
    """
    corners, across = triangle(surface, key)
    if body.shape.kind == BOX:
        return box_mtv(body, surface, key, corners, across, normal_at(surface, key), beyond)
    if body.shape.kind == CYLINDER:
        return cylinder_mtv(body, surface, key, corners, across, normal_at(surface, key), beyond)
    return core_mtv(body, surface, key, corners, across, normal_at(surface, key), beyond, scratch)


@kernel
def own_is_apart(body, local, extent, scratch):
    """Whether a cylinder or polyhedron of this `extent` and a triangle are apart by more than rounding.

    Or a box and a triangle that no face of theirs separates. `local`: the corners in the body's own frame.
    """
    kind, size, near = body.shape.kind, body.shape.size, MIN_GAP * extent
    if kind == BOX:
        return edges_separate(local, get3(size))
    if kind == CYLINDER:
        return cylinder_is_apart(local[0], local[1], local[2], size[0] + near, 0.5 * size[1] + near)
    return polyhedron_is_apart(body.shape.data, local, near, scratch)


@kernel
def core_is_apart(body, corners, extent, scratch):
    """As `own_is_apart`, for a triangle or a body by its support function."""
    floats = floats_at(scratch)
    if body.shape.kind == TRIANGLE:
        own = hull_floats(body.shape.data, 9)
        one = (get3_from(own, 0), get3_from(own, 3), get3_from(own, 6))
        return not triangles_touch(one, normal_of(one), corners, MIN_GAP * extent)
    for k in range(3):
        put3_at(floats, TRIANGLE_AT + 3 * k, corners[k])
    offset = negate(transposed_times(body.rotation, body.position))
    triangle = triangle_shape(scratch + 8 * TRIANGLE_AT, 0.0)
    pair = ShapePair(body.shape, triangle, offset, transposed(body.rotation))
    distance, _, _, _ = closest_points(pair, scratch + 8 * SIMPLEX)
    return distance - radius_of(body.shape) > MIN_GAP * extent
