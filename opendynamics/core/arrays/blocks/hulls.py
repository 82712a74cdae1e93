"""Hulls: the shape data of convex polyhedra, which GEOM.data of a convex geom is the address of.

One immutable block of memory, kept alive by the geom (and shared by geoms of one shape): a HULL record, then its arrays,
each at an offset in bytes from the block's beginning, so that the block may be anywhere. In kernels:

    hull = hulls_at(geom.data)[0]
    planes = hull_floats(geom.data + hull.planes_at, 4 * hull.faces)

vertices        x, y, z of each corner, in the geom's frame
columns         the same by coordinate: all x, all y, all z, so that processors take several at a time
planes          a, b, c, d of each face: unit normal outward, solid where a x + b y + c z <= d
plane_columns   the same by number: all a, all b, all c, all d, filled up with copies of the last to a multiple of FILLED
first_corners   where in `corners` each face begins, and after the last its end
corners         the vertices of each face, counterclockwise seen from outside
edges           vertex, vertex, face to the left of the edge from the first to the second, face to its right
edge_columns    filled up likewise: all x of the first vertices, y, z, all x of the vectors to the second ones, y, z, and one
                over the squares of their lengths
first_neighbours, neighbours    likewise: the vertices that share an edge with each vertex
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.table import array_of

HULL = [
    ("vertices", "i8"),  # how many there are
    ("faces", "i8"),
    ("edges", "i8"),
    ("vertices_at", "i8"),  # f8, (vertices, 3)
    ("columns_at", "i8"),  # f8, (3, vertices)
    ("planes_at", "i8"),  # f8, (faces, 4)
    ("plane_columns_at", "i8"),  # f8, (4, faces filled up)
    ("first_corners_at", "i8"),  # i8, (faces + 1,)
    ("corners_at", "i8"),  # i8, (2 edges,)
    ("edges_at", "i8"),  # i8, (edges, 4)
    ("edge_columns_at", "i8"),  # f8, (7, edges filled up)
    ("first_neighbours_at", "i8"),  # i8, (vertices + 1,)
    ("neighbours_at", "i8"),  # i8, (2 edges,)
    ("low", "f8", (3,)),  # corners of the box around it, in the geom's frame
    ("high", "f8", (3,)),
    ("volume", "f8"),
    ("centroid", "f8", (3,)),
    ("inradius", "f8"),  # of a ball about the centroid that is inside
    ("inertia", "f8", (9,)),  # about the origin of the geom's frame, at density 1
]

# The length of the columns of planes and edges is a multiple of this.
FILLED = 8

# hulls_at(address)[0]: the HULL record there.
hulls_at = array_of(HULL, 1)

# hull_floats(address, count), hull_indices(address, count): arrays of a block.
hull_floats = array_of(np.float64)
hull_indices = array_of(np.int64)
