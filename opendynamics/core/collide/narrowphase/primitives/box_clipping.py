"""A face of a box, seen along the normal of another's, clipped against that other (Sutherland and Hodgman 1974).

The same polygon in two orders: `clipped` goes round from the corner of the two sides' ends, and starts again with every side;
`clipped_as_ode` begins where ODE 0.16 does, goes round in the same sense, and cuts the sides in its order, because
what QuickStep finds depends on the order of the contacts.
"""

from __future__ import annotations

from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.kernels import kernel

# Scratch floats: two polygons of at most eight corners (u, v), taken in turns.
POLYGON = 16


@kernel
def set_corners(scratch, c, e, f):
    """Write the parallelogram c +- e +- f to the first polygon, beginning at c - e - f along e."""
    floats = floats_at(scratch)
    floats[0], floats[1] = c[0] - e[0] - f[0], c[1] - e[1] - f[1]
    floats[2], floats[3] = c[0] + e[0] - f[0], c[1] + e[1] - f[1]
    floats[4], floats[5] = c[0] + e[0] + f[0], c[1] + e[1] + f[1]
    floats[6], floats[7] = c[0] - e[0] + f[0], c[1] - e[1] + f[1]


@kernel
def clipped(scratch, c, e, f, h):
    """The parallelogram c +- e +- f, seen along w, clipped against |u| <= h_u, |v| <= h_v: place and corner count."""
    set_corners(scratch, c, e, f)
    at, corners = 0, 4
    for side in range(4):
        axis, sign = side & 1, 1.0 - (side & 2)
        centre = c[0] if axis == 0 else c[1]
        extent = abs(e[0]) + abs(f[0]) if axis == 0 else abs(e[1]) + abs(f[1])
        bound = h[0] if axis == 0 else h[1]
        if corners > 0 and sign * centre + extent > bound:
            corners = cut(scratch, at, POLYGON - at, corners, axis, sign, bound)
            at = POLYGON - at
    return at, corners


@kernel
def cut(scratch, source, target, corners, axis, sign, bound):
    """Keep the part of a convex polygon with sign * x[axis] <= bound (Sutherland and Hodgman 1974).

    Corners on the border are kept once. Nothing is kept of a polygon that has no corner inside: boxes that only touch
    along an edge or at a corner do not hold each other up.
    """
    floats = floats_at(scratch)
    count = 0
    inside = bound <= 0.0
    last = source + 2 * (corners - 1)
    x0, y0 = floats[last], floats[last + 1]
    room0 = bound - sign * floats[last + axis]
    for at in range(source, source + 2 * corners, 2):
        x1, y1 = floats[at], floats[at + 1]
        room1 = bound - sign * floats[at + axis]
        if room0 * room1 < 0.0:
            t = room0 / (room0 - room1)
            floats[target + 2 * count] = x0 + t * (x1 - x0)
            floats[target + 2 * count + 1] = y0 + t * (y1 - y0)
            count += 1
        if room1 >= 0.0:
            floats[target + 2 * count] = x1
            floats[target + 2 * count + 1] = y1
            count += 1
            inside = inside or room1 > 0.0
        x0, y0, room0 = x1, y1, room1
    return count if inside else 0


@kernel
def clipped_as_ode(scratch, c, e, f, h, first):
    """The result of `clipped` in ODE's order; the sides across axis `first` (0: u, 1: v) are cut before the others."""
    set_corners(scratch, c, e, f)
    at, corners = 0, 4
    for side in range(4):
        axis = first if side < 2 else 1 - first
        corners = cut_as_ode(scratch, at, POLYGON - at, corners, axis, 2.0 * (side & 1) - 1.0, h[axis])
        at = POLYGON - at
    return at, corners


@kernel
def cut_as_ode(scratch, source, target, corners, axis, sign, bound):
    """Keep the part of a polygon with sign * x[axis] < bound: corners, each before what its edge to the next one crosses.

    A corner on the border is outside, and comes back as the crossing of an edge from inside.
    """
    floats = floats_at(scratch)
    count = 0
    for k in range(corners):
        here, other = source + 2 * k, source + 2 * ((k + 1) % corners)
        room, other_room = bound - sign * floats[here + axis], bound - sign * floats[other + axis]
        if room > 0.0:
            floats[target + 2 * count] = floats[here]
            floats[target + 2 * count + 1] = floats[here + 1]
            count += 1
        if (room > 0.0) != (other_room > 0.0):
            t = room / (room - other_room)
            floats[target + 2 * count] = floats[here] + t * (floats[other] - floats[here])
            floats[target + 2 * count + 1] = floats[here + 1] + t * (floats[other + 1] - floats[here + 1])
            count += 1
    return count
