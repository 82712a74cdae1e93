"""Edge axes: minimum penetration of a convex body and an edge over the arc of the Gauss map between the normals of its two faces.

Along n the overlap with the edge's point v is f(n) = n·v - min n·x, x over the body. Directions are given by the chord q from
the one normal to the other, n = q / |q|. f is least where its slope changes sign, x being the body's lowest point: by a
jump, from one vertex of a polyhedron to the next, or smoothly.

A body is given as in `narrowphase/placed_shape.py`, in the frame of the edge.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import add, add_scaled, dot, magnitudes, negate, normalize, scale, subtract
from opendynamics.core.bodies.shape import is_curved, radius_of
from opendynamics.core.collide.narrowphase.placed_shape import lowest, support_point
from opendynamics.core.kernels import kernel

# A later direction must be better by this factor, so that rounding does not decide which of two equal ones is chosen.
BETTER = 1.0 + 1.0e-9
# A round body: parts of an arc in which a change of sign is looked for, and how it is closed in on: steps in all, of which
# the first by false position, and the width of the interval, relative to the chord, that is enough.
PARTS = 4
SMALL_TURN = 0.05  # an arc whose chord is no longer than this is one part
MAX_ROUNDS = 64
FALSE_POSITIONS = 16
CLOSE = 1.0e-15
# A box: fraction of the largest term of an overlap that rounding does not reach.
CERTAIN = 1.0e-12
# A polyhedron: the most changes of its lowest vertex on an arc that are followed.
MAX_CHANGES = 64
ROUNDING = 1.0e-14


@kernel
def min_on_arc(best, body, start, normal, other, foot):
    """`best` or the minimum penetration along the directions between the normals of a ridge's two sides, at its point `start`.

    `foot`: the body's lowest point along the first normal.
    """
    return min_overlap_between_feet(best, body, start, normal, other, foot, support_point(body, negate(other)))


@kernel
def min_overlap_between_feet(best, body, start, normal, other, foot, last):
    """The same, given also the body's lowest point along the other normal."""
    if _bound(body, start, normal, other, foot, last) * BETTER >= best[0]:
        return best
    if is_curved(body.shape):
        return _smooth(best, body, start, normal, other)
    return _between(best, body, start, normal, other, foot, last)


@kernel
def min_overlap_between(body, start, n, m, foot):
    """A bound of the overlap between the directions n and m, as `_bound` says."""
    return _bound(body, start, n, m, foot, support_point(body, negate(m)))


@kernel
def _bound(body, start, n, m, foot, last):
    """A lower bound of the overlap between the directions n and m. 0: unknown; infinity: it is no less than at one of the ends.

    On the chord from n to m, max q·(v - x) is a convex function of q, above its tangents at both ends, of which x is the
    support there. On the arc it is that by the chord's |q| <= 1, so no less.
    """
    d, radius = subtract(m, n), radius_of(body.shape)
    first = subtract(start, foot)
    here = dot(first, d)
    if here >= 0.0:
        return inf
    last = subtract(start, last)
    there = dot(last, d)
    if there <= 0.0:
        return inf
    level = dot(first, n)
    least = level + here * (dot(last, n) - level) / (here - there)
    return least + radius if least > 0.0 else 0.0


@kernel
def _better(best, body, start, n):
    depth = dot(n, start) - lowest(body, n)
    if depth * BETTER < best[0]:
        return depth, n
    return best


