"""Refinement of a penetration or separation direction between curved cores by Newton's method: its last digits.

Where the surface of D = {a - b} is curved, an error e of the direction changes the overlap h(n) by e² only, so that a
search that stops by h determines only half the digits of n. The touching features decide which angles remain to be found:

* a barrel, or an edge: D is straight along it, and n is perpendicular to it, so that only the angle about it is free;
* two of these that cross: n is perpendicular to both, and the deepest points are where they cross;
* edge circles alone: both angles are free.

At the solution the support s(n) is parallel to n, which Newton's method solves for. The result is used if it overlaps no more.
"""

from __future__ import annotations

from math import cos, inf, sin

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import (
    add_scaled,
    cross,
    dot,
    get3_from,
    length,
    negate,
    normalize,
    plane_space,
    scale,
    subtract,
)
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import feature_of, is_curved, ruling_of
from opendynamics.core.bodies.shapes import FIRST_BY_ADDRESS, VECTOR
from opendynamics.core.collide.narrowphase.shape_pair import FOUND, SHAPE_PAIR, pair_extent, supports
from opendynamics.core.kernels import entry, kernel

# Step of the difference quotients, well below the slope of faces between which the support point of an edge circle moves half way
# round; largest angle of a step of Newton's method, rad.
STEP = 1.0e-6
FAR = 1.0e-2
# Largest number of steps about a line, in both directions, and where two straight parts cross. Of two bodies that are nearly
# balls, the search may end 0.3 rad away from the minimum, which takes as many steps of FAR more.
ROUNDS = 24
ROUNDS_IN_BOTH = 9
ROUNDS_FROM_AFAR = 40
CROSSINGS = 2
# Cosine below which n counts as perpendicular to an axis.
SQUARE = 1.0e-5

# Step of one-sided difference quotients: half the digits.
SHORT = 1.0e-8

# Cosines tried to distinguish nearly perpendicular edges. At the smallest, a face is flat, and n may be less accurate.
SPANS = (SQUARE, 1.0e-8, 3.0e-7)

ZERO = (0.0, 0.0, 0.0)

# rad, between directions of opposite slopes that are as far apart as on a face: faces are parallel.
FLAT = 3.0e-9

# Squared sine below which two straight parts do not cross.
PARALLEL = 1.0e-12

# Relative to the extent: by how much the overlap may grow; the part of the support across n at which iterations stop; and what
# may be left of it after the last iteration.
ROUNDING = 4.0e-15
CLOSE = 1.0e-13
CONVERGED = 1.0e-9

# Fraction of the extent that the support of a point moves at most as n crosses over.
SMALL = 1.0e-3


@entry(FOUND(SHAPE_PAIR, types.float64, VECTOR, VECTOR, VECTOR, types.int64))
def refined(pair, h, n, on_a, on_b, scratch):
    """Overlap h (negative apart), direction, and deepest points, better if a core may be curved.

    A support function does not show what is straight: its core counts as curved, and where it is flat, n stays.
    """
    if not (is_curved(pair.a) or is_curved(pair.b)):
        return h, n, on_a, on_b
    line_a, line_b = straight_parts(pair, n, scratch)
    straight_a, straight_b = dot(line_a, line_a) > 0.0, dot(line_b, line_b) > 0.0
    if straight_a and straight_b and are_parallel(line_a, line_b):
        return h, n, on_a, on_b
    if straight_a and straight_b:
        for _ in range(CROSSINGS):
            across = cross(line_a, line_b)
            m = normalize(scale(dot(across, n), across))
            line_a, line_b = line_at(pair, 0, m, line_a, scratch), line_at(pair, 1, m, line_b, scratch)
    elif straight_a:
        m = refined_about_line(pair, n, 0, line_a, scratch)
    elif straight_b:
        m = refined_about_line(pair, n, 1, line_b, scratch)
    else:
        m = refined_in_both_directions(pair, n)
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
        b = add_scaled(a, -new, m)
    return new, m, a, b


@kernel
def are_parallel(line_a, line_b):
    across = cross(line_a, line_b)
    return dot(across, across) < PARALLEL * dot(line_a, line_a) * dot(line_b, line_b)


@kernel
def straight_line(shape, n, scratch):
    """Along what a curved core is straight where n leads to: a cylinder's barrel, or a feature of two corners; zeros: nothing."""
    if shape.kind < FIRST_BY_ADDRESS:
        return ruling_of(shape, n)
    corners, _ = feature_of(shape, n, scratch, 0)
    if corners == 2:
        floats = floats_at(scratch)
        line = subtract(get3_from(floats, 3), get3_from(floats, 0))
        if abs(dot(line, n)) < SQUARE * length(line):
            return line
    return 0.0, 0.0, 0.0


@kernel
def same(m, n):
    return m[0] == n[0] and m[1] == n[1] and m[2] == n[2]


@kernel
def straight_parts(pair, n, scratch):
    """Along what the surface of each core is straight where n leads to, in the first one's frame; 0: nothing."""
    line_a = straight_line(pair.a, n, scratch) if is_curved(pair.a) else edge_of(pair, n, 0)
    if is_curved(pair.b):
        return line_a, times(pair.rotation, straight_line(pair.b, negate(transposed_times(pair.rotation, n)), scratch))
    return line_a, edge_of(pair, n, 1)


