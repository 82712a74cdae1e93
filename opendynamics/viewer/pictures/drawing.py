"""Drawing: all geoms that rays can hit, side by side in separate tables, and the look of each.

Reads geoms; all of them are drawn, including disabled ones. Rays, which no ray hits, become thin rods, and geoms of Python
classes whose collider does not support rays become their boxes. Planes hide no sun, and those that the camera is behind are
left out, so that rooms of planes can be seen from outside. Marks follow the geoms; they hide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.contact import collide
from opendynamics.api.geoms.custom import CustomGeom, GeomClass
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.ray import Ray
from opendynamics.api.spaces.staging import Stage
from opendynamics.core.arrays.geoms import ENABLED, GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import REPORTS, SHAPE_KINDS
from opendynamics.core.bodies.shapes import (
    FIRST_BY_ADDRESS,
    box,
    capsule,
    custom,
    cylinder,
    heightfield,
    plane,
    ray,
    sphere,
    support,
)
from opendynamics.viewer.pictures.tracing.records import (
    EDGES,
    EIGHTHS,
    KEPT,
    LOOK,
    MARK,
    OCCLUDER_LIST,
    PLAIN,
    SHADING,
    SOLID,
    SQUARES,
)

Array = npt.NDArray[np.float64]
Records = npt.NDArray[Any]

# By kind.
PATTERNS = np.full(SHAPE_KINDS, PLAIN)
PATTERNS[[sphere.KIND, capsule.KIND, cylinder.KIND]] = EIGHTHS
PATTERNS[FIRST_BY_ADDRESS:] = EIGHTHS
PATTERNS[support.KIND] = PLAIN
PATTERNS[[plane.KIND, heightfield.KIND]] = SQUARES
PATTERNS[box.KIND] = EDGES

DARKER = 0.62  # second colour of rotating bodies, linear
DARKER_SQUARES = 0.74
GLOSS = 0.10
EDGE, WIDEST_EDGE = 0.035, 0.02  # width of a box's edges: relative to its shortest side, and at most to a square
NOWHERE = 1e6  # m, limit of infinite boxes


class Drawing:
    """The tables of one thread."""

    def __init__(self) -> None:
        self.stage = Stage(())
        self.stage.store[REPORTS]["missing_a"] = -1
        self.occluders = np.zeros(2 * KEPT + 1, OCCLUDER_LIST)
        boxes = self.occluders["boxes"]
        self.occluders["address"] = boxes.ctypes.data + boxes.strides[0] * np.arange(2 * KEPT + 1)
        self._answers: dict[GeomClass, bool] = {}

    def update(self, geoms: Sequence[Geom], marks: Records, thin: float, eye: Array) -> None:
        """Show these geoms in their current poses, and these marks, records of the geoms table, for a camera at a position, m.

        `thin` is the radius of rays, m.
        """
        stage = self.stage
        self.occluders["geom"] = -1
        if stage.members != tuple(geoms):
            stage.list(geoms)
        stage.refresh()
        count, store = len(geoms) + len(marks), stage.store
        store.use(GEOM_ORDER, count)
        store[GEOM_ORDER][:count] = np.arange(count)
        store.make_room(GEOMS, count + 1)
        records = store[GEOMS][:count]
        records[len(geoms) :] = marks
        records["flags"] |= ENABLED
        records["category"], records["collide"] = SOLID | SHADING, 0
        planes = records["kind"] == plane.KIND
        before = records["size"][planes, :3] @ eye >= records["size"][planes, 3]
        records["category"][planes] = np.where(before, SOLID, 0)
        records["category"][len(geoms) :] = MARK
        self._replace(geoms, records, thin)
        probe = store[GEOMS][count : count + 1]
        probe[:] = np.zeros((), GEOMS.dtype)
        probe["kind"], probe["size"][:, 1] = ray.KIND, float(ray.CLOSEST_HIT)

    def _replace(self, geoms: Sequence[Geom], records: Records, thin: float) -> None:
        for place in np.flatnonzero(records["kind"][: len(geoms)] == ray.KIND).tolist():
            show_ray(records[place], thin)
        for place in np.flatnonzero(records["kind"] == custom.KIND).tolist():
            geom = geoms[place]
            if isinstance(geom, CustomGeom) and not self._answers_rays(geom):
                show_box(records[place])

    def _answers_rays(self, geom: CustomGeom) -> bool:
        """Whether the class's collider finds any of the rays through the middle of the geom's box."""
        known = self._answers.get(geom.geom_class)
        if known is None:
            low, high = finite_box(geom.aabb)
            reach = float(np.linalg.norm(high - low))
            middle = 0.5 * (low + high)
            neighbours = [cell for cell in np.ndindex(3, 3, 3) if cell != (1, 1, 1)]
            tries = [Ray(2.0 * reach + 1e-9, middle - reach * u, u) for u in map(_unit, neighbours)]
            known = self._answers[geom.geom_class] = any(collide(one, geom, max_contacts=1) for one in tries)
        return known


def _unit(cell: tuple[int, ...]) -> Array:
    centred = np.subtract(cell, 1.0)
    return np.asarray(centred / np.linalg.norm(centred))


def finite_box(bounds: Any) -> tuple[Array, Array]:
    """Lower and upper corner of a box, with infinite ones clamped."""
    clipped = np.clip(bounds, -NOWHERE, NOWHERE)
    return clipped[0::2], clipped[1::2]


def show_ray(record: Any, radius: float) -> None:
    """Turn a ray's record into that of a rod along it: a mark."""
    length = float(record["size"][0])
    record["kind"], record["category"] = capsule.KIND, MARK
    record["position"] += 0.5 * length * record["rotation"][2::3]
    record["size"][:2] = radius, length
    record["bounds"][0::2] -= radius
    record["bounds"][1::2] += radius


