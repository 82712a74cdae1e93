"""Convex-mesh manifold: separating directions of the overlapped triangles, merged, and their contact points.

For each triangle the body's own file finds the minimum penetration (depth and unit normal n) over the surface's normal
directions there: the triangle's normal; at an edge, the arc between the normals of its two triangles; at a corner, its normal
cone. In a flat or concave part of a surface only the triangle's own normal remains, so nothing catches on a seam.

The shallowest of these is a separating motion: moving the body by it along n clears that triangle, and every other one that
then lies wholly below the body's lowest point. The remaining triangles are processed in the same way, the shallowest first. So
a floor and a wall push each along its own normal, the back of a thin wall does not pull, and a convex mesh pushes like the
convex solid that it bounds.

A direction's contact points come from clipping the body's lowest face along n against the triangle, projected along n; the
depth of each is its distance below the triangle's plane along n.

The entry `collide` serves every convex body but the sphere (`sphere_mesh.py`) with a mesh or a heightfield.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, times, transposed
from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    cross,
    dot,
    get3,
    get3_from,
    length,
    negate,
    normalize,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.shape import (
    TRIANGLE,
    hull_shape,
    is_thinner,
    radius_of,
    shape_of,
)
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles import (
    MESH,
    SURFACE,
    corners_of,
    gather_in,
    hull_of,
    is_endless,
    is_solid,
    normal_at,
    normal_of,
    surface_of,
)
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.bodies.triangles.grid import grid_at, height_at, key_at
from opendynamics.core.bodies.triangles.mesh import may_enclose, mesh_at
from opendynamics.core.bodies.triangles.nearest import nearest_on_mesh
from opendynamics.core.collide.narrowphase.collider import ENDLESS, NEAR, PAIR
from opendynamics.core.collide.narrowphase.convex.convex_convex import general_penetration
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER
from opendynamics.core.collide.narrowphase.mesh.contact_points import (
    BETWEEN,
    CHOSEN,
    CHOSEN_WIDTH,
    CLEARED,
    DIRECTIONS,
    EDGE_ON,
    FACE,
    FACE_SLOT,
    FOUND,
    FOUND_WIDTH,
    KEYS,
    OTHER_POLYGON,
    POINTS,
    POLYGON,
    REMAINING,
    ROOM,
    SAME_DIRECTION,
    add_point,
    collect_slots,
    open_slots,
    put_in_slots,
    relative_pose,
    write_points,
)
from opendynamics.core.collide.narrowphase.mesh.convex_triangle import (
    core_is_apart,
    has_own_manifold,
    has_own_test,
    is_tested_by_distance,
    is_tested_whole,
    mtv_bound,
    own_is_apart,
    triangle_mtv,
)
from opendynamics.core.collide.narrowphase.mesh.few_triangles import UNKNOWN, manifold_on_few
from opendynamics.core.collide.narrowphase.placed_shape import (
    PLACED_SHAPE,
    PlacedShape,
    box_of,
    face,
    local_corners,
    lowest,
    oriented_box,
)
from opendynamics.core.collide.narrowphase.primitives.clipping import cut_by_plane
from opendynamics.core.collide.narrowphase.shape_pair import ShapePair
from opendynamics.core.kernels import entry, kernel

# Sine of the slope above which a triangle of a closed mesh supports only at its lowest corners, and how near to the lowest
# these must be, relative to the body's size.
STEEP = 0.05
LOW = 1.0e-6
# Relative tolerance of the depth within which a triangle's point replaces the deepest point.
AS_DEEP = 1.0e-8

# Signatures of the entries that mesh pairs share.
OVERLAPS = types.int64(PLACED_SHAPE, SURFACE, types.int64, types.float64, types.float64, types.boolean, types.int64)
SIZES, COUNTS = (types.float64, types.float64), (types.int64, types.int64)
MANIFOLD = types.int64(PLACED_SHAPE, SURFACE, *SIZES, *COUNTS, *SIZES, types.int64)


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    one, geom = geom_at(a), geom_at(b)
    surface = surface_of(geom)
    place, turn = relative_pose(geom, get3(one.position), get9(one.rotation))
    body = PlacedShape(shape_of(one), place, turn)
    box = box_of(body)
    if is_endless(surface, box[0], box[1]):
        return ENDLESS
    size = length(subtract(box[1], box[0]))
    centre = scale(0.5, add(box[0], box[1]))
    if has_own_manifold(body.shape.kind):
        count = manifold_on_few(body, surface, centre, box, size, scratch)
        if count != UNKNOWN:
            return write_points(scratch, count, one, surface, points, limit, size)
    count = collide_body(body, surface, centre, box, radius_of(body.shape), size, scratch)
    return write_points(scratch, count, geom, surface, points, limit, size)


@kernel
def collide_body(body, surface, centre, box, radius, size, scratch):
    """Write the contact points of a body and a surface to scratch memory; returns their number.

    `box`: (low, high) of the body, `radius`: margin of its surface outside the core's faces, `size`: its largest extent.
    """
    if hull_of(surface) != 0:
        return _hull_manifold(body, surface, box, radius, size, scratch)
    chosen, cursor = 0, 0
    low, high = box
    oriented = oriented_box(body, 0.0)
    while cursor >= 0:
        first = cursor == 0
        count, cursor = gather_in(surface, low, high, oriented, scratch, KEYS, ROOM, cursor)
        remaining = measure(body, surface, count, size, inf, scratch)
        if first and cursor < 0 and surface.kind == MESH and is_solid(surface):
            remaining, least = _min_touched(body, surface, remaining, size, scratch)
            # A body deeper in a closed mesh than it is wide may leave it by triangles that it does not touch. One that is
            # less deep may too, but hardly ever does: in one of a thousand random poses, by a translation some percent shorter.
            if least > radius and is_thinner(body.shape, least):
                chosen = _exit_direction(body, surface, centre, box, radius, size, least, scratch)
                count, cursor = gather_in(surface, low, high, oriented, scratch, KEYS, ROOM, 0)
                remaining = list_overlaps(body, surface, count, size, inf, chosen == 0, scratch)
        chosen = convex_mesh_manifold(body, surface, radius, size, chosen, remaining, inf, -1.0, scratch)
    if chosen == 0 and surface.kind != MESH:
        return _from_below(body, surface, centre, size, scratch)
    return collect_slots(scratch, chosen, size)


@kernel
def _hull_manifold(body, surface, box, radius, size, scratch):
    """Contact points with a mesh that bounds a convex solid: the solid gives the direction, the triangles the points."""
    place, turn = body.position, body.rotation
    back = transposed(turn)
    pair = ShapePair(body.shape, hull_shape(hull_of(surface)), negate(times(back, place)), back)
    depth, n, on_body, _ = general_penetration(pair, radius_of(body.shape), scratch)
    if depth < 0.0:
        return 0
    n = negate(times(turn, n))
    keys, floats = integers_at(scratch), floats_at(scratch)
    slot = _open_direction(floats, 0, n, lowest(body, n) + depth, -1.0)
    floats[FACE_SLOT], floats[BETWEEN] = -1.0, 0.0
    cursor, oriented = 0, oriented_box(body, 0.0)
    while cursor >= 0:
        count, cursor = gather_in(surface, box[0], box[1], oriented, scratch, KEYS, ROOM, cursor)
        remaining = 0
        for k in range(count):
            if not has_own_test(body.shape.kind) or not own_is_apart(
                body, local_corners(body, corners_of(surface, keys[KEYS + k])), size, scratch
            ):
                keys[REMAINING + remaining] = k
                remaining += 1
        _merge_cleared(body, surface, radius, size, slot, remaining, -1.0, scratch)
    count = collect_slots(scratch, 1, size)
    if count > 0 and floats[POINTS + 3] >= (1.0 - AS_DEEP) * depth:
        return count
    # Inside, away from all triangles, or where edges cross: the deepest point itself.
    place = add_scaled(add(place, times(turn, on_body)), -radius_of(body.shape), n)
    _, key, q, _ = nearest_on_mesh(surface.data, add_scaled(place, depth, n))
    return add_point(scratch, count, q, depth, n, key, size)


@kernel
def _exit_direction(body, surface, centre, box, radius, size, least, scratch):
    """Exit direction of a body deep inside a closed mesh, if it leads through triangles that the body does not touch.

    `least`: minimum penetration with the touched triangles, infinity if there are none. Returns the number of directions.
    """
    max_depth = least
    if least == inf:
        if not may_enclose(mesh_at(surface.data), box[0], box[1]):
            return 0
        _, _, q, outside = nearest_on_mesh(surface.data, centre)
        if outside:
            return 0
        # Any translation out will do for a bound: through the nearest place.
        n = normalize(subtract(q, centre))
        max_depth = dot(n, q) - lowest(body, n)
    max_depth *= BETTER  # rounding errors
    # Anything that a translation separates from a body is no further from it than the length of the translation.
    low, high = subtract(box[0], (max_depth, max_depth, max_depth)), add(box[1], (max_depth, max_depth, max_depth))
    oriented = oriented_box(body, max_depth)
    chosen, cursor = 0, 0
    while cursor >= 0:
        count, cursor = gather_in(surface, low, high, oriented, scratch, KEYS, ROOM, cursor)
        count = measure(body, surface, count, size, max_depth, scratch)
        chosen = convex_mesh_manifold(body, surface, radius, size, chosen, count, max_depth, -1.0, scratch)
    return chosen


@kernel
def _from_below(body, surface, centre, size, scratch):
    """The contact of a body wholly below a heightfield: straight up."""
    above, height = height_at(grid_at(surface.data), centre[0], centre[2])
    if not above or height < centre[1]:
        return 0
    up = (0.0, 1.0, 0.0)
    spot, key = (centre[0], height, centre[2]), key_at(grid_at(surface.data), centre[0], centre[2])
    return add_point(scratch, 0, spot, height - lowest(body, up), up, key, size)


@kernel
def measure(body, surface, count, size, max_depth, scratch):
    """A lower bound of the body's overlap with each gathered triangle; REMAINING lists those that it may overlap.

    With a finite `max_depth`, triangles need not be touched, and only overlaps up to it count. A direction of zeros: only the
    bound is known yet. `convex_mesh_manifold` computes the overlap itself, if no direction of another triangle clears this one
    first, as happens to most.
    """
    return list_overlaps(body, surface, count, size, max_depth, True, scratch)


@entry(OVERLAPS)
def list_overlaps(body, surface, count, size, max_depth, bounded, scratch):
    """As `measure`; unless `bounded`, bounds are 0 where another test decides whether the body touches a triangle."""
    keys, floats = integers_at(scratch), floats_at(scratch)
    found, tested = 0, max_depth == inf and has_own_test(body.shape.kind)
    floats[BETWEEN] = 0.0
    for k in range(count):
        key = keys[KEYS + k]
        normal = normal_at(surface, key)
        if tested and own_is_apart(body, local_corners(body, corners_of(surface, key)), size, scratch):
            continue
        depth, n = 0.0, (0.0, 0.0, 0.0)
        if (
            bounded or not tested or not is_tested_whole(body.shape.kind)
        ):  # only the bound of a box shows whether it meets a triangle's plane
            depth, n = mtv_bound(body, surface, key, normal, max_depth < inf, scratch)
        if depth < 0.0 or depth > max_depth:
            continue
        floats[FOUND + FOUND_WIDTH * k] = depth
        put3_at(floats, FOUND + FOUND_WIDTH * k + 1, n)
        keys[REMAINING + found] = k
        found += 1
    return found


@entry(MANIFOLD)
def convex_mesh_manifold(body, surface, radius, size, chosen, remaining, max_depth, other, scratch):
    """Contact points of the triangles in REMAINING, into the slots of their directions; returns how many directions there are.

    With a finite `max_depth`, triangles may be far from the body; one that it does not project onto cannot hold it.
    `other`: number of the body's triangle, if it is one.
    """
    keys, floats = integers_at(scratch), floats_at(scratch)
    floats[FACE_SLOT] = -1.0
    for slot in range(chosen):
        remaining = _merge_cleared(body, surface, radius, size, slot, remaining, other, scratch)
    while True:
        remaining = _take_shallowest(body, surface, remaining, max_depth, scratch)
        if remaining == 0:
            return chosen
        remaining -= 1
        k = keys[REMAINING + remaining]
        depth, n = floats[FOUND + FOUND_WIDTH * k], get3_from(floats, FOUND + FOUND_WIDTH * k + 1)
        slot = _push(body, surface, keys[KEYS + k], depth, n, radius, size, chosen, max_depth, other, scratch)
        if slot >= 0:
            chosen = max(chosen, slot + 1)
            remaining = _merge_cleared(body, surface, radius, size, slot, remaining, other, scratch)


@kernel
def _take_shallowest(body, surface, remaining, max_depth, scratch):
    """Bring the triangle of the minimum penetration to the end of REMAINING; returns how many there are then."""
    keys, floats = integers_at(scratch), floats_at(scratch)
    while remaining > 0:
        place = _least(scratch, remaining)
        k = keys[REMAINING + place]
        at = FOUND + FOUND_WIDTH * k
        known = floats[at + 1] != 0.0 or floats[at + 2] != 0.0 or floats[at + 3] != 0.0
        if not known:
            depth, n = triangle_mtv(body, surface, keys[KEYS + k], max_depth < inf, scratch)
            floats[at] = depth
            put3_at(floats, at + 1, n)
            if 0.0 <= depth <= max_depth:
                continue  # another one may come first now
        remaining -= 1
        keys[REMAINING + place] = keys[REMAINING + remaining]
        if known:
            keys[REMAINING + remaining] = k
            return remaining + 1
    return 0


@kernel
def _min_touched(body, surface, remaining, size, scratch):
    """The number of triangles in REMAINING, and the minimum penetration with those that the body touches; infinity: none."""
    keys = integers_at(scratch)
    while True:
        remaining = _take_shallowest(body, surface, remaining, inf, scratch)
        if remaining == 0:
            return 0, inf
        k = keys[REMAINING + remaining - 1]
        if not is_tested_by_distance(body.shape.kind) or not core_is_apart(
            body, corners_of(surface, keys[KEYS + k]), size, scratch
        ):
            return remaining, floats_at(scratch)[FOUND + FOUND_WIDTH * k]
        remaining -= 1


@kernel
def _least(scratch, remaining):
    """The place in REMAINING of the minimum penetration; of those equal up to rounding, that of the triangle gathered first.

    Both triangles of an edge overlap equally along the directions of the edge: rounding must not decide which comes first.
    """
    keys, floats = integers_at(scratch), floats_at(scratch)
    best, least = 0, floats[FOUND + FOUND_WIDTH * keys[REMAINING]]
    for place in range(1, remaining):
        depth = floats[FOUND + FOUND_WIDTH * keys[REMAINING + place]]
        if depth * BETTER < least or (depth <= least * BETTER and keys[REMAINING + place] < keys[REMAINING + best]):
            best, least = place, depth
    return best


@kernel
def _merge_cleared(body, surface, radius, size, slot, remaining, other, scratch):
    """Remove the triangles that a translation along a direction clears from REMAINING, and add their contact points to it."""
    keys, floats = integers_at(scratch), floats_at(scratch)
    at = CHOSEN + CHOSEN_WIDTH * slot
    if floats[at + 10] != other:
        return remaining
    n, level, place = get3_from(floats, at), floats[at + 3], 0
    while place < remaining:
        key = keys[KEYS + keys[REMAINING + place]]
        corners = corners_of(surface, key)
        top = max(dot(n, corners[0]), max(dot(n, corners[1]), dot(n, corners[2])))
        if top > level + CLEARED * (size + abs(top)):
            place += 1
            continue
        clipped_points(body, corners, n, radius, (key, other), size, slot, scratch)
        remaining -= 1
        keys[REMAINING + place] = keys[REMAINING + remaining]
    return remaining


@kernel
def _push(body, surface, key, depth, n, radius, size, chosen, max_depth, other, scratch):
    """Contact points of a triangle that is to be left along its own direction; returns the direction's number, -1: none."""
    corners = corners_of(surface, key)
    if (
        max_depth == inf
        and (body.shape.kind == TRIANGLE or is_tested_by_distance(body.shape.kind))
        and core_is_apart(body, corners, size, scratch)
    ):
        return -1
    floats_at(scratch)[FACE_SLOT] = -1.0
    slot = _open_direction(floats_at(scratch), chosen, n, lowest(body, n) + depth, other)
    touched = clipped_points(body, corners, n, radius, (key, other), size, slot, scratch)
    if not touched and max_depth < inf:
        return -1
    if not touched:
        _edge_point(body, corners, n, depth, (key, other), slot, scratch)
    return slot


