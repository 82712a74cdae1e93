"""Ray cast against a triangle mesh or heightfield: a contact at every triangle hit, its depth the distance along the ray.

A ray o + t d meets the triangle a, b, c where the volumes of d with two of its corners each have one sign (Moeller and
Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997). The normal is the triangle's, whichever side was met.
The ray's flags say whether triangles are met from behind, and whether the nearest hit or any one will do; the hits are
reported the nearest first. A place that neighbours share is one hit.

For a mesh, the boxes hit by the ray are processed (`triangles/bvh8.py`), the nearest first if one hit suffices; for a
heightfield, the cells in the order in which the ray crosses them (Amanatides and Woo, A Fast Voxel Traversal Algorithm,
1987).
"""

from __future__ import annotations

from math import floor, inf

from opendynamics.core.algebra.mat3 import column2, get9, times
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3, get3_from, put3_at, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.shapes.ray import BACKFACE_CULL, CLOSEST_HIT, FIRST_CONTACT
from opendynamics.core.bodies.triangles import MESH, normal_of, side_of, surface_of, triangle
from opendynamics.core.bodies.triangles.bvh8 import (
    BRANCHES,
    EDGE,
    LEAF_WIDTH,
    WIDTH,
    boxes_passed,
    distance_to_box,
    inside_of,
    key_in,
    triangles_met,
)
from opendynamics.core.bodies.triangles.grid import corners_of as cell_corners
from opendynamics.core.bodies.triangles.grid import grid_at, key_of, sample
from opendynamics.core.bodies.triangles.mesh import LEAF, corners_of, mesh_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at, set_point
from opendynamics.core.collide.narrowphase.mesh.contact_points import (
    MAX_POINTS,
    POINT_WIDTH,
    POINTS,
    relative_pose,
)
from opendynamics.core.kernels import entry, kernel

# Inverse of a zero component of a ray's direction: finite, so that its product with a distance of 0 is 0, not NaN.
MAX_PACE = 1.0e300

# The stack of boxes hit by the ray, in scratch memory: their contents, and their distances.
MAX_WAITING = 256
CONTENTS = 0
DISTANCES = CONTENTS + MAX_WAITING

# Hits of neighbours differ by this fraction of the ray's length, or of LONG times their distance, since rays may be infinite.
SAME_PLACE = 1.0e-10
LONG = 100.0

# How far above and below a cell's heights a ray still counts as among them: a part of the field's height and a cell's sides.
HEIGHT_SLACK = 1.0e-6


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    caster, geom = geom_at(a), geom_at(b)
    surface, flags = surface_of(geom), int(caster.size[1])
    start, turn = relative_pose(geom, get3(caster.position), get9(caster.rotation))
    ray = (start, column2(turn), caster.size[0])
    most = 1 if flags & (FIRST_CONTACT | CLOSEST_HIT) else min(limit, MAX_POINTS)
    if surface.kind == MESH:
        count = _through_mesh(ray, surface, flags, most, scratch)
    else:
        count = _over_grid(ray, surface, flags, most, scratch)
    floats, found = floats_at(scratch), points_at(points, limit)
    origin, r = get3(geom.position), get9(geom.rotation)
    for k in range(count):
        at = POINTS + k * POINT_WIDTH
        key = int(floats[at + 7])
        normal = times(r, normal_of(triangle(surface, key)[0]))
        set_point(found[k], add(origin, times(r, get3_from(floats, at))), normal, floats[at + 3])
        found[k].side_b = side_of(surface, key)
    return count


@kernel
def meets(ray, corners, flags):
    """Distance along the ray to a triangle; infinity: it misses."""
    start, along, length = ray
    a, b, c = subtract(corners[0], start), subtract(corners[1], start), subtract(corners[2], start)
    u, v, w = dot(along, cross(b, a)), dot(along, cross(c, b)), dot(along, cross(a, c))
    # Positive: the ray goes against the normal.
    total = u + v + w
    if total == 0.0 or (total < 0.0 and flags & BACKFACE_CULL):
        return inf
    slack = EDGE * abs(total)
    sign = 1.0 if total > 0.0 else -1.0
    if sign * u < -slack or sign * v < -slack or sign * w < -slack:
        return inf
    t = (v * dot(along, a) + w * dot(along, b) + u * dot(along, c)) / total
    return t if 0.0 <= t <= length else inf


