"""SAT: penetration depth and direction of a polyhedron and a box, a capsule's segment, a cylinder or another polyhedron.

The overlap h(n) = max n·a - min n·b is minimised over all candidate axes: face normals of either shape, and directions on an
edge's arc between its two face normals where the other shape's support point changes (`gauss_arc.py`, `circle_arc.py`): edge
cross products, as in the separating axis test (Gottschalk, Lin, Manocha 1996), or axes along which an edge circle touches. Every
h(n) is an upper bound of the depth, and one below zero proves the shapes apart. Edges are not paired: the other shape's support
points along both face normals show whether anything changes in between. One more axis is perpendicular to a cylinder's axis and
points from it to the nearest vertex.

Most faces and edges are skipped: a ball inside the other shape gives a lower bound of the overlap along them.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import column0, column1, column2, times, transposed_times
from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    cross,
    dot,
    get3,
    get3_from,
    negate,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.blocks.hulls import hull_floats, hull_indices, hulls_at
from opendynamics.core.arrays.blocks.scratch import floats_at
from opendynamics.core.bodies.shape import BOX, CAPSULE, CONVEX, CYLINDER, core_of
from opendynamics.core.bodies.shapes.convex import hull_support
from opendynamics.core.collide.narrowphase.collider import NEAR
from opendynamics.core.collide.narrowphase.convex.gauss_arc import (
    BETTER,
    min_overlap_between_feet,
    min_overlap_of_box_on_arc,
)
from opendynamics.core.collide.narrowphase.cylinder.circle_arc import min_overlap_of_cylinder_on_arc
from opendynamics.core.collide.narrowphase.placed_shape import PlacedShape, support_point
from opendynamics.core.collide.narrowphase.shape_pair import FOUND, SHAPE_PAIR, pair_extent, supports, swapped
from opendynamics.core.kernels import entry, kernel

# Limit of faces of the shape whose faces and edges are tested.
MAX_FACES = 600

# Scratch memory of a face: depth of the other shape's centre below it, whether the other's support point is known, and that
# point.
FACE = 5

# Parts of a unit vector by which directions lean to find the ends of an edge, and squared sine of parallel ones.
LEAN = 1.0e-5
PARALLEL = 1.0e-12

# Cosine between direction and axis below which a cylinder is touched along its barrel.
LYING = 1.0e-9


@kernel
def sat_side(pair):
    """Index of the shape whose faces and edges are tested, the one with more; -1: the pair is not supported."""
    one, two = pair.a.kind, pair.b.kind
    if one == CONVEX and two == CONVEX:
        here, there = hulls_at(pair.a.data)[0].faces, hulls_at(pair.b.data)[0].faces
        return -1 if max(here, there) > MAX_FACES else (0 if here >= there else 1)
    if one == CONVEX and (two == BOX or two == CYLINDER or two == CAPSULE):
        return 0 if hulls_at(pair.a.data)[0].faces <= MAX_FACES else -1
    if (one == BOX or one == CYLINDER or one == CAPSULE) and two == CONVEX:
        return 1 if hulls_at(pair.b.data)[0].faces <= MAX_FACES else -1
    return -1


@entry(FOUND(SHAPE_PAIR, types.int64, types.int64))
def sat_penetration(pair, first, scratch):
    """Overlap, its direction from the first core to the second, and the deepest point of each there; negative: apart.

    `first`: the shape with the tested features, from `sat_side`. Cores apart by at most NEAR of their extent are tested like
    overlapping ones.
    """
    apart = -NEAR * pair_extent(pair)
    if first == 0:
        return _least(pair, apart, scratch)
    other = swapped(pair)
    overlap, n, on_b, on_a = _least(other, apart, scratch)
    on_a, on_b = add(pair.offset, times(pair.rotation, on_a)), add(pair.offset, times(pair.rotation, on_b))
    return overlap, negate(times(pair.rotation, n)), on_a, on_b


@kernel
def _least(pair, apart, scratch):
    """`sat_penetration` by the first core's features; the result is the minimum unless it is below `apart`."""
    hull = pair.a.data
    body = PlacedShape(core_of(pair.b), pair.offset, pair.rotation)
    best, ball = _own_faces(hull, body, apart, scratch)
    own = best[0]
    if own >= apart:
        best = _other_faces(best, hull, body, apart)
    edge, face = -1, best[0]
    if best[0] >= apart:
        best, edge = _edges(best, hull, body, ball, apart, scratch)
    overlap, n = best
    if overlap < apart:
        return overlap, n, n, n
    on_a, on_b = supports(pair, n)
    if body.shape.kind == CYLINDER and overlap < body.shape.size[0]:
        nearer, m, v = _barrel(best, hull, body)
        if nearer < overlap:
            return nearer, m, v, add_scaled(v, -nearer, m)
    if edge >= 0:
        on_a, on_b = _crossing(hull, body, edge, overlap, n, on_a, on_b)
    elif face < own:
        on_b = add_scaled(on_a, -overlap, n)
    else:
        on_a = add_scaled(on_b, overlap, n)
    return overlap, n, on_a, on_b


