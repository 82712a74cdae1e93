"""Contact manifold of two convex cores whose penetration depth along a direction n is known.

The facing features of both are clipped against each other, projected along n: at each corner of their common area the contact
depth is the distance of the surfaces along n, and its position is halfway between them. The deepest point itself is always a
contact. If there are more than `limit`, `reduction.py` selects.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, get3_from, negate, plane_space, put3_at, scale
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import feature_of, is_curved
from opendynamics.core.bodies.shapes import MAX_CORNERS, geom_at
from opendynamics.core.bodies.shapes.convex import STEEP
from opendynamics.core.collide.narrowphase.collider import NEAR, points_at, set_point
from opendynamics.core.collide.narrowphase.cylinder.minkowski_sum import barrel_radius
from opendynamics.core.collide.narrowphase.primitives.clipping import clipped
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, reduce_manifold
from opendynamics.core.collide.narrowphase.shape_pair import pair_extent
from opendynamics.core.kernels import kernel

# Scratch memory: the features' corners, polygons for clipping, candidates.
ON_A = 0
ON_B = ON_A + 3 * MAX_CORNERS
CUT = ON_B + 3 * 2 * MAX_CORNERS
CANDIDATES = CUT + 3 * 2 * MAX_CORNERS

# Squared sine, projected along n, below which two segments are parallel.
ALONGSIDE = 1.0e-4

# Distance, relative to the size of the contact area, below which two contacts are merged.
SAME = 1.0e-6

# Tolerance, relative to the depth and to the cores' extent, within which a corner replaces the deepest point.
AS_DEEP = 1.0e-8
ROUNDING = 1.0e-12

# Cosine between n and a face's normal above which the face is perpendicular to n up to rounding.
FLAT = 1.0 - 1.0e-10

# Most alternating projections of the deepest point onto both features; they converge slowly where the features just touch.
PROJECTIONS = 20

# Marks the deepest point once a corner of the area has replaced it.
CORNER = 1.0


@kernel
def make_contacts(pair, radii, n, depth, on_a, on_b, a, limit, points, scratch):
    """Write the contacts of cores, `depth` deep along `n` from the first to the second at the points on_a and on_b.

    n and the points are in the frame of the geom at address `a`; `radii`, of both cores, are part of the depth.
    """
    floats = floats_at(scratch)
    p, q = plane_space(n)
    middle = scale(0.5, add(add_scaled(on_a, radii[0], n), add_scaled(on_b, -radii[1], n)))
    put_candidate(floats, 0, (dot(middle, p), dot(middle, q), dot(middle, n)), depth)
    enough = (1.0 - AS_DEEP) * depth - ROUNDING * pair_extent(pair)
    count = on_features(pair, radii, n, p, q, depth, enough, scratch)
    count = merged(floats, count, depth, enough)
    geom = geom_at(a)
    r, place = get9(geom.rotation), get3(geom.position)
    normal = negate(times(r, n))
    found = points_at(points, limit)
    for k in range(reduce_manifold(scratch, CANDIDATES, count, limit)):
        here = CANDIDATES + k * POINT_FLOATS
        at = add_scaled(add_scaled(scale(floats[here], p), floats[here + 1], q), floats[here + 2], n)
        set_point(found[k], add(place, times(r, at)), normal, floats[here + 3])
    return count


@kernel
def put_candidate(floats, k, place, depth):
    at = CANDIDATES + k * POINT_FLOATS
    put3_at(floats, at, place)
    floats[at + 3] = depth
    floats[at + 4] = 0.0


@kernel
def merged(floats, count, depth, enough):
    """Drop the deepest point if a corner of the area is as deep: corners support better than points between them."""
    if floats[CANDIDATES + 4] == CORNER:
        return count
    for k in range(1, count):
        at = CANDIDATES + k * POINT_FLOATS
        if floats[at + 3] >= enough:
            floats[at + 3] = depth
            return without_first(floats, count)
    return count


@kernel
def without_first(floats, count):
    """Drop the first candidate, unless it is the only one. Returns how many there are."""
    if count == 1:
        return count
    last = CANDIDATES + (count - 1) * POINT_FLOATS
    for c in range(4):
        floats[CANDIDATES + c] = floats[last + c]
    return count - 1


@kernel
def on_features(pair, radii, n, p, q, depth, enough, scratch):
    """Add the candidates of the features to the deepest point; returns their number."""
    floats = floats_at(scratch)
    corners_a, m_a = feature_of(pair.a, n, scratch, ON_A)
    if corners_a < 2:
        return 1
    corners_b, m_b = feature_of(pair.b, negate(transposed_times(pair.rotation, n)), scratch, ON_B)
    if corners_b < 2:
        return 1
    m_b = times(pair.rotation, m_b)
    for at in range(ON_B, ON_B + 3 * corners_b, 3):
        put3_at(floats, at, add(pair.offset, times(pair.rotation, get3_from(floats, at))))
    to_axes(floats, ON_A, corners_a, p, q, n)
    to_axes(floats, ON_B, corners_b, p, q, n)
    _move_deepest(pair, floats, corners_a, abs(dot(m_a, n)) > FLAT, corners_b, abs(dot(m_b, n)) > FLAT)
    lift, near = radii[0] + radii[1], NEAR * (pair_extent(pair) + radii[0] + radii[1])
    shift = 0.5 * (radii[0] - radii[1])
    if corners_a == 2 and corners_b == 2:
        barrels = (radii[0] + barrel_radius(pair.a), radii[1] + barrel_radius(pair.b))
        return alongside(floats, depth, enough, lift, shift, near, barrels)
    if corners_a > 2 and abs(dot(m_a, n)) >= STEEP:
        at, corners = clipped(scratch, ON_B, corners_b, CUT, ON_A, corners_a, 1.0)
        plane = (ON_A, dot(m_a, p) / dot(m_a, n), dot(m_a, q) / dot(m_a, n))
        return with_area(floats, at, corners, plane, -1.0, depth, enough, lift, shift, near)
    if corners_b > 2 and abs(dot(m_b, n)) >= STEEP:
        at, corners = clipped(scratch, ON_A, corners_a, CUT, ON_B, corners_b, -1.0)
        plane = (ON_B, dot(m_b, p) / dot(m_b, n), dot(m_b, q) / dot(m_b, n))
        return with_area(floats, at, corners, plane, 1.0, depth, enough, lift, shift, near)
    return 1


@kernel
def _move_deepest(pair, floats, corners_a, flat_a, corners_b, flat_b):
    """Move the deepest point onto both features, projected along n.

    Between faces that are parallel up to rounding, SAT and EPA determine its depth but not its position.
    """
    u, v = floats[CANDIDATES], floats[CANDIDATES + 1]
    x, y = u, v
    for k in range(PROJECTIONS):
        before = x, y
        if flat_a or corners_a == 2:
            x, y = nearest_on(floats, ON_A, corners_a, is_curved(pair.a), x, y)
        if flat_b or corners_b == 2:
            x, y = nearest_on(floats, ON_B, corners_b, is_curved(pair.b), x, y)
        if x == before[0] and y == before[1]:
            break
        if k == PROJECTIONS - 1:
            # A line or an edge that is nearly tangent to a circle: its point nearest to the centre is in both.
            line_a = corners_a == 2 or (flat_a and not is_curved(pair.a))
            line_b = corners_b == 2 or (flat_b and not is_curved(pair.b))
            if line_a and corners_b > 2 and flat_b and is_curved(pair.b):
                x, y = _middle(floats, ON_B, corners_b)
                x, y = nearest_on(floats, ON_A, corners_a, False, x, y)
            elif line_b and corners_a > 2 and flat_a and is_curved(pair.a):
                x, y = _middle(floats, ON_A, corners_a)
                x, y = nearest_on(floats, ON_B, corners_b, False, x, y)
    if max(abs(x - u), abs(y - v)) > SAME * pair_extent(pair):
        floats[CANDIDATES], floats[CANDIDATES + 1] = x, y


@kernel
def nearest_on(floats, at, corners, curved, u, v):
    """The nearest point of a projected feature to (u, v); a curved one is taken as the circle around its corners."""
    if curved and corners > 2:
        return _nearest_in_circle(floats, at, corners, u, v)
    best, x, y, sides = inf, u, v, 0
    for k in range(corners):
        one, two = at + 3 * k, at + 3 * ((k + 1) % corners)
        p, q = floats[one], floats[one + 1]
        a, b, c, d = floats[two] - p, floats[two + 1] - q, u - p, v - q
        side = a * d - b * c
        sides += 1 if side > 0.0 else -1 if side < 0.0 else 0
        square = a * a + b * b
        t = min(max((a * c + b * d) / square, 0.0), 1.0) if square > 0.0 else 0.0
        away = (c - t * a) ** 2 + (d - t * b) ** 2
        if away < best:
            best, x, y = away, p + t * a, q + t * b
    inside = corners > 2 and abs(sides) == corners
    return (u, v) if inside else (x, y)


@kernel
def _middle(floats, at, corners):
    x = y = 0.0
    for here in range(at, at + 3 * corners, 3):
        x, y = x + floats[here] / corners, y + floats[here + 1] / corners
    return x, y


@kernel
def _nearest_in_circle(floats, at, corners, u, v):
    x, y = _middle(floats, at, corners)
    square = 0.0
    for here in range(at, at + 3 * corners, 3):
        square = max(square, (floats[here] - x) ** 2 + (floats[here + 1] - y) ** 2)
    away = (u - x) ** 2 + (v - y) ** 2
    if away <= square:
        return u, v
    scaled = sqrt(square / away)
    return x + scaled * (u - x), y + scaled * (v - y)


@kernel
def to_axes(floats, at, corners, p, q, n):
    """Replace the coordinates of corners by those along the axes p, q and n."""
    for here in range(at, at + 3 * corners, 3):
        v = get3_from(floats, here)
        put3_at(floats, here, (dot(v, p), dot(v, q), dot(v, n)))


@kernel
def with_area(floats, at, corners, plane, side, depth, enough, lift, shift, near):
    """Add candidates at the corners of the common area, with the heights of one core; `plane` is the other's.

    side: 1 if the heights are those of the first core, -1 if of the second.
    """
    count = 1
    start, slope_u, slope_v = plane
    for here in range(at, at + 3 * corners, 3):
        u, v, height = get3_from(floats, here)
        level = floats[start + 2] - slope_u * (u - floats[start]) - slope_v * (v - floats[start + 1])
        deep = side * (height - level) + lift
        if deep >= -near:
            place = (u, v, 0.5 * (height + level) + shift)
            count = with_candidate(floats, count, place, max(min(deep, depth), 0.0), enough)
    return count


@kernel
def with_candidate(floats, count, place, depth, enough):
    """Add a candidate unless it coincides with another.

    The deepest point keeps its depth, and a candidate as deep makes it a corner.
    """
    for k in range(count):
        at = CANDIDATES + k * POINT_FLOATS
        u, v, w = floats[at] - place[0], floats[at + 1] - place[1], floats[at + 2] - place[2]
        x, y, z = abs(floats[at]), abs(floats[at + 1]), abs(floats[at + 2])
        if u * u + v * v + w * w <= (SAME * (x + y + z + depth)) ** 2:
            if k == 0 and depth >= enough:
                put3_at(floats, at, place)
                floats[at + 4] = CORNER
            return count
    put_candidate(floats, count, place, depth)
    return count + 1


@kernel
def alongside(floats, depth, enough, lift, shift, near, barrels):
    """Add candidates at both ends of the overlap of two parallel segments.

    `barrels`: radii r and s of the curved surfaces that the segments lie on. Where the segments are x apart, projected along n,
    the surfaces touch x r / (r + s) from the first, and the depth is less by x² / 2 (r + s - depth).
    """
    radii = barrels[0] + barrels[1]
    u, v = floats[ON_A], floats[ON_A + 1]
    au, av = floats[ON_A + 3] - u, floats[ON_A + 4] - v
    bu, bv = floats[ON_B + 3] - floats[ON_B], floats[ON_B + 4] - floats[ON_B + 1]
    aa, bb, turn = au * au + av * av, bu * bu + bv * bv, au * bv - av * bu
    if not turn * turn <= ALONGSIDE * aa * bb or aa * bb == 0.0:
        return 1
    # Places of b's ends on a, as parts of a's length, and back.
    first = ((floats[ON_B] - u) * au + (floats[ON_B + 1] - v) * av) / aa
    per = (bu * au + bv * av) / aa
    low, high = max(0.0, min(first, first + per)), min(1.0, max(first, first + per))
    if not low <= high:
        return 1
    count = 1
    for end in range(2):
        s = high if end else low
        t = (s - first) / per
        over = floats[ON_A + 2] + s * (floats[ON_A + 5] - floats[ON_A + 2])
        under = floats[ON_B + 2] + t * (floats[ON_B + 5] - floats[ON_B + 2])
        deep, middle, x, y = over - under + lift, 0.5 * (over + under) + shift, 0.0, 0.0
        if radii > max(deep, 0.0):
            x, y = floats[ON_B] + t * bu - u - s * au, floats[ON_B + 1] + t * bv - v - s * av
            less = 0.5 * (x * x + y * y) / (radii - deep)
            deep -= less
            middle -= 0.5 * (barrels[0] - barrels[1]) / radii * less
            x, y = barrels[0] / radii * x, barrels[0] / radii * y
        if deep >= -near:
            place = (u + s * au + x, v + s * av + y, middle)
            count = with_candidate(floats, count, place, max(min(deep, depth), 0.0), enough)
    return count
