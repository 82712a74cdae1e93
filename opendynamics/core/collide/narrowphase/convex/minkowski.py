"""Vertices of the Minkowski difference of two shapes in scratch floats: the support point of each, and their difference."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import get3_from, put3_at, subtract
from opendynamics.core.kernels import kernel

# Floats of a vertex: a point of the first shape, one of the second, first less second.
VERTEX = 9


@kernel
def put_vertex(floats, k, a, b):
    put3_at(floats, VERTEX * k, a)
    put3_at(floats, VERTEX * k + 3, b)
    put3_at(floats, VERTEX * k + 6, subtract(a, b))


@kernel
def vertex(floats, k):
    return get3_from(floats, VERTEX * k + 6)
