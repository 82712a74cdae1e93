"""Closest points of two segments, and of a segment and a box.

Both minimise a convex function of where on the segments the points are, and neither divides by anything that can
vanish: segments may be parallel, cross, or have no length.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, subtract
from opendynamics.core.kernels import kernel

# Squared sine below which two directions count as parallel. Looking at ends only is then as good as rounding allows.
PARALLEL = 1.0e-20


@kernel
def nearest_on_segment(point, start, along, k):
    """The point of the segment from `start` to `start + along` nearest to `point`; k is 1 / |along|², or 0."""
    return add_scaled(start, min(max(dot(subtract(point, start), along) * k, 0.0), 1.0), along)


@kernel
def nearer(best, p, q):
    """The closer of two pairs of points, each as (squared distance, point, point)."""
    gap = subtract(p, q)
    square = dot(gap, gap)
    if square < best[0]:
        return square, p, q
    return best


@kernel
def closest_on_segments(a1, a2, b1, b2):
    """The closest points of the segments a1-a2 and b1-b2, first the one on a.

    |a1 + s u - b1 - t v|² is convex over the unit square of (s, t). The lines are closest at s = (w x v)·n / n² with
    w = b1 - a1, n = u x v: by products, not by differences of squares, so that s times the angle is exact however
    small the angle. Clamp s, follow with the best t, and where that must be clamped too, with the best s again
    (Ericson, Real-Time Collision Detection, 2005, 5.1.9). Parallel segments that run side by side have many closest
    pairs: the one returned contains an end, the first of a1, a2, b1, b2 that has one.
    """
    u, v, w = subtract(a2, a1), subtract(b2, b1), subtract(b1, a1)
    n = cross(u, v)
    uu, vv, nn = dot(u, u), dot(v, v), dot(n, n)
    if nn > PARALLEL * uu * vv:
        uv = dot(u, v)
        s = min(max(dot(cross(w, v), n) / nn, 0.0), 1.0)
        t = (s * uv - dot(v, w)) / vv
        if t < 0.0 or t > 1.0:
            t = 0.0 if t < 0.0 else 1.0
            s = min(max((t * uv + dot(u, w)) / uu, 0.0), 1.0)
        return add_scaled(a1, s, u), add_scaled(b1, t, v)
    k_u, k_v = 1.0 / uu if uu > 0.0 else 0.0, 1.0 / vv if vv > 0.0 else 0.0
    best = nearer((inf, a1, b1), a1, nearest_on_segment(a1, b1, v, k_v))
    best = nearer(best, a2, nearest_on_segment(a2, b1, v, k_v))
    best = nearer(best, nearest_on_segment(b1, a1, u, k_u), b1)
    best = nearer(best, nearest_on_segment(b2, a1, u, k_u), b2)
    return best[1], best[2]


@kernel
def clamped(x, half):
    """The point of the box |x_i| <= half_i nearest to `x`."""
    return (
        min(max(x[0], -half[0]), half[0]),
        min(max(x[1], -half[1]), half[1]),
        min(max(x[2], -half[2]), half[2]),
    )


@kernel
def slope(start, along, half, t):
    """Half the derivative, by t, of the squared distance of the point start + t along from the box."""
    x = add_scaled(start, t, along)
    return dot(along, subtract(x, clamped(x, half)))


@kernel
def narrowed(bracket, start, along, half, t):
    """Shrink the bracket (t low, slope low < 0, t high, slope high >= 0) of the minimum by one more place."""
    low, slope_low, high, slope_high = bracket
    if low < t < high:
        s = slope(start, along, half, t)
        if s < 0.0:
            return t, s, high, slope_high
        return low, slope_low, t, s
    return bracket


@kernel
def closest_to_box(start, along, half):
    """Where, in [0, 1], the segment from `start` to `start + along` is nearest to the box |x_i| <= half_i.

    The squared distance is convex in t, and its slope rises linearly between the places where the segment crosses the
    planes of the box. So those six places narrow a bracket down to one linear piece, which is then solved. Where the
    slope vanishes on a stretch (a segment parallel to a face, or inside), its beginning is returned, as by ODE.
    """
    first = slope(start, along, half, 0.0)
    if first >= 0.0:
        return 0.0
    last = slope(start, along, half, 1.0)
    if last < 0.0:
        return 1.0
    bracket = (0.0, first, 1.0, last)
    for axis in range(3):
        if along[axis] != 0.0:
            bracket = narrowed(bracket, start, along, half, (half[axis] - start[axis]) / along[axis])
            bracket = narrowed(bracket, start, along, half, (-half[axis] - start[axis]) / along[axis])
    low, slope_low, high, slope_high = bracket
    return low + (high - low) * slope_low / (slope_low - slope_high)
