"""Circles and segments as corners in an array of floats, three floats each."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from opendynamics.core.algebra.vec3 import put3_at
from opendynamics.core.kernels import kernel

# Vertices of the polygon that approximates a circle, and the cosines and sines of their angles.
CIRCLE_CORNERS = 8
TURNS = np.array(
    [(cos(k * 2.0 * pi / CIRCLE_CORNERS), sin(k * 2.0 * pi / CIRCLE_CORNERS)) for k in range(CIRCLE_CORNERS)]
)


@kernel
def put_segment(floats, at, p, q):
    """Write both ends; returns their number."""
    put3_at(floats, at, p)
    put3_at(floats, at + 3, q)
    return 2


@kernel
def put_circle(floats, at, x, y, z, sense):
    """Write corners of the circle through (x, y, z) about the z axis, that one first; returns their number.

    `sense`: 1 for counterclockwise as seen from above, -1 for clockwise.
    """
    for c in range(CIRCLE_CORNERS):
        turn, lean = TURNS[c, 0], sense * TURNS[c, 1]
        floats[at + 3 * c] = x * turn - y * lean
        floats[at + 3 * c + 1] = x * lean + y * turn
        floats[at + 3 * c + 2] = z
    return CIRCLE_CORNERS
