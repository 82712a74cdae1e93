"""Sphere. size[0]: radius, m."""

from __future__ import annotations

from math import pi

from opendynamics.core.algebra.vec3 import get3, length, normalize, scale, subtract
from opendynamics.core.bodies.shapes import BOUNDS, POINT_DEPTH, geom_at, set_bounds
from opendynamics.core.kernels import entry, kernel

KIND = 0


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
def support(size, direction):
    return scale(size[0], normalize(direction))


def mass_per_density(size):
    """Volume and principal moments: 4/3 π r³ and 2/5 m r²."""
    radius = size[0]
    volume = 4.0 / 3.0 * pi * radius**3
    moment = 0.4 * volume * radius**2
    return volume, (moment, moment, moment)
