"""Sphere and surface: contacts are the places where the surface is nearest, locally, to the sphere's centre.

Outside, a nearest point q makes a contact of depth r - |c - q| along c - q, if that direction is in the cone of normals
that the surface has there: along an edge, between the normals of its two triangles, at a corner, where no neighbour lies
higher. A seam of a flat surface has but one normal, so that nothing catches on it; a concave edge has none.

A centre behind the surface is pushed out through the nearest place: depth r + |c - q|. Closed meshes and heightfields
are solid however deep; a mesh that is not closed is solid for one radius behind its triangles.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import get9
from opendynamics.core.algebra.vec3 import add, cross, dot, get3, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.bodies.triangles import (
    MESH,
    corners_of,
    gather,
    is_below,
    is_peak,
    is_solid,
    normal_of,
    triangle,
)
from opendynamics.core.bodies.triangles.closest import closest_on_triangle
from opendynamics.core.bodies.triangles.grid import grid_at, height_at
from opendynamics.core.bodies.triangles.mesh import mesh_at
from opendynamics.core.bodies.triangles.nearest import EQUAL, better, nearest_on_mesh, nothing_yet
from opendynamics.core.collide.narrowphase.pairs import PAIR
from opendynamics.core.collide.narrowphase.surfaces import (
    KEYS,
    ROOM,
    add_point,
    keys_at,
    seen_from,
    surface_of,
    write_points,
)
from opendynamics.core.kernels import entry, kernel

# Tilt below which a direction across a seam is the triangle's own normal: beside the seam, rounding decides on which
# triangle the nearest point is.
SEAM = 1.0e-7

# Factor on squared distances within which rounding leaves out nothing.
ROOMY = 1.0 + 1.0e-9


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    sphere, geom = geom_at(a), geom_at(b)
    surface, radius = surface_of(geom), sphere.size[0]
    centre, _ = seen_from(geom, get3(sphere.position), get9(sphere.rotation))
    if surface[0] == MESH:
        nearest = nearest_on_mesh(surface[1], centre)
        if nearest[0] > radius * radius and (nearest[3] or not is_solid(surface)):
            return 0
        if nearest[3] and mesh_at(surface[1]).hull != 0:
            return _nearest_place(surface, centre, radius, nearest, geom, points, limit, scratch)
    else:
        nearest = nearest_within(surface, centre, radius, scratch)
        if nearest[0] == inf:
            nearest = _nearest_from_below(surface, centre, scratch)
        if nearest[0] == inf:
            return 0
    if nearest[3]:
        count = _nearest_places(surface, centre, radius, scratch)
    else:
        count = _push_out(surface, centre, radius, nearest, scratch)
    return write_points(scratch, count, geom, surface, points, limit, radius)


@kernel
def _nearest_place(surface, centre, radius, nearest, geom, points, limit, scratch):
    """The one contact of a sphere outside a convex mesh: nearest to its centre."""
    depth, q, normal = touch(surface, nearest[1], centre, radius)
    if depth < 0.0:  # on a seam, where rounding has the last word
        depth, q, normal = (
            radius - sqrt(nearest[0]),
            nearest[2],
            scale(1.0 / sqrt(nearest[0]), subtract(centre, nearest[2])),
        )
    count = add_point(scratch, 0, q, max(depth, 0.0), normal, nearest[1], radius)
    return write_points(scratch, count, geom, surface, points, limit, radius)


@kernel
def nearest_within(surface, p, distance, scratch):
    """The place of the surface nearest to `p`, if it is within `distance`: (squared distance, key, place, outside)."""
    keys = keys_at(scratch)
    best = nothing_yet(p)
    cursor = 0
    while cursor >= 0:
        count, cursor = _gather_near(surface, p, distance, cursor, scratch)
        for k in range(KEYS, KEYS + count):
            best = better(best, p, keys[k], corners_of(surface, keys[k]))
    if best[0] > distance * distance:
        return inf, -1, p, True
    return best[0], best[1], best[2], best[3]


@kernel
def _gather_near(surface, p, distance, cursor, scratch):
    """As `gather`, about a ball: without triangles whose plane is further from its centre."""
    keys = keys_at(scratch)
    reach = (distance, distance, distance)
    count, cursor = gather(surface, subtract(p, reach), add(p, reach), keys, KEYS, ROOM, cursor)
    kept = 0
    for k in range(KEYS, KEYS + count):
        a, b, c = corners_of(surface, keys[k])
        normal = cross(subtract(b, a), subtract(c, a))
        height = dot(normal, subtract(p, a))
        if height * height <= distance * distance * dot(normal, normal) * ROOMY:
            keys[KEYS + kept] = keys[k]
            kept += 1
    return kept, cursor


@kernel
def _nearest_from_below(surface, p, scratch):
    """As `nearest_within`, for a point further below a heightfield than its radius; infinity if it is above."""
    above, height = height_at(grid_at(surface[1]), p[0], p[2])
    if not above or height < p[1]:
        return inf, -1, p, True
    return nearest_within(surface, p, (height - p[1]) * (1.0 + EQUAL), scratch)


@kernel
def _push_out(surface, centre, radius, nearest, scratch):
    """The one contact of a sphere whose centre is behind the surface."""
    square, key, q, _ = nearest
    distance = sqrt(square)
    normal = normal_of(triangle(surface, key)[0])
    if distance > SEAM * radius:
        normal = scale(1.0 / distance, subtract(q, centre))
    return add_point(scratch, 0, q, radius + distance, normal, key, radius)


@kernel
def _nearest_places(surface, centre, radius, scratch):
    keys = keys_at(scratch)
    points, cursor = 0, 0
    while cursor >= 0:
        count, cursor = _gather_near(surface, centre, radius, cursor, scratch)
        for k in range(KEYS, KEYS + count):
            depth, q, normal = touch(surface, keys[k], centre, radius)
            if depth >= 0.0:
                points = add_point(scratch, points, q, depth, normal, keys[k], radius)
    return points


@kernel
def touch(surface, key, centre, radius):
    """Depth, place and normal of the contact of a ball with one triangle; a depth below zero: none."""
    corners, across = triangle(surface, key)
    normal = normal_of(corners)
    height = dot(normal, subtract(centre, corners[0]))
    if height > radius:
        return -1.0, centre, normal
    q, where = closest_on_triangle(centre, corners)
    gap = subtract(centre, q)
    square = dot(gap, gap)
    if square > radius * radius or (where == 0 and height < 0.0):
        return -1.0, q, normal
    distance = sqrt(square)
    if distance <= SEAM * radius:
        return radius - distance, q, normal
    if where == 0:
        return radius - height, q, normal
    direction = scale(1.0 / distance, gap)
    if has_normal(surface, key, where, q, across, direction):
        return radius - distance, q, direction
    tilt = subtract(direction, normal)
    if dot(tilt, tilt) < SEAM * SEAM:
        return radius - height, q, normal
    return -1.0, q, normal


@kernel
def has_normal(surface, key, where, q, across, n):
    """Whether `n`, along which triangle `key` has its highest point `q`, is in the surface's normal cone there."""
    if where == 0:
        return True
    if where == 1:
        return is_below(n, q, across[0])
    if where == 2:
        return is_below(n, q, across[1])
    if where == 4:
        return is_below(n, q, across[2])
    corner = 0 if where == 5 else (1 if where == 3 else 2)
    return is_peak(surface, key, corner, n)
