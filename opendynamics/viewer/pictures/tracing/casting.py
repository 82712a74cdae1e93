"""Rays against listed occluders.

Whether the sun is hidden, and what is nearest, is the same whatever the order: pictures are those of rays that are cast
against all geoms, to the last bit.

Reads OCCLUDERS and the geoms of a drawing; writes the first of ray_hits, but for boxes that hide light.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3, subtract
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.dynamic_tree import TREE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import RAY_HITS
from opendynamics.core.bodies.shapes import box, plane
from opendynamics.core.bodies.triangles.bvh8 import BRANCHES, boxes_passed
from opendynamics.core.collide.bounds import geom_address
from opendynamics.core.collide.narrowphase.mesh.ray_mesh import pace_of
from opendynamics.core.collide.narrowphase.rays import box_ray, plane_ray
from opendynamics.core.collide.ray_cast import (
    ANY,
    FLOATS_ADDRESS,
    NEAREST,
    POINTS_ADDRESS,
    begin_cast,
    cast_ray,
    meet_geom,
    note_hit,
)
from opendynamics.core.kernels import kernel
from opendynamics.viewer.pictures.tracing.heightfields import leaves_ground
from opendynamics.viewer.pictures.tracing.occluders import TOO_MANY

GROUP_BYTES = 8 * 6 * BRANCHES


@kernel
def cast_among(tables, listed, start, along, length):
    """As `cast_ray` for the nearest hit, against what is listed: 1 if there is one, 0 if not; -1: a kernel has to be loaded."""
    if listed.count == TOO_MANY:
        return cast_ray(tables, start, along, length, NEAREST)
    pace, begun, reach, found = (pace_of(along[0]), pace_of(along[1]), pace_of(along[2])), False, length, 0
    groups, group = _groups_passed(listed, start, pace, reach), 0
    while groups != 0:
        group += 1
        if groups & 1:
            passed, k = boxes_passed(listed.address + group * GROUP_BYTES, start, pace, reach), (group - 1) * BRANCHES
            while passed != 0:
                if passed & 1:
                    if not begun:
                        begin_cast(tables, start, along, length)
                        begun = True
                    if _meet(tables, listed.places[k], NEAREST) < 0:
                        return -1
                    hit = RAY_HITS.rows(tables)[0]
                    if hit.geom >= 0:
                        found, reach = 1, hit.distance
                passed >>= 1
                k += 1
        groups >>= 1
    return found


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
def _distance_to(tables, j, start, along, length, wanted):
    """How far along a ray a geom is; infinity: it is not met. Negative: a kernel has to be loaded."""
    geom = GEOMS.rows(tables)[j]
    if geom.kind == box.KIND or geom.kind == plane.KIND:
        distance = (
            _distance_to_box(geom, start, along) if geom.kind == box.KIND else _distance_to_plane(geom, start, along)
        )
        return distance if distance <= length else inf
    begin_cast(tables, start, along, length)
    if _meet(tables, j, wanted) < 0:
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
def _distance_to_box(geom, start, along):
    """As the collider of boxes with rays has it."""
    turn = get9(geom.rotation)
    p, d = transposed_times(turn, subtract(start, get3(geom.position))), transposed_times(turn, along)
    passage = box_ray.between((-inf, 0, inf, 0), p[0], d[0], 0.5 * geom.size[0], 0)
    passage = box_ray.between(passage, p[1], d[1], 0.5 * geom.size[1], 1)
    enter, _, leave, _ = box_ray.between(passage, p[2], d[2], 0.5 * geom.size[2], 2)
    if enter > leave or leave < 0.0:
        return inf
    return enter if enter >= 0.0 else leave


@kernel
def _meet(tables, j, wanted):
    """As `meet_geom`, for hit 0 and a listed geom; planes and boxes, which most pictures are full of, without a call."""
    kind = GEOMS.rows(tables)[j].kind
    if kind != box.KIND and kind != plane.KIND:
        return meet_geom(tables, 0, 0, j, wanted)
    here, there = geom_address(tables, TREE.rows(tables)[0].geoms), geom_address(tables, j)
    points, scratch = tables[POINTS_ADDRESS], tables[FLOATS_ADDRESS]
    if kind == box.KIND:
        found = box_ray.collide(there, here, 1, points, scratch)
    else:
        found = plane_ray.collide(there, here, 1, points, scratch)
    if found:
        point = POINTS.rows(tables)[0]
        for axis in range(3):
            point.normal[axis] = -point.normal[axis]
        note_hit(tables, 0, j, wanted)
    return 0