def show_box(record: Any) -> None:
    """Turn a record into that of its own box."""
    low, high = finite_box(record["bounds"])
    record["kind"] = box.KIND
    record["position"], record["rotation"] = 0.5 * (low + high), np.eye(3).reshape(9)
    record["size"][:3] = high - low
    record["bounds"][0::2], record["bounds"][1::2] = low, high


def looks_of(records: Records, colours: Records, marks: Records, square: float) -> Records:
    """Looks of geoms with these records and linear colours (n, 3), followed by marks with colours (m, 3)."""
    looks = np.zeros(len(colours) + len(marks), LOOK)
    shapes = records["kind"][: len(colours)]
    solid = looks[: len(colours)]
    solid["colour"], looks["colour"][len(colours) :] = colours, marks
    solid["second"] = DARKER * colours
    solid["gloss"] = GLOSS
    solid["pattern"] = PATTERNS[shapes]
    shortest = np.where(shapes == box.KIND, records["size"][: len(colours), :3].min(axis=1), 0.0)
    solid["cell"] = np.minimum(EDGE * shortest, WIDEST_EDGE * square)
    for place in np.flatnonzero(solid["pattern"] == SQUARES).tolist():
        _lay_squares(solid[place], records[place], square)
    return looks


def _lay_squares(look: Any, record: Any, square: float) -> None:
    look["cell"], look["gloss"] = square, 0.0
    look["second"] = DARKER_SQUARES * look["colour"]
    if record["kind"] == heightfield.KIND:
        turn = record["rotation"].reshape(3, 3)
        look["along"], look["across"], look["origin"] = turn[:, 0], turn[:, 2], record["position"]
        return
    normal = record["size"][:3]
    look["origin"] = record["size"][3] * normal
    along = np.eye(3)[0 if abs(normal[0]) < 0.9 else 1]
    along = along - (along @ normal) * normal
    look["along"] = along / np.linalg.norm(along)
    look["across"] = np.cross(normal, look["along"])