@kernel
def _inside(body):
    """A capsule inside the body: (centre, radius, half of its axis)."""
    (kind, size, data), place, turn = body
    if kind == CONVEX:
        hull = hulls_at(data)[0]
        return add(place, times(turn, get3(hull.centroid))), hull.inradius, (0.0, 0.0, 0.0)
    if kind == CYLINDER or kind == CAPSULE:
        ball = min(size[0], 0.5 * size[1])
        return place, ball, scale(0.5 * size[1] - ball, column2(turn))
    ball = 0.5 * min(size[0], min(size[1], size[2]))
    if size[0] >= size[1] and size[0] >= size[2]:
        return place, ball, scale(0.5 * size[0] - ball, column0(turn))
    if size[1] >= size[2]:
        return place, ball, scale(0.5 * size[1] - ball, column1(turn))
    return place, ball, scale(0.5 * size[2] - ball, column2(turn))


@kernel
def _own_faces(hull, body, apart, scratch):
    """The minimum penetration along the hull's normals, with its direction, and the radius of the ball in the body.

    First along the normal with the smallest lower bound, then along all that may be better.
    """
    floats = floats_at(scratch)
    count = hulls_at(hull)[0].faces
    planes = hull_floats(hull + hulls_at(hull)[0].planes_at, 4 * count)
    c, ball, half = _inside(body)
    lowest, least = 0, inf
    for k in range(count):
        level = planes[4 * k + 3] - dot(get3_from(planes, 4 * k), c)
        floats[FACE * k] = level
        floats[FACE * k + 1] = 0.0
        if level < least:
            lowest, least = k, level
    overlap, n = _along_face(hull, body, lowest, scratch), get3_from(planes, 4 * lowest)
    for k in range(count):
        if overlap < apart:
            break
        level = floats[FACE * k] + ball
        if level < overlap and level + abs(dot(get3_from(planes, 4 * k), half)) < overlap and k != lowest:
            here = _along_face(hull, body, k, scratch)
            if here * BETTER < overlap:
                overlap, n = here, get3_from(planes, 4 * k)
    return (overlap, n), ball


@kernel
def _along_face(hull, body, face, scratch):
    """The overlap along a face's normal; the body's support point is cached in scratch memory."""
    floats = floats_at(scratch)
    planes = hull_floats(hull + hulls_at(hull)[0].planes_at, 4 * hulls_at(hull)[0].faces)
    n, at = get3_from(planes, 4 * face), FACE * face
    if floats[at + 1] == 0.0:
        put3_at(floats, at + 2, support_point(body, negate(n)))
        floats[at + 1] = 1.0
    return planes[4 * face + 3] - dot(n, get3_from(floats, at + 2))


@kernel
def _other_faces(best, hull, body, apart):
    """`best` or the minimum penetration along the face normals of the other shape."""
    (kind, size, data), place, turn = body
    if kind == CYLINDER:
        axis, half = column2(turn), 0.5 * size[1]
        best = _if_better(best, hull, axis, half - dot(axis, place))
        return _if_better(best, hull, negate(axis), half + dot(axis, place)) if best[0] >= apart else best
    if kind == CAPSULE:
        return best
    own = hulls_at(hull)[0]
    # In the other one's frame, where its planes are.
    c = transposed_times(turn, subtract(get3(own.centroid), place))
    if kind == BOX:
        for axis in range(6):
            out = 1.0 if axis < 3 else -1.0
            if 0.5 * size[axis % 3] - out * c[axis % 3] + own.inradius < best[0]:
                n = (-out * turn[axis % 3], -out * turn[axis % 3 + 3], -out * turn[axis % 3 + 6])
                best = _if_better(best, hull, n, 0.5 * size[axis % 3] - dot(n, place))
                if best[0] < apart:
                    return best
        return best
    count = hulls_at(data)[0].faces
    planes = hull_floats(data + hulls_at(data)[0].planes_at, 4 * count)
    for k in range(count):
        m = get3_from(planes, 4 * k)
        if planes[4 * k + 3] - dot(m, c) + own.inradius < best[0]:
            n = negate(times(turn, m))
            best = _if_better(best, hull, n, planes[4 * k + 3] - dot(n, place))
            if best[0] < apart:
                return best
    return best


@kernel
def _if_better(best, hull, n, less):
    """`best` or the overlap along n; `less`: minus the other shape's lowest projection on n."""
    overlap = dot(n, hull_support(hull, n)) + less
    return (overlap, n) if overlap * BETTER < best[0] else best


