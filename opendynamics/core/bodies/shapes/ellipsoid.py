"""Ellipsoid. size[0:3]: semi-axes a along x, y, z, m."""

from __future__ import annotations

from math import pi, sqrt

from opendynamics.core.algebra.mat3 import get9, row0, row1, row2, transposed_times
from opendynamics.core.algebra.vec3 import get3, length, magnitudes, subtract
from opendynamics.core.bodies.shapes import (
    BOUNDS,
    CONVEX,
    CURVED,
    EXTENT,
    FEATURE,
    POINT_DEPTH,
    RADIUS,
    SMOOTH,
    SUPPORT,
    WIDTH,
    geom_at,
    set_bounds,
)
from opendynamics.core.kernels import entry, kernel

KIND = 20
TRAITS = CONVEX | CURVED | SMOOTH
EXAMPLES = ((0.3, 0.5, 0.4), (0.6, 0.2, 0.25))

MAX_HALVINGS = 200


@entry(BOUNDS)
def bounds(address):
    """Along a unit vector n it reaches |(a1 n1, a2 n2, a3 n3)|, n seen from its frame."""
    geom = geom_at(address)
    r, a = get9(geom.rotation), get3(geom.size)
    set_bounds(
        geom, get3(geom.position), (_half_extent(a, row0(r)), _half_extent(a, row1(r)), _half_extent(a, row2(r)))
    )


@kernel
def _half_extent(a, n):
    return length((a[0] * n[0], a[1] * n[1], a[2] * n[2]))


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    """Distance to the surface, negative outside: its nearest point x has x_i = a_i² p_i / (a_i² + t).

    t is the largest root of Σ (a_i p_i / (a_i² + t))² = 1 (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a
    Hyperellipsoid, 2013), found by halving, from the least semi-axis a_k on: s = t + a_k².
    """
    geom = geom_at(address)
    p = magnitudes(transposed_times(get9(geom.rotation), subtract((x, y, z), get3(geom.position))))
    a = get3(geom.size)
    least = min(a[0], min(a[1], a[2]))
    k = 0 if a[0] == least else (1 if a[1] == least else 2)
    gap = (a[0] * a[0] - least * least, a[1] * a[1] - least * least, a[2] * a[2] - least * least)
    low, high = least * p[k], length((a[0] * p[0], a[1] * p[1], a[2] * p[2]))
    for _ in range(MAX_HALVINGS):
        s = 0.5 * (low + high)
        if not low < s < high:
            break
        u, v, w = a[0] * p[0] / (s + gap[0]), a[1] * p[1] / (s + gap[1]), a[2] * p[2] / (s + gap[2])
        if u * u + v * v + w * w > 1.0:
            low = s
        else:
            high = s
    nearest = (
        _nearest(a[0], p[0], high, gap[0]),
        _nearest(a[1], p[1], high, gap[1]),
        _nearest(a[2], p[2], high, gap[2]),
    )
    if p[k] == 0.0:  # on the middle plane: what is left of the sum is its own
        u, v, w = nearest[0] / a[0], nearest[1] / a[1], nearest[2] / a[2]
        rest = least * sqrt(max(1.0 - u * u - v * v - w * w, 0.0))
        nearest = (rest if k == 0 else nearest[0], rest if k == 1 else nearest[1], rest if k == 2 else nearest[2])
    distance = length(subtract(nearest, p))
    u, v, w = p[0] / a[0], p[1] / a[1], p[2] / a[2]
    return distance if u * u + v * v + w * w <= 1.0 else -distance


@kernel
def _nearest(a, p, s, gap):
    return a * a * p / (s + gap) if p > 0.0 else 0.0


@entry(SUPPORT)
def support(size, data, direction):
    u, v, w = size[0] * direction[0], size[1] * direction[1], size[2] * direction[2]
    k = 1.0 / sqrt(u * u + v * v + w * w)
    return k * u * size[0], k * v * size[1], k * w * size[2]


@entry(FEATURE)
def feature(size, data, n, scratch, at):
    """It is curved everywhere."""
    return 0, n


@entry(RADIUS)
def radius(size):
    return 0.0


@entry(EXTENT)
def extent(size, data):
    return size[0] + size[1] + size[2]


@entry(WIDTH)
def width(size, data):
    return 2.0 * min(size[0], min(size[1], size[2]))


def mass_per_density(size):
    """Volume 4/3 π a b c and principal moments m (b² + c²) / 5, and so on round."""
    a, b, c = size[0], size[1], size[2]
    volume = 4.0 / 3.0 * pi * a * b * c
    k = 0.2 * volume
    return volume, (k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b))
