"""Polygons cut by the sides of another, as seen along a direction, or by a plane (Sutherland and Hodgman 1974).

Corners are triples of scratch floats: u, v, and a height that is carried along; or, for a plane, x, y, z.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add_scaled, dot, get3_from, put3_at, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.kernels import kernel


@kernel
def clipped(scratch, subject, corners, other, clipper, sides, sense):
    """Cut the polygon at float `subject` to the inside of the convex one at `clipper`; `other` has room for as many more.

    `sense` is 1 for a clipper that runs counterclockwise, -1 clockwise. A segment is a polygon of two corners. Returns
    where the result is, `subject` or `other`, and its number of corners.
    """
    floats = floats_at(scratch)
    at, free = subject, other
    last = clipper + 3 * (sides - 1)
    for side in range(clipper, clipper + 3 * sides, 3):
        eu, ev = sense * (floats[side] - floats[last]), sense * (floats[side + 1] - floats[last + 1])
        corners = cut(floats, at, corners, free, floats[last], floats[last + 1], eu, ev)
        at, free = free, at
        if corners == 0:
            break
        last = side
    return at, corners


@kernel
def cut(floats, source, corners, target, u, v, eu, ev):
    """Keep the part to the left of the line through (u, v) along (eu, ev); returns the number of vertices written to `target`."""
    count = 0
    before = source + 3 * (corners - 1)
    room0 = eu * (floats[before + 1] - v) - ev * (floats[before] - u)
    for at in range(source, source + 3 * corners, 3):
        room1 = eu * (floats[at + 1] - v) - ev * (floats[at] - u)
        if (room0 < 0.0 and room1 > 0.0) or (room0 > 0.0 and room1 < 0.0):
            t = room0 / (room0 - room1)
            for k in range(3):
                floats[target + 3 * count + k] = floats[before + k] + t * (floats[at + k] - floats[before + k])
            count += 1
        if room1 >= 0.0:
            for k in range(3):
                floats[target + 3 * count + k] = floats[at + k]
            count += 1
        before, room0 = at, room1
    return count


@kernel
def cut_by_plane(floats, source, target, count, start, n, level):
    """Keep the part of a polygon in space with n·(p - start) <= level; returns its corners."""
    kept = 0
    if count == 0:
        return 0
    last = get3_from(floats, source + 3 * (count - 1))
    behind = dot(n, subtract(last, start)) - level
    for k in range(count):
        here = get3_from(floats, source + 3 * k)
        ahead = dot(n, subtract(here, start)) - level
        if behind * ahead < 0.0:
            put3_at(floats, target + 3 * kept, add_scaled(last, behind / (behind - ahead), subtract(here, last)))
            kept += 1
        if ahead <= 0.0:
            put3_at(floats, target + 3 * kept, here)
            kept += 1
        last, behind = here, ahead
    return kept
