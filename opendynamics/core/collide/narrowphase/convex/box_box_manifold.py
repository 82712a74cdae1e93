"""Contact manifold of two boxes along an edges' normal n that is nearly one of a face: `manifold.py` in closed form.

The other box's face is the one that looks most along n: nearly parallel too, or leaning, so that its edge lies on the first.

Both faces are laid on one another, as seen along n, in the frame of the first box's face: coordinates w along its outward normal,
u and v along the next two axes. A point slides along n onto that face at

    (u - (w - top) n_u / n_w, v - (w - top) n_v / n_w)

so that the first face is a rectangle, the second a parallelogram. At each corner (u, v) of what they have in common, the second
is t along n below the first, with m (u, v, top) - m c = t m n for its normal m and its middle c: so deep is the contact halfway
between them. The crossing of the edges is a contact too, unless a corner is as deep. If faces are parallel up to rounding, all
axes are equivalent, and the edges' lines may cross beyond the ends of the edges: then the crossing is not a contact.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column0, column1, column2, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3_from, negate, scale
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.collide.narrowphase.collider import points_at, set_point
from opendynamics.core.collide.narrowphase.convex.manifold import (
    AS_DEEP,
    CANDIDATES,
    ROUNDING,
    merged,
    put_candidate,
    with_candidate,
    without_first,
)
from opendynamics.core.collide.narrowphase.primitives.box_clipping import clipped
from opendynamics.core.collide.narrowphase.primitives.box_manifold import cycled, cycled_columns, cycled_rows, steepest
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, reduce_manifold
from opendynamics.core.kernels import kernel


@kernel
def tilted_faces_meet(place, r, half, offset, turn, other_half, crossing, size, near, limit, points, scratch):
    """Write the contacts; returns how many there are.

    The first box stands at `place`, `r` and is `half` large; `offset`, `turn`: the second in its frame, like `crossing`: its
    position, n, its depth, and whether both edges extend to it. `size`: sum of all lengths; `near`: how far above the
    face a corner may be, m.
    """
    at, n, depth, on_edges = crossing
    i = steepest(n)
    at, n, offset, half = cycled(at, i), cycled(n, i), cycled(offset, i), cycled(half, i)
    if i != 2:
        r, turn = cycled_columns(r), cycled_rows(turn)
        if i == 1:
            r, turn = cycled_columns(r), cycled_rows(turn)
    k = steepest(transposed_times(turn, n))
    other_half = cycled(other_half, k)
    if k != 2:
        turn = cycled_columns(turn)
        if k == 1:
            turn = cycled_columns(turn)
    m, top = column2(turn), half[2] if n[2] > 0.0 else -half[2]
    along = dot(m, n)
    c = add_scaled(offset, -other_half[2] if along > 0.0 else other_half[2], m)
    e, f = scale(other_half[0], column0(turn)), scale(other_half[1], column1(turn))
    slide = (n[0] / n[2], n[1] / n[2])
    polygon, corners = clipped(scratch, slid(c, top, slide), slid(e, 0.0, slide), slid(f, 0.0, slide), half)
    floats, enough = floats_at(scratch), (1.0 - AS_DEEP) * depth - ROUNDING * size
    put_candidate(floats, 0, at, depth)
    count = 1
    start, slope_u, slope_v = (m[2] * top - dot(m, c)) / along, m[0] / along, m[1] / along
    for corner in range(polygon, polygon + 2 * corners, 2):
        u, v = floats[corner], floats[corner + 1]
        deep = start + slope_u * u + slope_v * v
        if deep >= -near:
            middle = add_scaled((u, v, top), -0.5 * deep, n)
            count = with_candidate(floats, count, middle, max(min(deep, depth), 0.0), enough)
    count = merged(floats, count, depth, enough) if on_edges else without_first(floats, count)
    normal, found = negate(times(r, n)), points_at(points, limit)
    for number in range(reduce_manifold(scratch, CANDIDATES, count, limit)):
        here = CANDIDATES + number * POINT_FLOATS
        set_point(found[number], add(place, times(r, get3_from(floats, here))), normal, floats[here + 3])
    return count


@kernel
def slid(p, top, slide):
    """Projection of p along n onto the plane at height `top`."""
    return p[0] - (p[2] - top) * slide[0], p[1] - (p[2] - top) * slide[1]
