"""Mesh-mesh and mesh-heightfield: every triangle of the first mesh collides with the second as a convex body.

Pairs of triangles are found by going through the first mesh's tree and asking the second surface about each box. Two
meshes that bound convex solids are collided as those solids, which is exact however deep they are in each other.
Without a pair of triangles in touch, one may be wholly inside the other: then it leaves by the shortest translation out.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

from opendynamics.core.algebra.mat3 import get9, row0, row1, row2, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, magnitudes, negate, put3_at, scale, subtract
from opendynamics.core.arrays.blocks.scratch import WAITING, floats_at, integers_at
from opendynamics.core.bodies.shape import hull_shape, triangle_shape
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles import GRID, MESH, gather, hull_of, is_endless, normal_of, surface_of
from opendynamics.core.bodies.triangles import corners_of as corners_of_surface
from opendynamics.core.bodies.triangles.grid import grid_at, height_at, key_at
from opendynamics.core.bodies.triangles.mesh import (
    CLOSED,
    LEAF,
    box_of,
    corners_of,
    leaf_triangle,
    mesh_at,
    mesh_support,
    node,
    vertex,
)
from opendynamics.core.bodies.triangles.nearest import nearest_on_mesh
from opendynamics.core.collide.narrowphase.collider import ENDLESS, PAIR
from opendynamics.core.collide.narrowphase.convex.convex_convex import collide_shapes
from opendynamics.core.collide.narrowphase.mesh.contact_points import (
    BODY_AT,
    DIRECTIONS,
    KEYS,
    POINT_WIDTH,
    ROOM,
    SLOT_POINTS,
    SLOTS,
    add_point,
    collect_slots,
    relative_pose,
    write_points,
)
from opendynamics.core.collide.narrowphase.mesh.convex_mesh import convex_mesh_manifold, measure
from opendynamics.core.collide.narrowphase.mesh.convex_triangle import MIN_GAP
from opendynamics.core.collide.narrowphase.mesh.triangle_triangle import triangles_touch
from opendynamics.core.collide.narrowphase.placed_shape import PlacedShape
from opendynamics.core.collide.narrowphase.shape_pair import ShapePair, shape_pair
from opendynamics.core.kernels import entry, kernel

# Offset of the keys of triangles near a leaf in scratch memory, and their maximum number.
NEARBY = SLOT_POINTS + DIRECTIONS * SLOTS * POINT_WIDTH
MAX_NEARBY = WAITING - NEARBY

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Frame(NamedTuple):
    """Position and rotation of a mesh in the frame of the other surface."""

    position: Any
    rotation: Any


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    one, geom = geom_at(a), geom_at(b)
    surface = surface_of(geom)
    if mesh_at(one.data).hull != 0 and hull_of(surface) != 0:
        return _as_hulls(a, b, limit, points, scratch)
    position, rotation = relative_pose(geom, get3(one.position), get9(one.rotation))
    frame = Frame(position, rotation)
    box = node(mesh_at(one.data), 0).box
    size = box[1] - box[0] + box[3] - box[2] + box[5] - box[4]
    count = _collide_triangles(mesh_at(one.data), frame, surface, size, scratch)
    if count == ENDLESS:
        return count
    if count == 0:
        count = _push_out(mesh_at(one.data), frame, surface, size, scratch)
    if count == 0 and surface.kind == MESH:
        back = Frame(negate(transposed_times(frame.rotation, frame.position)), transposed(frame.rotation))
        count = _push_out_other(mesh_at(geom.data), back, one.data, frame, size, scratch)
    return write_points(scratch, count, geom, surface, points, limit, size)


@kernel
def _as_hulls(a, b, limit, points, scratch):
    pair = shape_pair(a, b)
    hulls = hull_shape(mesh_at(pair.a.data).hull), hull_shape(mesh_at(pair.b.data).hull)
    pair = ShapePair(hulls[0], hulls[1], pair.offset, pair.rotation)
    return collide_shapes(pair, a, limit, points, scratch)


@kernel
def _collide_triangles(mesh, frame, surface, size, scratch):
    """Contact points of the mesh's triangles; returns how many, or ENDLESS."""
    chosen, k = 0, 0
    while k < mesh.node_count:
        low, high = _transformed_box(node(mesh, k).box, frame)
        count = node(mesh, k).count
        endless = is_endless(surface, low, high)
        if endless and count > 0:
            return ENDLESS
        found, more = gather(surface, low, high, scratch, NEARBY, MAX_NEARBY if count > 0 else LEAF, 0)
        if found == 0 and not endless:
            k += node(mesh, k).skip
            continue
        for place in range(node(mesh, k).first, node(mesh, k).first + count):
            # The triangles of a leaf share the list of near ones; if that is too long, each searches by itself.
            near = found if more < 0 else -1
            chosen = _collide_triangle(mesh, leaf_triangle(mesh, place), frame, surface, near, size, chosen, scratch)
        k += 1
    return collect_slots(scratch, chosen, size)


