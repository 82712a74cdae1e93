"""A box's or a capsule's manifold in its own frame: what `convex_mesh.py` finds for it on a few triangles, by closed forms.

The minimum penetration with each triangle is that of `box_triangle.py` or `capsule_triangle.py`. A translation along its
direction n also clears every other triangle whose corners are then below the body. Contact points are the corners of the body's
lowest face, x = c + s u + t v with s and t in [-1, 1] (of a capsule the axis, v = 0), clipped by the sides of each triangle's
projection along n (Sutherland and Hodgman 1974).

UNKNOWN is left to the general code: many triangles, and bodies that may be inside of what the surface bounds.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import transposed_times
from opendynamics.core.algebra.vec3 import add_scaled, cross, dot, get3_from, plane_space, put3_at, scale, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.shape import is_thinner, radius_of
from opendynamics.core.bodies.shapes import VECTOR
from opendynamics.core.bodies.triangles import MESH, SURFACE, corners_of, gather_in, hull_of, is_solid, normal_at
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.bodies.triangles.grid import grid_at, height_at
from opendynamics.core.bodies.triangles.mesh import may_enclose, mesh_at
from opendynamics.core.collide.narrowphase.collider import NEAR
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER
from opendynamics.core.collide.narrowphase.mesh.box_cells import (
    NORMAL,
    OUTWARD,
    OVERLAP,
    RECORD,
    RECORD_WIDTH,
    TOO_MANY,
    measure_on_cells,
)
from opendynamics.core.collide.narrowphase.mesh.contact_points import (
    CHOSEN,
    CLEARED,
    EDGE_ON,
    FACE,
    KEYS,
    OTHER_POLYGON,
    POLYGON,
    SAME_DIRECTION,
    SLOT_POINTS,
    add_point,
)
from opendynamics.core.collide.narrowphase.mesh.convex_triangle import (
    has_own_cells,
    mtv_local,
    own_extent,
    own_face,
)
from opendynamics.core.collide.narrowphase.placed_shape import PLACED_SHAPE, local_corners, oriented_box
from opendynamics.core.kernels import entry, kernel

# Instead of a number of points: this is a case for the general code.
UNKNOWN = -1

# Room: triangles, directions, and points before reduction.
TRIANGLES, DIRECTIONS, CANDIDATES = 48, 8, 96

# Scratch memory, in floats. A direction: n, how far up it is clear, two axes across it. A candidate: place, depth, direction,
# key, places along those axes. EXTREMES: see `_find_extremes`.
DIRECTION, DIRECTION_WIDTH = CHOSEN, 10
CANDIDATE, CANDIDATE_WIDTH = SLOT_POINTS, 8
EXTREMES, MAX_EXTREMES = FACE, 9

# In place of an overlap: the triangle is done with.
DONE = inf


@entry(types.int64(PLACED_SHAPE, SURFACE, VECTOR, types.UniTuple(VECTOR, 2), types.float64, types.int64))
def manifold_on_few(body, surface, centre, box, size, scratch):
    """Note the contact points of a body and a surface, in the body's frame; returns how many, or UNKNOWN.

    `box`: (low, high) of the body, `size`: its largest extent.
    """
    if hull_of(surface) != 0:
        return UNKNOWN
    remaining, least = TOO_MANY, inf
    if surface.kind != MESH and has_own_cells(body.shape.kind):
        remaining, least = measure_on_cells(body, grid_at(surface.data), box[0], box[1], scratch)
    if remaining == TOO_MANY:
        count, cursor = gather_in(surface, box[0], box[1], oriented_box(body, 0.0), scratch, KEYS, TRIANGLES, 0)
        if cursor >= 0:
            return UNKNOWN
        remaining, least = _measure(body, surface, count, scratch)
    if surface.kind == MESH:
        if least > radius_of(body.shape) and is_thinner(body.shape, least) and is_solid(surface):
            return 0 if remaining == 0 and not may_enclose(mesh_at(surface.data), box[0], box[1]) else UNKNOWN
    elif remaining == 0:
        above, height = height_at(grid_at(surface.data), centre[0], centre[2])
        return UNKNOWN if above and height >= centre[1] else 0
    return _manifold(body, remaining, size, scratch)


@kernel
def _measure(body, surface, count, scratch):
    """Record for each gathered triangle that the body touches its data; returns their number, and the minimum penetration."""
    keys, floats = integers_at(scratch), floats_at(scratch)
    remaining, least = 0, inf
    for k in range(count):
        key = keys[KEYS + k]
        local = local_corners(body, corners_of(surface, key))
        n = _local_normal(body, surface, key, local)
        depth, direction = mtv_local(body, surface, key, local, n)
        if depth < 0.0:
            continue
        at = RECORD + RECORD_WIDTH * remaining
        put3_at(floats, at, local[0])
        put3_at(floats, at + 3, local[1])
        put3_at(floats, at + 6, local[2])
        put3_at(floats, at + NORMAL, n)
        floats[at + OVERLAP] = depth
        put3_at(floats, at + OUTWARD, direction)
        keys[KEYS + remaining] = key
        remaining += 1
        least = min(least, depth)
    return remaining, least


@kernel
def _local_normal(body, surface, key, local):
    """Unit normal of a triangle in the body's frame."""
    if surface.kind == MESH:
        return transposed_times(body.rotation, normal_at(surface, key))
    n = cross(subtract(local[1], local[0]), subtract(local[2], local[0]))
    return scale(1.0 / sqrt(dot(n, n)), n)


