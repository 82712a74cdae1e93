"""Ray casts: the interval of a line p + t d inside a convex solid, entry and exit.

A passage is the tuple (t where it enters, outward normal there, t where it leaves, outward normal there); a line that
misses has an entry behind its exit. The passage through a solid cut out of another is the later entry and the earlier exit. A ray
hits where it enters, or, if it starts inside, where it leaves, from within. All in the solid's frame.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import column2, get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, negate, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import points_at, set_point
from opendynamics.core.kernels import kernel

# Rounding errors of coordinates, relative to them.
ROUNDING = 1.0e-14


@kernel
def local_ray(solid, ray):
    """Start and direction of the ray whose record is at an address, in the frame of the solid at another."""
    body, line = geom_at(solid), geom_at(ray)
    r = get9(body.rotation)
    start = transposed_times(r, subtract(get3(line.position), get3(body.position)))
    return start, transposed_times(r, column2(get9(line.rotation)))


@kernel
def misses_box(p, d, length, half):
    """Whether a ray from p certainly passes by the box of half extents `half` about the origin.

    A line does where it has the box on one side as seen along an axis; a ray also where the box is behind it or too far.
    """
    u, v, w = abs(d[0]), abs(d[1]), abs(d[2])
    ahead, deep = -dot(p, d), half[0] * u + half[1] * v + half[2] * w
    slack = ROUNDING * (abs(p[0]) + abs(p[1]) + abs(p[2]) + half[0] + half[1] + half[2])
    return (
        abs(p[1] * d[2] - p[2] * d[1]) > half[1] * w + half[2] * v + slack
        or abs(p[2] * d[0] - p[0] * d[2]) > half[2] * u + half[0] * w + slack
        or abs(p[0] * d[1] - p[1] * d[0]) > half[0] * v + half[1] * u + slack
        or ahead + deep < -slack
        or ahead - deep > length + slack
    )


@kernel
def whole_line():
    """The passage through all of space."""
    return -inf, (0.0, 0.0, 0.0), inf, (0.0, 0.0, 0.0)


@kernel
def no_interval():
    return inf, (0.0, 0.0, 0.0), -inf, (0.0, 0.0, 0.0)


@kernel
def clip_by_plane(passage, p, d, normal, level):
    """The part of a passage in the half space normal·x <= level."""
    rise, room = dot(normal, d), level - dot(normal, p)
    if rise == 0.0:
        return passage if room >= 0.0 else no_interval()
    t = room / rise
    if rise < 0.0:
        return (t, normal, passage[2], passage[3]) if t > passage[0] else passage
    return (passage[0], passage[1], t, normal) if t < passage[2] else passage


@kernel
def through_ball(p, d, centre, radius):
    """t² + 2 t d·q + q² = r² with q = p - c."""
    q = subtract(p, centre)
    half = dot(q, d)
    # The nearest point's distance, not a difference of squares, so that nothing is lost far away.
    foot = add_scaled(q, -half, d)
    square = radius * radius - dot(foot, foot)
    if square < 0.0 or radius <= 0.0:
        return no_interval()
    k = sqrt(square)
    here, there = add_scaled(foot, -k, d), add_scaled(foot, k, d)
    return -half - k, scale(1.0 / radius, here), -half + k, scale(1.0 / radius, there)


@kernel
def through_barrel(p, d, radius):
    """An endless cylinder along z: the circle in the plane z = 0, passed at the speed of d's projection."""
    speed = d[0] * d[0] + d[1] * d[1]
    if speed == 0.0:
        return whole_line() if p[0] * p[0] + p[1] * p[1] <= radius * radius else no_interval()
    half = (p[0] * d[0] + p[1] * d[1]) / speed
    x, y = p[0] - half * d[0], p[1] - half * d[1]
    square = (radius * radius - x * x - y * y) / speed
    if square < 0.0 or radius <= 0.0:
        return no_interval()
    k, r = sqrt(square), 1.0 / radius
    here = ((x - k * d[0]) * r, (y - k * d[1]) * r, 0.0)
    return -half - k, here, -half + k, ((x + k * d[0]) * r, (y + k * d[1]) * r, 0.0)


@kernel
def hit(passage, solid, ray, limit, points):
    """The contact of a solid (first) and a ray (second) with this passage: 0 or 1."""
    body, line = geom_at(solid), geom_at(ray)
    enter, entry_normal, leave, exit_normal = passage
    # Where it exits, the ray sees the surface from within.
    t, inward = (enter, negate(entry_normal)) if enter >= 0.0 else (leave, exit_normal)
    if not (enter <= leave and 0.0 <= t <= line.size[0]):
        return 0
    at = add_scaled(get3(line.position), t, column2(get9(line.rotation)))
    set_point(points_at(points, limit)[0], at, times(get9(body.rotation), inward), t)
    return 1
