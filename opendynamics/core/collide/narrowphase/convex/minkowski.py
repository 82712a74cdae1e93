"""Corners of the difference of two shapes, in scratch floats: the points of both that make one, and their difference."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import get3_from, put3_at, subtract
from opendynamics.core.kernels import kernel

# Floats of a corner: a point of the first shape, one of the second, first less second.
CORNER = 9


@kernel
def put_corner(floats, k, a, b):
    put3_at(floats, CORNER * k, a)
    put3_at(floats, CORNER * k + 3, b)
    put3_at(floats, CORNER * k + 6, subtract(a, b))


@kernel
def corner(floats, k):
    return get3_from(floats, CORNER * k + 6)
