"""Extrusion: a cross-section in x and z swept along a spine (ISO/IEC 14772-1:1997, section 6.18).

At each point of the spine, y is along it, from the previous point to the next, and z is normal to the plane of the three
points; where they are collinear, z is that of the nearest point that has one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.reading.meshes import checked_mesh
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.polygons import triangulated
from opendynamics.robot.reading.source import Source, axis_rotation

TYPES = ("Extrusion",)

Array = npt.NDArray[np.float64]


def read(node: Node, source: Source) -> Any:
    """The mesh; triangles face outwards if it is closed."""
    section = _rows(node, 2, "cross_section", (1, 1, 1, -1, -1, -1, -1, 1, 1, 1))
    spine = _rows(node, 3, "spine", (0, 0, 0, 0, 1, 0))
    scale = _rows(node, 2, "scale", (1, 1))
    source.load.files.count_vertices(len(section) * len(spine), node.place)
    if len(section) < 2 or len(spine) < 2:
        raise node.error("an Extrusion must have at least two points of the cross-section and two of the spine")
    turns = _turns(node, source, len(spine))
    if len(scale) not in (1, len(spine)):
        raise node.error(f"scale of an Extrusion must be one pair, or one for each of {len(spine)} points", "scale")
    flat = np.zeros((len(spine), len(section), 3))
    flat[:, :, 0::2] = section * np.broadcast_to(scale, (len(spine), 2))[:, None, :]
    frames = _frames(spine) @ turns
    rings = spine[:, None, :] + np.einsum("sij,scj->sci", frames, flat)
    vertices = rings.reshape(-1, 3)
    triangles = _surface(node, spine, section, vertices)
    corners = (vertices - vertices.mean(axis=0))[triangles]
    volume = np.einsum("ni,ni->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    return checked_mesh(vertices, triangles[:, ::-1].copy() if volume < 0.0 else triangles, node.place), np.eye(4)


def _rows(node: Node, width: int, key: str, default: tuple[float, ...]) -> Array:
    given = node.finite(key)
    values = np.array(default, np.float64) if given is None or not given.size else given
    if values.size % width:
        raise node.error(
            f"{node.spelling(key)} must have {width} numbers for each point, but there are {values.size}", key
        )
    return values.reshape(-1, width)


def _turns(node: Node, source: Source, count: int) -> Array:
    given = node.finite("orientation")
    if given is None or not given.size:
        return np.eye(3)
    if given.size not in (4, 4 * count):
        raise node.error(f"orientation must be an axis and an angle, or one for each of {count} points", "orientation")
    result = []
    for x, y, z, angle in given.reshape(-1, 4).tolist():
        length = float(np.linalg.norm((x, y, z)))
        axis = (x / length, y / length, z / length) if length > 0.0 else (0.0, 0.0, 1.0)
        result.append(axis_rotation(axis, angle * source.angle if length > 0.0 else 0.0))
    return np.array(result)


def _frames(spine: Array) -> Array:
    """Axes x, y, z as columns at each point of the spine, shape (n, 3, 3)."""
    closed = len(spine) > 2 and np.array_equal(spine[0], spine[-1])
    before, after = np.roll(spine, 1, axis=0), np.roll(spine, -1, axis=0)
    if closed:
        before[0], after[-1] = spine[-2], spine[1]
    else:
        before[0], after[-1] = spine[0], spine[-1]
    y = _unit(after - before)
    for k in range(1, len(y)):
        if not y[k].any():
            y[k] = y[k - 1]
    z = _unit(np.cross(after - spine, before - spine))
    if not z.any():
        directions = y[y.any(axis=1)]
        turn = _min_turn(directions[0] if len(directions) else np.array([0.0, 1.0, 0.0]))
        return np.array([turn] * len(y))
    first = int(np.flatnonzero(z.any(axis=1))[0])
    z[:first] = z[first]
    for k in range(first + 1, len(z)):
        if not z[k].any():
            z[k] = z[k - 1]
        elif z[k] @ z[k - 1] < 0.0:
            z[k] = -z[k]
    return np.stack([np.cross(y, z), y, z], axis=2)


def _unit(v: Array) -> Array:
    lengths = np.linalg.norm(v, axis=1, keepdims=True)
    scale = np.abs(v).max(initial=0.0)
    return np.where(lengths > 1e-12 * scale, v / np.where(lengths > 0.0, lengths, 1.0), 0.0)


def _min_turn(y: Array) -> Array:
    """The smallest rotation that takes the y axis to a unit vector; by half a turn about x if it is opposite."""
    axis = np.cross((0.0, 1.0, 0.0), y)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.eye(3) if y[1] > 0.0 else np.diag([1.0, -1.0, -1.0])
    unit = axis / sine
    return axis_rotation((float(unit[0]), float(unit[1]), float(unit[2])), float(np.arctan2(sine, y[1])))


def _surface(node: Node, spine: Array, section: Array, vertices: Array) -> npt.NDArray[np.int64]:
    """Sides, and caps where the spine is open."""
    width = len(section)
    k, j = np.meshgrid(np.arange(len(spine) - 1) * width, np.arange(width - 1), indexing="ij")
    a = (k + j).ravel()
    b, c, d = a + 1, a + width + 1, a + width
    parts = [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    begin, end = node.flag("begin_cap", default=True), node.flag("end_cap", default=True)
    node.flag("ccw", default=True)
    if not np.array_equal(spine[0], spine[-1]):
        ring = list(range(width - 1 if np.array_equal(section[0], section[-1]) else width))
        last = width * (len(spine) - 1)
        caps = [ring[::-1]] * begin + [[last + n for n in ring]] * end
        parts.append(triangulated(vertices, caps))
    return np.concatenate(parts)
