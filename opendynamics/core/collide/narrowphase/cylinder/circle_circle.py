"""Circle-circle: minimum penetration of two cylinders where the edge circle of one touches that of the other.

D is curved in both directions there: its surface is a sum of two circles (`minkowski_sum.py`).
"""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

import numpy as np

from opendynamics.core.algebra.vec3 import (
    add_scaled,
    cross,
    dot,
    get3_from,
    length,
    normalize,
    plane_space,
    scale,
    subtract,
)
from opendynamics.core.collide.narrowphase.cylinder.minkowski_sum import BETTER, NO, if_better, toward
from opendynamics.core.kernels import kernel

# Code of a direction to which no segment is perpendicular.
CIRCLES = 8 * NO + NO

# Steps around half an edge circle; and (cosine, sine) at the middles between steps, from one before to one behind.
STEPS = 32
ROUND = np.array([(cos(a), sin(a)) for a in ((k - 0.5) * (pi / STEPS) for k in range(STEPS + 2))])

# Squared sine below which axes are parallel: then no two edge circles touch in a point.
PARALLEL = 1.0e-20

# A sum of points of both circles shorter than this, relative to the smaller radius, has no reliable direction.
TINY = 1.0e-4

# Tolerance of the slope in false position, relative to the radius.
FLAT = 1.0e-9
MAX_FALSE_POSITIONS = 24

# Tolerance of Newton's steps, relative to the sines between direction and axes; FAR: the longest step, rad.
CLOSE = 1.0e-9
FAR = 0.5
MAX_ROUNDS = 12

# For overlaps below this fraction of the smaller radius, Newton's method also starts from the line of the centres, with more
# iterations: near the surface of D, sums of circles inside D are near the origin too and hide the minimum.
SHALLOW = 0.2
MAX_ROUNDS_FROM_AFAR = 16

# Factor of a step from afar after one that did not reduce the overlap.
SHORTER = 0.25

# Lower bound of the curvature, relative to the sum of both, where Newton's method starts from afar.
MIN_CURVED = 1.0e-3

# Where touching features do not meet: the first turn towards where they do, rad, and how many times it is shortened.
TURN = 0.1
MAX_TURNS = 16


@kernel
def where_circles_meet(best, floats, sums):
    """`best` or the minimum penetration on the sum of two edge circles.

    For each point of the smaller circle the nearest point of the other follows; the distance of their sum from the origin of
    D is minimised over the smaller circle. The distance changes no faster than the point moves, so arcs that cannot fall
    below `best` are skipped; the rest is sampled in steps, and a sign change of the slope brackets a minimum.
    """
    end, r1, r2, axis, c, inside = sums
    s1, s2 = get3_from(floats, 0), get3_from(floats, 3)
    # By symmetry the direction is on the side of the axes' common normal that c is on.
    aside = cross(s1, s2)
    nn = dot(aside, aside)
    if nn <= PARALLEL * dot(s1, s1) * dot(s2, s2):
        return best
    aside = scale((1.0 if dot(aside, c) >= 0.0 else -1.0) / sqrt(nn), aside)
    first = (0.0, 0.0, 1.0)
    discs = (r1, first, r2, cross(axis, aside), aside) if r2 <= r1 else (r2, axis, r1, cross(first, aside), aside)
    if best[0] < SHALLOW * discs[2]:
        best = downhill(best, floats, sums, toward(floats, sums)[1], True)
        if best[0] < 0.0:
            return best
    per_step = STEPS / (pi * discs[2])
    for case in range(4):
        # First where c is.
        up1 = 1.0 if (c[2] >= 0.0) == (case < 2) else -1.0
        up2 = 1.0 if (dot(axis, c) >= 0.0) == (case % 2 == 0) else -1.0
        if not can_project(c, axis, up1, up2, inside - best[0]):
            continue
        base = subtract(add_scaled(scale(up1, s1), up2, s2), c)
        k, slope, next_to = 0, 0.0, False
        while k < STEPS + 2:
            here = (ROUND[k, 0], ROUND[k, 1])
            next_slope, away, _ = from_circle(base, discs, here)
            if next_to and slope < 0.0 <= next_slope:
                best = followed(
                    best, floats, sums, base, discs, (ROUND[k - 1, 0], ROUND[k - 1, 1]), here, slope, next_slope
                )
            slope = next_slope
            gap = (away - best[0]) * per_step
            next_to = gap < 1.0
            k += 1 if next_to else int(min(gap, STEPS + 2.0))
    if best[2] != CIRCLES:
        return best
    last = downhill((inf, best[1], CIRCLES), floats, sums, best[1], False)
    return last if last[0] <= best[0] * BETTER else best


@kernel
def can_project(c, axis, up1, up2, far):
    """Whether a unit vector with the given signs along both axes can have a projection of at least `far` on c."""
    most = cc = dot(c, c)
    if up1 * c[2] < 0.0:
        most = cc - c[2] * c[2]
    height = dot(c, axis)
    if up2 * height < 0.0:
        most = min(most, cc - height * height)
    return far <= 0.0 or most >= far * far


@kernel
def from_circle(base, discs, direction):
    """Slope of the squared distance / 2, the distance, and the sum of both circles' points, in a direction of one circle."""
    radius, axis, r, along, aside = discs
    x, y = direction
    p = add_scaled(base, r, add_scaled(scale(x, along), y, aside))
    height = dot(p, axis)
    across = add_scaled(p, -height, axis)
    out = sqrt(dot(across, across))
    lack = out - radius
    p = add_scaled(p, -radius / max(out, 1.0e-300), across)
    return dot(p, add_scaled(scale(-y, along), x, aside)), sqrt(height * height + lack * lack), p


