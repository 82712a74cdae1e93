"""Calls the kernel of a pair of geoms, in whichever order its file has."""

from __future__ import annotations

from opendynamics.core.arrays.report import PAIR_KERNELS, REPORTS, SHAPE_KINDS
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.kernels import caller, kernel

call_pair = caller(PAIR.return_type, len(PAIR.args))

# In the table of addresses: 0 until Python has looked for the pair's file, -1 if there is none in this order.
NO_COLLIDER = -1
MISSING = -1  # returned by `collide_two` for a pair that Python has not looked for


@kernel
def collide_two(tables, kind_a, kind_b, a, b, limit, points, scratch):
    """Contact points of two geom records at addresses `a` and `b`, at most `limit`, written from `points` on."""
    kernels = PAIR_KERNELS.rows(tables)
    forward = kernels[kind_a * SHAPE_KINDS + kind_b]
    if forward > 0:
        return _kept(tables, call_pair(forward, a, b, limit, points, scratch), limit)
    backward = kernels[kind_b * SHAPE_KINDS + kind_a]
    if backward > 0:
        count = _kept(tables, call_pair(backward, b, a, limit, points, scratch), limit)
        _swap_sides(points_at(points, limit), count)
        return count
    if forward == NO_COLLIDER:
        return 0
    report = REPORTS.rows(tables)[0]
    report.missing_a = kind_a
    report.missing_b = kind_b
    return MISSING


@kernel
def _kept(tables, found, limit):
    """How many of the points found were written; the others are counted."""
    if found > limit:
        REPORTS.rows(tables)[0].contacts_left_out += found - limit
        return limit
    return found


@kernel
def _swap_sides(points, count):
    for k in range(count):
        point = points[k]
        for axis in range(3):
            point.normal[axis] = -point.normal[axis]
        side = point.side_a
        point.side_a = point.side_b
        point.side_b = side
