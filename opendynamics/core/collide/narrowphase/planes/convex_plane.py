"""Convex polyhedron and plane: every vertex that is not above the plane, depth d - n·v; which of them: `plane_points.py`."""

from __future__ import annotations

from opendynamics.core.algebra.argmax import MAX_PLACES, key_of, place_of
from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3
from opendynamics.core.arrays.blocks.hulls import hull_floats, hulls_at
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, lower, points_at, set_point
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

# Vertices processed together.
GROUP = MAX_PLACES

# Points are filled up with copies of the last one to a multiple of this number.
LANES = 8

# Heights of a group's vertices, places in it of those not above the plane, and those by coordinate.
HEIGHTS = FREE
BELOW = HEIGHTS + GROUP
COLUMNS = BELOW + GROUP


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    hull = hulls_at(geom_at(a).data)[0]
    near = NEAR * (hull.high[0] - hull.low[0] + hull.high[1] - hull.low[1] + hull.high[2] - hull.low[2])
    found = collide_raised(a, b, near, limit, points, scratch)
    lower(points_at(points, limit), min(found, limit), near)
    return found


@kernel
def collide_raised(a, b, near, limit, points, scratch):
    """Contacts with the plane raised by `near` m."""
    convex, plane = geom_at(a), geom_at(b)
    place, r, normal, hull = get3(convex.position), get9(convex.rotation), get3(plane.size), hulls_at(convex.data)[0]
    n, level = transposed_times(r, normal), plane.size[3] - dot(normal, place) + near
    cloud = (convex.data + hull.columns_at, hull.vertices, hull.vertices, 0)
    found, target, frame = 0, points_at(points, limit), (place, r, normal)
    for first in range(0, hull.vertices, GROUP):
        found += list_below(cloud, first, n, level, scratch)
    if found <= limit and hull.vertices <= GROUP:
        for i in range(found):
            p = point_of(cloud, integers_at(scratch)[BELOW + i])
            set_point(target[i], add(place, times(r, p)), normal, level - dot(n, p))
        return found
    chosen, wanted = 0, min(found, limit)
    if found > limit:
        directions = begin_directions(n, limit, scratch)
        size = max(-hull.low[0], hull.high[0]) + max(-hull.low[1], hull.high[1]) + max(-hull.low[2], hull.high[2])
        for first in range(0, hull.vertices, GROUP):
            below = list_below(cloud, first, n, level, scratch) if hull.vertices > GROUP else found
            follow_all(cloud, first, below, directions, 2.0 * size, scratch)
        chosen = choose(cloud, n, level, directions, limit, scratch)
        hand_out_chosen(cloud, chosen, frame, target, scratch)
    hand_out_others(cloud, 0, hull.vertices, n, level, chosen, chosen, wanted, frame, target, scratch)
    return found


@kernel
def list_below(cloud, first, n, level, scratch):
    """List the vertices of a group that are not above the plane; returns how many."""
    floats, numbers, below = floats_at(scratch), integers_at(scratch), 0
    address, row, count = cloud[0] + 8 * first, 8 * cloud[1], min(GROUP, cloud[2] - first)
    x, y, z = hull_floats(address, count), hull_floats(address + row, count), hull_floats(address + 2 * row, count)
    height = hull_floats(scratch + 8 * HEIGHTS, count)
    for k in range(count):
        height[k] = n[0] * x[k] + n[1] * y[k] + n[2] * z[k]
    for k in range(count):
        if floats[HEIGHTS + k] <= level:
            numbers[BELOW + below] = k
            below += 1
    return below


@kernel
def follow_all(cloud, first, below, directions, size, scratch):
    """Look for vertices further along all directions among those listed of a group; `size`: more than any is from the origin."""
    floats, numbers = floats_at(scratch), integers_at(scratch)
    filled = (below + LANES - 1) // LANES * LANES
    for i in range(filled):
        p = point_of(cloud, first + numbers[BELOW + min(i, below - 1)])
        floats[COLUMNS + i], floats[COLUMNS + GROUP + i], floats[COLUMNS + 2 * GROUP + i] = p
    for direction in range(directions):
        along = (floats[X + direction], floats[Y + direction], floats[Z + direction])
        key = furthest(scratch + 8 * COLUMNS, filled, along, size)
        if key > numbers[BEST + direction]:
            numbers[BEST + direction] = key
            numbers[POINT + direction] = first + numbers[BELOW + min(place_of(key), below - 1)]


@kernel
def furthest(columns, count, along, size):
    """Key of which of `count` points, of GROUP, is furthest along a direction."""
    x, y = hull_floats(columns, count), hull_floats(columns + 8 * GROUP, count)
    z, best = hull_floats(columns + 16 * GROUP, count), 0
    for k in range(count):
        best = max(best, key_of(along[0] * x[k] + along[1] * y[k] + along[2] * z[k] + size, k))
    return best
