"""The part of a convex core that carries contacts along a direction: a point, a segment, or a face's polygon.

It is told in a frame (u, v, along): two axes across the direction, and the height along it. Polygons come with the
slopes of their plane, height = c + su u + sv v, as the faces that face the direction best are seldom square to it.
"""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

import numpy as np

from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    cross,
    dot,
    get3_from,
    length,
    plane_space,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.hulls import hull_floats, hull_indices, hulls_at
from opendynamics.core.bodies.shapes.convex import furthest, most_facing
from opendynamics.core.bodies.shapes.support import mapped
from opendynamics.core.collide.narrowphase.collider import floats_at
from opendynamics.core.collide.narrowphase.shape_pair import BOX, CAPSULE, CONVEX, CYLINDER, SUPPORT
from opendynamics.core.kernels import kernel

# Corners of a polygon: of a cylinder's cap, and the most that a face may bring; of larger faces, as many evenly chosen.
ROUND = 12
MOST = 48

# Cosine and sine of the angles of such a polygon.
TURNS = np.array([(cos(k * 2.0 * pi / ROUND), sin(k * 2.0 * pi / ROUND)) for k in range(ROUND)])

# Cosine between face and direction below which a face is too steep to carry anything.
STEEP = 0.2

# Cosine between axis and direction above which a cylinder stands on its cap and below which it lies on its side.
ON_CAP = 0.5

# Sine between axis and direction below which a cylinder stands upright.
UPRIGHT = 1.0e-9

# How far directions lean that look for the corners of a support function's face, rad, and the part of its extent that a
# face has to be wide: what is as round as a ball of ten times the extent counts as flat.
TILT = 1.0e-2
WIDE = 0.1

# Part of the extent by which a vertex may miss the plane of a face that it is a corner of.
ON_FACE = 1.0e-9


@kernel
def feature(kind, size, data, n, scratch, at):
    """Write the corners of a core's feature along the unit vector `n`, in the core's own frame, from scratch float `at` on.

    Returns how many there are, and the normal of their plane (any, if they are fewer than three).
    """
    if kind == CONVEX:
        return hull_feature(data, n, scratch, at)
    if kind == BOX:
        return box_feature(size, n, scratch, at)
    if kind == CYLINDER:
        return cylinder_feature(size, n, scratch, at)
    if kind == SUPPORT:
        return mapped_feature(data, size[1], n, scratch, at)
    if kind == CAPSULE:
        return put_segment((0.0, 0.0, -0.5 * size[1]), (0.0, 0.0, 0.5 * size[1]), scratch, at), n
    return 0, n


@kernel
def put_segment(p, q, scratch, at):
    floats = floats_at(scratch)
    for axis in range(3):
        floats[at + axis] = p[axis]
        floats[at + 3 + axis] = q[axis]
    return 2


@kernel
def box_feature(size, n, scratch, at):
    """The face that looks most along n, counterclockwise from outside."""
    floats = floats_at(scratch)
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    i = 0 if x >= y and x >= z else (1 if y >= z else 2)
    j, k = (i + 1) % 3, (i + 2) % 3
    out = 1.0 if n[i] >= 0.0 else -1.0
    for c in range(4):
        p = 1.0 if c == 1 or c == 2 else -1.0
        q = 1.0 if c >= 2 else -1.0
        floats[at + 3 * c + i] = 0.5 * out * size[i]
        floats[at + 3 * c + j] = 0.5 * p * out * size[j]
        floats[at + 3 * c + k] = 0.5 * q * size[k]
    return 4, (out if i == 0 else 0.0, out if i == 1 else 0.0, out if i == 2 else 0.0)


