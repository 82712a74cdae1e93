"""Box and triangle.

Overlaps are those of the separating axis test of a box and a triangle (Akenine-Moeller, Fast 3D Triangle-Box Overlap
Testing, 2001), taken in the box's frame: the triangle's normal, the box's, and the cross products of edges.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import column0, column1, column2, times, transposed_times
from opendynamics.core.algebra.vec3 import dot, negate, scale, subtract
from opendynamics.core.bodies.triangles import is_below, is_peak
from opendynamics.core.collide.narrowphase.separation import magnitudes
from opendynamics.core.kernels import kernel

# A later direction must be better by this part: which of two equal ones is chosen does not hang on rounding.
BETTER = 1.0 + 1.0e-9
# Squared sine below which edges count as parallel.
PARALLEL = 1.0e-12


@kernel
def meet_box(body, surface, key, corners, across, ridges, normal, beyond):
    """Least overlap with a triangle and its direction; a depth below zero: none.

    With `beyond`, the triangle need not be touched, only be on the way out.
    """
    centre, r, half = body[3], body[4], scale(0.5, body[1])
    n = transposed_times(r, normal)
    p = transposed_times(r, subtract(corners[0], centre))
    level, reach = dot(n, p), dot(magnitudes(n), half)
    if level + reach < 0.0 or (level - reach > 0.0 and not beyond):
        return -1.0, normal
    q = transposed_times(r, subtract(corners[1], centre))
    s = transposed_times(r, subtract(corners[2], centre))
    best = (level + reach, normal)
    for axis in range(3):
        best = _box_normal(best, body, surface, key, (p[axis], q[axis], s[axis]), half[axis], axis, normal, beyond)
    if best[0] < 0.0:
        return best
    best = _edge_axes(best, body, (p, q, s), n, corners[0], across[0], ridges[0], beyond)
    best = _edge_axes(best, body, (q, s, p), n, corners[1], across[1], ridges[1], beyond)
    return _edge_axes(best, body, (s, p, q), n, corners[2], across[2], ridges[2], beyond)


@kernel
def _box_normal(best, body, surface, key, along, half, axis, normal, beyond):
    """`best` or the overlap along a normal of the box; `along`: the triangle's corners on that axis."""
    low, high = min(along[0], min(along[1], along[2])), max(along[0], max(along[1], along[2]))
    if best[0] < 0.0 or ((low > half or high < -half) and not beyond):
        return -1.0, normal
    outward = column2(body[4])
    if axis < 2:
        outward = column0(body[4]) if axis == 0 else column1(body[4])
    if half + high >= 0.0 and (half + high) * BETTER < best[0] and dot(outward, normal) > 0.0:
        corner = 0 if along[0] == high else (1 if along[1] == high else 2)
        if is_peak(surface, key, corner, outward):
            best = (half + high, outward)
    if half - low >= 0.0 and (half - low) * BETTER < best[0] and dot(outward, normal) < 0.0:
        corner = 0 if along[0] == low else (1 if along[1] == low else 2)
        if is_peak(surface, key, corner, negate(outward)):
            best = (half - low, negate(outward))
    return best


@kernel
def _edge_axes(best, body, ends, n, start, across, ridge, beyond):
    """`best` or the overlap along the cross product of the edge ends[0] - ends[1] and an edge of the box."""
    x, y, z = subtract(ends[1], ends[0])
    square = x * x + y * y + z * z
    best = _edge_axis(best, body, ends, n, start, across, (0.0, z, -y), square, ridge, beyond)
    best = _edge_axis(best, body, ends, n, start, across, (-z, 0.0, x), square, ridge, beyond)
    return _edge_axis(best, body, ends, n, start, across, (y, -x, 0.0), square, ridge, beyond)


@kernel
def _edge_axis(best, body, ends, n, start, across, m, square, ridge, beyond):
    if best[0] < 0.0:
        return best
    reach = 0.5 * dot(magnitudes(m), body[1])
    here, there = dot(m, ends[0]), dot(m, ends[2])
    if (min(here, there) > reach or max(here, there) < -reach) and not beyond:
        return -1.0, best[1]
    if not ridge:
        return best
    mm = dot(m, m)
    if mm <= PARALLEL * square:
        return best
    if there > here:
        m, here = negate(m), -here
    overlap = here + reach
    if overlap < 0.0 or dot(m, n) <= 0.0:
        return best
    length = sqrt(mm)
    if overlap * BETTER < best[0] * length:
        outward = times(body[4], scale(1.0 / length, m))
        if is_below(outward, start, across):
            return overlap / length, outward
    return best
