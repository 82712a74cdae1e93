"""Contact points with triangle meshes and heightfields: scratch memory, merging and manifold reduction.

Everything is computed in the surface's frame. Scratch memory holds keys of triangles, the result of each, two polygons,
and contact points, each POINT_WIDTH floats: position, depth, normal, the triangle's key, one to work with, and the number
of the other mesh's triangle, -1 if the body is no mesh.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import get9, product, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, plane_space, put3_at, set3, subtract
from opendynamics.core.arrays.blocks.scratch import WAITING, floats_at
from opendynamics.core.bodies.triangles import side_of
from opendynamics.core.collide.narrowphase.collider import points_at
from opendynamics.core.kernels import kernel

# Triangles processed together.
ROOM = 192
# Directions in which contacts push, noted for the triangles that they clear.
DIRECTIONS = 16
CORNERS = 56
MAX_POINTS = 64

# Offsets in scratch memory, in units of 8 bytes.
KEYS = 0
REMAINING = KEYS + ROOM  # places in KEYS of the triangles that no direction has cleared yet
FOUND = REMAINING + ROOM  # depth, normal of each triangle
FOUND_WIDTH = 4
CHOSEN = FOUND + FOUND_WIDTH * ROOM  # directions in which contacts push
CHOSEN_WIDTH = 11  # normal, level, two axes across it, the body's triangle that the level is of
POLYGON = CHOSEN + CHOSEN_WIDTH * DIRECTIONS
OTHER_POLYGON = POLYGON + 3 * CORNERS
FACE = OTHER_POLYGON + 3 * CORNERS  # the body's lowest face along the direction of a slot
FACE_SLOT = FACE + 3 * CORNERS  # which slot, and how many corners
BETWEEN = FACE_SLOT + 2  # the face of a polyhedron that was between it and a triangle last
POINTS = BETWEEN + 1
POINT_WIDTH = 10
CUTTING, MAX_CUTTING = POINTS, POINT_WIDTH * MAX_POINTS  # faces that cut a triangle, before there are points
SLOTS = 9  # points kept for each direction: the deepest, and the furthest along eight directions across it
TRIANGLE_AT = POINTS + POINT_WIDTH * MAX_POINTS
BODY_AT = TRIANGLE_AT + 9
SIMPLEX = BODY_AT + 9  # for the distance of a body and a triangle

SLOT_POINTS = SIMPLEX + 64
assert SLOT_POINTS + DIRECTIONS * SLOTS * POINT_WIDTH <= WAITING

# Contacts of one normal and closer than this fraction of the body's size are one.
SAME = 1.0e-7

# Sine of the angle between a direction and a triangle's plane below which the triangle is edge-on: it has no projection to clip
# against. Cosine above which two directions are equal. Fraction of the body's size by which a cleared triangle may protrude.
EDGE_ON = 1.0e-3
SAME_DIRECTION = 1.0 - 1.0e-12
CLEARED = 1.0e-9


@kernel
def relative_pose(geom, position, rotation):
    """A position and rotation in the world, relative to the frame of `geom`."""
    r = get9(geom.rotation)
    return transposed_times(r, subtract(position, get3(geom.position))), product(transposed(r), rotation)


@kernel
def add_point(scratch, count, position, depth, normal, side, size):
    """Note a contact of a body of this `size`; returns the number of points then.

    A point that exists already, with the same normal, keeps the deeper of the two depths. If there is no room, the half of
    the points that adds least to the spread is dropped.
    """
    floats = floats_at(scratch)
    nearest = SAME * SAME * size * size
    for k in range(count):
        at = POINTS + k * POINT_WIDTH
        gap = subtract(position, get3_from(floats, at))
        if dot(gap, gap) <= nearest:
            turn = subtract(normal, get3_from(floats, at + 4))
            if dot(turn, turn) <= SAME:
                floats[at + 3] = max(floats[at + 3], depth)
                return count
    if count == MAX_POINTS:
        count = reduce_points(floats, count, MAX_POINTS // 2, size)
    at = POINTS + count * POINT_WIDTH
    put3_at(floats, at, position)
    floats[at + 3] = depth
    put3_at(floats, at + 4, normal)
    floats[at + 7] = side
    floats[at + 9] = -1
    return count + 1


@kernel
def open_slots(floats, direction, n):
    """Begin a direction: its normal, two axes across it, and empty slots."""
    at = CHOSEN + CHOSEN_WIDTH * direction
    p, q = plane_space(n)
    put3_at(floats, at, n)
    put3_at(floats, at + 4, p)
    put3_at(floats, at + 7, q)
    for k in range(SLOTS):
        floats[SLOT_POINTS + (direction * SLOTS + k) * POINT_WIDTH + 8] = -inf


@kernel
def put_in_slots(floats, direction, position, depth, normal, side, other):
    """Keep a point if it is the deepest of its direction, or the furthest along one of eight directions across."""
    at = CHOSEN + CHOSEN_WIDTH * direction
    u, v = dot(position, get3_from(floats, at + 4)), dot(position, get3_from(floats, at + 7))
    projections = (depth, u, u + v, v, v - u, -u, -u - v, -v, u - v)
    for k in range(SLOTS):
        slot = SLOT_POINTS + (direction * SLOTS + k) * POINT_WIDTH
        if projections[k] > floats[slot + 8]:
            put3_at(floats, slot, position)
            floats[slot + 3] = depth
            put3_at(floats, slot + 4, normal)
            floats[slot + 7], floats[slot + 8], floats[slot + 9] = side, projections[k], other


@kernel
def collect_slots(scratch, directions, size):
    """Note the points of all slots; returns how many there are."""
    floats, count = floats_at(scratch), 0
    for slot in range(SLOT_POINTS, SLOT_POINTS + directions * SLOTS * POINT_WIDTH, POINT_WIDTH):
        if floats[slot + 8] > -inf:
            place, normal = get3_from(floats, slot), get3_from(floats, slot + 4)
            before = count
            count = add_point(scratch, count, place, floats[slot + 3], normal, floats[slot + 7], size)
            if count > before:
                floats[POINTS + before * POINT_WIDTH + 9] = floats[slot + 9]
    return count


@kernel
def reduce_points(floats, count, limit, size):
    """Bring the deepest point and then those furthest from the kept ones to the front; returns how many are kept.

    As in `primitives/reduction.py`, but normals count too, as if they were places `size` apart: none of several directions in
    which a body is pushed is left out for being in the same place as another.
    """
    if count <= limit:
        return count
    chosen = 0
    for k in range(1, count):
        if floats[POINTS + k * POINT_WIDTH + 3] > floats[POINTS + chosen * POINT_WIDTH + 3]:
            chosen = k
    _exchange(floats, 0, chosen)
    for k in range(1, count):
        floats[POINTS + k * POINT_WIDTH + 8] = _apart(floats, k, 0, size)
    for kept in range(1, limit):
        chosen = kept
        for k in range(kept + 1, count):
            if floats[POINTS + k * POINT_WIDTH + 8] > floats[POINTS + chosen * POINT_WIDTH + 8]:
                chosen = k
        _exchange(floats, kept, chosen)
        for k in range(kept + 1, count):
            at = POINTS + k * POINT_WIDTH + 8
            floats[at] = min(floats[at], _apart(floats, k, kept, size))
    return limit


@kernel
def _apart(floats, i, j, size):
    a, b = POINTS + i * POINT_WIDTH, POINTS + j * POINT_WIDTH
    gap = subtract(get3_from(floats, a), get3_from(floats, b))
    turn = subtract(get3_from(floats, a + 4), get3_from(floats, b + 4))
    return dot(gap, gap) + size * size * dot(turn, turn)


@kernel
def _exchange(floats, i, j):
    a, b = POINTS + i * POINT_WIDTH, POINTS + j * POINT_WIDTH
    for k in range(POINT_WIDTH):
        floats[a + k], floats[b + k] = floats[b + k], floats[a + k]


@kernel
def write_points(scratch, count, geom, surface, points, limit, size):
    """Write the points in the world's frame, at most `limit`; `geom` is the surface's, the second of the pair."""
    floats = floats_at(scratch)
    origin, r = get3(geom.position), get9(geom.rotation)
    found = points_at(points, limit)
    for k in range(reduce_points(floats, count, limit, size)):
        at = POINTS + k * POINT_WIDTH
        point = found[k]
        set3(point.position, add(origin, times(r, get3_from(floats, at))))
        set3(point.normal, times(r, get3_from(floats, at + 4)))
        point.depth = floats[at + 3]
        point.side_a = int(floats[at + 9])
        point.side_b = side_of(surface, int(floats[at + 7]))
    return count
