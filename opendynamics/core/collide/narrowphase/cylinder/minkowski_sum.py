"""Cores as Minkowski sums of segments and discs about their centres: boxes, capsules' segments and cylinders.

The difference D of two of them is the sum of all segments and discs of both, less the offset c between the centres. Along
a unit vector n, with half segments s and discs of radius r about axes a, they overlap by

    h(n) = sum |n·s| + sum r |n x a| - n·c

The half segments are in scratch memory, the first core's first; the rest is a tuple, in the first core's frame:

    sums = (end, r1, r2, axis, c, inside)     end: float after the last segment; r1: radius of the first core's disc (0: it
                                              has none), whose axis is z and its only segment; r2, axis: of the second's;
                                              inside: radius of a ball that is in D, but for c

A direction found is a tuple (h, n, code). Its code says what is perpendicular to n where the cores touch: the segments i and j
(8 i + j), or only i (8 i + NO), or none (8 NO + NO); the first's disc (DISC) or the second's (DISC + 1); or nothing is known
of it (NONE).
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import column0, column1, column2
from opendynamics.core.algebra.vec3 import (
    cross,
    dot,
    get3_from,
    length,
    negate,
    put3_at,
    scale,
)
from opendynamics.core.bodies.shape import BOX, CYLINDER
from opendynamics.core.kernels import kernel

NO = 7
DISC = 100
NONE = -1

# A later direction must be better by this part: which of two equal ones is chosen does not depend on rounding.
BETTER = 1.0 + 1.0e-9

# Part by which a bound of the overlap is raised, so that the least one is below it.
SLACK = 1.0e-6


@kernel
def sums_of(pair, floats):
    """The sums of a pair of cores, and where the second one's segments begin."""
    x, y, z = column0(pair.rotation), column1(pair.rotation), column2(pair.rotation)
    second = put_segments(floats, 0, pair.a.kind, pair.a.size, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    end = put_segments(floats, second, pair.b.kind, pair.b.size, x, y, z)
    r1 = pair.a.size[0] if pair.a.kind == CYLINDER else 0.0
    r2 = pair.b.size[0] if pair.b.kind == CYLINDER else 0.0
    return (
        end,
        r1,
        r2,
        z,
        pair.offset,
        inradius(pair.a.kind, pair.a.size) + inradius(pair.b.kind, pair.b.size),
    ), second


@kernel
def put_segments(floats, at, kind, size, x, y, z):
    """Write a core's half segments, given the axes of its frame; returns where they end."""
    if kind == BOX:
        put3_at(floats, at, scale(0.5 * size[0], x))
        put3_at(floats, at + 3, scale(0.5 * size[1], y))
        put3_at(floats, at + 6, scale(0.5 * size[2], z))
        return at + 9
    put3_at(floats, at, scale(0.5 * size[1], z))
    return at + 3


@kernel
def inradius(kind, size):
    """The radius of the largest ball about its centre that is in a core."""
    if kind == BOX:
        return 0.5 * min(size[0], min(size[1], size[2]))
    return min(size[0], 0.5 * size[1]) if kind == CYLINDER else 0.0


@kernel
def barrel_radius(shape):
    """Radius about the axis of the straight parts of the core's surface, m."""
    return shape.size[0] if shape.kind == CYLINDER else 0.0


@kernel
def toward(floats, sums):
    """The overlap along the line of the centres, an upper bound of the minimum."""
    c = sums[4]
    cc = dot(c, c)
    n = scale(1.0 / sqrt(cc), c) if cc > 0.0 else (0.0, 0.0, 1.0)
    h, n, _ = if_better((inf, n, NONE), floats, sums, n, NONE)
    return h + SLACK * abs(h), n, NONE


@kernel
def if_better(best, floats, sums, n, code):
    """`best` or the overlap along n or -n."""
    end, r1, r2, axis, c, _ = sums
    out = dot(n, c)
    if out < 0.0:
        n, out = negate(n), -out
    h = -out
    for at in range(0, end, 3):
        h += abs(dot(n, get3_from(floats, at)))
    if r1 > 0.0 and code != DISC:
        h += r1 * sqrt(n[0] * n[0] + n[1] * n[1])
    if r2 > 0.0 and code != DISC + 1:
        h += r2 * length(cross(n, axis))
    if h * BETTER < best[0] or (h < 0.0 and h < best[0]):
        return h, n, code
    return best


@kernel
def exactly(best, floats):
    """`best`; a direction that is perpendicular to two segments is computed anew, without the rounding errors of the search."""
    h, n, code = best
    if code < 0 or code >= DISC or max(code // 8, code % 8) == NO:
        return best
    m = cross(get3_from(floats, 3 * (code // 8)), get3_from(floats, 3 * (code % 8)))
    k = 1.0 / sqrt(dot(m, m))
    return h, scale(k if dot(m, n) > 0.0 else -k, m), code
