"""Box and triangle.

Overlaps are those of the separating axis test of a box and a triangle (Akenine-Moeller, Fast 3D Triangle-Box Overlap
Testing, 2001), taken in the box's frame: the triangle's normal, the box's, and the cross products of edges.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, magnitudes, scale, subtract
from opendynamics.core.bodies.triangles import is_peak, may_be_peak, ridge_at
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER, least_of_box_on_arc
from opendynamics.core.kernels import kernel


@kernel
def meet_box(body, surface, key, corners, across, normal, beyond):
    """Least overlap with a triangle and its direction; a depth below zero: none.

    The triangle may be apart from the box all the same: see `disjoint.py`. With `beyond`, it need not be
    touched, only be on the way out.
    """
    r, half = body.rotation, scale(0.5, get3(body.shape.size))
    n, p, q, s = in_box(body, corners, normal)
    level, reach = dot(n, p), dot(magnitudes(n), half)
    if level + reach < 0.0 or (level - reach > 0.0 and not beyond):
        return -1.0, normal
    best = (level + reach, normal)
    for axis in range(3):
        depth, outward, corner = _on_side(
            best[0], r, corners, across, (p[axis], q[axis], s[axis]), half[axis], axis, n[axis]
        )
        if depth * BETTER < best[0] and is_peak(surface, key, corner, outward):
            best = depth, outward
    for k in range(3):
        ridge, m = ridge_at(surface, key, corners, across, k, normal)
        if ridge:
            start = p if k == 0 else (q if k == 1 else s)
            overlap, outward = least_of_box_on_arc(best[0], half, start, n, transposed_times(r, m))
            if overlap < best[0]:
                best = overlap, times(r, outward)
    return best


@kernel
def least_of_box(body, surface, key, corners, across, normal, beyond):
    """What the overlap that `meet_box` finds is no less than: that of the box's normals without asking for peaks."""
    r, half = body.rotation, scale(0.5, get3(body.shape.size))
    n, p, q, s = in_box(body, corners, normal)
    level, reach = dot(n, p), dot(magnitudes(n), half)
    if level + reach < 0.0 or (level - reach > 0.0 and not beyond):
        return -1.0
    least = level + reach
    for axis in range(3):
        along = p[axis], q[axis], s[axis]
        least = min(least, _on_side(least, r, corners, across, along, half[axis], axis, n[axis])[0])
    for k in range(3):
        ridge, m = ridge_at(surface, key, corners, across, k, normal)
        if ridge:
            start = p if k == 0 else (q if k == 1 else s)
            least = min(least, least_of_box_on_arc(least, half, start, n, transposed_times(r, m))[0])
    return least


@kernel
def in_box(body, corners, normal):
    """Normal and corners of a triangle as seen from the box."""
    p = transposed_times(body.rotation, subtract(corners[0], body.position))
    q = transposed_times(body.rotation, subtract(corners[1], body.position))
    s = transposed_times(body.rotation, subtract(corners[2], body.position))
    return transposed_times(body.rotation, normal), p, q, s


@kernel
def _on_side(least, r, corners, across, along, half, axis, facing):
    """The overlap along the box's normal that faces the triangle, that normal, and which corner is the highest.

    Infinity unless it is below `least` and the corner may be a peak. `along`: the corners on the axis.
    """
    way = 1.0 if facing > 0.0 else -1.0
    top = max(way * along[0], max(way * along[1], way * along[2]))
    corner = 0 if way * along[0] == top else (1 if way * along[1] == top else 2)
    depth = half + top
    outward = (way * r[axis], way * r[axis + 3], way * r[axis + 6])
    if facing == 0.0 or depth < 0.0 or depth >= least or not may_be_peak(corners, across, corner, outward):
        return inf, outward, corner
    return depth, outward, corner


@kernel
def edges_separate(seen, size):
    """Whether a direction square to an edge of the triangle and one of the box separates them."""
    half, (p, q, s) = scale(0.5, size), seen
    return _edge_separates(p, q, s, half) or _edge_separates(q, s, p, half) or _edge_separates(s, p, q, half)


@kernel
def _edge_separates(start, end, third, half):
    x, y, z = subtract(end, start)
    if _is_gap(z * start[1] - y * start[2], z * third[1] - y * third[2], half[1] * abs(z) + half[2] * abs(y)):
        return True
    if _is_gap(x * start[2] - z * start[0], x * third[2] - z * third[0], half[0] * abs(z) + half[2] * abs(x)):
        return True
    return _is_gap(y * start[0] - x * start[1], y * third[0] - x * third[1], half[0] * abs(y) + half[1] * abs(x))


@kernel
def _is_gap(here, there, reach):
    return min(here, there) > reach or max(here, there) < -reach