@kernel
def edge_of(pair, n, which):
    """The edge of a polyhedral core (0: the first, 1: the second) that is perpendicular to n; zeros: a vertex.

    On a face that leans by less than SQUARE, other edges are nearly so; supports nearer to n distinguish them.
    """
    p, q = plane_space(n)
    line = ZERO
    for span in SPANS:
        new, other = change(pair, n, p, span)[which], change(pair, n, q, span)[which]
        if dot(new, new) == 0.0:
            new = other
        if dot(new, new) > 0.0:
            if dot(other, other) == 0.0 or are_parallel(new, other):
                return new
            if dot(line, line) > 0.0:
                return line
            line = new
        elif span == SQUARE:
            return line
    return line


@kernel
def change(pair, n, t, span):
    """Displacements of both support points as n moves along t, from -`span` to +`span`."""
    a, b = supports(pair, add_scaled(n, span, t))
    c, d = supports(pair, add_scaled(n, -span, t))
    return subtract(a, c), subtract(b, d)


@kernel
def slope(pair, n, t):
    """Component along t of the support along n."""
    a, b = supports(pair, n)
    return dot(subtract(a, b), t)


@kernel
def turned(n, t, angle):
    return add_scaled(scale(cos(angle), n), sin(angle), t)


@kernel
def refined_about_line(pair, n, which, line, scratch):
    """n perpendicular to the line of one core, turned about it to where the support has no part across n.

    By secants: as n turns, the line of a cone turns with it, which one of its ends alone does not show. Once the part has had
    both signs, by false position (Illinois): next to a face, an edge circle's point goes half round within the small angle
    between face and circle.
    """
    before = angle = 0.0
    # Angles from n to directions with a part below zero and above, and those parts; 0: not found yet.
    left = right = below = above = 0.0
    extent = pair_extent(pair)
    for k in range(ROUNDS):
        axis = normalize(line_at(pair, which, n, line, scratch))
        n = normalize(add_scaled(n, -dot(n, axis), axis))
        t = cross(axis, n)
        here = slope(pair, n, t)
        if abs(here) <= CLOSE * extent:
            break
        left, right = left - angle, right - angle
        if here < 0.0:
            left, below, above = 0.0, here, 0.5 * above if before < 0.0 else above
        else:
            right, above, below = 0.0, here, 0.5 * below if before > 0.0 else below
        if below < 0.0 and above > 0.0:
            if right - left < FLAT and abs(here) > SMALL * extent:
                break
            angle = left + (right - left) * below / (below - above)
        else:
            if k == 0:
                rate = (slope(pair, turned(n, t, STEP), turned(t, n, -STEP)) - here) / STEP
            elif angle != 0.0:
                rate = (here - before) / angle
            if rate == 0.0:
                break
            angle = min(max(-here / rate, -FAR), FAR)
        before = here
        n = normalize(turned(n, t, angle))
    axis = normalize(line_at(pair, which, n, line, scratch))
    return normalize(add_scaled(n, -dot(n, axis), axis))


@kernel
def line_at(pair, which, n, line, scratch):
    """The straight part of a core where n leads to, which was `line` nearby: that of a cone is another in every direction."""
    shape = pair.b if which else pair.a
    if not is_curved(shape):
        return line
    if which:
        new = times(pair.rotation, straight_line(shape, negate(transposed_times(pair.rotation, n)), scratch))
    else:
        new = straight_line(shape, n, scratch)
    return new if dot(new, new) > 0.0 else line


@kernel
def refined_in_both_directions(pair, n):
    """n turned in both directions to where the support has no part across it; n itself if Newton's method does not converge.

    Where a cap leans little, its edge circle's point turns fast, and the first iterations may be far off.
    """
    extent, start, away = pair_extent(pair), n, inf
    for k in range(ROUNDS_FROM_AFAR):
        p, q = plane_space(n)
        a, b = supports(pair, n)
        here = subtract(a, b)
        f, g, h = dot(here, p), dot(here, q), dot(here, n)
        away = f * f + g * g
        if away <= ((CLOSE if k < ROUNDS_IN_BOTH else CONVERGED) * extent) ** 2:
            break
        pp, qp = quotients(pair, n, p, here, p, q)
        pq, qq = quotients(pair, n, q, here, p, q)
        pp, qq = pp - h, qq - h
        det = pp * qq - pq * qp
        if det != 0.0:
            u, v = -(f * qq - g * pq) / det, -(g * pp - f * qp) / det
            far = max(max(abs(u), abs(v)) / FAR, 1.0)
            n = normalize(add_scaled(add_scaled(n, u / far, p), v / far, q))
    return n if away <= (CONVERGED * extent) ** 2 else start


@kernel
def quotients(pair, n, t, here, p, q):
    """Derivatives along t of the components along p and q of the support, which is `here` at n."""
    a, b = supports(pair, normalize(add_scaled(n, SHORT, t)))
    moved = subtract(subtract(a, b), here)
    return dot(moved, p) / SHORT, dot(moved, q) / SHORT