@kernel
def _manifold(body, remaining, size, scratch):
    """Contact points with the triangles noted: the minimum penetration first, with all that its direction clears."""
    keys, floats = integers_at(scratch), floats_at(scratch)
    radius = radius_of(body.shape)
    directions, candidates = 0, 0
    while True:
        first = _shallowest(floats, remaining)
        if first < 0:
            return _collect(directions, candidates, size, scratch)
        at = RECORD + RECORD_WIDTH * first
        depth, n = floats[at + OVERLAP], get3_from(floats, at + OUTWARD)
        which = _same_direction(floats, directions, n)
        if which == DIRECTIONS:
            return UNKNOWN
        clear = depth - own_extent(body.shape, n)
        if which == directions:
            directions += 1
            _open(body, floats, which, n)
        floats[DIRECTION + DIRECTION_WIDTH * which + 3] = clear
        face, sides = own_face(body.shape, n)
        for k in range(-1, remaining):
            here = at if k < 0 else RECORD + RECORD_WIDTH * k
            if floats[here + OVERLAP] == DONE:
                continue
            if k >= 0:
                top = _top(floats, here, n)
                if top > clear + CLEARED * (size + abs(top)):
                    continue
            floats[here + OVERLAP] = DONE
            key = keys[KEYS + (first if k < 0 else k)]
            before = candidates
            candidates, touched = _cut_face(floats, here, face, sides, n, radius, size, which, key, candidates)
            if k < 0 and not touched and candidates == before:
                candidates = _edge_point(floats, here, face, n, depth, which, key, candidates)
            if candidates > CANDIDATES - 8:
                return UNKNOWN


@kernel
def _shallowest(floats, remaining):
    """Index of the remaining triangle with the minimum penetration, the first of equal ones; -1: none remains."""
    best, least = -1, DONE
    for k in range(remaining):
        depth = floats[RECORD + RECORD_WIDTH * k + OVERLAP]
        if depth * BETTER < least:
            best, least = k, depth
    return best


@kernel
def _same_direction(floats, directions, n):
    """Index of the direction equal to n, or the number of directions."""
    for which in range(directions):
        if dot(n, get3_from(floats, DIRECTION + DIRECTION_WIDTH * which)) > SAME_DIRECTION:
            return which
    return directions


@kernel
def _open(body, floats, which, n):
    """Note a direction, and two axes across it, chosen in the surface's frame."""
    r, at = body.rotation, DIRECTION + DIRECTION_WIDTH * which
    p, q = plane_space((dot((r[0], r[1], r[2]), n), dot((r[3], r[4], r[5]), n), dot((r[6], r[7], r[8]), n)))
    put3_at(floats, at, n)
    put3_at(floats, at + 4, transposed_times(r, p))
    put3_at(floats, at + 7, transposed_times(r, q))


@kernel
def _top(floats, at, n):
    """The highest projection of a triangle's corners on n."""
    a, b, c = get3_from(floats, at), get3_from(floats, at + 3), get3_from(floats, at + 6)
    return max(dot(n, a), max(dot(n, b), dot(n, c)))


