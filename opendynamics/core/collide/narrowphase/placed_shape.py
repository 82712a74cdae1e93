"""Convex bodies as surfaces see them: (kind, size, data, place, turn), placed in the surface's frame."""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import row0, row1, row2, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, magnitudes, negate, put3_at, subtract
from opendynamics.core.arrays.hulls import hull_floats, hulls_at
from opendynamics.core.collide.narrowphase.collider import floats_at
from opendynamics.core.collide.narrowphase.features import feature
from opendynamics.core.collide.narrowphase.shape_pair import (
    BOX,
    CAPSULE,
    CONVEX,
    CYLINDER,
    SUPPORT,
    TRIANGLE,
    core_support,
    radius_of,
)
from opendynamics.core.kernels import kernel

# Factor by which own boxes of shapes other than boxes are larger, so that rounding leaves out nothing that touches.
ROOMY = 1.0 + 1.0e-7


@kernel
def extreme(body, n):
    """The point of the body's core furthest along `n`."""
    kind, size, data, place, turn = body
    return add(place, times(turn, core_support(kind, size, data, transposed_times(turn, n))))


@kernel
def lowest(body, n):
    """The least n·x of the body."""
    if body[0] == BOX:
        return dot(n, body[3]) - 0.5 * dot(magnitudes(transposed_times(body[4], n)), body[1])
    return dot(n, extreme(body, negate(n))) - radius_of(body[0], body[1])


@kernel
def face(body, n, scratch, at):
    """Write the corners of the core's face that looks most directly against `n` to scratch from float `at` on."""
    kind, size, data, place, turn = body
    floats = floats_at(scratch)
    if kind == TRIANGLE:
        corners = hull_floats(data, 9)
        for k in range(9):
            floats[at + k] = corners[k]
        return 3
    count, _ = feature(kind, size, data, negate(transposed_times(turn, n)), scratch, at)
    if count == 0:
        put3_at(floats, at, extreme(body, negate(n)))
        return 1
    for k in range(at, at + 3 * count, 3):
        put3_at(floats, k, add(place, times(turn, get3_from(floats, k))))
    return count


@kernel
def box_of(body):
    """Lowest and highest coordinates."""
    if body[0] == BOX:
        half = body[1]
        x, y = dot(magnitudes(row0(body[4])), half), dot(magnitudes(row1(body[4])), half)
        z = dot(magnitudes(row2(body[4])), half)
        p = body[3]
        return (p[0] - 0.5 * x, p[1] - 0.5 * y, p[2] - 0.5 * z), (p[0] + 0.5 * x, p[1] + 0.5 * y, p[2] + 0.5 * z)
    low = (lowest(body, (1.0, 0.0, 0.0)), lowest(body, (0.0, 1.0, 0.0)), lowest(body, (0.0, 0.0, 1.0)))
    x, y, z = lowest(body, (-1.0, 0.0, 0.0)), lowest(body, (0.0, -1.0, 0.0)), lowest(body, (0.0, 0.0, -1.0))
    return low, (-x, -y, -z)


@kernel
def own_box(body, margin):
    """The oriented box of the body with a margin around it, a little larger still unless it is a box.

    Infinite if the body's extent is not known. See `triangles/oriented_box.py`.
    """
    kind, size, _, place, turn = body
    if kind == CONVEX:
        hull = hulls_at(body[2])[0]
        low, high = get3(hull.low), get3(hull.high)
        more = (ROOMY - 1.0) * (high[0] - low[0] + high[1] - low[1] + high[2] - low[2]) + margin
        low = (low[0] - more, low[1] - more, low[2] - more)
        return place, turn, low, (high[0] + more, high[1] + more, high[2] + more)
    half = (inf, inf, inf)
    if kind == BOX:
        half = (0.5 * size[0] + margin, 0.5 * size[1] + margin, 0.5 * size[2] + margin)
    elif kind == CYLINDER or kind == CAPSULE:
        along = 0.5 * size[1] + (size[0] if kind == CAPSULE else 0.0)
        half = (ROOMY * size[0] + margin, ROOMY * size[0] + margin, ROOMY * along + margin)
    return place, turn, negate(half), half


@kernel
def seen_by(body, corners):
    """The corners of a triangle in the body's own frame."""
    a = transposed_times(body[4], subtract(corners[0], body[3]))
    b = transposed_times(body[4], subtract(corners[1], body[3]))
    return a, b, transposed_times(body[4], subtract(corners[2], body[3]))


@kernel
def width_of(body):
    """A length below which the body is nowhere thinner."""
    kind, size = body[0], body[1]
    if kind == BOX:
        return min(size[0], min(size[1], size[2]))
    if kind == CAPSULE:
        return 2.0 * size[0]
    if kind == SUPPORT:
        return size[2]
    if kind == CONVEX:
        hull = hulls_at(body[2])[0]
        planes, width = hull_floats(body[2] + hull.planes_at, 4 * hull.faces), inf
        for k in range(hull.faces):
            n = get3_from(planes, 4 * k)
            width = min(width, planes[4 * k + 3] + dot(negate(n), core_support(kind, size, body[2], negate(n))))
        return 0.5 * width
    return min(2.0 * size[0], size[1])


@kernel
def is_thinner(body, length):
    """Whether the body is somewhere thinner than this; of a polyhedron, square to one of its faces."""
    if body[0] != CONVEX:
        return width_of(body) < length
    hull = hulls_at(body[2])[0]
    planes, inner, centre = hull_floats(body[2] + hull.planes_at, 4 * hull.faces), inf, get3(hull.centroid)
    for k in range(hull.faces):
        inner = min(inner, planes[4 * k + 3] - dot(get3_from(planes, 4 * k), centre))
    # It holds a ball about its centroid; its width is dear.
    return 2.0 * inner < length and 2.0 * width_of(body) < length
