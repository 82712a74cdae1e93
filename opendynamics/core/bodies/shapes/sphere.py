"""Sphere. size[0]: radius, m."""

from __future__ import annotations

from math import pi

from opendynamics.core.algebra.vec3 import get3, length, subtract
from opendynamics.core.bodies.shapes import BOUNDS, CONVEX, POINT_CORE, POINT_DEPTH, SMOOTH, geom_at, set_bounds
from opendynamics.core.kernels import entry, kernel

KIND = 0
TRAITS = CONVEX | SMOOTH | POINT_CORE
EXAMPLES = ((0.3,), (0.5,))


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    radius = geom.size[0]
    set_bounds(geom, get3(geom.position), (radius, radius, radius))


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    geom, point = geom_at(address), (x, y, z)
    return geom.size[0] - length(subtract(point, get3(geom.position)))


@kernel
def support(size, data, direction):
    """The core is the centre."""
    return 0.0, 0.0, 0.0


@kernel
def feature(size, data, direction, scratch, at):
    return 0, direction


@kernel
def radius(size):
    return size[0]


@kernel
def extent(size, data):
    return 0.0


@kernel
def width(size, data):
    return 2.0 * size[0]


def mass_per_density(size):
    """Volume and principal moments: 4/3 π r³ and 2/5 m r²."""
    radius = size[0]
    volume = 4.0 / 3.0 * pi * radius**3
    moment = 0.4 * volume * radius**2
    return volume, (moment, moment, moment)
