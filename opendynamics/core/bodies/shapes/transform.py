"""Geom transform: another shape with an offset. Empty, it has no extent and no contacts.

As soon as it holds a geom, its record is that of the geom's shape, displaced by the geom's place; kernels never meet a
filled one as such.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import get3
from opendynamics.core.bodies.shapes import BOUNDS, POINT_DEPTH, geom_at, set_bounds
from opendynamics.core.kernels import entry

KIND = 7
TRAITS = 0


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    set_bounds(geom, get3(geom.position), (0.0, 0.0, 0.0))


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    return -inf


def mass_per_density(size):
    """Nothing has no mass."""
    return None
