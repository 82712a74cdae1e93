"""Rays against listed occluders.

Whether the sun is hidden, and what is nearest, is the same whatever the order: as if rays were cast against all geoms.

Reads OCCLUDERS and the geoms of a drawing; writes the first of ray_hits, but for boxes and planes.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import column0, column1, column2, get9, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, negate, subtract
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import RAY_HITS
from opendynamics.core.bodies.shapes import box, plane
from opendynamics.core.bodies.triangles.bvh8 import BRANCHES, boxes_passed
from opendynamics.core.collide.narrowphase.mesh.ray_mesh import pace_of
from opendynamics.core.collide.narrowphase.rays import box_ray
from opendynamics.core.collide.ray_cast import (
    ANY,
    NEAREST,
    begin_cast,
    cast_ray,
    meet_geom,
)
from opendynamics.core.kernels import kernel
from opendynamics.viewer.pictures.tracing.heightfields import leaves_ground
from opendynamics.viewer.pictures.tracing.occluders import TOO_MANY

GROUP_BYTES = 8 * 6 * BRANCHES

MISSING = -2  # in place of a geom: a kernel has to be loaded


@kernel
def cast_among(tables, listed, start, along, length):
    """The nearest of what is listed along a ray: its place, its distance and the normal against the ray.

    Place -1: there is none; MISSING: a kernel has to be loaded.
    """
    if listed.count == TOO_MANY:
        found, hit = cast_ray(tables, start, along, length, NEAREST), RAY_HITS.rows(tables)[0]
        return (hit.geom if found >= 0 else MISSING), hit.distance, get3(hit.normal)
    pace = (pace_of(along[0]), pace_of(along[1]), pace_of(along[2]))
    place, near, normal = -1, length, along
    groups, group = _groups_passed(listed, start, pace, near), 0
    while groups != 0:
        group += 1
        if groups & 1:
            passed, k = boxes_passed(listed.address + group * GROUP_BYTES, start, pace, near), (group - 1) * BRANCHES
            while passed != 0:
                if passed & 1:
                    j = listed.places[k]
                    distance = _distance_to(tables, j, start, along, near, NEAREST)
                    if distance < 0.0:
                        return MISSING, distance, normal
                    # Of two in the same place the first one in the order, so that nothing depends on the tree.
                    if distance < near or (distance == near and j < place):
                        place, near = j, distance
                        if not _is_direct(tables, j):
                            normal = get3(RAY_HITS.rows(tables)[0].normal)
                passed >>= 1
                k += 1
        groups >>= 1
    if place >= 0 and _is_direct(tables, place):
        normal = _normal_of(GEOMS.rows(tables)[place], start, along)
    return place, near, normal


@kernel
def distance_among(tables, listed, start, along, length, wanted):
    """How far along a ray the nearest of what is listed is, or, for ANY, any of it; infinity: nothing. Negative: a kernel
    has to be loaded."""
    if listed.count == TOO_MANY:
        found = cast_ray(tables, start, along, length, wanted)
        return inf if found == 0 else (-1.0 if found < 0 else RAY_HITS.rows(tables)[0].distance)
    pace, near = (pace_of(along[0]), pace_of(along[1]), pace_of(along[2])), inf
    groups, group = _groups_passed(listed, start, pace, length), 0
    while groups != 0:
        group += 1
        if groups & 1:
            address = listed.address + group * GROUP_BYTES
            passed, k = boxes_passed(address, start, pace, min(near, length)), (group - 1) * BRANCHES
            while passed != 0:
                if passed & 1:
                    near = min(near, _distance_to(tables, listed.places[k], start, along, length, wanted))
                    if near < 0.0 or (wanted == ANY and near < inf):
                        return near
                passed >>= 1
                k += 1
        groups >>= 1
    if listed.ground != 0 and not leaves_ground(GEOMS.rows(tables)[listed.geom], listed, along):
        near = min(near, _distance_to(tables, listed.geom, start, along, length, wanted))
    return near


@kernel
def _groups_passed(listed, start, pace, reach):
    """Bits of the groups of eight of whose boxes a ray may come through some; a single group is not asked first."""
    if listed.count <= BRANCHES:
        return 1 if listed.count > 0 else 0
    return boxes_passed(listed.address, start, pace, reach)


@kernel
def _is_direct(tables, j):
    """Whether a geom is a box or a plane, which most pictures are full of: rays meet them without a call."""
    kind = GEOMS.rows(tables)[j].kind
    return kind == box.KIND or kind == plane.KIND


@kernel
def _distance_to(tables, j, start, along, length, wanted):
    """How far along a ray a geom is; infinity: it is not met. Negative: a kernel has to be loaded."""
    geom = GEOMS.rows(tables)[j]
    if _is_direct(tables, j):
        distance = _passage(geom, start, along)[0] if geom.kind == box.KIND else _distance_to_plane(geom, start, along)
        return distance if distance <= length else inf
    begin_cast(tables, start, along, length)
    if meet_geom(tables, 0, 0, j, wanted) < 0:
        return -1.0
    hit = RAY_HITS.rows(tables)[0]
    return hit.distance if hit.geom >= 0 else inf


@kernel
def _distance_to_plane(geom, start, along):
    """As the collider of planes with rays has it."""
    normal = get3(geom.size)
    rise, room = dot(normal, along), geom.size[3] - dot(normal, start)
    if rise == 0.0:
        return inf
    distance = room / rise
    return distance if distance >= 0.0 else inf


@kernel
def _passage(geom, start, along):
    """Distance to a box, as the collider of boxes with rays has it, and the axis of its frame that decides; infinity: none."""
    turn = get9(geom.rotation)
    p, d = transposed_times(turn, subtract(start, get3(geom.position))), transposed_times(turn, along)
    passage = box_ray.between((-inf, 0, inf, 0), p[0], d[0], 0.5 * geom.size[0], 0)
    passage = box_ray.between(passage, p[1], d[1], 0.5 * geom.size[1], 1)
    enter, inward, leave, outward = box_ray.between(passage, p[2], d[2], 0.5 * geom.size[2], 2)
    if enter > leave or leave < 0.0:
        return inf, 0
    return (enter, inward) if enter >= 0.0 else (leave, outward)


@kernel
def _normal_of(geom, start, along):
    """Of a box or plane that a ray meets: the normal that faces the ray's start."""
    normal = get3(geom.size)
    if geom.kind == box.KIND:
        turn, axis = get9(geom.rotation), _passage(geom, start, along)[1]
        normal = column0(turn) if axis == 0 else (column1(turn) if axis == 1 else column2(turn))
    return normal if dot(normal, along) < 0.0 else negate(normal)
