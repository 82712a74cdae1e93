"""Two shapes in relative coordinates, in the frame of the first.

So no precision is lost far from the origin. The Minkowski difference D = {a - b} of the cores contains the origin if and only if
they overlap; its support along n is a(n) - b(-n).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, product, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add, get3, negate, subtract
from opendynamics.core.bodies.shape import SHAPE, core_extent, core_support, shape_of
from opendynamics.core.bodies.shapes import MATRIX, VECTOR, geom_at
from opendynamics.core.kernels import kernel


class ShapePair(NamedTuple):
    """Shapes a and b; `offset`: of b's origin, `rotation`: of b's frame, both seen from a's."""

    a: Any
    b: Any
    offset: Any
    rotation: Any


# Types of arguments and results of entries.
SHAPE_PAIR = types.NamedTuple((SHAPE, SHAPE, VECTOR, MATRIX), ShapePair)

# An overlap or a distance, its direction, and a point of each shape.
FOUND = types.Tuple((types.float64, VECTOR, VECTOR, VECTOR))


@kernel
def shape_pair(a, b):
    """The pair of the geoms whose records are at two addresses."""
    one, two = geom_at(a), geom_at(b)
    r = get9(one.rotation)
    offset = transposed_times(r, subtract(get3(two.position), get3(one.position)))
    return ShapePair(shape_of(one), shape_of(two), offset, product(transposed(r), get9(two.rotation)))


@kernel
def swapped(pair):
    """The pair seen from the other side."""
    back = transposed(pair.rotation)
    return ShapePair(pair.b, pair.a, negate(times(back, pair.offset)), back)


@kernel
def supports(pair, n):
    """Support points of both cores for D along `n`, in the first one's frame."""
    a = core_support(pair.a, n)
    b = core_support(pair.b, transposed_times(pair.rotation, negate(n)))
    return a, add(pair.offset, times(pair.rotation, b))


@kernel
def pair_extent(pair):
    """A length of the order of both cores' sizes, m."""
    return core_extent(pair.a) + core_extent(pair.b)
