"""Cylinder along z. size[0]: radius, size[1]: length, m."""

from __future__ import annotations

from math import pi, sqrt

from opendynamics.core.algebra.circle import put_circle, put_segment
from opendynamics.core.algebra.mat3 import column2, get9, transposed_times
from opendynamics.core.algebra.vec3 import get3, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shapes import BOUNDS, CONVEX, CURVED, POINT_DEPTH, geom_at, set_bounds
from opendynamics.core.kernels import entry, kernel

KIND = 3
TRAITS = CONVEX | CURVED
EXAMPLES = ((0.3, 0.8), (0.4, 0.3))

# Cosine between axis and direction above which a cylinder stands on its cap and below which it lies on its side.
ON_CAP = 0.5

# Sine between axis and direction below which a cylinder stands upright.
UPRIGHT = 1.0e-5

# Cosine between axis and direction below which the direction is perpendicular to the barrel.
SQUARE = 1.0e-5


@entry(BOUNDS)
def bounds(address):
    """A disc with axis a reaches r sqrt(1 - a_i²) along i."""
    geom = geom_at(address)
    a = column2(get9(geom.rotation))
    radius, half = geom.size[0], 0.5 * geom.size[1]
    half_extents = (
        abs(a[0]) * half + radius * sqrt(a[1] * a[1] + a[2] * a[2]),
        abs(a[1]) * half + radius * sqrt(a[0] * a[0] + a[2] * a[2]),
        abs(a[2]) * half + radius * sqrt(a[0] * a[0] + a[1] * a[1]),
    )
    set_bounds(geom, get3(geom.position), half_extents)


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """Distance to the nearest of barrel and caps inside; minus the Euclidean distance outside."""
    geom, point = geom_at(address), (x, y, z)
    p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
    beyond_barrel = sqrt(p[0] * p[0] + p[1] * p[1]) - geom.size[0]
    beyond_cap = abs(p[2]) - 0.5 * geom.size[1]
    nearest = max(beyond_barrel, beyond_cap)
    if nearest <= 0.0:
        return -nearest
    return -sqrt(max(beyond_barrel, 0.0) ** 2 + max(beyond_cap, 0.0) ** 2)


@kernel
def support(size, data, direction):
    across = sqrt(direction[0] * direction[0] + direction[1] * direction[1])
    k = size[0] / across if across > 0.0 else 0.0
    half = 0.5 * size[1]
    return k * direction[0], k * direction[1], half if direction[2] >= 0.0 else -half


@kernel
def feature(size, data, n, scratch, at):
    """Points round the edge circle of a cap, the furthest along n first; or the barrel's line that is furthest along n."""
    across = sqrt(n[0] * n[0] + n[1] * n[1])
    # Flat on the cap no direction round it is special: one of its own is steadier than rounding.
    x, y = (n[0] / across, n[1] / across) if across > UPRIGHT else (1.0, 0.0)
    x, y, half = size[0] * x, size[0] * y, 0.5 * size[1]
    if abs(n[2]) < ON_CAP:
        return put_segment(floats_at(scratch), at, (x, y, -half), (x, y, half)), n
    out = 1.0 if n[2] > 0.0 else -1.0
    return put_circle(floats_at(scratch), at, x, y, out * half, out), (0.0, 0.0, out)


@kernel
def ruling(n):
    """Along what the surface is straight where n leads to; zeros: nothing."""
    return 0.0, 0.0, 1.0 if abs(n[2]) < SQUARE else 0.0


@kernel
def radius(size):
    """None: the core is the shape."""
    return 0.0


@kernel
def extent(size, data):
    return size[1] + size[0]


@kernel
def width(size, data):
    return min(2.0 * size[0], size[1])


def mass_per_density(size):
    """Volume and principal moments: m r²/2 along the axis, m (r²/4 + l²/12) across."""
    r, h = size[0], size[1]
    volume = pi * r * r * h
    across = volume * (0.25 * r * r + h * h / 12.0)
    return volume, (across, across, 0.5 * volume * r * r)
