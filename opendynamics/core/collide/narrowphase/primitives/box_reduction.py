"""ODE 0.16's choice of contacts of two boxes, if there are more than requested.

The deepest, then, for each of the directions that part the full turn from there evenly, the one nearest to it among those
left, as seen from the middle of the area that the contacts enclose. They come in this order.

Points are rows of POINT_FLOATS scratch floats: position, depth, and u, v in the face's plane.
"""

from __future__ import annotations

from math import atan2, inf, pi

from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, exchange
from opendynamics.core.kernels import kernel


@kernel
def reduce_by_angle(scratch, first, count, limit):
    """Bring those to keep to the front of the `count` points from scratch float `first` on; returns their number."""
    if count <= limit:
        return count
    floats = floats_at(scratch)
    set_angles(floats, first, count)
    deepest = 0
    for k in range(1, count):
        if floats[first + k * POINT_FLOATS + 3] > floats[first + deepest * POINT_FLOATS + 3]:
            deepest = k
    bring_forward(floats, first, deepest, 0)
    start = floats[first + 4]
    for kept in range(1, limit):
        wanted, best, chosen = start + 2.0 * pi * kept / limit, inf, kept
        for k in range(kept, count):
            off = abs(floats[first + k * POINT_FLOATS + 4] - wanted) % (2.0 * pi)
            off = min(off, 2.0 * pi - off)
            if off < best:
                best, chosen = off, k
        bring_forward(floats, first, chosen, kept)
    return limit


@kernel
def set_angles(floats, first, count):
    """Replace u of each point by its direction from the centroid of their polygon, rad."""
    area, x, y = 0.0, 0.0, 0.0
    mean_u, mean_v = 0.0, 0.0
    last = first + (count - 1) * POINT_FLOATS
    for k in range(count):
        here = first + k * POINT_FLOATS
        u0, v0, u1, v1 = floats[last + 4], floats[last + 5], floats[here + 4], floats[here + 5]
        part = u0 * v1 - u1 * v0
        area, x, y = area + part, x + part * (u0 + u1), y + part * (v0 + v1)
        mean_u, mean_v = mean_u + u1 / count, mean_v + v1 / count
        last = here
    if area != 0.0 and count > 2:
        mean_u, mean_v = x / (3.0 * area), y / (3.0 * area)
    for k in range(count):
        here = first + k * POINT_FLOATS
        floats[here + 4] = atan2(floats[here + 5] - mean_v, floats[here + 4] - mean_u)


@kernel
def bring_forward(floats, first, source, target):
    """Put point `source` in the place of point `target` before it; those from there on move up by one."""
    for k in range(source, target, -1):
        exchange(floats, first + k * POINT_FLOATS, first + (k - 1) * POINT_FLOATS)
