"""Plane and triangle mesh: every vertex of the mesh that is not above the plane, depth d - n·v.

Where there are more than may be handed out, those are the deepest, and the furthest along ways spread evenly round the
normal: for each way, patches of vertices are looked at in the order of how far their boxes reach along it. What room is
left goes to others.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, get3_from, negate, plane_space, put3_at, scale
from opendynamics.core.arrays.table import array_of
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles.mesh import mesh_at, node
from opendynamics.core.bodies.triangles.patches import (
    MOST_PLACES,
    SIDE,
    count_below,
    furthest_below,
    lows_and_highs,
    next_key,
    order_ends,
    patch_count,
    patch_owner,
    patch_point,
    place_of,
)
from opendynamics.core.collide.narrowphase.pairs import PAIR, SCRATCH, floats_at, points_at, set_point
from opendynamics.core.collide.narrowphase.reduction import POINT_FLOATS, keep_spread
from opendynamics.core.kernels import entry, kernel

# Ways looked along where fewer points are asked for, and the most.
FEWEST_WAYS, MOST_WAYS = 7, 63

# Patches looked at together.
GROUP = MOST_PLACES

# Where things stand in scratch memory: what is chosen; of each patch the lowest and highest place over the plane, and a key
# of how far it reaches along a way; of each way its direction, the best key so far, and the vertex it is of.
CHOSEN = 0
LOWS = POINT_FLOATS * (1 + MOST_WAYS)
HIGHS = LOWS + GROUP
ENDS = HIGHS + GROUP
WAYS = ENDS + GROUP
BEST = WAYS + 3 * (1 + MOST_WAYS)
VERTEX = BEST + 1 + MOST_WAYS

# Above every key.
NONE_YET = (1 << 63) - 1

numbers_at = array_of(np.int64, SCRATCH)


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    plane, geom = geom_at(a), geom_at(b)
    mesh, normal, r, place = mesh_at(geom.data), get3(plane.size), get9(geom.rotation), get3(geom.position)
    n, level = transposed_times(r, normal), plane.size[3] - dot(normal, place)
    box = node(mesh, 0).box
    if lowest_of_box(box, n) > level:
        return 0
    found = count_all(mesh, n, level, scratch)
    out, target, floats, numbers = negate(normal), points_at(points, limit), floats_at(scratch), numbers_at(scratch)
    count = 0
    if found > limit:
        size = max(-box[0], box[1]) + max(-box[2], box[3]) + max(-box[4], box[5])
        count = choose(mesh, n, level, limit, size + abs(level), scratch)
        for k in range(count):
            at = CHOSEN + POINT_FLOATS * k
            set_point(target[k], add(place, times(r, get3_from(floats, at))), out, floats[at + 3])
            target[k].side_b = patch_owner(mesh, numbers[at + 5])
    hand_out_others(mesh, n, level, count, min(found, limit), (place, r, out), target, scratch)
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
    last = mesh.point_count - 1
    return found - (SIDE * patches - mesh.point_count if dot(n, patch_point(mesh, last)) <= level else 0)


@kernel
def hand_out_others(mesh, n, level, done, wanted, frame, target, scratch):
    """Write vertices that are not above the plane and not among those chosen, until there are as many as wanted."""
    floats, numbers, chosen, patch = floats_at(scratch), numbers_at(scratch), done, 0
    while done < wanted:
        lows_and_highs(mesh, patch, 1, n, scratch + 8 * LOWS, scratch + 8 * HIGHS)
        if floats[LOWS] <= level:
            for vertex in range(SIDE * patch, min(SIDE * (patch + 1), mesh.point_count)):
                p = patch_point(mesh, vertex)
                height, taken = dot(n, p), done == wanted
                for k in range(chosen):
                    taken = taken or numbers[CHOSEN + POINT_FLOATS * k + 5] == vertex
                if height <= level and not taken:
                    set_point(target[done], add(frame[0], times(frame[1], p)), frame[2], level - height)
                    target[done].side_b = patch_owner(mesh, vertex)
                    done += 1
        patch += 1


@kernel
def choose(mesh, n, level, limit, size, scratch):
    """List the deepest vertex and those furthest along ways round the normal; returns how many, at most `limit`."""
    floats, numbers, patches = floats_at(scratch), numbers_at(scratch), patch_count(mesh)
    ways = min(max(limit - 1, FEWEST_WAYS), MOST_WAYS) if limit > 1 else 0
    set_ways(n, ways, scratch)
    for first in range(0, patches, GROUP):
        count = min(GROUP, patches - first)
        if patches > GROUP:
            lows_and_highs(mesh, first, count, n, scratch + 8 * LOWS, scratch + 8 * HIGHS)
        for way in range(1 + ways):
            follow(mesh, first, count, n, level, size, way, scratch)
    chosen = 0
    for way in range(1 + ways):
        vertex, taken = min(numbers[VERTEX + way], mesh.point_count - 1), False
        for k in range(chosen):
            taken = taken or numbers[CHOSEN + POINT_FLOATS * k + 5] == vertex
        if not taken:
            at, p = CHOSEN + POINT_FLOATS * chosen, patch_point(mesh, vertex)
            put3_at(floats, at, p)
            floats[at + 3] = level - dot(n, p)
            numbers[at + 5] = vertex
            chosen += 1
    return keep_spread(scratch, CHOSEN, chosen, limit)


@kernel
def set_ways(n, ways, scratch):
    """Begin with the way down, and then `ways` of them round the normal."""
    floats, numbers = floats_at(scratch), numbers_at(scratch)
    put3_at(floats, WAYS, negate(n))
    numbers[BEST] = 0
    p, q = plane_space(n)
    c, s = cos(2.0 * pi / ways), sin(2.0 * pi / ways)
    x, y = 1.0, 0.0
    for way in range(1, 1 + ways):
        put3_at(floats, WAYS + 3 * way, add_scaled(scale(x, p), y, q))
        numbers[BEST + way] = 0
        x, y = c * x - s * y, s * x + c * y


@kernel
def follow(mesh, first, count, n, level, size, way, scratch):
    """Look for vertices further along a way among `count` patches. `size` is added, so that nothing is below zero."""
    numbers = numbers_at(scratch)
    along, best = get3_from(floats_at(scratch), WAYS + 3 * way), numbers[BEST + way]
    ends = scratch + 8 * ENDS
    order_ends(mesh, first, count, along, size, scratch + 8 * LOWS, level, ends)
    end = next_key(ends, count, NONE_YET)
    while end > best:
        patch = first + place_of(end)
        here = furthest_below(mesh, patch, n, level, along, size)
        if here > best:
            best = here
            numbers[VERTEX + way] = SIDE * patch + place_of(here)
        end = next_key(ends, count, end)
    numbers[BEST + way] = best
