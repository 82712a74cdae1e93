"""The place of a mesh nearest to a point, and on which side of it the point is."""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import cross, dot, normalize, subtract
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.bodies.triangles.mesh import corners_of, leaf_triangle, mesh_at, node, squared_gap
from opendynamics.core.kernels import kernel

# Part of the squared distance within which two places are equally near.
EQUAL = 1.0e-12


@kernel
def better(best, p, key, corners):
    """The nearer of `best` (squared distance, key, place, whether p is outside, height) and this triangle.

    On an edge or a corner, the triangle that p looks at most directly knows on which side p is.
    """
    q, _ = closest_on_triangle(p, corners)
    gap = subtract(p, q)
    square = dot(gap, gap)
    if square > best[0] * (1.0 + EQUAL):
        return best
    normal = normalize(cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0])))
    height = dot(normal, gap)
    if square < best[0] * (1.0 - EQUAL) or abs(height) > abs(best[4]):
        return square, key, q, height >= 0.0, height
    return best


@kernel
def nearest_on_mesh(address, p):
    """(squared distance, key, place, whether p is outside) of the nearest place of a mesh."""
    mesh = mesh_at(address)
    best = (inf, -1, p, True, 0.0)
    k = 0
    # Down to the nearest leaf first: a good bound makes the walk through the tree short.
    while node(mesh, k).count == 0:
        left = k + 1
        right = left + node(mesh, left).skip
        k = left if squared_gap(node(mesh, left).box, p) <= squared_gap(node(mesh, right).box, p) else right
    best = _leaf(mesh, k, best, p)
    k = 0
    while k < mesh.node_count:
        if squared_gap(node(mesh, k).box, p) > best[0] * (1.0 + EQUAL):
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
        best = better(best, p, key, corners_of(mesh, key))
    return best
