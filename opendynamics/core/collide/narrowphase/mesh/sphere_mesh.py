"""Sphere-mesh: contacts are the points of the mesh or heightfield that are closest, locally, to the sphere's centre.

Outside, a nearest point q makes a contact of depth r - |c - q| along c - q, if that direction is in the cone of normals
that the surface has there: along an edge, between the normals of its two triangles, at a corner, where no neighbour lies
higher. A seam of a flat surface has but one normal, so that nothing catches on it; a concave edge has none.

A centre behind the surface is pushed out through the nearest place: depth r + |c - q|. Closed meshes and heightfields
are solid however deep; a mesh that is not closed is solid for one radius behind its triangles.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import get9
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, put3_at, scale, subtract
from opendynamics.core.arrays.blocks.scratch import floats_at, integers_at
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles import (
    MESH,
    corners_of,
    gather_near,
    hull_of,
    is_below,
    is_endless,
    is_peak,
    is_solid,
    normal_at,
    surface_of,
    triangle,
)
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.bodies.triangles.grid import grid_at, height_at, key_at
from opendynamics.core.bodies.triangles.mesh import may_enclose, mesh_at
from opendynamics.core.bodies.triangles.nearest import EQUAL, better, nearest_on_mesh, nothing_yet
from opendynamics.core.collide.narrowphase.collider import ENDLESS, PAIR
from opendynamics.core.collide.narrowphase.mesh.contact_points import (
    FOUND,
    KEYS,
    REMAINING,
    ROOM,
    add_point,
    relative_pose,
    write_points,
)
from opendynamics.core.kernels import entry, kernel

# In scratch memory, where on each triangle the nearest point is, as `closest_on_triangle` encodes it.
WHERE = REMAINING

# Tilt below which a direction across a seam is the triangle's own normal: next to the seam, rounding decides on which
# triangle the nearest point is.
SEAM = 1.0e-7


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, geom = geom_at(a), geom_at(b)
    surface, radius = surface_of(geom), sphere.size[0]
    centre, _ = relative_pose(geom, get3(sphere.position), get9(sphere.rotation))
    half = radius, radius, radius
    if is_endless(surface, subtract(centre, half), add(centre, half)):
        return ENDLESS
    nearest, noted = nearest_within(surface, centre, radius, scratch)
    if nearest[0] == inf:
        nearest = _nearest_from_inside(surface, centre, radius, scratch)
        if nearest[3]:
            return 0
    if not nearest[3]:
        count = _push_out(surface, centre, radius, nearest, scratch)
    elif hull_of(surface) != 0:
        count = _nearest_place(surface, centre, radius, nearest, scratch)
    else:
        count = _nearest_places(surface, centre, radius, noted, scratch)
    return write_points(scratch, count, geom, surface, points, limit, radius)


@kernel
def _nearest_place(surface, centre, radius, nearest, scratch):
    """The one contact of a sphere outside a convex mesh: nearest to its centre."""
    square, key, q, _ = nearest
    _, where = closest_on_triangle(centre, corners_of(surface, key))
    depth, normal = touch(surface, key, centre, radius, q, where)
    if depth < 0.0:  # on a seam, where rounding decides
        depth, normal = radius - sqrt(square), scale(1.0 / sqrt(square), subtract(centre, q))
    return add_point(scratch, 0, q, max(depth, 0.0), normal, key, radius)


@kernel
def nearest_within(surface, p, distance, scratch):
    """The place of the surface nearest to `p`, if it is within `distance`: (squared distance, key, place, outside).

    And the number of triangles that are, recorded in scratch memory; -1: there was no room for all.
    """
    best, noted, cursor = _note_near(surface, p, distance, nothing_yet(p), 0, scratch)
    while cursor >= 0:
        best, _, cursor = _note_near(surface, p, distance, best, cursor, scratch)
        noted = -1
    return (best[0], best[1], best[2], best[3]), noted


@kernel
def _note_near(surface, p, distance, best, cursor, scratch):
    """Note triangles within a distance of p: the nearest of them and `best`, how many, and where to continue."""
    keys, floats = integers_at(scratch), floats_at(scratch)
    count, cursor = gather_near(surface, p, distance, scratch, KEYS, ROOM, cursor)
    noted = 0
    for k in range(count):
        key = keys[KEYS + k]
        corners = corners_of(surface, key)
        q, where = closest_on_triangle(p, corners)
        gap = subtract(p, q)
        square = dot(gap, gap)
        if square > distance * distance:
            continue
        best = better(best, key, corners, normal_at(surface, key), gap, square, q, where)
        keys[KEYS + noted], keys[WHERE + noted] = key, where
        put3_at(floats, FOUND + 3 * noted, q)
        noted += 1
    return best, noted, cursor


@kernel
def _nearest_from_inside(surface, p, radius, scratch):
    """The nearest place to a point inside the surface and further from it than `radius`; reported as outside if it is not."""
    if surface.kind == MESH:
        half, mesh = (radius, radius, radius), mesh_at(surface.data)
        if not is_solid(surface) or not may_enclose(mesh, subtract(p, half), add(p, half)):
            return inf, -1, p, True
        return nearest_on_mesh(surface.data, p)
    above, height = height_at(grid_at(surface.data), p[0], p[2])
    if not above or height < p[1]:
        return inf, -1, p, True
    depth = height - p[1]
    if is_endless(surface, subtract(p, (depth, depth, depth)), add(p, (depth, depth, depth))):  # straight up instead
        return depth * depth, key_at(grid_at(surface.data), p[0], p[2]), (p[0], height, p[2]), False
    return nearest_within(surface, p, depth * (1.0 + EQUAL), scratch)[0]


@kernel
def _push_out(surface, centre, radius, nearest, scratch):
    """The one contact of a sphere whose centre is behind the surface."""
    square, key, q, _ = nearest
    distance = sqrt(square)
    normal = normal_at(surface, key)
    if distance > SEAM * radius:
        normal = scale(1.0 / distance, subtract(q, centre))
    return add_point(scratch, 0, q, radius + distance, normal, key, radius)


@kernel
def _nearest_places(surface, centre, radius, noted, scratch):
    """Contacts with the recorded triangles, or with all if there was no room to record them; returns their number."""
    if noted >= 0:
        return _touch_noted(surface, centre, radius, 0, noted, scratch)
    points, cursor = 0, 0
    while cursor >= 0:
        _, noted, cursor = _note_near(surface, centre, radius, nothing_yet(centre), cursor, scratch)
        points = _touch_noted(surface, centre, radius, points, noted, scratch)
    return points


@kernel
def _touch_noted(surface, centre, radius, points, noted, scratch):
    keys, floats = integers_at(scratch), floats_at(scratch)
    for k in range(noted):
        q = get3_from(floats, FOUND + 3 * k)
        depth, normal = touch(surface, keys[KEYS + k], centre, radius, q, keys[WHERE + k])
        if depth >= 0.0:
            points = add_point(scratch, points, q, depth, normal, keys[KEYS + k], radius)
    return points


@kernel
def touch(surface, key, centre, radius, q, where):
    """Depth and normal of the contact of a ball with one triangle whose nearest place is q; a depth below zero: none."""
    gap, normal = subtract(centre, q), normal_at(surface, key)
    square, height = dot(gap, gap), dot(normal, gap)
    if where == 0 and height < 0.0:
        return -1.0, normal
    distance = sqrt(square)
    if where == 0 or distance <= SEAM * radius:
        return radius - distance, normal
    direction = scale(1.0 / distance, gap)
    if has_normal(surface, key, where, q, direction):
        return radius - distance, direction
    tilt = subtract(direction, normal)
    if dot(tilt, tilt) < SEAM * SEAM:
        return radius - height, normal
    return -1.0, normal


@kernel
def has_normal(surface, key, where, q, n):
    """Whether `n`, along which triangle `key` has its highest point `q`, is in the surface's normal cone there."""
    if where == 0:
        return True
    if where == 1 or where == 2 or where == 4:
        return is_below(n, q, triangle(surface, key)[1][where >> 1])
    corner = 0 if where == 5 else (1 if where == 3 else 2)
    return is_peak(surface, key, corner, n)
