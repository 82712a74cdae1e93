"""Dispatch: calls the kernel of a pair of geoms, in the order of its file."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.report import PAIR_KERNELS, REPORTS, SHAPE_KINDS
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.kernels import caller, entry, kernel

call_pair = caller(PAIR)

# Values in the table of addresses: 0 until Python has looked up the pair's file, -1 if there is none in this order.
NO_COLLIDER = -1
MISSING = -1  # returned by `collide_two` for a pair that Python has not looked for


@kernel
def collide_two(tables, kind_a, kind_b, a, b, limit, points, scratch):
    """Write at most `limit` contact points of the geom records at addresses `a` and `b` to `points`.

    Returns how many were written; the others that were found are counted. MISSING: the collider is not loaded; ENDLESS: it
    refuses them.
    """
    forward, backward = colliders_of(tables, kind_a, kind_b)
    if not are_loaded(forward, backward):
        note_missing(tables, kind_a, kind_b)
        return MISSING
    found = collide_by(forward, backward, a, b, limit, points, scratch)
    if found > limit:
        REPORTS.rows(tables)[0].contacts_left_out += found - limit
        return limit
    return found


@kernel
def colliders_of(tables, kind_a, kind_b):
    """Addresses of the colliders of two kinds in this order, and in the other."""
    kernels = PAIR_KERNELS.rows(tables)
    return kernels[kind_a * SHAPE_KINDS + kind_b], kernels[kind_b * SHAPE_KINDS + kind_a]


@kernel
def are_loaded(forward, backward):
    """Whether there is a collider, or is known to be none in either order: another thread may have written only one."""
    return forward > 0 or backward > 0 or (forward < 0 and backward < 0)


@kernel
def note_missing(tables, kind_a, kind_b):
    """Request the colliders of two kinds from Python."""
    report = REPORTS.rows(tables)[0]
    report.missing_a = kind_a
    report.missing_b = kind_b


@entry(types.int64(*[types.int64] * 7))
def collide_by(forward, backward, a, b, limit, points, scratch):
    """Collide by the kernel at address `forward`, or, without one, by the one that takes b first.

    Returns the number found, negative if the collider failed; at most `limit` are written, with normals into a.
    """
    if forward > 0:
        return call_pair(forward, a, b, limit, points, scratch)
    if backward <= 0:  # NO_COLLIDER
        return 0
    found = call_pair(backward, b, a, limit, points, scratch)
    _swap_sides(points_at(points, limit), min(found, limit))
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