@kernel
def _between(best, body, start, n, m, foot, last):
    """`best` or the minimum penetration of a polyhedron on the arc from n to m; `foot` and `last`: its lowest vertices there.

    While one vertex x stays the lowest, f = n·(v - x) is concave where it is positive, so that its least values are where
    the lowest vertex changes. Two vertices change where the chord from n to m is perpendicular to their difference; if a third
    one is lower there, both changes to it are looked for on either side.
    """
    at, x = 0.0, foot
    for _ in range(MAX_CHANGES):
        if x[0] == last[0] and x[1] == last[1] and x[2] == last[2]:
            return best
        # The first change after `at`: the other vertex is replaced by lower ones until none is lower.
        y = last
        t = _change(n, m, x, y)
        for _ in range(MAX_CHANGES):
            q = _on_chord(n, m, t)
            z = support_point(body, negate(q))
            if dot(q, z) >= dot(q, x) - ROUNDING * (abs(dot(q, x)) + abs(dot(q, z))):
                break
            y = z
            t = _change(n, m, x, y)
        if not t < 1.0:
            return best
        if t > at:  # several vertices may change at once
            best = _better(best, body, start, normalize(_on_chord(n, m, t)))
            at = t
        x = y
    return best


@kernel
def _on_chord(n, m, t):
    return add_scaled(scale(1.0 - t, n), t, m)


@kernel
def _change(n, m, x, y):
    """At which fraction of the chord from n to m x and y are equally high at."""
    gap = subtract(y, x)
    here, there = dot(n, gap), dot(m, gap)
    return here / (here - there)


@kernel
def _smooth(best, body, start, n, m):
    """`best` or the minimum penetration of a round body on an arc: where its slope changes sign."""
    before = _slope(body, start, n, m, 0.0)
    gap = subtract(m, n)
    parts = PARTS if dot(gap, gap) > SMALL_TURN * SMALL_TURN else 1
    for k in range(1, parts + 1):
        after = _slope(body, start, n, m, k / parts)
        if before < 0.0 < after:
            at = _root(body, start, n, m, (k - 1) / parts, k / parts, before, after)
            best = _better(best, body, start, normalize(_on_chord(n, m, at)))
        before = after
    return best


@kernel
def _root(body, start, n, m, low, high, before, after):
    """Place on the chord, between `low` and `high`, at which the slope rises above zero: false position, the Illinois algorithm.

    Where an end stays twice, its value is halved, so that both close in; a jump is met by halving the interval.
    """
    kept = 0
    for k in range(MAX_ROUNDS):
        width = high - low
        at = low + width * (before / (before - after) if k < FALSE_POSITIONS else 0.5)
        if not low < at < high or width < CLOSE * high:
            break
        here = _slope(body, start, n, m, at)
        if here < 0.0:
            low, before = at, here
            after = 0.5 * after if kept < 0 else after
            kept = -1
        else:
            high, after = at, here
            before = 0.5 * before if kept > 0 else before
            kept = 1
        if here == 0.0:
            break
    return high


@kernel
def _slope(body, start, n, m, t):
    """Derivative of q·(v - x) / |q| along the chord, but for a factor that is positive."""
    q, d = _on_chord(n, m, t), subtract(m, n)
    w = subtract(start, support_point(body, negate(q)))
    return dot(d, w) * dot(q, q) - dot(q, w) * dot(q, d)


@kernel
def min_overlap_of_box_on_arc(least, half, start, n, m):
    """The same for a box, in its own frame: (overlap, direction) on the arc from n to m if that is below `least`.

    While the box's lowest vertex stays the same, the overlap is least at an end. It changes where a coordinate of the
    direction is zero.
    """
    best = (least, n)
    reach = add(magnitudes(start), half)
    for axis in range(3):
        if n[axis] * m[axis] < 0.0:
            q = add_scaled(scale(abs(m[axis]), n), abs(n[axis]), m)
            # Most overlaps are no less, which shows without dividing by the length of q.
            bound = dot(q, start) + dot(magnitudes(q), half) - CERTAIN * dot(magnitudes(q), reach)
            if bound > 0.0 and bound * bound > best[0] * best[0] * dot(q, q):
                continue
            q = normalize(q)
            overlap = dot(q, start) + dot(magnitudes(q), half)
            if overlap * BETTER < best[0]:
                best = (overlap, q)
    return best
