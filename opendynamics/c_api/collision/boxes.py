"""collision.h: segments and boxes that are not geoms."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.contact import collide
from opendynamics.api.geoms.box import Box
from opendynamics.api.queries import boxes_touch, closest_points_of_segments
from opendynamics.c_api.contact import dContactGeom, fill_contacts, require_contacts
from opendynamics.c_api.ids import Array, matrix33, three
from opendynamics.c_api.outputs import fill_outputs, require_outputs


def dClosestLineSegmentPoints(a1: Any, a2: Any, b1: Any, b2: Any) -> tuple[Array, Array]:
    """Closest points of the segments a1 a2 and b1 b2: a point on each."""
    return closest_points_of_segments(*map(three, (a1, a2, b1, b2)))


def dBoxTouchesBox(p1: Any, R1: Any, side1: Any, p2: Any, R2: Any, side2: Any) -> int:
    """1 if the boxes at p1 and p2 with these side lengths intersect."""
    return int(boxes_touch(_box(p1, R1, side1), _box(p2, R2, side2)))


def dBoxBox(p1: Any, R1: Any, side1: Any, p2: Any, R2: Any, side2: Any, *rest: Any) -> Any:
    """Normal from box 1 to box 2, penetration along it, code of its axis, and the contacts; no contacts and code 0: separate.

    dBoxBox(..., flags) returns these four; dBoxBox(..., normal, depth, return_code, flags, contact, skip), as in C, fills an
    array, two arrays or ctypes numbers, and a list of dContact or dContactGeom, and returns the number of contacts.
    Codes: 1 to 3 a face of box 1, 4 to 6 one of box 2, 7 to 15 an edge of each. Contacts have positions and depths.
    """
    if len(rest) == 1:
        return _box_box(p1, R1, side1, p2, R2, side2, rest[0])
    if len(rest) != 6:
        raise TypeError(f"dBoxBox takes 7 arguments, or 12 with its outputs, not {6 + len(rest)}")
    outputs, flags, contacts = {7: rest[0], 8: rest[1], 9: rest[2]}, rest[3], rest[4]
    require_outputs("dBoxBox", outputs)
    require_contacts("argument 11 of dBoxBox", contacts, flags & 0xFFFF)
    *found, points = _box_box(p1, R1, side1, p2, R2, side2, flags)
    fill_outputs("dBoxBox", outputs, found)
    return fill_contacts(contacts, points)


def _box_box(
    p1: Any, R1: Any, side1: Any, p2: Any, R2: Any, side2: Any, flags: int
) -> tuple[Array, float, int, list[dContactGeom]]:
    found = collide(_box(p1, R1, side1), _box(p2, R2, side2), max_contacts=flags & 0xFFFF, like="ode")
    if not found:
        return np.zeros(3), 0.0, 0, []
    normal = -found[0].normal
    first, second = matrix33(R1).T, matrix33(R2).T
    reach = 0.5 * (abs(first @ normal) @ np.asarray(three(side1)) + abs(second @ normal) @ np.asarray(three(side2)))
    depth = float(reach - abs(normal @ np.subtract(three(p2), three(p1))))
    return normal, depth, _code(normal, first, second), [dContactGeom(pos=c.position, depth=c.depth) for c in found]


def _box(position: Any, R: Any, sides: Any) -> Box:
    box = Box(three(sides), position=three(position))
    box.rotation = matrix33(R)
    return box


def _code(normal: Array, first: Array, second: Array) -> int:
    """Code of the axis of two boxes that the normal is; faces before edges."""
    crossed = [np.cross(a, b) for a in first for b in second]
    edges = [v / (np.linalg.norm(v) or 1.0) for v in crossed]
    return int(np.argmax(np.round(abs(np.array([*first, *second, *edges]) @ normal), 9))) + 1
