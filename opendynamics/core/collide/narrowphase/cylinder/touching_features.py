"""Deepest points of two cores that are sums of segments and discs: a point that their touching features share.

Along the minimum translation vector the core a is touched by its feature furthest along n, b by its feature furthest along
-n, and b's, moved by the overlap h along n, meets a's. A feature is the sum of everything perpendicular to n: a vertex, an
edge or a barrel's line, a face, or a cap's disc. Rounding decides which end of a perpendicular segment n·s > 0 selects, so
the whole segment is used.

Reads the half segments in scratch memory and `sums` of `minkowski_sum.py`. A feature is a tuple: its centre, two half vectors at
right angles to each other (zeros: none), the radius of a disc (0: none), and whether it is a point of an edge circle.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3_from, scale, subtract
from opendynamics.core.kernels import kernel

# Cosine between n and a segment, or sine between n and a disc's axis, below which they are square: what is known of the direction
# where edge circles of nearly parallel axes meet.
SQUARE = 1.0e-7

# Squared sine between lines below which they run side by side: where they cross would be rounding.
PARALLEL = 1.0e-14

NOTHING = (0.0, 0.0, 0.0)


@kernel
def gap_between(one, two, shared):
    """From the first of two features in one plane to the second, which both should meet at a point: zero if they do."""
    return subtract(nearest(two, shared), nearest(one, shared))


@kernel
def touching_features(best, floats, sums, second):
    """The features of both cores along the direction of `best`, in one plane: the second's is moved by the overlap."""
    end, r1, r2, axis, c, _ = sums
    h, n, _ = best
    one = touching_feature(floats, 0, second, n, 1.0, NOTHING, r1, (0.0, 0.0, 1.0))
    return one, touching_feature(floats, second, end, n, -1.0, add_scaled(c, h, n), r2, axis)


@kernel
def touching_feature(floats, first, last, n, sign, centre, radius, axis):
    """The part of a core furthest along sign * n: its segments are those from float `first` until before `last`."""
    u = v = NOTHING
    for at in range(first, last, 3):
        s = get3_from(floats, at)
        along, ss = dot(n, s), dot(s, s)
        if along * along > SQUARE * SQUARE * ss:
            centre = add_scaled(centre, sign if along > 0.0 else -sign, s)
        elif dot(u, u) == 0.0:
            u = s
        elif ss > 0.0:
            v = s
    if radius == 0.0:
        return centre, u, v, 0.0, False
    across = add_scaled(n, -dot(n, axis), axis)
    square = dot(across, across)
    if square <= SQUARE * SQUARE:
        return centre, u, v, radius, False
    return add_scaled(centre, sign * radius / sqrt(square), across), u, v, 0.0, dot(u, u) == 0.0


@kernel
def shared_point(f, g):
    """A point that two features in one plane share; where rounding leaves none, one of f or g next to the other."""
    if is_vertex(f):
        return f[0]
    if is_vertex(g):
        return g[0]
    if f[4]:
        return f[0]
    if g[4]:
        return g[0]
    if f[3] > 0.0:
        return nearest(g, f[0])
    if g[3] > 0.0:
        return nearest(f, g[0])
    if dot(f[2], f[2]) == 0.0 and dot(g[2], g[2]) == 0.0:
        return crossing(f, g)
    return middle_within(f, g) if dot(f[2], f[2]) == 0.0 else middle_within(g, f)


@kernel
def is_vertex(feature):
    """Whether it is one point, known exactly: a corner or the end of a segment."""
    return dot(feature[1], feature[1]) == 0.0 and feature[3] == 0.0 and not feature[4]


@kernel
def nearest(feature, point):
    """The point of a feature nearest to a point of its plane."""
    centre, u, v, radius, _ = feature
    offset = subtract(point, centre)
    if radius > 0.0:
        square = dot(offset, offset)
        return point if square <= radius * radius else add_scaled(centre, radius / sqrt(square), offset)
    return add(centre, add(scale(fraction_along(offset, u), u), scale(fraction_along(offset, v), v)))


@kernel
def fraction_along(offset, u):
    """How far `offset` leads along u, as a fraction of it, between -1 and 1."""
    uu = dot(u, u)
    return min(max(dot(offset, u) / uu, -1.0), 1.0) if uu > 0.0 else 0.0


@kernel
def crossing(f, g):
    """Where two segments cross; if they run side by side, the middle of their common stretch."""
    u, v, offset = f[1], g[1], subtract(g[0], f[0])
    normal = cross(u, v)
    nn = dot(normal, normal)
    if nn <= PARALLEL * dot(u, u) * dot(v, v):
        return middle_within(f, g)
    s = dot(cross(offset, v), normal) / nn
    return add_scaled(f[0], min(max(s, -1.0), 1.0), u)


@kernel
def middle_within(line, face):
    """The middle of what of a segment is in a face, or alongside another segment."""
    start = subtract(line[0], face[0])
    low, high = clipped_to(start, line[1], face[1], -1.0, 1.0)
    low, high = clipped_to(start, line[1], face[2], low, high)
    return add_scaled(line[0], 0.5 * (low + high), line[1])


@kernel
def clipped_to(start, along, u, low, high):
    """The part of the interval of s in which start + s along is no further along u than u is, to either side."""
    uu, rate = dot(u, u), dot(along, u)
    at = dot(start, u)
    # Square to u, all or nothing of it is inside; as features share points, all.
    if abs(rate) <= SQUARE * sqrt(uu * dot(along, along)):
        return low, high
    first, last = (-uu - at) / rate, (uu - at) / rate
    return min(max(low, min(first, last)), high), max(min(high, max(first, last)), low)
