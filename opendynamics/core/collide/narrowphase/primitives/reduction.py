"""Manifold reduction: which contact points to keep if there are more than requested.

The deepest, then, one after another, the point furthest from those kept already: a few points carry a face best when
they are spread out. (ODE instead takes those nearest to evenly spaced angles about the centroid, which may leave out
a corner.) Ties go to the point found first, so that the choice depends on nothing but the points and their order. Of points
that are as deep but for rounding, or as far, the first is kept too, at the full depth: of a body at rest the same every time,
so that solvers find the impulses of the last step.

Points are rows of POINT_FLOATS numbers in scratch memory: position, depth, one for this module to work with, and one that
the caller may know the point by.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.kernels import kernel

POINT_FLOATS = 6

# Fraction of the manifold's size within which points are as deep, and factor within which they are as far.
TIE = 2.0**-23
FURTHER = 1.0 + 1.0e-6


@kernel
def reduce_manifold(scratch, first, count, limit):
    """Bring those to keep to the front of the `count` points from scratch float `first` on; returns their number."""
    floats = floats_at(scratch)
    if count <= limit:
        return count
    deepest, square, chosen = floats[first + 3], 0.0, 0
    for k in range(1, count):
        at = first + k * POINT_FLOATS
        deepest, square = max(deepest, floats[at + 3]), max(square, squared_distance(floats, at, first))
    while floats[first + chosen * POINT_FLOATS + 3] < deepest - TIE * sqrt(square):
        chosen += 1
    floats[first + chosen * POINT_FLOATS + 3] = deepest
    exchange(floats, first, first + chosen * POINT_FLOATS)
    for k in range(1, count):
        at = first + k * POINT_FLOATS
        floats[at + 4] = squared_distance(floats, at, first)
    for kept in range(1, limit):
        chosen = kept
        for k in range(kept + 1, count):
            if floats[first + k * POINT_FLOATS + 4] > FURTHER * floats[first + chosen * POINT_FLOATS + 4]:
                chosen = k
        here = first + kept * POINT_FLOATS
        exchange(floats, here, first + chosen * POINT_FLOATS)
        for k in range(kept + 1, count):
            at = first + k * POINT_FLOATS
            floats[at + 4] = min(floats[at + 4], squared_distance(floats, at, here))
    return limit


@kernel
def squared_distance(floats, i, j):
    x, y, z = floats[i] - floats[j], floats[i + 1] - floats[j + 1], floats[i + 2] - floats[j + 2]
    return x * x + y * y + z * z


@kernel
def exchange(floats, i, j):
    for k in range(POINT_FLOATS):
        kept = floats[i + k]
        floats[i + k] = floats[j + k]
        floats[j + k] = kept
