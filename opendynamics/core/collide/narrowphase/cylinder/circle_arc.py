"""Edge circle and arc: minimum penetration over an arc of directions on which one core is touched by its edge circle.

Between two unit vectors n and m directions are given by the chord, q = n + s (m - n), s from 0 to 1. A disc of radius r about
the axis a reaches r |q x a| along q, a point p reaches q·p, so that the overlap of the unit vector q / |q| is

    h(s) = F(s) / |q|,    F = w0 + w1 s + r E,    E = sqrt((b0 + b1 s)² + z |q|²),    |q|² = 1 - k s + k s²,    k = |m - n|²

where, u being perpendicular to the arc, b0 + b1 s = (q x a)·u and z = (a·u)². F is convex: it is nowhere below its tangents at
the ends, and as |q| <= 1, neither is h if they meet above zero. Where the minimum may be lower than at the ends, Newton's method
finds where h' = 0, in an interval that is narrowed.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, normalize, scale, subtract
from opendynamics.core.kernels import kernel

MAX_ROUNDS = 40

# What roots are taken of at least: where a disc is seen on edge, it ends in a corner.
LEAST = 1.0e-300

# A later direction must be better by this part: which of two equal ones is chosen does not depend on rounding.
BETTER = 1.0 + 1.0e-9

# Last step of Newton's method, relative to the chord: the error left is of the order of its square.
CLOSE = 1.0e-9

# Parts in which a dip is looked for on a chord whose ends slope in the same sense.
PARTS = 8


@kernel
def min_on_chord(least, w0, w1, b0, b1, z, k, r):
    """Where on the chord h is least, and how much, if that is less than `least` and not at an end; -1 if not."""
    f0, g0, _ = _derivatives(0.0, w0, w1, b0, b1, z, k, r)
    f1, g1, _ = _derivatives(1.0, w0, w1, b0, b1, z, k, r)
    if is_no_less(least, f0, g0, f1, g1):
        return -1.0, least
    here, there = g0 + 0.5 * k * f0, g1 - 0.5 * k * f1
    # If both ends slope in the same sense, h may yet dip between.
    parts = 1 if here < 0.0 < there else PARTS
    at, step = -1.0, 1.0 / parts
    for part in range(1, parts + 1):
        s, after = step * part, there
        if part < parts:
            f, g, _ = _derivatives(s, w0, w1, b0, b1, z, k, r)
            after = g * (1.0 - k * s * (1.0 - s)) - f * k * (s - 0.5)
        if here < 0.0 < after:
            start = (f1 - f0 - g1) / (g0 - g1) if parts == 1 and g0 < 0.0 < g1 else s - 0.5 * step
            found, least = _lowest(least, s - step, start, s, w0, w1, b0, b1, z, k, r)
            at = found if found >= 0.0 else at
        here = after
    return at, least


@kernel
def is_no_less(least, f0, g0, f1, g1):
    """Whether a convex F is nowhere on a chord below `least`, or nowhere below its ends, as its slopes there say."""
    if f0 < 0.0 or f1 < 0.0:
        return False
    if g0 >= 0.0 or g1 <= 0.0:
        return True
    # Where the tangents meet.
    return f0 + g0 * (f1 - f0 - g1) / (g0 - g1) >= max(least, 0.0)


@kernel
def _derivatives(s, w0, w1, b0, b1, z, k, r):
    """F and its first two derivatives."""
    b = b0 + b1 * s
    root = sqrt(max(b * b + z * (1.0 - k * s * (1.0 - s)), LEAST))
    slope = (b * b1 + z * k * (s - 0.5)) / root
    return w0 + w1 * s + r * root, w1 + r * slope, r * (b1 * b1 + z * k - slope * slope) / root


@kernel
def _lowest(least, low, at, high, w0, w1, b0, b1, z, k, r):
    """Newton's method for h' = 0 between `low`, where it is negative, and `high`, where it is positive."""
    s = at
    for _ in range(MAX_ROUNDS):
        f, g, c = _derivatives(s, w0, w1, b0, b1, z, k, r)
        square, slope = 1.0 - k * s * (1.0 - s), k * (s - 0.5)
        down = g * square - f * slope
        if down < 0.0:
            low = s
        else:
            high = s
        rate = c * square + g * slope - f * k
        new = s - down / rate if rate > 0.0 else -1.0
        if abs(new - s) <= CLOSE:
            s = new
            break
        s = new if low < new < high else 0.5 * (low + high)
    f, _, _ = _derivatives(s, w0, w1, b0, b1, z, k, r)
    h = f / sqrt(1.0 - k * s * (1.0 - s))
    if h < least:
        return s, h
    return -1.0, least


@kernel
def min_overlap_of_cylinder_on_arc(best, size, axis, place, n, m):
    """`best` or the least (overlap, direction) of a cylinder and an edge, between the normals n and m of the edge's sides.

    place: of a point of the edge, from the cylinder's centre. Where the direction is perpendicular to the axis, the support
    point changes from one edge circle to the other, and the barrel touches.
    """
    here, there = dot(n, axis), dot(m, axis)
    if here * there < 0.0:
        q = normalize(add_scaled(scale(abs(there), n), abs(here), m))
        overlap = dot(q, place) + size[0]
        if overlap * BETTER < best[0]:
            best = (overlap, q)
        best = _of_circle(best, size, axis, place, n, q, here)
        return _of_circle(best, size, axis, place, q, m, there)
    return _of_circle(best, size, axis, place, n, m, here + there)


@kernel
def _of_circle(best, size, axis, place, n, m, up):
    """`best` or the minimum penetration of one edge circle between the directions n and m; `up`: sign of its cap."""
    d, u = subtract(m, n), normalize(cross(n, m))
    w = add_scaled(place, 0.5 * size[1] if up > 0.0 else -0.5 * size[1], axis)
    b0, b1, z = dot(cross(n, axis), u), dot(cross(d, axis), u), dot(axis, u)
    s, overlap = min_on_chord(best[0], dot(w, n), dot(w, d), b0, b1, z * z, dot(d, d), size[0])
    if s >= 0.0 and overlap * BETTER < best[0]:
        return overlap, normalize(add_scaled(n, s, d))
    return best
