"""Convex shapes placed in the frame of a triangle mesh or a heightfield."""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.vec3 import add, get3_from, negate, put3_at, subtract
from opendynamics.core.arrays.blocks.hulls import hull_floats
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import (
    SHAPE,
    TRIANGLE,
    box_around,
    core_support,
    feature_of,
    lowest_along,
    own_box,
    radius_of,
)
from opendynamics.core.bodies.shapes import MATRIX, VECTOR
from opendynamics.core.kernels import kernel


class PlacedShape(NamedTuple):
    """A shape with its position and rotation."""

    shape: Any
    position: Any
    rotation: Any


# Type of a placed shape as an argument of entries.
PLACED_SHAPE = types.NamedTuple((SHAPE, VECTOR, MATRIX), PlacedShape)


@kernel
def support_point(body, n):
    """The support point of the body's core along `n`."""
    return add(body.position, times(body.rotation, core_support(body.shape, transposed_times(body.rotation, n))))


@kernel
def lowest(body, n):
    """The least n·x of the body."""
    return lowest_along(body.shape, body.position, body.rotation, n) - radius_of(body.shape)


@kernel
def face(body, n, scratch, at):
    """Write the corners of the core's face most antiparallel to `n` to scratch memory at float `at`."""
    floats = floats_at(scratch)
    if body.shape.kind == TRIANGLE:
        corners = hull_floats(body.shape.data, 9)
        for k in range(9):
            floats[at + k] = corners[k]
        return 3
    count, _ = feature_of(body.shape, negate(transposed_times(body.rotation, n)), scratch, at)
    if count == 0:
        put3_at(floats, at, support_point(body, negate(n)))
        return 1
    for k in range(at, at + 3 * count, 3):
        put3_at(floats, k, add(body.position, times(body.rotation, get3_from(floats, k))))
    return count


@kernel
def box_of(body):
    """Lowest and highest coordinates."""
    return box_around(body.shape, body.position, body.rotation)


@kernel
def oriented_box(body, margin):
    """The body's own box with a margin around it, see `triangles/oriented_box.py`."""
    low, high = own_box(body.shape, margin)
    return body.position, body.rotation, low, high


@kernel
def local_corners(body, corners):
    """The corners of a triangle in the body's own frame."""
    a = transposed_times(body.rotation, subtract(corners[0], body.position))
    b = transposed_times(body.rotation, subtract(corners[1], body.position))
    return a, b, transposed_times(body.rotation, subtract(corners[2], body.position))
