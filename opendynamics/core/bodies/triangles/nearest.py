"""The place of a mesh nearest to a point, and on which side of it the point is.

On an edge or a corner, the side is that of the normals n of all triangles there, each weighted by the angle α that it has
there: sign of Σ α n·(p - q) (Bærentzen and Aanæs, Signed distance computation using the angle weighted pseudonormal,
2005). No single triangle of a sharp corner knows it.
"""

from __future__ import annotations

from math import atan2, inf, pi

from opendynamics.core.algebra.vec3 import cross, dot, length, subtract
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.bodies.triangles.mesh import corners_of, leaf_triangle, mesh_at, node, normal_at, squared_gap
from opendynamics.core.kernels import kernel

# Fraction of the squared distance within which two places are equally near.
EQUAL = 1.0e-12


@kernel
def nothing_yet(p):
    """Initial value for `better`."""
    return inf, -1, p, True, 0.0, 0.0


@kernel
def better(best, key, corners, normal, gap, square, q, where):
    """The nearer of `best` (squared distance, key, place, whether p is outside, height, weighted heights) and this triangle.

    Of p and the triangle are given: the gap from the nearest place q to p, its square, and `where` q is in the words of
    `closest_on_triangle`. On an edge or a corner, the key is that of the triangle that p looks at most directly. No
    triangle may come twice.
    """
    if square > best[0] * (1.0 + EQUAL):
        return best
    height = dot(normal, gap)
    nearer, side = square < best[0] * (1.0 - EQUAL), _angle(corners, where) * height
    if not nearer:
        side += best[5]
    if nearer or abs(height) > abs(best[4]):
        return square, key, q, side >= 0.0, height, side
    return best[0], best[1], best[2], side >= 0.0, best[4], side


@kernel
def _angle(corners, where):
    """The angle of a triangle about one of its points, in the words of `closest_on_triangle`."""
    a, b, c = corners
    if where == 3:
        a, b, c = b, c, a
    elif where == 6:
        a, b, c = c, a, b
    elif where != 5:
        return 2.0 * pi if where == 0 else pi
    one, other = subtract(b, a), subtract(c, a)
    return atan2(length(cross(one, other)), dot(one, other))


@kernel
def nearest_on_mesh(address, p):
    """(squared distance, key, place, whether p is outside) of the nearest place of a mesh."""
    mesh = mesh_at(address)
    k = 0
    # Down to the nearest leaf first: a good bound makes the walk through the tree short.
    while node(mesh, k).count == 0:
        left = k + 1
        right = left + node(mesh, left).skip
        k = left if squared_gap(node(mesh, left).box, p) <= squared_gap(node(mesh, right).box, p) else right
    bound = _leaf(mesh, k, nothing_yet(p), p)[0]
    best = nothing_yet(p)
    k = 0
    while k < mesh.node_count:
        if squared_gap(node(mesh, k).box, p) > min(best[0], bound) * (1.0 + EQUAL):
            k += node(mesh, k).skip
            continue
        if node(mesh, k).count > 0:
            best = _leaf(mesh, k, best, p)
        k += 1
    return best[0], best[1], best[2], best[3]


@kernel
def _leaf(mesh, k, best, p):
    leaf = node(mesh, k)
    for place in range(leaf.first, leaf.first + leaf.count):
        key = leaf_triangle(mesh, place)
        corners = corners_of(mesh, key)
        q, where = closest_on_triangle(p, corners)
        gap = subtract(p, q)
        best = better(best, key, corners, normal_at(mesh, key), gap, dot(gap, gap), q, where)
    return best
