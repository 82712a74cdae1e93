"""Plane: the half space n·x <= d. size[0:3]: unit normal n, size[3]: d, m. Not placeable."""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.bodies.shapes import BOUNDS, HALF_SPACE, POINT_DEPTH, geom_at
from opendynamics.core.kernels import entry

KIND = 4
TRAITS = HALF_SPACE


@entry(BOUNDS)
def bounds(address):
    """Infinite, but for the side to which an axis-aligned plane looks."""
    geom = geom_at(address)
    box = geom.bounds
    box[0] = box[2] = box[4] = -inf
    box[1] = box[3] = box[5] = inf
    n, d = get3(geom.size), geom.size[3]
    if n[1] == 0.0 and n[2] == 0.0:
        box[1 if n[0] > 0.0 else 0] = d if n[0] > 0.0 else -d
    elif n[0] == 0.0 and n[2] == 0.0:
        box[3 if n[1] > 0.0 else 2] = d if n[1] > 0.0 else -d
    elif n[0] == 0.0 and n[1] == 0.0:
        box[5 if n[2] > 0.0 else 4] = d if n[2] > 0.0 else -d


@entry(POINT_DEPTH)
def point_depth(address, x, y, z):
    geom, point = geom_at(address), (x, y, z)
    return geom.size[3] - dot(get3(geom.size), point)


def mass_per_density(size):
    """A half space has no mass."""
    return None