@kernel
def cylinder_feature(size, n, scratch, at):
    """Points round the rim of a cap, the furthest along n first; or the line of the barrel that is furthest along n."""
    floats = floats_at(scratch)
    across = sqrt(n[0] * n[0] + n[1] * n[1])
    # Flat on the cap no direction round it is special: one of its own is steadier than rounding.
    x, y = (n[0] / across, n[1] / across) if across > UPRIGHT else (1.0, 0.0)
    radius, half = size[0], 0.5 * size[1]
    if abs(n[2]) < ON_CAP:
        return put_segment((radius * x, radius * y, -half), (radius * x, radius * y, half), scratch, at), n
    out = 1.0 if n[2] > 0.0 else -1.0
    x, y = radius * x, radius * y
    for c in range(ROUND):
        turn, lean = TURNS[c, 0], out * TURNS[c, 1]
        floats[at + 3 * c] = x * turn - y * lean
        floats[at + 3 * c + 1] = x * lean + y * turn
        floats[at + 3 * c + 2] = out * half
    return ROUND, (0.0, 0.0, out)


@kernel
def hull_feature(data, n, scratch, at):
    """Of the faces that the furthest vertex is a corner of, the one that looks most along n; or none if all are steep."""
    floats = floats_at(scratch)
    hull = hulls_at(data)[0]
    vertices = hull_floats(data + hull.vertices_at, 3 * hull.vertices)
    top = get3_from(vertices, 3 * furthest(data, n))
    face, most = facing_at(data, n, top)
    if most < STEEP:
        return 0, n
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    first = hull_indices(data + hull.first_corners_at, hull.faces + 1)
    corners = hull_indices(data + hull.corners_at, 2 * hull.edges)
    count = first[face + 1] - first[face]
    taken = min(count, MOST)
    for c in range(taken):
        vertex = corners[first[face] + c * count // taken]
        for axis in range(3):
            floats[at + 3 * c + axis] = vertices[3 * vertex + axis]
    return taken, get3_from(planes, 4 * face)


@kernel
def facing_at(data, n, top):
    """Among the faces through the point `top`, the one that looks most along n, and the cosine."""
    hull = hulls_at(data)[0]
    planes = hull_floats(data + hull.planes_at, 4 * hull.faces)
    margin = ON_FACE * (hull.high[0] - hull.low[0] + hull.high[1] - hull.low[1] + hull.high[2] - hull.low[2])
    face = most_facing(data, n)
    normal = get3_from(planes, 4 * face)
    if planes[4 * face + 3] - dot(normal, top) <= margin:
        return face, dot(normal, n)
    face, most = 0, -inf
    for k in range(hull.faces):
        normal = get3_from(planes, 4 * k)
        facing = dot(normal, n)
        if facing > most and planes[4 * k + 3] - dot(normal, top) <= margin:
            face, most = k, facing
    return face, most


@kernel
def mapped_feature(data, extent, n, scratch, at):
    """The face or edge of a support function's core that is square to n: where directions lead that lean from n all round.

    Points that lie close together are a rounded surface, and no face.
    """
    floats = floats_at(scratch)
    p, q = plane_space(n)
    count, least, wide = 0, 1.0e-6 * extent, 0.0
    for k in range(ROUND):
        lean = add_scaled(scale(TILT * TURNS[k, 0], p), TILT * TURNS[k, 1], q)
        point = mapped(data, add(n, lean))
        first = get3_from(floats, at) if count else point
        last = get3_from(floats, at + 3 * (count - 1)) if count else point
        if count and (length(subtract(point, last)) <= least or length(subtract(point, first)) <= least):
            continue
        put3_at(floats, at + 3 * count, point)
        count += 1
        wide = max(wide, length(subtract(point, first)))
    if count < 2 or wide < WIDE * extent:
        return 0, n
    if count == 2:
        return 2, n
    normal = (0.0, 0.0, 0.0)
    first = get3_from(floats, at)
    for k in range(1, count - 1):
        arm = subtract(get3_from(floats, at + 3 * k), first)
        normal = add(normal, cross(arm, subtract(get3_from(floats, at + 3 * k + 3), first)))
    area = length(normal)
    if area < WIDE * WIDE * extent * wide or dot(normal, n) < STEEP * area:
        return 0, n
    return count, scale(1.0 / area, normal)
