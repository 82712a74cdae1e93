"""Contacts of two boxes: one where two edges cross, or up to eight where a face meets a face, an edge or a corner.

The axis on which the boxes overlap least (`box_sat.py`) says which. If it is a face normal, the other box's face
that looks at this one most directly is clipped against it, and each corner of what is left that lies below the surface
is a contact there, as deep as it lies. If it is the cross product of two edges, the contact lies halfway between the
edges' closest points and is as deep as the overlap. All contacts share the axis as their normal. If there are more
than `limit`, `reduction.py` chooses, or `box_reduction.py` as ODE does.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import (
    column0,
    column1,
    column2,
    row2,
    times,
    transposed,
    transposed_times,
)
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, negate, scale, set3, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.collide.narrowphase.collider import points_at, set_point
from opendynamics.core.collide.narrowphase.primitives.box_clipping import POLYGON, clipped, clipped_as_ode
from opendynamics.core.collide.narrowphase.primitives.box_reduction import reduce_by_angle
from opendynamics.core.collide.narrowphase.primitives.box_sat import FACES_OF_B
from opendynamics.core.collide.narrowphase.primitives.reduction import POINT_FLOATS, reduce_manifold
from opendynamics.core.kernels import kernel

# Scratch floats: two polygons (`box_clipping.py`), then candidate points.
CANDIDATES = 2 * POLYGON

# Squared sine of the angle below which crossing edges have no clear crossing point (ODE's bound).
ALONGSIDE = 1.0e-4

# Tolerance, relative to an edge's length, within which a crossing counts as on the edge.
BEYOND = 1.0 + 1.0e-5


@kernel
def faces_meet(place, r, half, other_place, other_r, other_half, offset, turn, code, how, limit, points, scratch):
    """Contacts of boxes that overlap least along the face normal with this code; normals point into the first.

    `offset`, `turn`: the second box in the first one's frame. `how`: how far above the face a corner may be, m, and
    whether contacts are chosen and come in order as ODE's.
    """
    if code < FACES_OF_B:
        return face_meets(place, r, half, code, -1.0, offset, turn, other_half, how, limit, points, scratch)
    offset, turn, i = negate(transposed_times(turn, offset)), transposed(turn), code - FACES_OF_B
    return face_meets(other_place, other_r, other_half, i, 1.0, offset, turn, half, how, limit, points, scratch)


@kernel
def cycled(v, i):
    """(v[i + 1], v[i + 2], v[i]), indices modulo 3."""
    if i == 0:
        return v[1], v[2], v[0]
    if i == 1:
        return v[2], v[0], v[1]
    return v


@kernel
def column(m, j):
    if j == 0:
        return column0(m)
    if j == 1:
        return column1(m)
    return column2(m)


@kernel
def uncycled(u, v, w, i):
    """The vector x with cycled(x, i) = (u, v, w)."""
    if i == 0:
        return w, u, v
    if i == 1:
        return v, w, u
    return u, v, w


@kernel
def edges_meet(pair, p, r, a, b):
    """The crossing of edge i of A and edge j of B, the unit normal out of A, in A's frame, and whether both edges extend to it.

    pair = 3 i + j. The axis is n = e_i x r_j. Each edge is the one furthest along n towards the other box, given by its middle.
    """
    i, j = pair // 3, pair % 3
    along = column(r, j)
    turned = cycled(along, i)
    k = 1.0 / sqrt(turned[0] * turned[0] + turned[1] * turned[1])
    n = uncycled(-turned[1] * k, turned[0] * k, 0.0, i)
    if dot(n, p) < 0.0:
        n = negate(n)
    m = cycled(n, i)
    h = cycled(a, i)
    on_a = uncycled(h[0] if m[0] > 0.0 else -h[0], h[1] if m[1] > 0.0 else -h[1], 0.0, i)
    m = cycled(transposed_times(r, n), j)
    g = cycled(b, j)
    on_b = add(p, times(r, uncycled(-g[0] if m[0] > 0.0 else g[0], -g[1] if m[1] > 0.0 else g[1], 0.0, j)))
    s, t = crossing(subtract(on_b, on_a), uncycled(0.0, 0.0, 1.0, i), along, h[2], g[2])
    at = scale(0.5, add(add_scaled(on_a, s, uncycled(0.0, 0.0, 1.0, i)), add_scaled(on_b, t, along)))
    return at, n, abs(s) <= BEYOND * h[2] and abs(t) <= BEYOND * g[2]


@kernel
def crossing(gap, u, v, half_u, half_v):
    """Where two lines are closest, from the middles of their edges: s along u and t along v.

    They solve s - (u·v) t = u·gap, (u·v) s - t = v·gap. For edges almost alongside, the middle of their common stretch.
    """
    cosine = dot(u, v)
    on_u, on_v = dot(u, gap), dot(v, gap)
    det = 1.0 - cosine * cosine
    if det > ALONGSIDE:
        return (on_u - cosine * on_v) / det, (cosine * on_u - on_v) / det
    s = 0.5 * (max(-half_u, on_u - half_v) + min(half_u, on_u + half_v))
    return s, cosine * (s - on_u)


@kernel
def face_meets(place, r, half, i, sign, offset, turn, other_half, how, limit, points, scratch):
    """Contacts on face i of a box (place, r, half), with another at `offset` and `turn` in its frame.

    Coordinates: w along the face's outward normal, u and v along the next two axes. `sign` times the outward normal is
    the contacts' normal. The other box's face has its middle at c and lies in the plane
    w = c_w + slope_u (u - c_u) + slope_v (v - c_v). Centres at equal height: the first box counts as the lower one.
    """
    near, as_ode = how
    offset, half = cycled(offset, i), cycled(half, i)
    if i != 2:
        r, turn = cycled_columns(r), cycled_rows(turn)
        if i == 1:
            r, turn = cycled_columns(r), cycled_rows(turn)
    out = 1.0 if offset[2] > 0.0 or (offset[2] == 0.0 and sign < 0.0) else -1.0
    k = steepest_as_ode(row2(turn)) if as_ode else steepest(row2(turn))
    other_half = cycled(other_half, k)
    if k != 2:
        turn = cycled_columns(turn)
        if k == 1:
            turn = cycled_columns(turn)
    m = column2(turn)
    c = add_scaled(offset, -other_half[2] if m[2] * out > 0.0 else other_half[2], m)
    slope_u, slope_v = -m[0] / m[2], -m[1] / m[2]
    e, f = scale(other_half[0], column0(turn)), scale(other_half[1], column1(turn))
    if as_ode:  # axes by number, where ours follow one another; the second side of the face comes first
        e, f = (e, f) if k == 1 else (f, e)
        at, corners = clipped_as_ode(scratch, c, e, f, half, 1 if i == 1 else 0)
    else:
        at, corners = clipped(scratch, c, e, f, half)
    normal = column2(r)
    level = c[2] - slope_u * c[0] - slope_v * c[1]
    start = add_scaled(place, level, normal)
    along_u, along_v = add_scaled(column0(r), slope_u, normal), add_scaled(column1(r), slope_v, normal)
    floats = floats_at(scratch)
    count = 0
    for corner in range(at, at + 2 * corners, 2):
        u, v = floats[corner], floats[corner + 1]
        depth = half[2] - out * (level + slope_u * u + slope_v * v)
        if depth >= -near:
            here = CANDIDATES + count * POINT_FLOATS
            set3(floats[here : here + 3], add_scaled(add_scaled(start, u, along_u), v, along_v))
            floats[here + 3] = max(depth, 0.0)
            floats[here + 4], floats[here + 5] = (v, u) if i == 1 else (u, v)
            count += 1
    normal = scale(sign * out, normal)
    if as_ode:
        kept = reduce_by_angle(scratch, CANDIDATES, count, limit)
    else:
        kept = reduce_manifold(scratch, CANDIDATES, count, limit)
    for k in range(kept):
        here = CANDIDATES + k * POINT_FLOATS
        set_point(points_at(points, limit)[k], get3(floats[here : here + 3]), normal, floats[here + 3])
    return count


@kernel
def cycled_rows(m):
    return m[3], m[4], m[5], m[6], m[7], m[8], m[0], m[1], m[2]


@kernel
def cycled_columns(m):
    return m[1], m[2], m[0], m[4], m[5], m[3], m[7], m[8], m[6]


@kernel
def steepest(v):
    """Which component of `v` is largest."""
    x, y, z = abs(v[0]), abs(v[1]), abs(v[2])
    if x >= y and x >= z:
        return 0
    return 1 if y >= z else 2


@kernel
def steepest_as_ode(v):
    """The same, but z if that is as large as the others."""
    return 2 if abs(v[2]) >= abs(v[0]) and abs(v[2]) >= abs(v[1]) else steepest(v)