@kernel
def _edges(best, hull, body, ball, apart, scratch):
    """`best` or the minimum penetration between the normals at the hull's edges, and which edge it is; -1: none.

    Between two faces the body's centre is no less below the tangent planes than below the less deep face.
    """
    floats, chosen = floats_at(scratch), -1
    vertices, planes, edges = _arrays(hull)
    for k in range(hulls_at(hull)[0].edges):
        one, two = edges[4 * k + 2], edges[4 * k + 3]
        level = min(floats[FACE * one], floats[FACE * two])
        if level >= 0.0 and level + ball >= best[0]:
            continue
        start, before = get3_from(vertices, 3 * edges[4 * k]), best[0]
        n, m = get3_from(planes, 4 * one), get3_from(planes, 4 * two)
        foot, other = get3_from(floats, FACE * one + 2), get3_from(floats, FACE * two + 2)
        # What is lowest along the one normal is no lower between both than it is at the other.
        if floats[FACE * one + 1] > 0.0 and dot(m, subtract(start, foot)) >= before:
            continue
        if floats[FACE * two + 1] > 0.0 and dot(n, subtract(start, other)) >= before:
            continue
        _along_face(hull, body, one, scratch)
        _along_face(hull, body, two, scratch)
        foot, other = get3_from(floats, FACE * one + 2), get3_from(floats, FACE * two + 2)
        if foot[0] == other[0] and foot[1] == other[1] and foot[2] == other[2]:
            continue
        if body.shape.kind == BOX:
            place = transposed_times(body.rotation, subtract(start, body.position))
            n, m = transposed_times(body.rotation, n), transposed_times(body.rotation, m)
            overlap, direction = min_overlap_of_box_on_arc(before, scale(0.5, get3(body.shape.size)), place, n, m)
            if overlap < before:
                best = (overlap, times(body.rotation, direction))
        elif body.shape.kind == CYLINDER:
            best = min_overlap_of_cylinder_on_arc(
                best, body.shape.size, column2(body.rotation), subtract(start, body.position), n, m
            )
        else:
            best = min_overlap_between_feet(best, body, start, n, m, foot, other)
        if best[0] < before:
            chosen = k
        if best[0] < apart:
            break
    return best, chosen


@kernel
def _arrays(hull):
    """Vertices, planes and edges of a hull."""
    record = hulls_at(hull)[0]
    vertices = hull_floats(hull + record.vertices_at, 3 * record.vertices)
    planes = hull_floats(hull + record.planes_at, 4 * record.faces)
    return vertices, planes, hull_indices(hull + record.edges_at, 4 * record.edges)


@kernel
def _barrel(best, hull, body):
    """`best` or the overlap from a cylinder's axis towards the hull's vertex nearest to it, and that vertex."""
    overlap, n = best
    axis, place = column2(body.rotation), body.position
    vertices, _, _ = _arrays(hull)
    square, m, v = inf, n, n
    for k in range(0, vertices.size, 3):
        u = get3_from(vertices, k)
        offset = subtract(place, u)
        offset = add_scaled(offset, -dot(offset, axis), axis)
        here = dot(offset, offset)
        if here < square:
            square, m, v = here, offset, u
    if square == 0.0:
        return overlap, n, v
    m = scale(1.0 / sqrt(square), m)
    here = dot(m, subtract(hull_support(hull, m), place)) + body.shape.size[0]
    return (here, m, v) if here * BETTER < overlap else (overlap, n, v)


@kernel
def _crossing(hull, body, edge, overlap, n, on_a, on_b):
    """The deepest points where an edge of the hull lies over the other one: where they cross, seen along n."""
    vertices, _, edges = _arrays(hull)
    start = get3_from(vertices, 3 * edges[4 * edge])
    along = subtract(get3_from(vertices, 3 * edges[4 * edge + 1]), start)
    if body.shape.kind == CYLINDER:
        other = column2(body.rotation)
        if abs(dot(n, other)) > LYING:
            return add_scaled(on_b, overlap, n), on_b
    else:
        # Leaning to either side, n finds the ends of the other edge.
        lean = cross(n, along)
        lean = scale(LEAN / sqrt(dot(lean, lean)), lean)
        other = subtract(support_point(body, subtract(lean, n)), support_point(body, negate(add(n, lean))))
    across = cross(along, other)
    square = dot(across, across)
    if square <= PARALLEL * dot(along, along) * dot(other, other):
        return add_scaled(on_b, overlap, n), on_b
    on_a = add_scaled(start, dot(cross(subtract(on_b, start), other), across) / square, along)
    return on_a, add_scaled(on_a, -overlap, n)
