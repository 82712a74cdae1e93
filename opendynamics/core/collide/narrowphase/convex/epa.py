"""EPA: penetration depth and direction of two convex cores by an expanding polytope (van den Bergen 2001).

A polytope inside the Minkowski difference D = {a - b} expands: its closest face, by signed distance d from the origin, is
replaced by faces through the support point s of D along the face's normal n. The overlap along any n is h(n) = s·n, so
h < 0 proves the cores apart, and d <= depth <= h brackets the depth as soon as the origin is inside. The first simplex is made of
support points, not taken from GJK, so it need not contain the origin and is never degenerate. For polyhedra it ends at an exact
face of D; for cylinders the bracket converges to a relative width of 1e-7.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import (
    add_scaled,
    cross,
    dot,
    get3_from,
    length,
    negate,
    plane_space,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import is_curved
from opendynamics.core.collide.narrowphase.convex.minkowski import VERTEX, put_vertex, vertex
from opendynamics.core.collide.narrowphase.shape_pair import FOUND, SHAPE_PAIR, pair_extent, supports
from opendynamics.core.kernels import entry, kernel

# Scratch: vertices, faces (normal, distance, three vertices), open edges.
MAX_VERTICES = 128
FACE = 7
MAX_FACES = 2 * MAX_VERTICES
FACES = VERTEX * MAX_VERTICES
EDGES = FACES + FACE * MAX_FACES
MAX_EDGES = 256
END = EDGES + 2 * MAX_EDGES

# Convergence of the bracket, relative to the extent and to the depth. With a curved core, `refinement.py` continues from here to
# rounding in half as many iterations.
ROUNDING = 4.0e-15
CLOSED = 1.0e-11
CLOSED_CURVED = 1.0e-7

# Extent of the first three vertices along a direction, relative to that of the first two, below which D is flat along it.
FLAT = 1.0e-12

# Squared area, relative to the squared lengths of its sides, below which a face has no normal.
NO_AREA = 1.0e-30

APART = -1.0


@entry(FOUND(SHAPE_PAIR, types.int64))
def epa_penetration(pair, scratch):
    """Overlap (APART if there is none), its direction from the first core to the second, and a point of each there."""
    floats = floats_at(scratch)
    extent = pair_extent(pair)
    faces = first_simplex(pair, floats)
    vertices = 4
    closed = CLOSED_CURVED if is_curved(pair.a) or is_curved(pair.b) else CLOSED
    best, best_n, best_a, best_b = inf, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if faces == 0:
        return APART, best_n, best_a, best_b
    while True:
        face = closest_face(floats, faces)
        n, d = get3_from(floats, face), floats[face + 3]
        a, b = supports(pair, n)
        s = subtract(a, b)
        h = dot(s, n)
        if h < 0.0:
            return APART, best_n, best_a, best_b
        done = h - d <= ROUNDING * extent + closed * h
        if h < best or done:
            best, best_n = h, n
            best_a, best_b = under_origin(floats, face)
        if done or vertices == MAX_VERTICES:
            return best, best_n, best_a, best_b
        put_vertex(floats, vertices, a, b)
        grown = expand(floats, faces, vertices, face, ROUNDING * extent)
        if grown == 0:
            return best, best_n, best_a, best_b
        faces = grown
        vertices += 1


@kernel
def put_support(pair, floats, k, n):
    """Store the support point along `n` as vertex k; returns its projection on `n`."""
    a, b = supports(pair, n)
    put_vertex(floats, k, a, b)
    return dot(vertex(floats, k), n)


@kernel
def put_farther_support(pair, floats, k, n, base):
    """Corner k far from `base` along `n`, forward or backward. False: the cores are apart along `n`."""
    there = put_support(pair, floats, k + 1, negate(n))
    here = put_support(pair, floats, k, n)
    if here < 0.0 or there < 0.0:
        return False
    level = dot(base, n)
    if abs(-there - level) > abs(here - level):
        for j in range(VERTEX):
            floats[VERTEX * k + j] = floats[VERTEX * (k + 1) + j]
    return True


@kernel
def first_simplex(pair, floats):
    """Four vertices of D and the four faces between them; returns 4, or 0 if the cores are apart or D has no volume."""
    start = pair.offset if dot(pair.offset, pair.offset) > 0.0 else (0.0, 0.0, 1.0)
    n = scale(1.0 / length(start), start)
    if put_support(pair, floats, 0, negate(n)) < 0.0 or put_support(pair, floats, 1, n) < 0.0:
        return 0
    base = vertex(floats, 0)
    along = subtract(vertex(floats, 1), base)
    if dot(along, along) == 0.0:
        return 0
    p, q = plane_space(scale(1.0 / length(along), along))
    if not put_farther_support(pair, floats, 2, p, base):
        return 0
    # D may be flat along p; then the third vertex is sought along q.
    arm = subtract(vertex(floats, 2), base)
    if abs(dot(arm, p)) <= FLAT * length(along) and not put_farther_support(pair, floats, 2, q, base):
        return 0
    n = cross(along, subtract(vertex(floats, 2), base))
    if dot(n, n) == 0.0:
        return 0
    n = scale(1.0 / length(n), n)
    if not put_farther_support(pair, floats, 3, n, base) or dot(subtract(vertex(floats, 3), base), n) == 0.0:
        return 0
    if dot(subtract(vertex(floats, 3), base), n) > 0.0:
        put_face(floats, 0, 0, 2, 1)
        put_face(floats, 1, 0, 1, 3)
        put_face(floats, 2, 1, 2, 3)
        put_face(floats, 3, 2, 0, 3)
    else:
        put_face(floats, 0, 0, 1, 2)
        put_face(floats, 1, 1, 0, 3)
        put_face(floats, 2, 2, 1, 3)
        put_face(floats, 3, 0, 2, 3)
    return 4


@kernel
def put_face(floats, face, i, j, k):
    """Store a face by its vertices, counterclockwise from outside. Degenerate faces are never chosen and never visible."""
    at = FACES + FACE * face
    v = vertex(floats, i)
    e, f = subtract(vertex(floats, j), v), subtract(vertex(floats, k), v)
    n = cross(e, f)
    nn = dot(n, n)
    if nn > NO_AREA * dot(e, e) * dot(f, f):
        n = scale(1.0 / sqrt(nn), n)
        put3_at(floats, at, n)
        floats[at + 3] = dot(n, v)
    else:
        put3_at(floats, at, (0.0, 0.0, 0.0))
        floats[at + 3] = inf
    floats[at + 4], floats[at + 5], floats[at + 6] = i, j, k


@kernel
def closest_face(floats, faces):
    """Index of the face with the least signed distance."""
    best = FACES
    for at in range(FACES + FACE, FACES + FACE * faces, FACE):
        if floats[at + 3] < floats[best + 3]:
            best = at
    return best


@kernel
def expand(floats, faces, new, chosen, margin):
    """Replace all faces visible from vertex `new` by a fan from their horizon; returns the number of faces, 0: out of memory."""
    s = vertex(floats, new)
    edges = 0
    at = FACES
    end = FACES + FACE * faces
    while at < end:
        if at != chosen and dot(get3_from(floats, at), s) <= floats[at + 3] + margin:
            at += FACE
            continue
        if edges + 3 > MAX_EDGES:
            return 0
        i, j, k = floats[at + 4], floats[at + 5], floats[at + 6]
        edges = toggled(floats, edges, i, j)
        edges = toggled(floats, edges, j, k)
        edges = toggled(floats, edges, k, i)
        end -= FACE
        for c in range(FACE):
            floats[at + c] = floats[end + c]
        if chosen == end:
            chosen = at
        elif chosen == at:
            chosen = -1
    count = (end - FACES) // FACE
    if count + edges > MAX_FACES:
        return 0
    for e in range(edges):
        put_face(floats, count + e, int(floats[EDGES + 2 * e]), int(floats[EDGES + 2 * e + 1]), new)
    return count + edges


@kernel
def toggled(floats, edges, i, j):
    """Add the horizon edge i-j, or remove j-i if it is stored: then both its faces are gone. Returns the number of edges."""
    for e in range(edges):
        at = EDGES + 2 * e
        if floats[at] == j and floats[at + 1] == i:
            last = EDGES + 2 * (edges - 1)
            floats[at], floats[at + 1] = floats[last], floats[last + 1]
            return edges - 1
    floats[EDGES + 2 * edges], floats[EDGES + 2 * edges + 1] = i, j
    return edges + 1


@kernel
def under_origin(floats, face):
    """Points of a and b whose difference is the projection of the origin on a face, clamped to it."""
    i, j, k = int(floats[face + 4]), int(floats[face + 5]), int(floats[face + 6])
    n = get3_from(floats, face)
    foot = scale(floats[face + 3], n)
    u, v, w = vertex(floats, i), vertex(floats, j), vertex(floats, k)
    x = max(dot(cross(subtract(v, foot), subtract(w, foot)), n), 0.0)
    y = max(dot(cross(subtract(w, foot), subtract(u, foot)), n), 0.0)
    z = max(dot(cross(subtract(u, foot), subtract(v, foot)), n), 0.0)
    total = x + y + z
    if total <= 0.0:
        x, total = 1.0, 1.0
    x, y, z = x / total, y / total, z / total
    a = mixed(floats, VERTEX * i, VERTEX * j, VERTEX * k, x, y, z)
    return a, mixed(floats, VERTEX * i + 3, VERTEX * j + 3, VERTEX * k + 3, x, y, z)


@kernel
def mixed(floats, i, j, k, x, y, z):
    return add_scaled(add_scaled(scale(x, get3_from(floats, i)), y, get3_from(floats, j)), z, get3_from(floats, k))
