"""Two boxes: penetration depth and direction by SAT over fifteen axes, contacts where faces meet or edges cross.

Edges that cross nearly within a face of either, as where a box stands a little twisted on another one, or leans on it by an edge
that is a little askew, have the contacts of their faces as well, all along the edges' normal (`convex/box_box_manifold.py`): one
point would let the box turn about it.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, product, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add, get3, magnitudes, negate, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, points_at, set_point
from opendynamics.core.collide.narrowphase.convex.box_box_manifold import tilted_faces_meet
from opendynamics.core.collide.narrowphase.primitives.box_manifold import edges_meet, faces_meet
from opendynamics.core.collide.narrowphase.primitives.box_sat import EDGES, box_box_sat
from opendynamics.core.kernels import entry, kernel

# An edge axis must beat the best face axis by this factor, and by this fraction of the sizes: which of two equal ones is chosen
# does not depend on rounding.
FAVOUR = 1.0 + 1.0e-9
ROUNDING = 2.0e-15

# Boxes separated by at most this fraction of the sizes touch, so that a box at rest does not lose its support for a step.
PARTED = NEAR

# Cosine between the normal and a face's from which on that face carries the box.
NEAR_FACE = 0.995


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    one, two = geom_at(a), geom_at(b)
    place, r, half = get3(one.position), get9(one.rotation), scale(0.5, get3(one.size))
    other_place, other_r, other_half = get3(two.position), get9(two.rotation), scale(0.5, get3(two.size))
    turn = product(transposed(r), other_r)
    offset = transposed_times(r, subtract(other_place, place))
    size = half[0] + half[1] + half[2] + other_half[0] + other_half[1] + other_half[2]
    near = NEAR * size
    other_offset = transposed_times(turn, offset)
    gap, code = box_box_sat(offset, other_offset, turn, half, other_half, FAVOUR, ROUNDING * size, PARTED * size)
    if code < 0:
        return 0
    if code < EDGES:
        return faces_meet(
            place, r, half, other_place, other_r, other_half, offset, turn, code, (near, False), limit, points, scratch
        )
    at, outward, on_edges = edges_meet(code - EDGES, offset, turn, half, other_half)
    if is_near_face(outward) or is_near_face(transposed_times(turn, outward)):
        crossing = (at, outward, -gap, on_edges)
        return tilted_faces_meet(
            place, r, half, offset, turn, other_half, crossing, 2.0 * size, 2.0 * near, limit, points, scratch
        )
    set_point(points_at(points, limit)[0], add(place, times(r, at)), negate(times(r, outward)), -gap)
    return 1


@kernel
def is_near_face(n):
    """Whether a box's face looks nearly along n, a direction in the box's frame."""
    x, y, z = magnitudes(n)
    return max(x, max(y, z)) >= NEAR_FACE
