"""Cone along z about its centre of mass: base at z = -h/4, apex at z = 3h/4. size[0]: its radius r, size[1]: height h, m."""

from __future__ import annotations

from math import pi, sqrt

from opendynamics.core.algebra.circle import put_circle, put_segment
from opendynamics.core.algebra.mat3 import column2, get9, transposed_times
from opendynamics.core.algebra.vec3 import get3, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shapes import (
    BOUNDS,
    CONVEX,
    CURVED,
    EXTENT,
    FEATURE,
    POINT_DEPTH,
    RADIUS,
    SUPPORT,
    WIDTH,
    geom_at,
)
from opendynamics.core.kernels import entry, kernel

KIND = 21
TRAITS = CONVEX | CURVED
EXAMPLES = ((0.4, 0.9), (0.5, 0.4))

# Cosine between direction and base, or side, from which on the cone is touched along it.
ON_BASE = 0.5
ON_SIDE = 0.9

# Sine between axis and direction below which a cone stands upright.
UPRIGHT = 1.0e-5


@entry(BOUNDS)
def bounds(address):
    """The apex, and the disc of the base: with axis a it reaches r sqrt(1 - a_i²) along i."""
    geom = geom_at(address)
    a = column2(get9(geom.rotation))
    r, h = geom.size[0], geom.size[1]
    _bound(geom, 0, a[0], r * sqrt(a[1] * a[1] + a[2] * a[2]), h)
    _bound(geom, 1, a[1], r * sqrt(a[0] * a[0] + a[2] * a[2]), h)
    _bound(geom, 2, a[2], r * sqrt(a[0] * a[0] + a[1] * a[1]), h)


@kernel
def _bound(geom, axis, along, radius, h):
    apex, base = 0.75 * h * along, -0.25 * h * along
    geom.bounds[2 * axis] = geom.position[axis] + min(apex, base - radius)
    geom.bounds[2 * axis + 1] = geom.position[axis] + max(apex, base + radius)


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """In the half plane through the axis: distance to the nearer of base and side, negative outside."""
    geom = geom_at(address)
    p = transposed_times(get9(geom.rotation), subtract((x, y, z), get3(geom.position)))
    r, h = geom.size[0], geom.size[1]
    out, up = sqrt(p[0] * p[0] + p[1] * p[1]), p[2] + 0.25 * h
    slant = sqrt(r * r + h * h)
    beyond_side = (h * (out - r) + r * up) / slant
    if max(beyond_side, -up) <= 0.0:
        return min(-beyond_side, up)
    # The nearest point of the side, as a fraction of the segment from the base's edge to the apex, and of the base.
    t = min(max((h * up - r * (out - r)) / (slant * slant), 0.0), 1.0)
    u, v, w = out - r * (1.0 - t), up - h * t, max(out - r, 0.0)
    return -sqrt(min(u * u + v * v, up * up + w * w))


@entry(SUPPORT)
def support(size, data, direction):
    """The apex, or a point of the base's edge circle."""
    across = sqrt(direction[0] * direction[0] + direction[1] * direction[1])
    if size[1] * direction[2] >= size[0] * across:
        return 0.0, 0.0, 0.75 * size[1]
    k = size[0] / across if across > 0.0 else 0.0
    return k * direction[0], k * direction[1], -0.25 * size[1]


@entry(FEATURE)
def feature(size, data, n, scratch, at):
    """The base's edge circle, the furthest point along n first; or the side's line from there to the apex."""
    r, h = size[0], size[1]
    across = sqrt(n[0] * n[0] + n[1] * n[1])
    x, y = (r * n[0] / across, r * n[1] / across) if across > UPRIGHT else (r, 0.0)
    if n[2] <= -ON_BASE:
        return put_circle(floats_at(scratch), at, x, y, -0.25 * h, -1.0), (0.0, 0.0, -1.0)
    if h * across + r * n[2] >= ON_SIDE * sqrt(r * r + h * h):
        return put_segment(floats_at(scratch), at, (x, y, -0.25 * h), (0.0, 0.0, 0.75 * h)), n
    return 0, n


@entry(RADIUS)
def radius(size):
    return 0.0


@entry(EXTENT)
def extent(size, data):
    return size[0] + size[1]


@entry(WIDTH)
def width(size, data):
    """Between base and apex, or from side to side: of an isosceles triangle the least height."""
    r, h = size[0], size[1]
    return min(h, 2.0 * r * h / sqrt(r * r + h * h))


def mass_per_density(size):
    """Volume π r² h / 3 and principal moments 3/10 m r² along the axis, m (3/20 r² + 3/80 h²) across."""
    r, h = size[0], size[1]
    volume = pi * r * r * h / 3.0
    across = volume * (0.15 * r * r + 0.0375 * h * h)
    return volume, (across, across, 0.3 * volume * r * r)
