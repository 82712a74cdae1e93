"""Triangles of a mesh in a box, in an oriented box, or near a point.

Each query goes through the tree of eight branches, depth first and from left to right: it finds triangles in the order of the
leaves. What is still to be visited waits on a stack in scratch memory. A query that is interrupted, because there is no room for
more keys, returns the number of the next leaf, from which it continues.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot, subtract
from opendynamics.core.arrays.blocks.scratch import WAITING, integers_at
from opendynamics.core.bodies.triangles.bvh8 import (
    LEAF_WIDTH,
    NO_TRIANGLE,
    WIDTH,
    boxes_inside_faces,
    inside_of,
    key_in,
    leaf_at,
    node_at,
    triangles_inside_faces,
)
from opendynamics.core.bodies.triangles.bvh8_overlaps import (
    BRANCHES,
    boxes_near,
    boxes_overlapped,
    triangles_near,
    triangles_overlapped,
)
from opendynamics.core.bodies.triangles.mesh import LEAF, corners_of, normal_at
from opendynamics.core.kernels import kernel

# Factor on distances within which rounding leaves out nothing.
ROOMY = 1.0 + 1.0e-9


@kernel
def gather(mesh, low, high, scratch, first, room, cursor):
    """See the package's `gather`."""
    keys, count, waiting = integers_at(scratch), 0, 1
    keys[WAITING] = 0
    while waiting > 0:
        waiting -= 1
        inside = keys[WAITING + waiting]
        if inside >= 0:
            node = _node(mesh, inside)
            waiting = _push(node, boxes_overlapped(node_at(node), low, high), waiting, keys)
        elif _number(inside) >= cursor:
            if count + LEAF > room:
                return count, _number(inside)
            leaf = _leaf(mesh, inside)
            count = _take(leaf, triangles_overlapped(leaf_at(leaf), low, high), keys, first, count)
    return count, -1


@kernel
def gather_in(mesh, low, high, oriented, scratch, first, room, cursor):
    """See the package's `gather_in`."""
    keys, count, waiting = integers_at(scratch), 0, 1
    keys[WAITING] = 0
    while waiting > 0:
        waiting -= 1
        inside = keys[WAITING + waiting]
        if inside >= 0:
            node = _node(mesh, inside)
            met = boxes_overlapped(node_at(node), low, high)
            if met != 0:
                waiting = _push(node, met & boxes_inside_faces(node, oriented), waiting, keys)
        elif _number(inside) >= cursor:
            if count + LEAF > room:
                return count, _number(inside)
            leaf = _leaf(mesh, inside)
            count = _take(leaf, triangles_inside_faces(leaf, oriented), keys, first, count)
    return count, -1


@kernel
def gather_near(mesh, p, distance, scratch, first, room, cursor):
    """See the package's `gather_near`."""
    keys, count, waiting, max_distance = integers_at(scratch), 0, 1, distance * ROOMY
    square = max_distance * max_distance
    keys[WAITING] = 0
    while waiting > 0:
        waiting -= 1
        inside = keys[WAITING + waiting]
        if inside >= 0:
            node = _node(mesh, inside)
            waiting = _push(node, boxes_near(node_at(node), p, square), waiting, keys)
        elif _number(inside) >= cursor:
            if count + LEAF > room:
                return count, _number(inside)
            leaf = _leaf(mesh, inside)
            before, count = count, _take(leaf, triangles_near(leaf_at(leaf), p, square), keys, first, count)
            count = _keep_near_planes(mesh, p, max_distance, keys, first, before, count)
    return count, -1


@kernel
def _node(mesh, inside):
    return mesh.wide_nodes + 8 * WIDTH * inside


@kernel
def _leaf(mesh, inside):
    return mesh.leaves + 8 * LEAF_WIDTH * _number(inside)


@kernel
def _number(inside):
    """The number of a leaf, as nodes have it."""
    return -1 - inside


@kernel
def _push(node, met, waiting, keys):
    """Push the contents of boxes on the stack, the first on top; returns its height."""
    for k in range(BRANCHES - 1, -1, -1):
        keys[WAITING + waiting] = inside_of(node, k)
        waiting += met >> k & 1
    return waiting


@kernel
def _take(leaf, met, keys, first, count):
    """Add triangles of a leaf to the keys; returns how many there are."""
    for k in range(LEAF):
        keys[first + count] = key_in(leaf, k)
        count += met >> k & 1 if keys[first + count] != NO_TRIANGLE else 0
    return count


@kernel
def _keep_near_planes(mesh, p, distance, keys, first, before, count):
    """Of the keys after the first `before`, keep those of triangles whose planes are near p; returns how many are left."""
    kept = before
    for k in range(before, count):
        key = keys[first + k]
        if abs(dot(normal_at(mesh, key), subtract(p, corners_of(mesh, key)[0]))) <= distance:
            keys[first + kept] = key
            kept += 1
    return kept
