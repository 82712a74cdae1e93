"""Refinement of a penetration or separation direction between curved cores by Newton's method: its last digits.

Where the surface of D = {a - b} is curved, an error e of the direction changes the overlap h(n) by e² only, so that a
search that stops by h leaves half the digits of n to chance. What touches there decides what is left to find:

* a barrel, or an edge: D is straight along it, and n is square to it, so that only the angle about it is free;
* two of these that cross: n is square to both, and the deepest points are where they cross;
* rims alone: both angles are free.

At the right angle the support s(n) has no part across n; Newton finds where. The result is taken if it overlaps no more.
"""

from __future__ import annotations

from math import cos, sin

from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, normalize, plane_space, scale, subtract
from opendynamics.core.bodies.shape import is_curved, ruling_of
from opendynamics.core.collide.narrowphase.shape_pair import pair_extent, supports
from opendynamics.core.kernels import kernel

# Step of the difference quotients, the most that one step of Newton's may turn, rad, and the cosine below which n counts
# as square to an axis.
STEP = 1.0e-4
FAR = 1.0e-2
SQUARE = 1.0e-5

# Squared sine below which two straight parts do not cross.
PARALLEL = 1.0e-12

# Part of the extent by which the overlap may grow, and by which supports are beside each other where touching features are not
# points: on a cone's side the support is at one of its ends.
ROUNDING = 4.0e-15
BESIDE = 1.0e-6

# Part of the extent that the support of a point moves at most as n crosses over.
SMALL = 1.0e-3


@kernel
def refined(pair, h, n, on_a, on_b):
    """Overlap h (negative apart), direction, and deepest points, better if a core may be curved.

    A support function does not show what is straight: its core counts as curved, and where it is flat, n stays.
    """
    if not (is_curved(pair.a) or is_curved(pair.b)):
        return h, n, on_a, on_b
    line_a, line_b = straight_parts(pair, n)
    straight_a, straight_b = dot(line_a, line_a) > 0.0, dot(line_b, line_b) > 0.0
    if straight_a and straight_b:
        across = cross(line_a, line_b)
        if dot(across, across) < PARALLEL * dot(line_a, line_a) * dot(line_b, line_b):
            return h, n, on_a, on_b
        m = normalize(scale(dot(across, n), across))
    elif straight_a:
        m = about(pair, n, normalize(line_a))
    elif straight_b:
        m = about(pair, n, normalize(line_b))
    else:
        m = anywhere(pair, n)
        if same(m, n):
            return h, n, on_a, on_b
    a, b = supports(pair, m)
    new = dot(subtract(a, b), m)
    extent = pair_extent(pair)
    if not new <= h + ROUNDING * extent:
        return h, n, on_a, on_b
    if straight_a and straight_b:
        # Where the lines through both supports cross, seen along n.
        across = cross(line_a, line_b)
        a = add_scaled(a, dot(cross(subtract(b, a), line_b), across) / dot(across, across), line_a)
        b = add_scaled(a, -new, m)
    elif straight_a:
        a = add_scaled(b, new, m)
    else:
        beside = subtract(add_scaled(a, -new, m), b)
        if straight_b or dot(beside, beside) <= (BESIDE * extent) ** 2 or is_point(pair, m, 0, extent):
            return new, m, a, add_scaled(a, -new, m)
        if is_point(pair, m, 1, extent):
            return new, m, add_scaled(b, new, m), b
        return h, n, on_a, on_b
    return new, m, a, b


@kernel
def is_point(pair, n, which, extent):
    """Whether the feature of the first core (0) or the second (1) that is furthest along n is one point."""
    p, q = plane_space(n)
    one, other = change(pair, n, p)[which], change(pair, n, q)[which]
    return max(dot(one, one), dot(other, other)) <= (SMALL * extent) ** 2


@kernel
def same(m, n):
    return m[0] == n[0] and m[1] == n[1] and m[2] == n[2]


@kernel
def straight_parts(pair, n):
    """Along what the surface of each core is straight where n leads to, in the first one's frame; 0: nothing."""
    p, q = plane_space(n)
    line_a, line_b = change(pair, n, p)
    more_a, more_b = change(pair, n, q)
    if is_curved(pair.a):
        line_a = ruling_of(pair.a, n)
    elif dot(line_a, line_a) == 0.0:
        line_a = more_a
    if is_curved(pair.b):
        line_b = times(pair.rotation, ruling_of(pair.b, transposed_times(pair.rotation, n)))
    elif dot(line_b, line_b) == 0.0:
        line_b = more_b
    return line_a, line_b


@kernel
def change(pair, n, t):
    """How far the supports of both cores move as n crosses over along t."""
    a, b = supports(pair, add_scaled(n, SQUARE, t))
    c, d = supports(pair, add_scaled(n, -SQUARE, t))
    return subtract(a, c), subtract(b, d)


@kernel
def slope(pair, n, t):
    """The part along t of the support along n."""
    a, b = supports(pair, n)
    return dot(subtract(a, b), t)


@kernel
def turned(n, t, angle):
    return add_scaled(scale(cos(angle), n), sin(angle), t)


@kernel
def about(pair, n, axis):
    """n square to an axis, turned about it to where the support has no part across n."""
    n = normalize(add_scaled(n, -dot(n, axis), axis))
    for _ in range(3):
        t = cross(axis, n)
        there = slope(pair, turned(n, t, STEP), turned(t, n, -STEP))
        here = slope(pair, turned(n, t, -STEP), turned(t, n, STEP))
        rate = (there - here) / (2.0 * STEP)
        if rate != 0.0:
            angle = -slope(pair, n, t) / rate
            n = normalize(turned(n, t, min(max(angle, -FAR), FAR)))
    return n


@kernel
def anywhere(pair, n):
    """n turned in both directions to where the support has no part across it."""
    for _ in range(3):
        p, q = plane_space(n)
        pp, qp = quotients(pair, n, p, p, q)
        pq, qq = quotients(pair, n, q, p, q)
        f, g = slope(pair, n, p), slope(pair, n, q)
        det = pp * qq - pq * qp
        if det != 0.0:
            u, v = -(f * qq - g * pq) / det, -(g * pp - f * qp) / det
            far = max(max(abs(u), abs(v)) / FAR, 1.0)
            n = normalize(add_scaled(add_scaled(n, u / far, p), v / far, q))
    return n


@kernel
def quotients(pair, n, t, p, q):
    """How the parts along p and q of the support, less what is along n, change as n goes along t."""
    m, k = normalize(add_scaled(n, STEP, t)), normalize(add_scaled(n, -STEP, t))
    a, b = supports(pair, m)
    there = subtract(a, b)
    a, b = supports(pair, k)
    here = subtract(a, b)
    r = 1.0 / (2.0 * STEP)
    there, here = add_scaled(there, -dot(there, m), m), add_scaled(here, -dot(here, k), k)
    return (dot(there, p) - dot(here, p)) * r, (dot(there, q) - dot(here, q)) * r
