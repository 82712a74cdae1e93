"""Convex shape by a support function: a core, see `arrays/support_functions.py`, with a radius around it.

size[0]: the radius; size[1]: a length of the order of the core's size; size[2]: below this it is nowhere thinner, m.
"""

from __future__ import annotations

from numba import types

from opendynamics.core.algebra.mat3 import get9, row0, row1, row2
from opendynamics.core.algebra.vec3 import dot, negate
from opendynamics.core.arrays.support_functions import MAPPING_BYTES, SUPPORT, mappings_at, parameters_at
from opendynamics.core.bodies.shapes import BOUNDS, geom_at
from opendynamics.core.kernels import caller, entry, kernel

KIND = 19

DIRECTIONS = types.Array(types.float64, 2, "C")

call_support = caller(SUPPORT.return_type, len(SUPPORT.args))


@kernel
def mapped(data, direction):
    """What the support function of the block at an address answers."""
    mapping = mappings_at(data)[0]
    return call_support(mapping.function, parameters_at(data + MAPPING_BYTES, mapping.count), direction)


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r = get9(geom.rotation)
    rows = (row0(r), row1(r), row2(r))
    for axis in range(3):
        way, centre = rows[axis], geom.position[axis]
        geom.bounds[2 * axis] = centre + dot(way, mapped(geom.data, negate(way))) - geom.size[0]
        geom.bounds[2 * axis + 1] = centre + dot(way, mapped(geom.data, way)) + geom.size[0]


@entry(types.void(types.int64, DIRECTIONS, DIRECTIONS))
def sample(data, directions, points):
    """Write the core's furthest points along `directions` (n, 3) to `points` (n, 3)."""
    for k in range(directions.shape[0]):
        n = (directions[k, 0], directions[k, 1], directions[k, 2])
        points[k, 0], points[k, 1], points[k, 2] = mapped(data, n)


def mass_per_density(size):
    """Unknown to the sizes."""
    return None
