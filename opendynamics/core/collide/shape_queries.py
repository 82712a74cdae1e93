"""Shape queries outside a step: closest points of segments, overlap of boxes, support points."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, product, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, get3, scale, set3, subtract
from opendynamics.core.bodies.shape import core_support, radius_of, shape_of
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.primitives.box_sat import box_box_sat
from opendynamics.core.collide.narrowphase.primitives.segments import closest_on_segments
from opendynamics.core.kernels import entry

VECTORS = types.Array(types.float64, 2, "C")


@entry(types.void(VECTORS, VECTORS))
def closest_segment_points(ends, closest):
    """Write to `closest` (2 x 3) the closest points of the segments between the rows 0, 1 and 2, 3 of `ends` (4 x 3).

    Segments of no length are points. Where there are several closest pairs, one that contains an end is found.
    """
    p, q = closest_on_segments(get3(ends[0]), get3(ends[1]), get3(ends[2]), get3(ends[3]))
    set3(closest[0], p)
    set3(closest[1], q)


@entry(types.boolean(types.int64, types.int64))
def boxes_touch(a, b):
    """Whether the boxes of the geom records at addresses `a` and `b` intersect."""
    one, two = geom_at(a), geom_at(b)
    r = get9(one.rotation)
    offset = transposed_times(r, subtract(get3(two.position), get3(one.position)))
    turn = product(transposed(r), get9(two.rotation))
    half, other_half = scale(0.5, get3(one.size)), scale(0.5, get3(two.size))
    gap, _ = box_box_sat(offset, transposed_times(turn, offset), turn, half, other_half, 1.0, 0.0, 0.0)
    return gap <= 0.0


@entry(types.void(types.int64, VECTORS, VECTORS))
def support_points(address, directions, points):
    """Write the furthest points along unit vectors (n, 3) of the convex geom at an address, in its own frame, to `points`."""
    shape = shape_of(geom_at(address))
    radius = radius_of(shape)
    for k in range(directions.shape[0]):
        n = get3(directions[k])
        set3(points[k], add_scaled(core_support(shape, n), radius, n))
