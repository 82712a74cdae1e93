"""Circle-segment: minimum penetration over directions perpendicular to a segment, for sums of segments and discs
(`minkowski_sum.py`).

These directions form a great circle. In its plane D is the sum of a polygon (the other segments) and an ellipse (the projected
disc), so the overlap is least along a normal of the polygon, to which two segments are perpendicular, or between two normals,
where the edge circle touches (`circle_arc.py`). h(n) < h(-n) for n·c > 0: half the circle is enough.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3_from, length, normalize, put3_at, scale
from opendynamics.core.collide.narrowphase.cylinder.circle_arc import LEAST, is_no_less, min_on_chord
from opendynamics.core.collide.narrowphase.cylinder.minkowski_sum import BETTER, NO, NONE, if_better
from opendynamics.core.kernels import kernel

# Squared sine below which a segment is parallel to the circle's own.
PARALLEL = 1.0e-24

# Squared sine below which a disc seen on edge is treated as a segment: Newton's method loses the ends of so thin an ellipse.
ON_EDGE = 4.0e-18

# Squared sine between direction and disc's axis below which the point of the edge circle needs more digits of the direction.
UPRIGHT = 1.0e-8

# Largest last step, relative to the sine between direction and disc's axis: what Newton's method on chords leaves.
NEWTON = 1.0e-3

# Where the two segments of a capsule and a cylinder end.
CAPSULE_AND_CYLINDER = 6

# Scratch: breaks, and rotating directions. Six segments precede them.
BREAKS = 3 * 6
TURNS = BREAKS + 2 * 8


@kernel
def on_circle(best, floats, sums, own, level):
    """`best` or the minimum penetration along directions perpendicular to the segment at float `own`.

    `level`: radius of a disc about the segment, added to the overlap in all directions.
    """
    end, _, _, _, c, inside = sums
    s = get3_from(floats, own)
    ss = dot(s, s)
    if ss == 0.0:
        return best
    u = scale(1.0 / sqrt(ss), s)
    # Axes of the circle's plane: along c, so that h(n) < h(-n) in the half that counts, and across.
    e = add_scaled(c, -dot(c, u), u)
    out = sqrt(dot(e, e))
    # Where no more of c is left than this, the overlap is no less.
    x = (inside - best[0]) / out if out > 0.0 else 0.0
    if x >= 1.0:
        return best
    e = square_to(u, scale(1.0 / out, e)) if out > 0.0 else any_across(u)
    f = cross(u, e)
    disc, last_segment = disc_in_plane(floats, sums, own, level, u, e, f)
    x = max(x, 0.0)
    y = sqrt(1.0 - x * x)
    count, w = put_breaks(floats, last_segment, own, e, f, y / x if x > 0.0 else inf)
    wx, wy = w[0] - out, w[1]
    last, given = (x, y), best
    before, point = (x, -y), furthest_point(disc, x, -y)
    for k in range(count + 1):
        turning = NO
        if k < count:
            tangent, turning = floats[BREAKS + 2 * k], int(floats[BREAKS + 2 * k + 1])
            x = 1.0 / sqrt(1.0 + tangent * tangent)
            y = tangent * x
        else:
            x, y = last
        next_point = furthest_point(disc, x, y)
        px, py, qx, qy = wx + point[0], wy + point[1], wx + next_point[0], wy + next_point[1]
        dx, dy = x - before[0], y - before[1]
        f0, f1, least = before[0] * px + before[1] * py, x * qx + y * qy, best[0] - level
        if not is_no_less(least, f0, dx * px + dy * py, f1, dx * qx + dy * qy):
            w0, b0 = wx * before[0] + wy * before[1], before[0] * disc[2] - before[1] * disc[1]
            gap, b1 = dx * dx + dy * dy, dx * disc[2] - dy * disc[1]
            spot, h = min_on_chord(least, w0, wx * dx + wy * dy, b0, b1, disc[3], gap, disc[0])
            if spot >= 0.0 and (h + level) * BETTER < best[0]:
                n = add_scaled(scale(before[0] + spot * dx, e), before[1] + spot * dy, f)
                best = (h + level, scale(1.0 / sqrt(dot(n, n)), n), 8 * (own // 3) + NO)
        if k < count:
            if (f1 + level) * BETTER < best[0]:
                code = 8 * (own // 3) + turning if 3 * turning < end or turning == NO else NONE
                best = (f1 + level, add_scaled(scale(x, e), y, f), code)
            if turning != NO:
                wx, wy = wx - 2.0 * floats[TURNS + 2 * turning], wy - 2.0 * floats[TURNS + 2 * turning + 1]
        before, point = (x, y), next_point
    if last[0] == 0.0:
        best = at_end(best, floats, sums, own, e, f)
    if last_segment > end and best[0] < given[0] and (end > CAPSULE_AND_CYLINDER or (sums[1] > 0.0 and sums[2] > 0.0)):
        # A disc that counts as a segment may not be quite on edge. A capsule that lies on a cap is: it touches along a line.
        return if_better(given, floats, sums, best[1], best[2])
    return best


@kernel
def at_end(best, floats, sums, own, e, f):
    """`best` or the direction f, at the end of the half circle about e; -f overlaps as much, as both are perpendicular to c.

    No chord contains it, and a segment that turns there has no break.
    """
    code = 8 * (own // 3) + NO
    for at in range(0, sums[0], 3):
        s = get3_from(floats, at)
        if at != own and dot(s, f) == 0.0 and dot(s, e) ** 2 > PARALLEL * dot(s, s):
            code = 8 * (own // 3) + at // 3
    return if_better(best, floats, sums, f, code)


@kernel
def polished(best, floats, sums):
    """`best`, known to be perpendicular to one segment at most, after one more Newton step about it.

    Next to a disc's axis at an angle e, an error of the direction moves the point of the edge circle by 1 / e of it.
    """
    end, r1, r2, axis, c, _ = sums
    h, n, code = best
    if code < 0 or code // 8 == NO:
        return best
    b, d = (-n[1], n[0], 0.0), cross(axis, n)
    least = min(dot(b, b) if r1 > 0.0 else 1.0, dot(d, d) if r2 > 0.0 else 1.0)
    if least == 0.0 or least > UPRIGHT:
        return best
    own = 3 * (code // 8)
    s = get3_from(floats, own)
    t = normalize(cross(s, n))
    slope, curvature = -dot(c, t), -h
    for at in range(0, end, 3):
        s = get3_from(floats, at)
        slope += 0.0 if at == own else dot(s, t) if dot(s, n) > 0.0 else -dot(s, t)
    if r1 > 0.0:
        k = r1 / length(b)
        slope, curvature = slope + k * (t[0] * n[0] + t[1] * n[1]), curvature + k / dot(b, b) * dot(b, t) ** 2
    if r2 > 0.0:
        k = r2 / length(d)
        slope, curvature = slope + k * dot(cross(d, axis), t), curvature + k / dot(d, d) * dot(d, t) ** 2
    if not abs(slope) < NEWTON * sqrt(least) * curvature:
        return best
    return h, normalize(add_scaled(n, -slope / curvature, t)), code


@kernel
def disc_in_plane(floats, sums, own, level, u, e, f):
    """The disc as `furthest_point` takes it, except one about the segment at float `own`; and where the segments end.

    A disc seen on edge becomes a segment behind the others.
    """
    end, r1, r2, axis, _, _ = sums
    disc = (0.0, 0.0, 0.0, 1.0)
    if r1 > 0.0 and (own > 0 or level == 0.0):
        disc = (r1, e[2], f[2], u[2] * u[2])
    if r2 > 0.0 and (own < end - 3 or level == 0.0):
        disc = (r2, dot(axis, e), dot(axis, f), dot(axis, u) ** 2)
    if disc[0] == 0.0 or disc[3] > ON_EDGE:
        return disc, end
    put3_at(floats, end, add_scaled(scale(-disc[0] * disc[2], e), disc[0] * disc[1], f))
    return (0.0, 0.0, 0.0, 1.0), end + 3


@kernel
def put_breaks(floats, end, own, e, f, widest):
    """Note, by angle, the directions of a circle's part about e where a segment turns; also e itself.

    `widest`: the tangent of the part's ends. A break is the direction's tangent and the segment that turns there (or NO);
    the segments in the circle's plane are noted as they point before their break. Returns how many breaks there are, and the
    sum of the segments before the first.
    """
    floats[BREAKS], floats[BREAKS + 1] = 0.0, NO
    count, wx, wy = 1, 0.0, 0.0
    for j in range(0, end, 3):
        if j == own:
            continue
        s = get3_from(floats, j)
        p, q = dot(s, e), dot(s, f)
        if p * p + q * q <= PARALLEL * dot(s, s):
            continue
        if q > 0.0:
            p, q = -p, -q
        tangent = -p / q if q < 0.0 else inf
        if tangent <= -widest or tangent == inf:
            turn = 1.0 if p > 0.0 else -1.0
            wx, wy = wx + turn * p, wy + turn * q
            continue
        wx, wy = wx + p, wy + q
        if tangent >= widest:
            continue
        floats[TURNS + 2 * (j // 3)], floats[TURNS + 2 * (j // 3) + 1] = p, q
        at = BREAKS + 2 * count
        while at > BREAKS and floats[at - 2] > tangent:
            floats[at], floats[at + 1] = floats[at - 2], floats[at - 1]
            at -= 2
        floats[at], floats[at + 1] = tangent, j // 3
        count += 1
    return count, (wx, wy)


@kernel
def furthest_point(disc, x, y):
    """Support point of a disc along (x, y), a unit vector of a plane, in that plane.

    disc: radius, the axis' components in the plane, and the square of its component out of it.
    """
    r, ax, ay, z = disc
    b = x * ay - y * ax
    k = r / sqrt(max(b * b + z, LEAST))
    return k * (b * ay + z * x), k * (z * y - b * ax)


@kernel
def square_to(u, e):
    """The unit vector e, made perpendicular to u again."""
    return normalize(add_scaled(e, -dot(e, u), u))


@kernel
def any_across(u):
    """A unit vector perpendicular to the unit vector u."""
    if abs(u[2]) > 0.5:
        k = 1.0 / sqrt(u[1] * u[1] + u[2] * u[2])
        return 0.0, -u[2] * k, u[1] * k
    k = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1])
    return -u[1] * k, u[0] * k, 0.0
