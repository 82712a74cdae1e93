"""Plane and triangle mesh: every vertex of the mesh that is not above the plane, depth d - n·v; which of them: `plane_points.py`.

Vertices are processed by patches of neighbours: those entirely above or below the plane as one; along a direction, those
whose boxes extend furthest come first, until no box extends further than the result so far.
"""

from __future__ import annotations

from opendynamics.core.algebra.argmax import MAX_PLACES, place_of
from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, negate
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles.mesh import mesh_at, node
from opendynamics.core.bodies.triangles.patches import (
    SIDE,
    cloud_of,
    count_below,
    furthest_below,
    lows_and_highs,
    next_key,
    order_ends,
    patch_count,
)
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, lower, points_at
from opendynamics.core.collide.narrowphase.primitives.plane_points import (
    BEST,
    FREE,
    POINT,
    X,
    Y,
    Z,
    begin_directions,
    choose,
    hand_out_chosen,
    hand_out_others,
    point_of,
)
from opendynamics.core.kernels import entry, kernel

# Patches processed together.
GROUP = MAX_PLACES

# Of each patch the lowest and highest place over the plane, and a key of how far it reaches along a direction.
LOWS = FREE
HIGHS = LOWS + GROUP
ENDS = HIGHS + GROUP


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    box = node(mesh_at(geom_at(b).data), 0).box
    near = NEAR * (box[1] - box[0] + box[3] - box[2] + box[5] - box[4])
    found = collide_raised(a, b, near, limit, points, scratch)
    lower(points_at(points, limit), min(found, limit), near)
    return found


@kernel
def collide_raised(a, b, near, limit, points, scratch):
    """Contacts with the plane raised by `near` m."""
    plane, geom = geom_at(a), geom_at(b)
    mesh, normal, r, place = mesh_at(geom.data), get3(plane.size), get9(geom.rotation), get3(geom.position)
    n, level = transposed_times(r, normal), plane.size[3] - dot(normal, place) + near
    box = node(mesh, 0).box
    if lowest_of_box(box, n) > level:
        return 0
    found, cloud = count_all(mesh, n, level, scratch), cloud_of(mesh)
    frame, target, chosen = (place, r, negate(normal)), points_at(points, limit), 0
    if found > limit:
        directions = begin_directions(n, limit, scratch)
        size = max(-box[0], box[1]) + max(-box[2], box[3]) + max(-box[4], box[5])
        follow_all(mesh, n, level, directions, 2.0 * size, scratch)
        chosen = choose(cloud, n, level, directions, limit, scratch)
        hand_out_chosen(cloud, chosen, frame, target, scratch)
    hand_out_rest(mesh, cloud, n, level, chosen, min(found, limit), frame, target, scratch)
    return found


@kernel
def lowest_of_box(box, n):
    """The least n·x of a node's box."""
    x = n[0] * (box[0] if n[0] > 0.0 else box[1])
    y = n[1] * (box[2] if n[1] > 0.0 else box[3])
    return x + y + n[2] * (box[4] if n[2] > 0.0 else box[5])


@kernel
def count_all(mesh, n, level, scratch):
    """How many vertices are not above the plane."""
    floats, found, patches = floats_at(scratch), 0, patch_count(mesh)
    for first in range(0, patches, GROUP):
        count = min(GROUP, patches - first)
        lows_and_highs(mesh, first, count, n, scratch + 8 * LOWS, scratch + 8 * HIGHS)
        for k in range(count):
            if floats[LOWS + k] <= level:
                found += SIDE if floats[HIGHS + k] <= level else count_below(mesh, first + k, n, level)
    copies = SIDE * patches - mesh.point_count
    return found - (copies if dot(n, point_of(cloud_of(mesh), mesh.point_count - 1)) <= level else 0)


@kernel
def hand_out_rest(mesh, cloud, n, level, chosen, wanted, frame, target, scratch):
    """Write vertices that are not above the plane and were not chosen until there are as many as wanted."""
    floats, done, patch = floats_at(scratch), chosen, 0
    while done < wanted:
        lows_and_highs(mesh, patch, 1, n, scratch + 8 * LOWS, scratch + 8 * HIGHS)
        if floats[LOWS] <= level:
            first, last = SIDE * patch, min(SIDE * (patch + 1), mesh.point_count)
            done = hand_out_others(cloud, first, last, n, level, chosen, done, wanted, frame, target, scratch)
        patch += 1


@kernel
def follow_all(mesh, n, level, directions, size, scratch):
    """Find the vertex furthest along each direction; `size`: more than any vertex is from the origin."""
    patches = patch_count(mesh)
    for first in range(0, patches, GROUP):
        count = min(GROUP, patches - first)
        if patches > GROUP:  # or else they are there from counting
            lows_and_highs(mesh, first, count, n, scratch + 8 * LOWS, scratch + 8 * HIGHS)
        for direction in range(directions):
            follow(mesh, first, count, n, level, size, direction, scratch)


@kernel
def follow(mesh, first, count, n, level, size, direction, scratch):
    """Look for vertices further along a direction among `count` patches. `size` is added, so that nothing is below zero."""
    floats, numbers, ends = floats_at(scratch), integers_at(scratch), scratch + 8 * ENDS
    along, best = (floats[X + direction], floats[Y + direction], floats[Z + direction]), numbers[BEST + direction]
    end = order_ends(mesh, first, count, along, size, scratch + 8 * LOWS, level, ends)
    while end > best:
        patch = first + place_of(end)
        here = furthest_below(mesh, patch, n, level, along, size)
        if here > best:
            best = here
            # The copies that fill the last patch are of its last vertex.
            numbers[POINT + direction] = min(SIDE * patch + place_of(here), mesh.point_count - 1)
        end = next_key(ends, count, end)
    numbers[BEST + direction] = best
