"""Triangles of a surface near a convex geom, or near its path through the step.

Coordinates are in the surface's frame. Triangles with the geom's centre behind their plane are skipped: surfaces are hit from
outside.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import product, transposed, transposed_times
from opendynamics.core.algebra.vec3 import length, put3_at, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shape import shape_of, triangle_shape
from opendynamics.core.bodies.triangles import corners_of, gather, surface_of
from opendynamics.core.collide.ccd.swept_motion import pace_of, place_at
from opendynamics.core.collide.ccd.time_of_impact import CORNERS, KEYS, ROOM
from opendynamics.core.collide.narrowphase.placed_shape import PlacedShape, box_of
from opendynamics.core.kernels import kernel


@kernel
def seen_from(tables, a, b, t):
    """Geom a after a fraction of the step as a placed shape in the frame of b."""
    place, r = place_at(tables, a, t)
    origin, turn = place_at(tables, b, t)
    shape = shape_of(GEOMS.rows(tables)[a])
    return PlacedShape(shape, transposed_times(turn, subtract(place, origin)), product(transposed(turn), r))


@kernel
def box_around(body, max_gap):
    """The box of a body, enlarged by `max_gap`."""
    low, high = box_of(body)
    return (low[0] - max_gap, low[1] - max_gap, low[2] - max_gap), (
        high[0] + max_gap,
        high[1] + max_gap,
        high[2] + max_gap,
    )


@kernel
def box_along(tables, a, b, start, end):
    """Swept box of geom a from `start` to `end`, placed shapes in the frame of b.

    The path of a point deviates from the straight line by no more than rotation moves it.
    """
    turning = pace_of(tables, a)[1]
    if pace_of(tables, b)[1] > 0.0:
        turning += length(subtract(end.position, start.position))
        turning += pace_of(tables, b)[1]
    low, high = box_around(start, turning)
    low_end, high_end = box_around(end, turning)
    low = min(low[0], low_end[0]), min(low[1], low_end[1]), min(low[2], low_end[2])
    return low, (max(high[0], high_end[0]), max(high[1], high_end[1]), max(high[2], high_end[2]))


@kernel
def gather_between(tables, b, box, cursor, scratch):
    """Keys of the triangles of b that meet a box, from KEYS on in scratch; their number, and a cursor, see `gather`."""
    return gather(surface_of(GEOMS.rows(tables)[b]), box[0], box[1], scratch, KEYS, ROOM, cursor)


@kernel
def corners_at(tables, b, k, scratch):
    return corners_of(surface_of(GEOMS.rows(tables)[b]), integers_at(scratch)[k])


@kernel
def as_shape(corners, scratch):
    """A triangle as a shape, with its corners in scratch."""
    floats = floats_at(scratch)
    for c in range(3):
        put3_at(floats, CORNERS + 3 * c, corners[c])
    return triangle_shape(scratch + 8 * CORNERS, 0.0)