@kernel
def _transformed_box(box, frame):
    """The bounding box, in the surface's frame, of a node's box."""
    centre = (0.5 * (box[0] + box[1]), 0.5 * (box[2] + box[3]), 0.5 * (box[4] + box[5]))
    half = (0.5 * (box[1] - box[0]), 0.5 * (box[3] - box[2]), 0.5 * (box[5] - box[4]))
    centre = add(frame.position, times(frame.rotation, centre))
    r = frame.rotation
    extent = dot(magnitudes(row0(r)), half), dot(magnitudes(row1(r)), half), dot(magnitudes(row2(r)), half)
    return subtract(centre, extent), add(centre, extent)


@kernel
def _collide_triangle(mesh, key, frame, surface, near, size, chosen, scratch):
    """Add the contact points of a triangle of the mesh; returns the number of directions, `chosen` before.

    `near`: the number of listed triangles near it; -1: they are not listed.
    """
    floats, corners = floats_at(scratch), corners_of(mesh, key)
    one, two = (
        add(frame.position, times(frame.rotation, corners[0])),
        add(frame.position, times(frame.rotation, corners[1])),
    )
    three = add(frame.position, times(frame.rotation, corners[2]))
    put3_at(floats, BODY_AT, one)
    put3_at(floats, BODY_AT + 3, two)
    put3_at(floats, BODY_AT + 6, three)
    shape = triangle_shape(scratch + 8 * BODY_AT, 1.0 if mesh.flags & CLOSED else 0.0)
    body = PlacedShape(shape, (0.0, 0.0, 0.0), IDENTITY)
    low, high = box_of((one, two, three))
    cursor, touching = 0, False
    while cursor >= 0:
        if near >= 0:
            count, cursor = _nearby(surface, near, low, high, scratch), -1
        else:
            count, cursor = gather(surface, low, high, scratch, KEYS, ROOM, cursor)
        touching = touching or _touches((one, two, three), surface, count, MIN_GAP * size, scratch)
        if touching:
            count = measure(body, surface, count, size, inf, scratch)
            chosen = convex_mesh_manifold(body, surface, 0.0, size, chosen, count, inf, float(key), scratch)
    return chosen


@kernel
def _nearby(surface, near, low, high, scratch):
    """Gather from the triangles that are listed as near those whose boxes meet a box; returns how many."""
    keys, count = integers_at(scratch), 0
    for k in range(near):
        bottom, top = box_of(corners_of_surface(surface, keys[NEARBY + k]))
        apart = bottom[0] > high[0] or top[0] < low[0] or bottom[1] > high[1] or top[1] < low[1]
        if not (apart or bottom[2] > high[2] or top[2] < low[2]):
            keys[KEYS + count] = keys[NEARBY + k]
            count += 1
    return count


@kernel
def _touches(one, surface, count, near, scratch):
    """Whether a triangle touches any of those gathered, or nearly so. One that touches none has no contact."""
    keys, n, k = integers_at(scratch), normal_of(one), 0
    while k < count and not triangles_touch(one, n, corners_of_surface(surface, keys[KEYS + k]), near):
        k += 1
    return k < count


@kernel
def _push_out(mesh, frame, surface, size, scratch):
    """The contact of a mesh that is wholly inside a closed mesh, or below a heightfield."""
    centre = add(frame.position, times(frame.rotation, vertex(mesh, 0)))  # where one vertex is, all are
    if surface.kind == GRID:
        above, height = height_at(grid_at(surface.data), centre[0], centre[2])
        if not above or height < centre[1]:
            return 0
        q, n = (centre[0], height, centre[2]), (0.0, 1.0, 0.0)
        key = key_at(grid_at(surface.data), centre[0], centre[2])
    else:
        key, q, n = _exit_direction(surface.data, centre)
        if key < 0:
            return 0
    depth = dot(n, q) - dot(n, frame.position) + mesh_support(mesh, negate(transposed_times(frame.rotation, n)))[0]
    return add_point(scratch, 0, q, depth, n, key, size)


@kernel
def _push_out_other(other, back, address, frame, size, scratch):
    """The contact where the second mesh is wholly inside the first one, in the second one's frame."""
    key, q, n = _exit_direction(address, add(back.position, times(back.rotation, vertex(other, 0))))
    if key < 0:
        return 0
    depth = dot(n, q) - dot(n, back.position) + mesh_support(other, negate(transposed_times(back.rotation, n)))[0]
    place = add(frame.position, times(frame.rotation, q))
    return add_point(scratch, 0, place, depth, negate(times(frame.rotation, n)), 0, size)


@kernel
def _exit_direction(address, p):
    """Triangle, place and normal of the shortest translation out of a closed mesh; -1: p is not inside."""
    square, key, q, outside = inf, -1, p, True
    if mesh_at(address).flags & CLOSED:
        square, key, q, outside = nearest_on_mesh(address, p)
    if outside:
        return -1, p, p
    if square > 0.0:
        return key, q, scale(1.0 / sqrt(square), subtract(q, p))
    return key, q, normal_of(corners_of(mesh_at(address), key))
