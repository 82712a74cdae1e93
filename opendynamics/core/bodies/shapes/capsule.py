"""Capsule: a cylinder with a half sphere on each end, along z. size[0]: radius, size[1]: length without the caps, m."""

from __future__ import annotations

from math import pi

from opendynamics.core.algebra.circle import put_segment
from opendynamics.core.algebra.mat3 import column2, get9
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, length, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shapes import BOUNDS, CONVEX, POINT_DEPTH, geom_at, set_bounds
from opendynamics.core.kernels import entry, kernel

KIND = 2
TRAITS = CONVEX
EXAMPLES = ((0.2, 0.7), (0.35, 0.3))


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    axis = column2(get9(geom.rotation))
    radius, half = geom.size[0], 0.5 * geom.size[1]
    half_extents = (abs(axis[0]) * half + radius, abs(axis[1]) * half + radius, abs(axis[2]) * half + radius)
    set_bounds(geom, get3(geom.position), half_extents)


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    geom, point = geom_at(address), (x, y, z)
    axis = column2(get9(geom.rotation))
    half = 0.5 * geom.size[1]
    offset = subtract(point, get3(geom.position))
    along = min(max(dot(offset, axis), -half), half)
    return geom.size[0] - length(add_scaled(offset, -along, axis))


@kernel
def support(size, data, direction):
    """The core is the axis' segment."""
    return 0.0, 0.0, 0.5 * size[1] if direction[2] >= 0.0 else -0.5 * size[1]


@kernel
def feature(size, data, n, scratch, at):
    """The segment."""
    return put_segment(floats_at(scratch), at, (0.0, 0.0, -0.5 * size[1]), (0.0, 0.0, 0.5 * size[1])), n


@kernel
def radius(size):
    return size[0]


@kernel
def extent(size, data):
    return size[1] + size[0]


@kernel
def width(size, data):
    return 2.0 * size[0]


def mass_per_density(size):
    """Volume and principal moments of cylinder and caps together.

    Caps: 2/5 m r² about the axis; across it, moved out to the ends: m (2/5 r² + 3/8 r l + l²/4).
    """
    r, h = size[0], size[1]
    cylinder = pi * r * r * h
    caps = 4.0 / 3.0 * pi * r**3
    across = cylinder * (0.25 * r * r + h * h / 12.0) + caps * (0.4 * r * r + 0.375 * r * h + 0.25 * h * h)
    along = (0.5 * cylinder + 0.4 * caps) * r * r
    return cylinder + caps, (across, across, along)
