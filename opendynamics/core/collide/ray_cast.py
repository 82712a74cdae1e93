"""Batched ray casts against all geoms of geom_order.

A ray traverses the dynamic tree through the nodes whose boxes it hits (slab test, Kay and Kajiya 1986), the nearer child first,
and is tested against geoms by the kernels of their pairs with rays. Each hit shortens it, so that geoms behind are skipped.

Reads rays (n, 7): start, unit direction, length; and the geom after those listed, a ray with the bits and flags of all. Writes
ray_hits.
"""

from __future__ import annotations

from math import copysign, inf

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import get3, get3_from
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.dynamic_tree import LEAVES, NODES, PROXIES, REMOVED, TREE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import RAY_HITS
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.contact_filter import bits_match
from opendynamics.core.collide.dynamic_tree import refresh_tree
from opendynamics.core.collide.narrowphase.dispatch import collide_two
from opendynamics.core.kernels import entry, kernel

RAYS = types.Array(types.float64, 2, "C")

# Query modes: the nearest hit, any hit, all hits.
NEAREST, ANY, ALL = 0, 1, 2

# Direction components below this are 0, since their reciprocals must be finite.
STILL = 1.0e-100


@entry(types.int64(TABLES, RAYS, types.int64))
def cast_rays(tables, rays, mode):
    """Return the number of hits listed: for NEAREST and ANY one per ray, in order. -1: out of memory, or a missing kernel."""
    n = rays.shape[0]
    has_room = FLOATS.has_room(tables, SCRATCH) and POINTS.has_room(tables, 1)
    if not (has_room and RAY_HITS.has_room(tables, n)) or refresh_tree(tables) < 0:
        return -1
    count = 0
    for k in range(n):
        place_ray(tables, get3_from(rays[k], 0), get3_from(rays[k], 3), rays[k, 6])
        if mode == ALL:
            count = _cast(tables, k, count, mode)
        else:
            hit = RAY_HITS.rows(tables)[k]
            hit.ray, hit.geom, hit.distance = k, -1, inf
            count = k + 1 if _cast(tables, k, k, mode) >= 0 else -1
        if count < 0 or not RAY_HITS.has_room(tables, count):
            return -1
    return count


@kernel
def prepare_to_cast(tables):
    """Prepare `cast_ray`, after geoms have moved. False: out of memory."""
    has_room = FLOATS.has_room(tables, SCRATCH) and POINTS.has_room(tables, 1) and RAY_HITS.has_room(tables, 1)
    return has_room and refresh_tree(tables) >= 0


@kernel
def cast_ray(tables, start, along, length, mode):
    """Cast one ray from a kernel: NEAREST or ANY, into the first of ray_hits.

    Returns 1 for a hit, 0 for none; -1: a kernel must be loaded.
    """
    begin_cast(tables, start, along, length)
    if _cast(tables, 0, 0, mode) < 0:
        return -1
    return 1 if RAY_HITS.rows(tables)[0].geom >= 0 else 0


@kernel
def begin_cast(tables, start, along, length):
    """Start a ray without hits; `meet_geom` tests it against one geom, as hit 0."""
    place_ray(tables, start, along, length)
    hit = RAY_HITS.rows(tables)[0]
    hit.ray, hit.geom, hit.distance = 0, -1, inf


@kernel
def place_ray(tables, start, along, length):
    """Set the ray geom, along a unit vector `along`, with the frame of Duff et al. 2017."""
    geom = GEOMS.rows(tables)[TREE.rows(tables)[0].geoms]
    x, y, z = along
    sign = copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    r = geom.rotation
    r[0], r[1], r[2] = 1.0 + sign * x * x * a, b, x
    r[3], r[4], r[5] = sign * b, sign + y * y * a, y
    r[6], r[7], r[8] = -sign * x, -y, z
    geom.size[0] = length
    for axis in range(3):
        end = start[axis] + length * along[axis]
        geom.position[axis] = start[axis]
        geom.bounds[2 * axis] = min(start[axis], end)
        geom.bounds[2 * axis + 1] = max(start[axis], end)