@kernel
def followed(best, floats, sums, base, discs, low, high, before, after):
    """`best` or the overlap where the slope changes its sign between two directions.

    False position (Illinois) gives a start for Newton's method over both circles.
    """
    c = sums[4]
    kept, p, left, right, k, x, y = 0, base, 0.0, 1.0, 1.0, low[0], low[1]
    for _ in range(MAX_FALSE_POSITIONS):
        s = left + (right - left) * before / (before - after)
        x, y = (1.0 - s) * low[0] + s * high[0], (1.0 - s) * low[1] + s * high[1]
        k = 1.0 / sqrt(x * x + y * y)
        slope, _, p = from_circle(base, discs, (k * x, k * y))
        if slope < 0.0:
            left, before = s, slope
            after = 0.5 * after if kept < 0 else after
            kept = -1
        else:
            right, after = s, slope
            before = 0.5 * before if kept > 0 else before
            kept = 1
        if abs(slope) <= FLAT * discs[2]:
            break
    pp = dot(p, p)
    if pp <= (TINY * discs[2]) ** 2:
        # Too short to have a direction: take the one perpendicular to both circles' tangents.
        p = square_to_both(base, discs, (k * x, k * y))
        pp = dot(p, p)
    if pp == 0.0:
        return best
    return downhill(best, floats, sums, scale((1.0 if dot(p, c) >= 0.0 else -1.0) / sqrt(pp), p), False)


@kernel
def square_to_both(base, discs, direction):
    """The direction perpendicular to both circles' tangents where `from_circle` finds them nearest."""
    radius, axis, r, along, aside = discs
    x, y = direction
    across = cross(axis, add_scaled(base, r, add_scaled(scale(x, along), y, aside)))
    return cross(across, add_scaled(scale(-y, along), x, aside))


@kernel
def downhill(best, floats, sums, n, from_afar):
    """`best` or the local minimum of the overlap h that Newton's method on the sphere of directions finds from n.

    The support p of D is the gradient of h; at a minimum it has no component perpendicular to n. The Hessian has curvature
    r/sin along the tangents b of the circles at the touching points, and -h in all directions from the sphere.

    From afar, steps that do not reduce h are shortened.
    """
    end, r1, r2, axis, c, _ = sums
    s1, s2 = get3_from(floats, 0), get3_from(floats, 3)
    before, start, change, part = inf, n, n, 1.0
    for _ in range(MAX_ROUNDS_FROM_AFAR if from_afar else MAX_ROUNDS):
        b1, b2 = (-n[1], n[0], 0.0), cross(axis, n)
        q1, q2 = dot(b1, b1), dot(b2, b2)
        if q1 == 0.0 or q2 == 0.0:
            return best
        k1, k2 = r1 / sqrt(q1), r2 / sqrt(q2)
        p = subtract(add_scaled((k1 * n[0], k1 * n[1], 0.0), k2, cross(b2, axis)), c)
        p = add_scaled(p, 1.0 if dot(n, s1) >= 0.0 else -1.0, s1)
        p = add_scaled(p, 1.0 if dot(n, s2) >= 0.0 else -1.0, s2)
        h = dot(n, p)
        if from_afar:
            if h >= before:
                part *= SHORTER
                n = normalize(add_scaled(start, part, change))
                continue
            before, start = h, n
        t, u = plane_space(n)
        x1, y1, x2, y2 = dot(b1, t), dot(b1, u), dot(b2, t), dot(b2, u)
        k1, k2 = k1 / q1, k2 / q2
        tt, tu, uu = k1 * x1 * x1 + k2 * x2 * x2 - h, k1 * x1 * y1 + k2 * x2 * y2, k1 * y1 * y1 + k2 * y2 * y2 - h
        det = tt * uu - tu * tu
        if not (det > 0.0 and tt > 0.0):
            if not from_afar:
                break
            # Negative curvature: leave out the sphere's.
            more = h + MIN_CURVED * (k1 + k2)
            tt, uu = tt + more, uu + more
            det = tt * uu - tu * tu
        gt, gu = dot(p, t), dot(p, u)
        x, y = (gu * tu - gt * uu) / det, (gt * tu - gu * tt) / det
        step = x * x + y * y
        part = FAR / sqrt(step) if step > FAR * FAR else 1.0
        change = add_scaled(scale(x, t), y, u)
        n = normalize(add_scaled(n, part, change))
        if step <= CLOSE * CLOSE * (q1 + q2):
            break
    if from_afar:
        best = if_better(best, floats, sums, start, CIRCLES)
    return if_better(best, floats, sums, n, CIRCLES)


@kernel
def along_gap(best, floats, sums, gap):
    """`best`, whose touching features are a gap apart, or the minimum downhill from it.

    Next to the normal of a cap the overlap has a kink, and its minimum may be within the small angle of nearly parallel axes:
    neither samples nor Newton's method from afar find it. Turning n along the gap reduces the overlap, at a rate that is the gap.
    """
    turn = TURN / length(gap)
    for _ in range(MAX_TURNS):
        n = normalize(add_scaled(best[1], turn, gap))
        there = if_better(best, floats, sums, n, CIRCLES)
        if there[0] < best[0]:
            return downhill(best, floats, sums, there[1], True)
        turn *= SHORTER
    return best
