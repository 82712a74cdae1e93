"""How deep two polyhedra overlap, and along which direction least: all directions tried.

The overlap h(n) = max n·a - min n·b is least along the normal of a face of either, or between the normals of an edge's two
faces, where the other one's lowest vertex changes (`arcs.py`): square to an edge of each, as in the separating axis test
(Gottschalk, Lin, Manocha 1996). Every h(n) is an upper bound, and one below zero proves the shapes apart. Exact, and for
few faces faster than the growing polytope of `penetration.py`: edges are not paired, as the other one's lowest vertices
along both normals tell whether anything happens between.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3_from, negate, put3_at, scale, subtract
from opendynamics.core.arrays.hulls import hull_floats, hull_indices, hulls_at
from opendynamics.core.collide.narrowphase.arcs import BETTER, least_of_box_on_arc, least_on_arc
from opendynamics.core.collide.narrowphase.pairs import floats_at
from opendynamics.core.collide.narrowphase.supports import BOX, CONVEX, convex_support, supports
from opendynamics.core.collide.narrowphase.surfaces.bodies import extreme
from opendynamics.core.kernels import kernel

# Most faces of both together: with more, the polytope is faster.
MOST_FACES = 80

# Parts of a unit vector by which directions lean to find the ends of an edge, and squared sine of parallel ones.
LEAN = 1.0e-5
PARALLEL = 1.0e-12


@kernel
def has_few_directions(couple):
    """Whether this module serves a couple: which of the two has the edges that are gone through, the more; -1: neither."""
    one, two = couple[0], couple[3]
    if one == CONVEX and two == CONVEX:
        here, there = hulls_at(couple[2])[0].faces, hulls_at(couple[5])[0].faces
        return -1 if here + there > MOST_FACES else (0 if here >= there else 1)
    if one == CONVEX and two == BOX:
        return 0 if hulls_at(couple[2])[0].faces <= MOST_FACES else -1
    if one == BOX and two == CONVEX:
        return 1 if hulls_at(couple[5])[0].faces <= MOST_FACES else -1
    return -1


@kernel
def swapped(couple):
    """The couple told from the other side."""
    back = transposed(couple[7])
    offset = negate(times(back, couple[6]))
    return couple[3], couple[4], couple[5], couple[0], couple[1], couple[2], offset, back


@kernel
def least_overlap_by_directions(couple, first, scratch):
    """Overlap, its direction from the first core to the second, and the deepest point of each there; negative: apart.

    `first`: which of the two is gone through, as `has_few_directions` says.
    """
    if first == 0:
        return _least(couple, scratch)
    other = swapped(couple)
    overlap, n, on_b, on_a = _least(other, scratch)
    on_a, on_b = add(couple[6], times(couple[7], on_a)), add(couple[6], times(couple[7], on_b))
    return overlap, negate(times(couple[7], n)), on_a, on_b


@kernel
def _least(couple, scratch):
    body = (couple[3], couple[4], couple[5], couple[6], couple[7])
    overlap, n = _own_faces(couple[2], body, scratch)
    if overlap >= 0.0:
        overlap, n = _other_faces((overlap, n), couple[2], body)
    edge = -1
    if overlap >= 0.0:
        overlap, n, edge = _edges((overlap, n), couple[2], body, scratch)
    if overlap < 0.0:
        return overlap, n, n, n
    on_a, on_b = supports(couple, n)
    if edge >= 0:
        on_a, on_b = _crossing(couple[2], body, edge, n, on_a, on_b)
    return overlap, n, on_a, on_b


@kernel
def _own_faces(hull, body, scratch):
    """The least overlap along the hull's normals; the body's lowest points along them are noted in scratch memory."""
    floats, best, chosen = floats_at(scratch), inf, 0
    count = hulls_at(hull)[0].faces
    planes = hull_floats(hull + hulls_at(hull)[0].planes_at, 4 * count)
    for k in range(count):
        n = get3_from(planes, 4 * k)
        foot = extreme(body, negate(n))
        overlap = planes[4 * k + 3] - dot(n, foot)
        if overlap < 0.0:
            return overlap, n
        put3_at(floats, 3 * k, foot)
        if overlap < best:
            best, chosen = overlap, k
    return best, get3_from(planes, 4 * chosen)


@kernel
def _other_faces(best, hull, body):
    """`best` or the least overlap along the normals of the other one's faces."""
    kind, size, data, place, turn = body
    if kind == BOX:
        for axis in range(6):
            out = 1.0 if axis < 3 else -1.0
            n = (out * turn[axis % 3], out * turn[axis % 3 + 3], out * turn[axis % 3 + 6])
            best = _if_better(best, hull, n, 0.5 * size[axis % 3] - dot(n, place))
            if best[0] < 0.0:
                return best
        return best
    count = hulls_at(data)[0].faces
    planes = hull_floats(data + hulls_at(data)[0].planes_at, 4 * count)
    for k in range(count):
        n = negate(times(turn, get3_from(planes, 4 * k)))
        best = _if_better(best, hull, n, planes[4 * k + 3] - dot(n, place))
        if best[0] < 0.0:
            return best
    return best


