"""Reads a DIF file into a new world."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from opendynamics.api.body import Body
from opendynamics.api.files import Fail, located, quoted, read_bytes
from opendynamics.api.joints.joint import Joint
from opendynamics.api.world import World
from opendynamics.io.dif.bodies import read_body, read_body_geometry
from opendynamics.io.dif.fields import Fields
from opendynamics.io.dif.geometry import read_geom
from opendynamics.io.dif.joints import read_joint
from opendynamics.io.dif.syntax import MAX_BYTES, DifError, Reference, Table, statements
from opendynamics.io.dif.world import read_world

_REMEDY = "write numbers that the engine can compute with"


def read_dif(path: str | Path) -> World:
    """The world described by a DIF file, like ODE, with all geoms in its own space.

    DifError (a ValueError) names the line of an error. OSError if the file does not exist.
    """
    path = Path(path)
    fail: Fail = partial(DifError, path)
    data = read_bytes(path, MAX_BYTES, fail)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise fail(f"byte {error.start}", f"not text in UTF-8: {error.reason}") from None
    return _World(text, path.name, fail).world


class _World:
    """A world under construction: the named objects of the file, by name and index."""

    def __init__(self, text: str, name: str, fail: Fail) -> None:
        self._fail = fail
        self._tables: dict[str, dict[tuple[str, int | None], Table]] = {"world": {}, "body": {}, "joint": {}}
        self._geometry: list[Table] = []
        for statement in statements(text, fail):
            self._sort(statement.target, statement.value)
        if len(self._tables["world"]) != 1:
            problem = f"a file describes one world, not {len(self._tables['world'])}"
            raise fail("", problem, "it begins with my_world = dynamics.world {...}")
        self._bodies: dict[tuple[str, int | None], Body] = {}
        self._joints: dict[tuple[str, int | None], Joint] = {}
        self.world = World(like="ode", name=name.split(".", 1)[0])
        self._build()

    def _sort(self, target: Reference, value: Any) -> None:
        """Process a statement; a table to be filled later, my_body = {}, has no effect yet."""
        place = f"line {target.line}"
        if not isinstance(value, Table):
            raise self._fail(place, f"{quoted(str(target))} must be a table in braces")
        key = target.name, target.index
        if not value.kind:
            if target.name.endswith("geometry") and target.index is None:
                fields = Fields(Table("", target.line), self._fail)
                if value.named or not all(isinstance(item, Table) for item in value.items):
                    raise fields.error("geometry must be tables in braces")
                self._geometry += value.items
            elif value.named or value.items:
                raise self._fail(place, f"{quoted(str(target))} must be dynamics.world, .body or a joint")
            return
        word = value.kind.removeprefix("dynamics.")
        kind = "joint" if word.endswith("_joint") else word
        if kind not in self._tables or word == value.kind:
            raise self._fail(place, f"dynamics.world, dynamics.body or a joint is expected, not {quoted(value.kind)}")
        if key in self._tables[kind]:
            raise self._fail(place, f"{quoted(str(target))} is defined twice")
        self._tables[kind][key] = value

    def _build(self) -> None:
        (named,) = self._tables["world"].items()
        self._world_key, table = named
        self._each(table, lambda fields: read_world(fields, self.world))
        # ODE writes the newest first.
        for table in reversed(self._geometry):
            with located(self._fail, f"line {table.line}", _REMEDY):
                read_geom(Fields(table, self._fail), self.world, None)
        for key, table in _oldest_first(self._tables["body"]):
            self._each(table, partial(self._add_body, key))
        for key, table in _oldest_first(self._tables["joint"]):
            self._each(table, partial(self._add_joint, key))

    def _each(self, table: Table, read: Callable[[Fields], Any]) -> None:
        fields = Fields(table, self._fail)
        with located(self._fail, f"line {table.line}", _REMEDY):
            if table.kind != "dynamics.world":
                self._require_world(fields)
            read(fields)
            fields.require_done()

    def _require_world(self, fields: Fields) -> None:
        reference = fields.reference("world", None)
        if reference is not None and (reference.name, reference.index) != self._world_key:
            raise fields.error(f"there is no world {quoted(str(reference))}", f"write {Reference(*self._world_key, 0)}")

    def _add_body(self, key: tuple[str, int | None], fields: Fields) -> None:
        body = self._bodies[key] = read_body(fields, self.world)
        read_body_geometry(fields, self.world, body)

    def _add_joint(self, key: tuple[str, int | None], fields: Fields) -> None:
        bodies = [self._known(fields, reference, self._bodies, "body") for reference in fields.references("body")]
        drives = fields.reference("drives", None)
        driven = None if drives is None else self._known(fields, drives, self._joints, "joint made before this one")
        self._joints[key] = read_joint(fields, self.world, bodies, driven)

    @staticmethod
    def _known(fields: Fields, reference: Reference, known: dict[tuple[str, int | None], Any], what: str) -> Any:
        found = known.get((reference.name, reference.index))
        if found is None:
            raise fields.error(f"there is no {what} {quoted(str(reference))}")
        return found


def _oldest_first(tables: dict[tuple[str, int | None], Table]) -> list[tuple[tuple[str, int | None], Table]]:
    """ODE numbers bodies and joints from the newest to the oldest."""
    return sorted(tables.items(), key=lambda item: -1 if item[0][1] is None else item[0][1], reverse=True)