@kernel
def _cast(tables, number, count, mode):
    """Traverse the tree along the current ray. Returns the number of hits listed so far; -1: a kernel must be loaded."""
    tree, leaves = TREE.rows(tables)[0], LEAVES.rows(tables)
    ray = GEOMS.rows(tables)[tree.geoms]
    for at in range(tree.bounded, tree.listed):
        count = meet_geom(tables, number, count, leaves[at], mode)
        if count < 0:
            return count
    start, along = get3(ray.position), (ray.rotation[2], ray.rotation[5], ray.rotation[8])
    pace = _inverse(along[0]), _inverse(along[1]), _inverse(along[2])
    first, k = 1 << tree.levels, 1
    while True:
        if _passes(NODES.rows(tables)[k].bounds, start, pace, ray.size[0]):
            if k < first:
                k = 2 * k + _far_side(tables, k, along)
                continue
            j = k - first
            for at in range(j * tree.bounded >> tree.levels, (j + 1) * tree.bounded >> tree.levels):
                if leaves[at] == REMOVED:
                    continue
                if _passes(PROXIES.rows(tables)[leaves[at]].fat, start, pace, ray.size[0]):
                    count = meet_geom(tables, number, count, leaves[at], mode)
                    if count < 0:
                        return count
        # Up from every child that came second, then over to its parent's other one.
        while k > 1 and k & 1 != _far_side(tables, k >> 1, along):
            k >>= 1
        if k == 1 or (mode == ANY and ray.size[0] < 0.0):
            return count
        k ^= 1


@kernel
def _far_side(tables, k, along):
    """1 if the ray enters the second child of node `k` first."""
    axis = NODES.rows(tables)[k].axis
    ahead = along[0] if axis == 0 else (along[1] if axis == 1 else along[2])
    return 1 if ahead < 0.0 else 0


@kernel
def _inverse(speed):
    return 1.0 / speed if abs(speed) > STILL else 0.0


@kernel
def _passes(box, start, pace, length):
    """Whether the ray hits a box."""
    enter, leave = _slab(box[0], box[1], start[0], pace[0], 0.0, length)
    enter, leave = _slab(box[2], box[3], start[1], pace[1], enter, leave)
    enter, leave = _slab(box[4], box[5], start[2], pace[2], enter, leave)
    return enter <= leave


@kernel
def _slab(low, high, start, pace, enter, leave):
    """Clip the interval from `enter` to `leave` to a slab between two planes."""
    if pace == 0.0:
        return enter, leave if low <= start <= high else -1.0
    one, other = (low - start) * pace, (high - start) * pace
    return max(enter, min(one, other)), min(leave, max(one, other))


@kernel
def meet_geom(tables, number, count, j, mode):
    """Test the ray against the geom at index `j`."""
    place = TREE.rows(tables)[0].geoms
    ray, proxy = GEOMS.rows(tables)[place], PROXIES.rows(tables)[j]
    if not bits_match(proxy, ray) or ray.size[0] < 0.0:
        return count
    here, there, kind = GEOMS.address(tables, place), GEOMS.address(tables, j), GEOMS.rows(tables)[j].kind
    points, scratch = POINTS.address(tables, 0), FLOATS.address(tables, 0)
    found = collide_two(tables, ray.kind, kind, here, there, 1, points, scratch)
    if found <= 0:
        return count if found == 0 else -1
    if mode == ALL:
        if count < RAY_HITS.capacity(tables):
            _note(RAY_HITS.rows(tables)[count], number, j, POINTS.rows(tables)[0])
        return count + 1
    note_hit(tables, count, j, mode)
    return count


@kernel
def note_hit(tables, count, j, mode):
    """Store the point on the geom at index `j` as hit `count` of its ray, if it is the nearest."""
    ray, point = GEOMS.rows(tables)[TREE.rows(tables)[0].geoms], POINTS.rows(tables)[0]
    hit = RAY_HITS.rows(tables)[count]
    # Of two in the same place the first one in the order, so that nothing depends on the tree.
    if point.depth < hit.distance or (point.depth == hit.distance and j < hit.geom):
        _note(hit, hit.ray, j, point)
        ray.size[0] = point.depth if mode == NEAREST else -1.0


@kernel
def _note(hit, number, j, point):
    hit.ray, hit.geom, hit.distance = number, j, point.depth
    for axis in range(3):
        hit.position[axis] = point.position[axis]
        hit.normal[axis] = point.normal[axis]
