"""GJK: the closest points of two convex cores that are apart (Gilbert, Johnson, Keerthi 1988).

A simplex of up to four points of the Minkowski difference D = {a - b} moves towards the origin: each iteration computes its point
v closest to the origin, and adds the support point s of D along -v. |v|² - v·s bounds the remaining error, as D is convex. The
closest point of the new simplex always involves the newest vertex, so eight subsets are tested, each by its affine hull.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3_from, negate, scale, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.collide.narrowphase.convex.minkowski import VERTEX, put_vertex, vertex
from opendynamics.core.collide.narrowphase.shape_pair import FOUND, SHAPE_PAIR, pair_extent, supports
from opendynamics.core.kernels import entry, kernel

MAX_ITERATIONS = 128

# Convergence, relative to |v|²; and distance, relative to the extent, below which the cores touch.
CLOSE_ENOUGH = 2.0e-16
TOUCHING = 1.0e-11

# Volume of a tetrahedron, relative to that of its edges, below which rounding decides what is inside.
NO_VOLUME = 1.0e-13


@entry(FOUND(SHAPE_PAIR, types.int64))
def closest_points(pair, scratch):
    """Distance of the cores, its direction from the first to the second, and the closest point of each.

    Coordinates are in the first one's frame. The distance is 0 if they touch or overlap.
    """
    floats = floats_at(scratch)
    extent = pair_extent(pair)
    least = (TOUCHING * extent) ** 2
    a, b = supports(pair, pair.offset if dot(pair.offset, pair.offset) > 0.0 else (1.0, 0.0, 0.0))
    put_vertex(floats, 0, a, b)
    count, v = 1, subtract(a, b)
    square = dot(v, v)
    for _ in range(MAX_ITERATIONS):
        if square <= least:
            return 0.0, (0.0, 0.0, 1.0), a, b
        on_a, on_b = supports(pair, negate(v))
        w = subtract(on_a, on_b)
        if square - dot(v, w) <= CLOSE_ENOUGH * square or is_vertex(floats, count, w):
            break
        put_vertex(floats, count, on_a, on_b)
        count, nearer, new_a, new_b = closest_simplex(floats, count)
        if count == 4:
            return 0.0, (0.0, 0.0, 1.0), a, b
        if dot(nearer, nearer) >= square:
            break
        v, a, b = nearer, new_a, new_b
        square = dot(v, v)
    return sqrt(square), scale(-1.0 / sqrt(square), v), a, b


@kernel
def is_vertex(floats, count, w):
    """Whether `w` is already a vertex of the simplex."""
    for k in range(count):
        v = vertex(floats, k)
        if v[0] == w[0] and v[1] == w[1] and v[2] == w[2]:
            return True
    return False


@kernel
def closest_simplex(floats, last):
    """Reduce the simplex to the vertices whose hull has the point closest to the origin; the newest is `last`.

    Returns their number (4: the origin is inside), that point, and the points of a and b that make it.
    """
    w = vertex(floats, last)
    best = (dot(w, w), -1, -1, 0.0, 0.0)
    for i in range(last):
        best = with_edge(best, w, vertex(floats, i), i)
    for i in range(last):
        for j in range(i + 1, last):
            best = with_triangle(best, w, vertex(floats, i), vertex(floats, j), i, j)
    if last == 3 and encloses(w, vertex(floats, 0), vertex(floats, 1), vertex(floats, 2)):
        return 4, w, w, w
    _, i, j, s, t = best
    r = 1.0 - s - t
    base = VERTEX * last
    a, b = scale(r, get3_from(floats, base)), scale(r, get3_from(floats, base + 3))
    count = 0
    if i >= 0:
        a, b = add_scaled(a, s, get3_from(floats, VERTEX * i)), add_scaled(b, s, get3_from(floats, VERTEX * i + 3))
        move_vertex(floats, i, count)
        count += 1
    if j >= 0:
        a, b = add_scaled(a, t, get3_from(floats, VERTEX * j)), add_scaled(b, t, get3_from(floats, VERTEX * j + 3))
        move_vertex(floats, j, count)
        count += 1
    move_vertex(floats, last, count)
    v = scale(r, w)
    if i >= 0:
        v = add_scaled(v, s, vertex(floats, 0))
    if j >= 0:
        v = add_scaled(v, t, vertex(floats, 1))
        # By the normal: a difference of vertices would lose the small distance from a large triangle.
        n = cross(subtract(vertex(floats, 0), w), subtract(vertex(floats, 1), w))
        v = scale(dot(w, n) / dot(n, n), n)
    return count + 1, v, a, b


@kernel
def move_vertex(floats, source, target):
    if source != target:
        for k in range(VERTEX):
            floats[VERTEX * target + k] = floats[VERTEX * source + k]


@kernel
def with_edge(best, w, x, i):
    """The better of `best` and the point of w-x nearest to the origin; best: squared distance, vertices, weights."""
    e = subtract(x, w)
    ee = dot(e, e)
    s = -dot(w, e) / ee if ee > 0.0 else 0.0
    if s > 0.0 and s < 1.0:
        v = add_scaled(w, s, e)
        square = dot(v, v)
        if square < best[0]:
            return square, i, -1, s, 0.0
    return best


@kernel
def with_triangle(best, w, x, y, i, j):
    e, f = subtract(x, w), subtract(y, w)
    n = cross(e, f)
    nn = dot(n, n)
    if nn > 0.0:
        c = cross(n, w)
        s, t = -dot(c, f) / nn, dot(c, e) / nn
        if s > 0.0 and t > 0.0 and s + t < 1.0:
            height = dot(w, n)
            square = height * height / nn
            if square < best[0]:
                return square, i, j, s, t
    return best


@kernel
def encloses(w, x, y, z):
    """Whether the origin is clearly inside the tetrahedron: its parts of the volume, face by face, all of one sign."""
    e, f, g = subtract(x, w), subtract(y, w), subtract(z, w)
    volume = dot(e, cross(f, g))
    flat = NO_VOLUME * sqrt(dot(e, e) * dot(f, f) * dot(g, g))
    if abs(volume) <= flat:
        return False
    sign = 1.0 if volume > 0.0 else -1.0
    opposite_x = -sign * dot(w, cross(f, g))
    opposite_y = -sign * dot(w, cross(g, e))
    opposite_z = -sign * dot(w, cross(e, f))
    opposite_w = abs(volume) - opposite_x - opposite_y - opposite_z
    return opposite_x > 0.0 and opposite_y > 0.0 and opposite_z > 0.0 and opposite_w > 0.0
