"""Objects of a world, and their changes since the last call.

Reads a world's tables of bodies, geoms and joints; returns changes as plain data: `set` has new or changed objects, `remove`
the numbers of destroyed ones. A new object gets the next number of its kind and keeps it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.body import Body
from opendynamics.api.color import Rgb, shown_color
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.heightfield_data import HeightfieldData
from opendynamics.api.geoms.transform import GeomTransform
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.joint import Joint
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World
from opendynamics.core.arrays import geoms, joints
from opendynamics.core.arrays.bodies import INERTIAS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.table import Table
from opendynamics.io.recording.gathering import list_changes
from opendynamics.io.recording.shapes import Put, describe

Changes = dict[str, dict[str, list[Any]]]
Indices = npt.NDArray[np.int64]

JOINT_FIELDS = ("kind", "flags", "body0", "body1", "anchor0", "anchor1", "axis0", "axis1", "relative")


class Watched:
    """Rows of a table whose columns are compared with their previous values."""

    def __init__(self, table: Table, fields: tuple[str, ...], placed: tuple[str, ...] = ()) -> None:
        self.table = table
        self.columns = np.array([*_words(table, fields), *_words(table, placed)], np.int64)
        self.always = len(_words(table, fields))
        self.body = _words(table, ("body",))[0] if placed else -1
        self._kept = np.zeros((0, len(self.columns)), np.int64)
        self._array: Any = None
        self._used = 0

    def changed(self, world: World) -> list[int]:
        """Rows that differ from their values at the last call; new ones are compared with zero."""
        array = reading.table_of(world, self.table)
        if array.base is not self._array:
            self._array = array.base
            self._words = array.view(np.int64).reshape(len(array), self.table.dtype.itemsize // 8)
            more = np.zeros((len(array) - len(self._kept), len(self.columns)), np.int64)
            self._kept = np.vstack([self._kept, more])
            self._rows = np.empty(len(array), np.int64)
        used = reading.count_used(world, self.table)
        before, self._used = self._used, used  # fewer than before, if a world was restored
        count = list_changes(
            self._words, max(used, before), self.columns, self.always, self.body, self._kept, self._rows
        )
        return self._rows[:count].tolist() if count else []


def _words(table: Table, fields: tuple[str, ...]) -> list[int]:
    """The 64-bit words of a row that contain these fields, each once."""
    found: dict[int, None] = {}
    for field in fields:
        assert table.dtype.fields is not None
        dtype, offset = table.dtype.fields[field][:2]
        found |= dict.fromkeys(range(offset // 8, (offset + dtype.itemsize + 7) // 8))
    return list(found)


class Watch:
    """Tracks a world. `rows`: the bodies' rows, oldest first; `numbers`: their numbers in the recording."""

    def __init__(self, world: World, put: Put, spaces: tuple[Space, ...] = ()) -> None:
        self.world = world
        self.put = put
        self.spaces = spaces
        self._elsewhere: dict[Geom, tuple[int, bytes]] = {}
        self.rows: Indices = np.zeros(0, np.int64)
        self.numbers: Indices = np.zeros(0, np.int64)
        self.joints: dict[int, Joint] = {}  # by number
        self._bodies_seen = self._geoms_seen = self._joints_seen = -1
        self._bodies: dict[Body, int] = {}
        self._fresh: list[Body] = []
        self._geoms: dict[int, tuple[Geom, int]] = {}  # by row
        self._colors: dict[int, Rgb | None] = {}  # by row
        self._heights: dict[int, tuple[HeightfieldData, Any]] = {}  # of heightfields, when they were described, by row
        self._joints: dict[Joint, int] = {}
        self._next = {"bodies": 0, "geoms": 0, "joints": 0}
        self._inertias = Watched(INERTIAS, ("mass", "inertia"))
        self._shapes = Watched(
            GEOMS,
            ("kind", "flags", "body", "size", "data", "offset_position", "offset_rotation"),
            ("position", "rotation"),
        )
        self._hinges = Watched(JOINTS, JOINT_FIELDS)

    def number_of_row(self, capacity: int) -> Indices:
        """The bodies' numbers by row; -1 for the static world."""
        table = np.full(capacity, -1, np.int64)
        table[self.rows] = self.numbers
        return table

    def changes(self) -> Changes | None:
        """Changes since the last call; None if there are none. Updates `rows` and `numbers`."""
        found = {
            sort: {"set": put, "remove": gone}
            for sort, (put, gone) in (
                ("bodies", self._changed_bodies()),
                ("geoms", self._changed_geoms()),
                ("joints", self._changed_joints()),
            )
            if put or gone
        }
        return found or None

    def _new(self, sort: str) -> int:
        self._next[sort] += 1
        return self._next[sort] - 1

    def _changed_bodies(self) -> tuple[list[Any], list[int]]:
        world, self._fresh = self.world, []
        seen = reading.changes_of(world).bodies
        if seen == self._bodies_seen:
            return [], []
        self._bodies_seen = seen
        by_row = reading.bodies_by_row(world)
        alive = dict.fromkeys(by_row.values())
        gone = [number for body, number in self._bodies.items() if body not in alive]
        self._fresh = [body for body in alive if body not in self._bodies]
        self._bodies = {body: self._bodies[body] for body in alive if body in self._bodies}
        self._bodies |= {body: self._new("bodies") for body in self._fresh}
        self.rows = np.array(list(by_row), np.int64)
        self.numbers = np.array(list(self._bodies.values()), np.int64)
        bodies = dict.fromkeys(self._fresh)
        changed = self._inertias.changed(world)
        bodies |= dict.fromkeys(by_row[row] for row in changed if row in by_row)
        return [_describe_body(body, self._bodies[body]) for body in bodies], gone

    def _changed_geoms(self) -> tuple[list[Any], list[int]]:
        put: list[Any] = []
        gone: list[int] = []
        seen = reading.changes_of(self.world).geoms
        # Heights change in the data that geoms share, not in their records.
        rows = [row for row, (field, heights) in self._heights.items() if reading.heights_of(field).base is not heights]
        if seen != self._geoms_seen or self._fresh:
            # A new body may have the row of an old one, and its geom the row and the description of the old one's.
            rows += [
                *self._shapes.changed(self.world),
                *(reading.row_of(geom) for body in self._fresh for geom in body.geoms),
            ]
            rows += [
                row
                for row, (geom, _) in self._geoms.items()
                if not geom.alive or shown_color(geom) != self._colors[row]
            ]
        for row in dict.fromkeys(rows):
            self._look_at_geom(row, put, gone)
        self._geoms_seen = seen
        if self.spaces:
            self._look_elsewhere(put, gone)
        return put, gone

    def _look_at_geom(self, row: int, put: list[Any], gone: list[int]) -> None:
        """Describe the geom in a row of the world's table, or record that it was destroyed."""
        known = self._geoms.get(row)
        alive = reading.table_of(self.world, GEOMS)["flags"][row] & geoms.ALIVE
        geom = reading.geom_in_row(self.world, row) if alive else None
        if known is not None and known[0] is not geom:
            gone.append(known[1])
            del self._geoms[row]
            known = None
        self._heights.pop(row, None)
        if geom is not None:
            number = known[1] if known is not None else self._new("geoms")
            self._geoms[row] = geom, number
            self._colors[row] = shown_color(geom)
            put.append(self._describe_geom(geom, number))
            seen = geom.geom if isinstance(geom, GeomTransform) else geom
            if isinstance(seen, Heightfield):
                self._heights[row] = seen.field, reading.heights_of(seen.field).base

    def _look_elsewhere(self, put: list[Any], gone: list[int]) -> None:
        """The geoms of further spaces that are not in the world's tables; there are few."""
        found = dict.fromkeys(geom for space in self.spaces if space.alive for geom in space.geoms())
        others = [geom for geom in reversed(found) if not reading.lives_in(geom, self.world) and geom.body is None]
        there = {geom: reading.record_of(geom).tobytes() for geom in others}
        gone += [number for geom, (number, _) in self._elsewhere.items() if geom not in there]
        before, self._elsewhere = self._elsewhere, {}
        for geom, looks in there.items():
            number, looked = before.get(geom) or (self._new("geoms"), b"")
            self._elsewhere[geom] = number, looks
            if looks != looked:
                put.append(self._describe_geom(geom, number))

    def _describe_geom(self, geom: Geom, number: int) -> dict[str, Any]:
        body = None if geom.body is None else self._bodies[geom.body]
        description: dict[str, Any] = {"id": number, "name": geom.name, "body": body, "enabled": geom.enabled}
        if (color := shown_color(geom)) is not None:
            description["color"] = list(color)
        return description | describe(geom, self.put)

    def _changed_joints(self) -> tuple[list[Any], list[int]]:
        world = self.world
        seen = reading.changes_of(world).joints
        if seen == self._joints_seen:
            return [], []
        changed = set(self._hinges.changed(world))
        alive = [joint for joint in world.joints if not isinstance(joint, ContactJoint)]
        there = set(alive)
        gone = [number for joint, number in self._joints.items() if joint not in there]
        fresh = {joint for joint in alive if joint not in self._joints}
        self._joints = {joint: self._joints[joint] if joint in self._joints else self._new("joints") for joint in alive}
        self.joints = {number: joint for joint, number in self._joints.items()}
        put = [self._describe_joint(joint) for joint in alive if joint in fresh or reading.row_of(joint) in changed]
        self._joints_seen = seen
        return put, gone

    def _describe_joint(self, joint: Joint) -> dict[str, Any]:
        record = reading.record_of(joint)
        description: dict[str, Any] = {"id": self._joints[joint], "name": joint.name, "kind": joint.kind}
        description["bodies"] = [None if body is None else self._bodies[body] for body in joint.bodies]
        description["enabled"] = bool(record["flags"] & joints.ENABLED)
        description["mode"] = int(record["mode"])
        for field in ("anchor0", "anchor1", "axis0", "axis1", "relative", "numbers"):
            description[field] = [_json_number(x) for x in record[field].tolist()]
        description["stops"] = [[_json_number(limit[end]) for end in ("low", "high")] for limit in record["limits"]]
        return description


def _json_number(value: float) -> float | None:
    """JSON has no infinite numbers: they become null."""
    return float(value) if math.isfinite(value) else None


def _describe_body(body: Body, number: int) -> dict[str, Any]:
    return {"id": number, "name": body.name, "mass": body.mass, "inertia": body.inertia.reshape(9).tolist()}


class Structure:
    """The objects at a moment: descriptions of bodies, geoms and joints by their numbers."""

    def __init__(self) -> None:
        self.bodies: dict[int, dict[str, Any]] = {}
        self.geoms: dict[int, dict[str, Any]] = {}
        self.joints: dict[int, dict[str, Any]] = {}

    def after(self, history: list[Changes]) -> Structure:
        """The objects after some changes; unchanged descriptions remain the same objects."""
        later = Structure()
        for sort in ("bodies", "geoms", "joints"):
            found = dict(getattr(self, sort))
            for changes in history:
                description = changes.get(sort, {})
                for number in description.get("remove", ()):
                    found.pop(number, None)
                found.update({int(one["id"]): one for one in description.get("set", ())})
            setattr(later, sort, dict(sorted(found.items())))
        return later