@kernel
def note(ray, t, key, count, most, scratch):
    """Put a hit among those so far, the nearest first; the furthest goes if there are more than `most`."""
    floats = floats_at(scratch)
    place = count
    while place > 0 and floats[POINTS + (place - 1) * POINT_WIDTH + 3] > t:
        place -= 1
    for near in range(max(place - 1, 0), min(place + 1, count)):
        if abs(floats[POINTS + near * POINT_WIDTH + 3] - t) <= SAME_PLACE * min(ray[2], LONG * t):
            # Of neighbours, the first one in the surface, in whatever order they were tested.
            floats[POINTS + near * POINT_WIDTH + 7] = min(floats[POINTS + near * POINT_WIDTH + 7], float(key))
            return count
    if place >= most:
        return count
    last = min(count, most - 1)
    for k in range(last, place, -1):
        for i in range(POINT_WIDTH):
            floats[POINTS + k * POINT_WIDTH + i] = floats[POINTS + (k - 1) * POINT_WIDTH + i]
    at = POINTS + place * POINT_WIDTH
    put3_at(floats, at, add_scaled(ray[0], t, ray[1]))
    floats[at + 3], floats[at + 7] = t, key
    return last + 1


@kernel
def pace_of(along):
    """One over a component of a direction; very large, but finite, where that is 0."""
    return min(max(1.0 / along, -MAX_PACE), MAX_PACE)


@kernel
def _through_mesh(ray, surface, flags, most, scratch):
    """Record hits. The contents of boxes hit by the ray wait on a stack."""
    mesh, floats, keys = mesh_at(surface.data), floats_at(scratch), integers_at(scratch)
    pace = pace_of(ray[1][0]), pace_of(ray[1][1]), pace_of(ray[1][2])
    count, waiting = 0, 1
    keys[CONTENTS], floats[DISTANCES] = 0, 0.0
    while waiting > 0:
        waiting -= 1
        # With all the hits that are wanted, only nearer ones are of interest.
        max_distance = ray[2] if count < most else floats[POINTS + (most - 1) * POINT_WIDTH + 3]
        inside = keys[CONTENTS + waiting]
        if inside >= 0:
            node = mesh.wide_nodes + 8 * WIDTH * inside
            passed = boxes_passed(node, ray[0], pace, max_distance)
            if most > 1:
                waiting = _push(node, passed, waiting, scratch)
            else:
                waiting = _push_sorted(node, passed, ray[0], pace, waiting, scratch)
            continue
        if most == 1 and floats[DISTANCES + waiting] > max_distance * (1.0 + EDGE):
            continue
        leaf = mesh.leaves - 8 * LEAF_WIDTH * (1 + inside)
        met = triangles_met(leaf, ray[0], ray[1])
        for k in range(LEAF):
            if met & (1 << k):
                key = key_in(leaf, k)
                t = meets(ray, corners_of(mesh, key), flags)
                if t < inf:
                    count = note(ray, t, key, count, most, scratch)
                    if flags & FIRST_CONTACT and not flags & CLOSEST_HIT:
                        return count
    return count


@kernel
def _push(node, passed, waiting, scratch):
    """Push the contents of the boxes that were hit on the stack; returns its height."""
    keys = integers_at(scratch)
    for k in range(BRANCHES):
        keys[CONTENTS + waiting] = inside_of(node, k)
        waiting += passed >> k & 1
    return waiting