@kernel
def _cut_face(floats, at, face, sides, n, radius, size, which, key, candidates):
    """Add the corners of the face, of four sides or two, clipped by a triangle's projection, if they are below the triangle.

    Returns the number of candidates, and whether any of these touches the triangle.
    """
    normal = get3_from(floats, at + NORMAL)
    facing = dot(normal, n)
    if facing < EDGE_ON:
        return candidates, False
    c, u, v = face
    # Of a side k s + l t + m <= 0 inside.
    a, b, d = get3_from(floats, at), get3_from(floats, at + 3), get3_from(floats, at + 6)
    k0, l0, m0 = _side(a, b, c, u, v, n)
    k1, l1, m1 = _side(b, d, c, u, v, n)
    k2, l2, m2 = _side(d, a, c, u, v, n)
    extent0, extent1, extent2 = abs(k0) + abs(l0), abs(k1) + abs(l1), abs(k2) + abs(l2)
    depth, by_s, by_t = dot(normal, subtract(a, c)) / facing + radius, dot(normal, u) / facing, dot(normal, v) / facing
    near = NEAR * size
    if m0 > extent0 or m1 > extent1 or m2 > extent2 or depth + abs(by_s) + abs(by_t) < -near:
        return candidates, False
    source, target, count = POLYGON, OTHER_POLYGON, sides
    for corner in range(sides):
        floats[source + 2 * corner] = 1.0 if corner == 1 or corner == 2 else -1.0
        floats[source + 2 * corner + 1] = 1.0 if corner >= 2 else -1.0
    for side in range(3):
        k, l, m, extent = k0, l0, m0, extent0
        if side == 1:
            k, l, m, extent = k1, l1, m1, extent1
        elif side == 2:
            k, l, m, extent = k2, l2, m2, extent2
        if m + extent > 0.0:
            count = _cut(floats, source, target, count, k, l, m)
            source, target = target, source
    axes, touched = DIRECTION + DIRECTION_WIDTH * which, False
    for corner in range(source, source + 2 * count, 2):
        s, t = floats[corner], floats[corner + 1]
        deep = depth - s * by_s - t * by_t
        touched = touched or deep >= 0.0
        if deep >= -near:
            place = add_scaled(add_scaled(add_scaled(c, s, u), t, v), -radius, n)
            candidates = _add(floats, candidates, place, max(deep, 0.0), axes, which, key)
    return candidates, touched


@kernel
def _side(start, end, c, u, v, n):
    """A side of a triangle's projection along n on the face: factors of s and t, and a constant."""
    m = cross(subtract(end, start), n)
    return dot(m, u), dot(m, v), dot(m, subtract(c, start))


@kernel
def _cut(floats, source, target, count, k, l, m):
    """Keep the part of a polygon in s and t with k s + l t + m <= 0; returns its corners."""
    if count == 0:
        return 0
    kept, last = 0, source + 2 * (count - 1)
    s, t = floats[last], floats[last + 1]
    behind = k * s + l * t + m
    for at in range(source, source + 2 * count, 2):
        x, y = floats[at], floats[at + 1]
        ahead = k * x + l * y + m
        if behind * ahead < 0.0:
            part = behind / (behind - ahead)
            floats[target + 2 * kept], floats[target + 2 * kept + 1] = s + part * (x - s), t + part * (y - t)
            kept += 1
        if ahead <= 0.0:
            floats[target + 2 * kept], floats[target + 2 * kept + 1] = x, y
            kept += 1
        s, t, behind = x, y, ahead
    return kept


@kernel
def _edge_point(floats, at, face, n, depth, which, key, candidates):
    """Add the contact with a triangle seen from its edge, or touched where rounding hides it: nearest to the face."""
    corners = get3_from(floats, at), get3_from(floats, at + 3), get3_from(floats, at + 6)
    q, _ = closest_on_triangle(face[0], corners)
    deep = max(depth - (_top(floats, at, n) - dot(n, q)), 0.0)
    return _add(floats, candidates, q, deep, DIRECTION + DIRECTION_WIDTH * which, which, key)


@kernel
def _add(floats, candidates, place, depth, axes, which, key):
    at = CANDIDATE + CANDIDATE_WIDTH * candidates
    put3_at(floats, at, place)
    floats[at + 3], floats[at + 4], floats[at + 5] = depth, which, key
    floats[at + 6], floats[at + 7] = (
        dot(place, get3_from(floats, axes + 4)),
        dot(place, get3_from(floats, axes + 7)),
    )
    return candidates + 1


@kernel
def _collect(directions, candidates, size, scratch):
    """Note the points to keep of each direction; returns how many there are."""
    keys, floats, count = integers_at(scratch), floats_at(scratch), 0
    for which in range(directions):
        n = get3_from(floats, DIRECTION + DIRECTION_WIDTH * which)
        _find_extremes(floats, keys, candidates, which)
        for k in range(MAX_EXTREMES):
            at = keys[EXTREMES + MAX_EXTREMES + k]
            if at >= 0 and floats[at + 4] == which:
                floats[at + 4] = -1.0  # noted
                count = add_point(scratch, count, get3_from(floats, at), floats[at + 3], n, floats[at + 5], size)
    return count


@kernel
def _find_extremes(floats, keys, candidates, which):
    """Find a direction's deepest candidate, and those furthest along eight axes across it; -1: there are none."""
    for k in range(MAX_EXTREMES):
        floats[EXTREMES + k], keys[EXTREMES + MAX_EXTREMES + k] = -inf, -1
    for at in range(CANDIDATE, CANDIDATE + CANDIDATE_WIDTH * candidates, CANDIDATE_WIDTH):
        if floats[at + 4] == which:
            u, v = floats[at + 6], floats[at + 7]
            projections = (floats[at + 3], u, u + v, v, v - u, -u, -u - v, -v, u - v)
            for k in range(MAX_EXTREMES):
                if projections[k] > floats[EXTREMES + k]:
                    floats[EXTREMES + k], keys[EXTREMES + MAX_EXTREMES + k] = projections[k], at
