"""Plane and triangle mesh: every vertex of the mesh that is not above the plane, depth d - n·v.

Vertices are looked for through the tree, each with the first triangle that has it. Where few contacts are asked for, the
deepest and the furthest along eight ways across the normal are kept on the way.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, negate
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles.mesh import corners_of, leaf_triangle, mesh_at, node, owns
from opendynamics.core.collide.narrowphase.pairs import PAIR, floats_at
from opendynamics.core.collide.narrowphase.surfaces import (
    SLOTS,
    add_point,
    collect_slots,
    open_slots,
    put_in_slots,
    surface_of,
    write_points,
)
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    plane, geom = geom_at(a), geom_at(b)
    mesh = mesh_at(geom.data)
    n = transposed_times(get9(geom.rotation), get3(plane.size))
    level = plane.size[3] - dot(get3(plane.size), get3(geom.position))
    box = node(mesh, 0).box
    size = box[1] - box[0] + box[3] - box[2] + box[5] - box[4]
    floats, out = floats_at(scratch), negate(n)
    open_slots(floats, 0, out)
    few = limit <= SLOTS
    found, count, k = 0, 0, 0
    while k < mesh.node_count:
        if lowest_of_box(node(mesh, k).box, n) > level:
            k += node(mesh, k).skip
            continue
        leaf = node(mesh, k)
        for place in range(leaf.first, leaf.first + leaf.count):
            key = leaf_triangle(mesh, place)
            corners, own = corners_of(mesh, key), owns(mesh, key)
            for corner in range(3):
                depth = level - dot(n, corners[corner])
                if depth >= 0.0 and own & (1 << corner):
                    found += 1
                    if few:
                        put_in_slots(floats, 0, corners[corner], depth, out, key, -1)
                    else:
                        count = add_point(scratch, count, corners[corner], depth, out, key, size)
        k += 1
    if few:
        count = collect_slots(scratch, 1, size)
    count = write_points(scratch, count, geom, surface_of(geom), points, limit, size)
    return found if count >= limit else count


@kernel
def lowest_of_box(box, n):
    """The least n·x of a node's box."""
    x = n[0] * (box[0] if n[0] > 0.0 else box[1])
    y = n[1] * (box[2] if n[1] > 0.0 else box[3])
    return x + y + n[2] * (box[4] if n[2] > 0.0 else box[5])
