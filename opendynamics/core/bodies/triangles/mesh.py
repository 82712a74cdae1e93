"""A triangle mesh in memory: corners, triangles with their neighbours, and a tree of boxes.

The mesh record holds addresses of arrays that a Python object owns. The tree lies in preorder with the number of nodes
to skip where a box is missed: going through it needs no stack and cannot overflow (Smits, Journal of Graphics Tools,
1998).
"""

from __future__ import annotations

from math import inf

import numpy as np

from opendynamics.core.algebra.vec3 import dot, get3, get3_from, subtract
from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import kernel

# Bits of MESH.flags.
CLOSED = 1  # every edge has two triangles, facing the same side, and the volume is positive

MESH = [
    ("vertices", "i8"),  # addresses: of 3 floats a vertex, each place once
    ("triangles", "i8"),  # of TRIANGLE
    ("nodes", "i8"),  # of NODE
    ("order", "i8"),  # of int32: triangles in the order of the leaves
    ("ring_starts", "i8"),  # of int64: where in `rings` the neighbours of a vertex begin; one more than vertices
    ("rings", "i8"),  # of int32
    ("points", "i8"),  # of the vertices by coordinate, see `patches.py`
    ("owners", "i8"),  # of int32: the first triangle of each of those
    ("point_count", "i8"),
    ("wide_nodes", "i8"),  # of the BVH8, see `bvh8.py`
    ("leaves", "i8"),  # of the contents of their boxes
    ("vertex_count", "i8"),
    ("triangle_count", "i8"),
    ("node_count", "i8"),
    ("flags", "i8"),
    # Address of the block of the same solid as a convex polyhedron, see `arrays/blocks/hulls.py`; 0: it is none.
    ("hull", "i8"),
]

# A triangle's data is contiguous: two or three cache lines instead of one for each corner.
TRIANGLE = [
    ("places", "f8", (9,)),  # of the corners, m
    ("normal", "f8", (3,)),  # unit
    ("corners", "i4", (3,)),
    ("across", "i4", (3,)),  # the neighbour's corner off edge ab, bc, ca; the own third corner where it is open
    ("neighbours", "i4", (3,)),  # the triangles across ab, bc, ca; the triangle's own number where the edge is open
    ("ridges", "i4"),  # bit k: edge k has its own directions, see the package's `ridge_at`
]

NODE = [
    ("box", "f8", (6,)),  # x min, x max, y min, y max, z min, z max
    ("skip", "i4"),  # nodes of its subtree: how far the next node is if the box is missed
    ("first", "i4"),  # of a leaf: its first triangle in `order`
    ("count", "i4"),  # triangles of a leaf, 0 for inner nodes
    ("parent", "i4"),  # read while the tree is built
]

# Most triangles of a leaf.
LEAF = 4

# Fraction of a length by which a direction may leave the cone of normals that an edge or a corner has.
ALONG = 1.0e-10

_mesh_at = array_of(MESH, 1)
_triangles_at = array_of(TRIANGLE)
_nodes_at = array_of(NODE)
_floats_at = array_of(np.float64)
_short_integers_at = array_of(np.int32)
_integers_at = array_of(np.int64)


@kernel
def mesh_at(address):
    """The mesh record at `address`."""
    return _mesh_at(address)[0]


@kernel
def vertex(mesh, k):
    return get3_from(_floats_at(mesh.vertices, 3 * mesh.vertex_count), 3 * k)


@kernel
def corners_of(mesh, key):
    places = _triangles_at(mesh.triangles, mesh.triangle_count)[key].places
    return get3_from(places, 0), get3_from(places, 3), get3_from(places, 6)


@kernel
def normal_at(mesh, key):
    """Unit normal of a triangle."""
    return get3(_triangles_at(mesh.triangles, mesh.triangle_count)[key].normal)


@kernel
def ridge_at(mesh, key, k):
    """See the package's `ridge_at`; the edge is open where the triangle is its own neighbour."""
    triangle = _triangles_at(mesh.triangles, mesh.triangle_count)[key]
    return triangle.ridges & (1 << k) != 0, triangle.neighbours[k] == key, normal_at(mesh, triangle.neighbours[k])


@kernel
def triangle(mesh, key):
    """Corners of a triangle, and the corners across its edges."""
    across = _triangles_at(mesh.triangles, mesh.triangle_count)[key].across
    return corners_of(mesh, key), (vertex(mesh, across[0]), vertex(mesh, across[1]), vertex(mesh, across[2]))


@kernel
def node(mesh, k):
    return _nodes_at(mesh.nodes, mesh.node_count)[k]


@kernel
def leaf_triangle(mesh, k):
    """The key at place `k` of the leaves' order."""
    return _short_integers_at(mesh.order, mesh.triangle_count)[k]


@kernel
def box_of(corners):
    """Lowest and highest coordinates of a triangle."""
    a, b, c = corners
    low = min(a[0], min(b[0], c[0])), min(a[1], min(b[1], c[1])), min(a[2], min(b[2], c[2]))
    high = max(a[0], max(b[0], c[0])), max(a[1], max(b[1], c[1])), max(a[2], max(b[2], c[2]))
    return low, high


@kernel
def may_enclose(mesh, low, high):
    """Whether a box (low, high) is in the box around the mesh, as any body inside the mesh must be."""
    box = node(mesh, 0).box
    if low[0] < box[0] or high[0] > box[1] or low[1] < box[2] or high[1] > box[3]:
        return False
    return low[2] >= box[4] and high[2] <= box[5]


@kernel
def squared_gap(box, p):
    """Squared distance of a point from a node's box."""
    x = max(max(box[0] - p[0], p[0] - box[1]), 0.0)
    y = max(max(box[2] - p[1], p[1] - box[3]), 0.0)
    z = max(max(box[4] - p[2], p[2] - box[5]), 0.0)
    return x * x + y * y + z * z


@kernel
def is_peak(mesh, key, corner, n):
    """See the package's `is_peak`."""
    v = _triangles_at(mesh.triangles, mesh.triangle_count)[key].corners[corner]
    starts = _integers_at(mesh.ring_starts, mesh.vertex_count + 1)
    ring = _short_integers_at(mesh.rings, starts[mesh.vertex_count])
    here = vertex(mesh, v)
    for k in range(starts[v], starts[v + 1]):
        edge = subtract(vertex(mesh, ring[k]), here)
        if dot(n, edge) > ALONG * (abs(edge[0]) + abs(edge[1]) + abs(edge[2])):
            return False
    return True


@kernel
def mesh_support(mesh, n):
    """Support of the mesh along `n`: the largest n·v, and its vertex."""
    best, found = -inf, -1
    for k in range(mesh.vertex_count):
        along = dot(n, vertex(mesh, k))
        if along > best:
            best, found = along, k
    return best, found
