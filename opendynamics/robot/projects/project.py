"""Project: a `.cnoid` file, read as a tree of items and written back; contents of other programs are preserved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opendynamics.api.describing import count
from opendynamics.api.files import replacing, require_file
from opendynamics.api.suggestions import explain_calls, explain_function
from opendynamics.robot.loaders import draft_of
from opendynamics.robot.loaders.assembly import assemble
from opendynamics.robot.model import Model
from opendynamics.robot.motion import Motion, motion_of
from opendynamics.robot.projects.archive import written
from opendynamics.robot.projects.building import Building
from opendynamics.robot.projects.items import read_item
from opendynamics.robot.projects.items.item import Item
from opendynamics.robot.projects.items.simulator import OWN
from opendynamics.robot.projects.items.simulator import Entry as SimulatorItem
from opendynamics.robot.projects.items.world import Entry as WorldItem
from opendynamics.robot.reading.files import Files, Limits, decoded
from opendynamics.robot.reading.findings import Findings, ModelError
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Load
from opendynamics.robot.reading.yaml_tree import parse_yaml
from opendynamics.robot.simulator.simulator import Simulator


@dataclass(frozen=True)
class TimeBar:
    """The time bar of a project.

    Args:
        frame_rate: Hz.
        max_time: s, its end.
    """

    frame_rate: float = 1000.0
    max_time: float = 30.0


@explain_calls
class Project:
    """A project. `load_project` reads one.

    Attributes:
        path: path of its file.
        root: the contents of the file.
        item: the first of the tree of items.
        files: access to the files that it names.
        findings: findings so far.
    """

    def __init__(self, path: Path, root: Node, files: Files, strict: bool) -> None:
        self.path, self.root, self.files = path, root, files
        self.findings = Findings(strict)
        self._models: dict[tuple[Path, bool | None], Model] = {}
        top = root.node("items")
        if top is None:
            raise root.error("this is no project: it has no items")
        self.item = read_item(top, self)

    # -- contents --------------------------------------------------------------------------------------------------

    def items(self, kind: type[Item] | str | None = None) -> Iterator[Item]:
        """All items, or those of a class, given by its name in the file or the class that reads it."""
        for item in self.item.walk():
            if kind is None or (item.kind == kind if isinstance(kind, str) else isinstance(item, kind)):
                yield item

    @property
    def time_bar(self) -> TimeBar:
        """The time bar."""
        toolbars = self.root.node("toolbars")
        bar = None if toolbars is None else toolbars.node("time_bar")
        if bar is None:
            return TimeBar()
        default = TimeBar()
        return TimeBar(
            bar.positive("frame_rate", default=default.frame_rate), bar.positive("max_time", default=default.max_time)
        )

    @property
    def simulators(self) -> tuple[SimulatorItem, ...]:
        """Its simulators."""
        return tuple(item for item in self.items(SimulatorItem) if isinstance(item, SimulatorItem))

    def simulator_item(self, name: str | None = None) -> SimulatorItem:
        """A simulator by name; without one, the first of ODE, otherwise the first. ValueError if there is none."""
        found = self.simulators
        if name is not None:
            chosen = [item for item in found if item.name == name]
            if not chosen:
                known = ", ".join(item.name for item in found) or "none"
                raise ValueError(f"{self.path} has no simulator {name!r}; there are {known}")
            return chosen[0]
        if not found:
            raise self.root.error("the project has no simulator")
        return next((item for item in found if item.kind == OWN), found[0])

    # -- named files -----------------------------------------------------------------------------------------------

    def find(self, uri: str, where: str) -> Path:
        """The file for a name. A missing `.wrl` is replaced by the `.body` of the same name."""
        try:
            return self.files.find(uri, self.path.resolve(), where)
        except ModelError:
            if not uri.lower().endswith(".wrl"):
                raise
        path = self.files.find(f"{uri[:-4]}.body", self.path.resolve(), where)
        self.findings.note(where, f"there is no {uri}; {path.name} in the same folder is used")
        return path

    def parsed(self, path: Path, where: str) -> Any:
        """A YAML file as a tree."""
        with self.files.opened(path, where) as data:
            return parse_yaml(decoded(data, path), path, self.files.limits)

    def model(self, uri: str, where: str, fixed_root: bool | None) -> Model:
        """The model of a file; the same for all bodies that name it in the same way."""
        path = self.find(uri, where)
        if (path, fixed_root) not in self._models:
            load = Load(self.files, self.findings, fixed_root=fixed_root)
            self._models[path, fixed_root] = assemble(draft_of(path, load, where), load, path)
        return self._models[path, fixed_root]

    def motion(self, uri: str, where: str) -> Motion:
        """The motion of a file."""
        path = self.find(uri, where)
        return motion_of(self.parsed(path, where), path, self.findings)

    # -- running and writing ---------------------------------------------------------------------------------------

    def build(
        self, name: str | None = None, *, controllers: Mapping[str, Callable[[], Any]] | None = None, **values: Any
    ) -> Simulator:
        """Create a Simulator with all bodies of the project.

        Args:
            name: name of the simulator item with the settings; by default, the first of ODE.
            controllers: functions that create controllers, by their names in the project.
            values: settings to change.

        Raises:
            ModelError: a file is missing or cannot be read, or an item is invalid.
            ValueError: there is no simulator of that name, or a setting is out of its range.
        """
        settings = self.simulator_item(name).settings.changed(**values)
        worlds = [item for item in self.items(WorldItem) if isinstance(item, WorldItem)]
        sim = Simulator(settings, materials=worlds[0].materials() if worlds else None)
        self.item.add_to(Building(sim, controllers or {}))
        self.findings.warn()
        return sim

    def text(self) -> str:
        """The project as the text of a file."""
        return written(self.root)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the project to a file, atomically."""
        text = self.text()
        with replacing(Path(path)) as aside:
            aside.write_text(text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Project {self.path.name}: {count(sum(1 for _ in self.items()), 'item')}>"


@explain_function
def load_project(
    path: str | os.PathLike[str],
    *,
    strict: bool = False,
    roots: Sequence[str | os.PathLike[str]] | None = None,
    variables: Mapping[str, str | os.PathLike[str]] | None = None,
    limits: Limits | None = None,
) -> Project:
    """The project of a `.cnoid` file, current or of before 1.6. `project.build()` creates a Simulator of it.

    Args:
        path: of the file.
        strict: whether findings are errors.
        roots: folders that files named by the project must be in; by default its own.
        variables: folders for names such as ${SHARE}; they are roots too. ${SHARE} is otherwise the nearest folder `share` beside
            the project or above it, ${PROJECT_DIR} its own folder.
        limits: limits on the amount of data.

    Raises:
        ModelError: the file is no project; the message begins with file and line.
    """
    file = Path(path)
    require_file(file, "a project")
    folder = file.resolve().parent
    known = {"PROJECT_DIR": folder, **{name: Path(place) for name, place in (variables or {}).items()}}
    share = None if "SHARE" in known else _share_near(folder)
    if share is not None:
        known["SHARE"] = share
    files = Files([folder, *map(Path, roots or ())], known, None, limits)
    with files.opened(file.resolve(), str(file)) as data:
        root = parse_yaml(decoded(data, file), file, files.limits)
    if not isinstance(root, Node):
        raise ModelError(f"{file}:1: this is no project: the file has no keys")
    return Project(file, root, files, strict)


def _share_near(folder: Path) -> Path | None:
    for above in (folder, *folder.parents):
        if (above / "share" / "model").is_dir():
            return above / "share"
    return None