@kernel
def _open_direction(floats, chosen, n, level, other):
    """Note a direction and the height of the body's lowest point once it has moved out; returns its number.

    A direction from another triangle of the same mesh is used for this one as well. If there is no room for more, the one
    nearest to `n` takes its points.
    """
    nearest, at = -inf, chosen
    for c in range(chosen):
        along = dot(n, get3_from(floats, CHOSEN + CHOSEN_WIDTH * c))
        if along > nearest and (chosen == DIRECTIONS or along > SAME_DIRECTION):
            nearest, at = along, c
    here = CHOSEN + CHOSEN_WIDTH * at
    if at == chosen:
        open_slots(floats, at, n)
    if at == chosen or nearest > SAME_DIRECTION:
        floats[here + 3], floats[here + 10] = level, other
    return at


@kernel
def clipped_points(body, corners, n, radius, sides, size, slot, scratch):
    """Note the corners of the body's lowest face, clipped by the triangle's projection along `n`. Returns whether any touches."""
    normal = normal_of(corners)
    facing = dot(normal, n)
    if facing < EDGE_ON:
        return False
    floats = floats_at(scratch)
    if floats[FACE_SLOT] != slot:
        floats[FACE_SLOT], floats[FACE_SLOT + 1] = slot, face(body, n, scratch, FACE)
    count = int(floats[FACE_SLOT + 1])
    top = inf
    if body.shape.kind == TRIANGLE and body.shape.size[0] > 0.0 and is_steep(floats, n):
        top = lowest(body, n) + LOW * size  # only what neighbours below share
    source, target = FACE, OTHER_POLYGON
    for k in range(3):
        start, end = corners[k], corners[k + 1 if k < 2 else 0]
        count = cut_by_plane(floats, source, target, count, start, cross(subtract(end, start), n), 0.0)
        source, target = target, POLYGON if target == OTHER_POLYGON else OTHER_POLYGON
    touched = False
    for k in range(count):
        p = get3_from(floats, source + 3 * k)
        depth = dot(normal, subtract(corners[0], p)) / facing + radius
        touched = touched or depth >= 0.0
        if depth >= -NEAR * size and dot(n, p) <= top:
            put_in_slots(floats, slot, add_scaled(p, -radius, n), max(depth, 0.0), n, sides[0], sides[1])
    return touched


@kernel
def is_steep(floats, n):
    """Whether the triangle of a closed mesh in the polygon looks across `n` or along it."""
    a, b, c = get3_from(floats, FACE), get3_from(floats, FACE + 3), get3_from(floats, FACE + 6)
    return dot(normal_of((a, b, c)), n) > -STEEP


@kernel
def _edge_point(body, corners, n, depth, sides, slot, scratch):
    """Note the contact with a triangle seen from its edge, or touched where rounding hides it: nearest to the face."""
    floats = floats_at(scratch)
    count = face(body, n, scratch, POLYGON)
    middle = (0.0, 0.0, 0.0)
    for k in range(count):
        middle = add_scaled(middle, 1.0 / count, get3_from(floats, POLYGON + 3 * k))
    q, _ = closest_on_triangle(middle, corners)
    top = max(dot(n, corners[0]), max(dot(n, corners[1]), dot(n, corners[2])))
    put_in_slots(floats, slot, q, max(depth - (top - dot(n, q)), 0.0), n, sides[0], sides[1])
