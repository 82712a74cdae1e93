"""Cylinder against box, capsule and cylinder: penetration depth and direction over all candidate axes.

These cores are sums of segments and discs, and so is their difference D (`minkowski_sum.py`). The depth is the distance of the
origin from the surface of D. Candidates are a disc's axis and the normals of two segments (flat faces); directions
perpendicular to one segment, along which an edge circle is swept (`circle_segment.py`); and, with two discs, those where both
edge circles touch (`circle_circle.py`). Apart, ends of a segment can be nearest as well. The minimum over all candidates is
exact; any overlap below zero proves the cores apart.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3_from, negate, scale
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import BOX, CAPSULE, CYLINDER
from opendynamics.core.collide.narrowphase.cylinder.circle_circle import along_gap, where_circles_meet
from opendynamics.core.collide.narrowphase.cylinder.circle_segment import on_circle, polished
from opendynamics.core.collide.narrowphase.cylinder.minkowski_sum import (
    DISC,
    NO,
    NONE,
    exactly,
    if_better,
    sums_of,
    toward,
)
from opendynamics.core.collide.narrowphase.cylinder.touching_features import (
    gap_between,
    shared_point,
    touching_features,
)
from opendynamics.core.collide.narrowphase.shape_pair import FOUND, SHAPE_PAIR
from opendynamics.core.kernels import entry, kernel

NOWHERE = (inf, inf, inf)

# Gap between touching features of two cylinders, relative to their radii, above which the overlap along a direction is not least.
GAP = 1.0e-6


@kernel
def is_cylinder_pair(pair):
    """Whether this module handles the pair."""
    one, two = pair.a.kind, pair.b.kind
    if one == CYLINDER:
        return two == CYLINDER or two == BOX or two == CAPSULE
    return two == CYLINDER and (one == BOX or one == CAPSULE)


@entry(FOUND(SHAPE_PAIR, types.float64, types.int64))
def cylinder_penetration(pair, max_distance, scratch):
    """Overlap, its direction from the first core to the second, and the deepest point of each there.

    `max_distance`: largest distance of the cores for which all of these are computed. Beyond it the overlap and direction only
    prove that distance, and the points are NOWHERE.
    """
    floats = floats_at(scratch)
    sums, second = sums_of(pair, floats)
    end, r1, r2, axis, _, _ = sums
    best = toward(floats, sums)
    if best[0] < -max_distance:
        return best[0], best[1], NOWHERE, NOWHERE
    if r1 > 0.0:
        best = if_better(best, floats, sums, (0.0, 0.0, 1.0), DISC)
    if r2 > 0.0:
        best = if_better(best, floats, sums, axis, DISC + 1)
    if pair.a.kind == CAPSULE or pair.b.kind == CAPSULE:
        best = ends(best, floats, sums, pair)
    for i in range(0, end, 3):
        if best[0] < -max_distance:
            return best[0], best[1], NOWHERE, NOWHERE
        if not is_axis(sums, i):
            best = on_circle(best, floats, sums, i, 0.0)
    # Square to a disc's axis, the overlap with segments is less than its radius or least between two of them.
    if r1 > 0.0 and (r2 > 0.0 or r1 > best[0]):
        best = on_circle(best, floats, sums, 0, r1)
    if r2 > 0.0 and (r1 > 0.0 or r2 > best[0]):
        best = on_circle(best, floats, sums, end - 3, r2)
    if best[0] < -max_distance:
        return best[0], best[1], NOWHERE, NOWHERE
    if r1 > 0.0 and r2 > 0.0:
        best = where_circles_meet(best, floats, sums)
    best = polished(best, floats, sums) if best[2] % 8 == NO else exactly(best, floats)
    one, two = touching_features(best, floats, sums, second)
    shared = shared_point(one, two)
    if r1 > 0.0 and r2 > 0.0:
        gap = gap_between(one, two, shared)
        if dot(gap, gap) > (GAP * (r1 + r2)) ** 2:
            best = along_gap(best, floats, sums, gap)
            one, two = touching_features(best, floats, sums, second)
            shared = shared_point(one, two)
    return best[0], best[1], shared, add_scaled(shared, -best[0], best[1])


@kernel
def ends(best, floats, sums, pair):
    """`best` or the directions between the cylinder and the ends of a capsule's segment, as far as those are outside."""
    end, r1, r2, axis, c, _ = sums
    if pair.a.kind == CAPSULE:
        place, axial, radius, half, along = negate(c), get3_from(floats, 0), r2, 0.5 * pair.b.size[1], axis
    else:
        place, axial, radius, half, along = c, get3_from(floats, 3), r1, 0.5 * pair.a.size[1], (0.0, 0.0, 1.0)
    for k in range(2):
        p = add_scaled(place, 1.0 - 2.0 * k, axial)
        height = dot(p, along)
        across = add_scaled(p, -height, along)
        beyond = sqrt(dot(across, across))
        up = height - min(max(height, -half), half)
        n = scale(up, along)
        if beyond > radius:
            n = add_scaled(n, (beyond - radius) / beyond, across)
        nn = dot(n, n)
        if nn > 0.0:
            best = if_better(best, floats, sums, scale(1.0 / sqrt(nn), n), NONE)
    return best


@kernel
def is_axis(sums, at):
    """Whether the segment at a float is the one along a disc's axis."""
    return (sums[1] > 0.0 and at == 0) or (sums[2] > 0.0 and at == sums[0] - 3)