@kernel
def _if_better(best, hull, n, less):
    """`best` or the overlap along n, along which the other one reaches back to -`less`."""
    overlap = dot(n, convex_support(hull, n)) + less
    return (overlap, n) if overlap * BETTER < best[0] else best


@kernel
def _edges(best, hull, body, scratch):
    """`best` or the least overlap between the normals at the hull's edges, and which edge it is; -1: none."""
    floats, chosen = floats_at(scratch), -1
    vertices, planes, edges = _arrays(hull)
    for k in range(hulls_at(hull)[0].edges):
        one, two = edges[4 * k + 2], edges[4 * k + 3]
        foot, other = get3_from(floats, 3 * one), get3_from(floats, 3 * two)
        if foot[0] == other[0] and foot[1] == other[1] and foot[2] == other[2]:
            continue
        start, before = get3_from(vertices, 3 * edges[4 * k]), best[0]
        n, m = get3_from(planes, 4 * one), get3_from(planes, 4 * two)
        if body[0] == BOX:
            place = transposed_times(body[4], subtract(start, body[3]))
            n, m = transposed_times(body[4], n), transposed_times(body[4], m)
            overlap, way = least_of_box_on_arc(before, scale(0.5, body[1]), place, n, m)
            if overlap < before:
                best = (overlap, times(body[4], way))
        else:
            best = least_on_arc(best, body, start, n, m, foot)
        if best[0] < before:
            chosen = k
        if best[0] < 0.0:
            break
    return best[0], best[1], chosen


@kernel
def _arrays(hull):
    """Vertices, planes and edges of a hull."""
    record = hulls_at(hull)[0]
    vertices = hull_floats(hull + record.vertices_at, 3 * record.vertices)
    planes = hull_floats(hull + record.planes_at, 4 * record.faces)
    return vertices, planes, hull_indices(hull + record.edges_at, 4 * record.edges)


@kernel
def _crossing(hull, body, edge, n, on_a, on_b):
    """The deepest points where an edge of the hull lies over an edge of the other one: where they cross, seen along n."""
    vertices, _, edges = _arrays(hull)
    start = get3_from(vertices, 3 * edges[4 * edge])
    along = subtract(get3_from(vertices, 3 * edges[4 * edge + 1]), start)
    # Leaning to either side, n finds the ends of the other edge.
    lean = cross(n, along)
    lean = scale(LEAN / sqrt(dot(lean, lean)), lean)
    other = subtract(extreme(body, subtract(lean, n)), extreme(body, negate(add(n, lean))))
    across, overlap = cross(along, other), dot(n, subtract(on_a, on_b))
    square = dot(across, across)
    if square <= PARALLEL * dot(along, along) * dot(other, other):
        return add_scaled(on_b, overlap, n), on_b
    on_a = add_scaled(start, dot(cross(subtract(on_b, start), other), across) / square, along)
    return on_a, add_scaled(on_a, -overlap, n)
