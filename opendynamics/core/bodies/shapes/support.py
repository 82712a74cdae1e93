"""Convex shape by a support function: a core, see `arrays/blocks/support_functions.py`, with a radius around it.

size[0]: the radius; size[1]: a length of the order of the core's size; size[2]: below this it is nowhere thinner, m.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.circle import CIRCLE_CORNERS, TURNS
from opendynamics.core.algebra.mat3 import get9, row0, row1, row2
from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    cross,
    dot,
    get3_from,
    length,
    negate,
    plane_space,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.arrays.blocks.support_functions import MAPPING_BYTES, mappings_at, parameters_at
from opendynamics.core.arrays.blocks.support_functions import SUPPORT as ANSWER
from opendynamics.core.bodies.shapes import BOUNDS, CONVEX, CURVED, EXTENT, FEATURE, RADIUS, SUPPORT, WIDTH, geom_at
from opendynamics.core.kernels import caller, entry, kernel

KIND = 19
TRAITS = CONVEX | CURVED

# How far directions lean in the search for the corners of a face, rad, and the least width of a face, relative to the extent:
# what is as round as a ball of ten times the extent counts as flat. Cosine below which a face is too steep to carry anything.
TILT = 1.0e-2
WIDE = 0.1
STEEP = 0.2

# Distance of two points, relative to the extent, within which they are one corner.
SAME = 1.0e-6

DIRECTIONS = types.Array(types.float64, 2, "C")

call_support = caller(ANSWER)


@kernel
def mapped(data, direction):
    """The result of the support function of the block at an address."""
    mapping = mappings_at(data)[0]
    return call_support(mapping.function, parameters_at(data + MAPPING_BYTES, mapping.count), direction)


@entry(SUPPORT)
def support(size, data, direction):
    return mapped(data, direction)


@entry(FEATURE)
def feature(size, data, n, scratch, at):
    """The face or edge that is perpendicular to n: where directions lead that lean from n all round.

    Points that lie close together are a rounded surface, and no face.
    """
    floats, overall = floats_at(scratch), size[1]
    p, q = plane_space(n)
    count, least, wide = 0, SAME * overall, 0.0
    for k in range(CIRCLE_CORNERS):
        lean = add_scaled(scale(TILT * TURNS[k, 0], p), TILT * TURNS[k, 1], q)
        point = mapped(data, add(n, lean))
        first = get3_from(floats, at) if count else point
        last = get3_from(floats, at + 3 * (count - 1)) if count else point
        if count and (length(subtract(point, last)) <= least or length(subtract(point, first)) <= least):
            continue
        put3_at(floats, at + 3 * count, point)
        count += 1
        wide = max(wide, length(subtract(point, first)))
    if count < 2 or wide < WIDE * overall:
        return 0, n
    if count == 2:
        return 2, n
    normal = (0.0, 0.0, 0.0)
    first = get3_from(floats, at)
    for k in range(1, count - 1):
        arm = subtract(get3_from(floats, at + 3 * k), first)
        normal = add(normal, cross(arm, subtract(get3_from(floats, at + 3 * k + 3), first)))
    area = length(normal)
    if area < WIDE * WIDE * overall * wide or dot(normal, n) < STEEP * area:
        return 0, n
    return count, scale(1.0 / area, normal)


@entry(RADIUS)
def radius(size):
    return size[0]


@entry(EXTENT)
def extent(size, data):
    return size[1] + size[0]


@entry(WIDTH)
def width(size, data):
    return size[2]


@entry(BOUNDS)
def bounds(address):
    geom = geom_at(address)
    r = get9(geom.rotation)
    rows = (row0(r), row1(r), row2(r))
    for axis in range(3):
        row, centre = rows[axis], geom.position[axis]
        geom.bounds[2 * axis] = centre + dot(row, mapped(geom.data, negate(row))) - geom.size[0]
        geom.bounds[2 * axis + 1] = centre + dot(row, mapped(geom.data, row)) + geom.size[0]


@entry(types.void(types.int64, DIRECTIONS, DIRECTIONS))
def sample(data, directions, points):
    """Write the core's furthest points along `directions` (n, 3) to `points` (n, 3)."""
    for k in range(directions.shape[0]):
        n = (directions[k, 0], directions[k, 1], directions[k, 2])
        points[k, 0], points[k, 1], points[k, 2] = mapped(data, n)


def mass_per_density(size):
    """Unknown to the sizes."""
    return None