@kernel
def _push_sorted(node, passed, start, pace, waiting, scratch):
    """The same, with the first box along the ray pushed last."""
    floats, keys, top = floats_at(scratch), integers_at(scratch), waiting
    for k in range(BRANCHES):
        if passed & (1 << k):
            near, place = distance_to_box(node, k, start, pace), top
            while place > waiting and floats[DISTANCES + place - 1] < near:
                floats[DISTANCES + place], keys[CONTENTS + place] = (
                    floats[DISTANCES + place - 1],
                    keys[CONTENTS + place - 1],
                )
                place -= 1
            floats[DISTANCES + place], keys[CONTENTS + place] = near, inside_of(node, k)
            top += 1
    return top


@kernel
def _over_grid(ray, surface, flags, most, scratch):
    grid = grid_at(surface.data)
    start, along, length = ray
    slack = HEIGHT_SLACK * (grid.high - grid.low + grid.cell_x + grid.cell_z)
    # The part of the ray that is over the field and among its heights, then cell after cell.
    inside, first, last = _clip(0.0, length, start[1], along[1], grid.low - slack, grid.high - grid.low + 2.0 * slack)
    if inside and grid.wrap == 0:
        inside, first, last = _clip_to_samples(first, last, start[0], along[0], grid.first_x, grid.cell_x, grid.columns)
        if inside:
            inside, first, last = _clip_to_samples(
                first, last, start[2], along[2], grid.first_z, grid.cell_z, grid.rows
            )
    if not inside:
        return 0
    i = _cell(start[0] + first * along[0], grid.first_x, grid.cell_x, grid.columns, grid.wrap)
    k = _cell(start[2] + first * along[2], grid.first_z, grid.cell_z, grid.rows, grid.wrap)
    columns, rows = (grid.columns - 1, grid.rows - 1) if grid.wrap == 0 else (0, 0)
    count = 0
    while True:
        next_x = _border(i, columns, start[0], along[0], grid.first_x, grid.cell_x)
        next_z = _border(k, rows, start[2], along[2], grid.first_z, grid.cell_z)
        ahead = min(next_x, next_z)
        if _among_heights(grid, i, k, start[1] + first * along[1], start[1] + min(ahead, last) * along[1], slack):
            for half in range(2):
                key = key_of(i, k, half)
                t = meets(ray, cell_corners(grid, key), flags)
                if t < inf:
                    count = note(ray, t, key, count, most, scratch)
        if count == most or ahead > last:
            return count
        first = ahead
        if next_x <= next_z:
            i += 1 if along[0] > 0.0 else -1
        else:
            k += 1 if along[2] > 0.0 else -1


@kernel
def _among_heights(grid, i, k, one, other, slack):
    """Whether heights from `one` to `other` are not all above or all below those of a cell."""
    a, b, c, d = (
        sample(grid, i, k)[1],
        sample(grid, i + 1, k)[1],
        sample(grid, i, k + 1)[1],
        sample(grid, i + 1, k + 1)[1],
    )
    above = min(one, other) > max(max(a, b), max(c, d)) + slack
    return not above and max(one, other) >= min(min(a, b), min(c, d)) - slack


@kernel
def _clip(first, last, start, along, low, width):
    """Whether any of the ray from `first` to `last` is between low and low + width, and which part of it."""
    if along == 0.0:
        return low <= start <= low + width, first, last
    near, far = (low - start) / along, (low + width - start) / along
    first, last = max(first, min(near, far)), min(last, max(near, far))
    return first <= last, first, last


@kernel
def _clip_to_samples(first, last, start, along, low, cell, samples):
    """The same between the first sample and the last one, a little wider: `meets` decides at the border."""
    width = cell * (samples - 1)
    return _clip(first, last, start, along, low - EDGE * width, width * (1.0 + 2.0 * EDGE))


@kernel
def _cell(x, low, width, samples, wrap):
    cell = int(floor((x - low) / width))
    return cell if wrap != 0 else min(max(cell, 0), samples - 2)


@kernel
def _border(cell, cells, start, along, low, width):
    """Distance along the ray to the next cell on this axis; infinity at the end of the `cells`."""
    if along == 0.0 or (cells > 0 and cell == (cells - 1 if along > 0.0 else 0)):
        return inf
    return (low + (cell + (1 if along > 0.0 else 0)) * width - start) / along
