"""Files that commands accept as scenes, and their conversion to scenes."""

from __future__ import annotations

import ast
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from opendynamics.api.files import FileError
from opendynamics.api.world import World
from opendynamics.cli.errors import UserError
from opendynamics.cli.nearest import require_file
from opendynamics.io.bench_scene import read_bench_scene
from opendynamics.io.build import build_scene
from opendynamics.io.dif import read_dif
from opendynamics.io.recorded_scene import RecordedScene, read_recorded_scene
from opendynamics.io.recording.playback import Playback, playback
from opendynamics.io.recording.recording import Recording
from opendynamics.scenes import Scene

KINDS = {
    "script": (".py",),
    "bench": (".txt", ".txt.gz"),
    "recorded": (".json", ".json.gz"),
    "recording": (".odr",),
    "dif": (".dif", ".dif.gz"),
    "project": (".cnoid",),
    "model": (".body", ".urdf", ".wrl"),
}
BENCH_SECONDS = 5.0
SOME_FILE = "give the path of a file, or the name of a built-in scene (`opendynamics demo --list`)"


def file_kind(path: Path) -> str:
    """The entry of KINDS for the file, by its name; UserError if there is none, or no such file."""
    require_file(path, SOME_FILE)
    kind = next((kind for kind, endings in KINDS.items() if path.name.lower().endswith(endings)), None)
    if kind is None:
        raise UserError(
            f"{path} can be neither run nor shown; give a Python script (.py), a benchmark scene (.txt, .txt.gz), a "
            "recorded scene (.json, .json.gz), a recording (.odr), a world that ODE exported (.dif, .dif.gz), a project of "
            "Choreonoid (.cnoid) or a robot (.body, .wrl, .urdf)"
        )
    return kind


def load_bench(path: Path) -> Scene:
    """A benchmark scene, built."""
    try:
        description = read_bench_scene(path)
        world = World(name=description.name)
        build_scene(world, description)
    except (FileError, OSError) as error:
        raise UserError(str(error)) from None
    return Scene(world, h=description.timestep, seconds=BENCH_SECONDS)


def load_dif(path: Path) -> Scene:
    """A world written by dWorldExportDIF."""
    try:
        world = read_dif(path)
    except (FileError, OSError) as error:
        raise UserError(str(error)) from None
    return Scene(world, seconds=BENCH_SECONDS)


def load_odr(path: Path) -> Playback:
    """A recording as a scene."""
    recording = open_odr(path)
    try:
        if not len(recording):
            raise UserError(
                f"{path} has no frames to look at; if it is still being recorded, look again in a few seconds"
            )
        return playback(recording)
    except (UserError, ValueError) as error:
        recording.close()
        raise UserError(str(error)) from None


def open_odr(path: Path) -> Recording:
    """A recording."""
    require_file(path, "give the path of a recording, made by --record or od.Recorder")
    try:
        return Recording(path)
    except (FileError, OSError) as error:
        raise UserError(str(error)) from None


def load_recorded_scene(path: Path) -> RecordedScene:
    """A recorded scene, built."""
    try:
        return read_recorded_scene(path)
    except (FileError, OSError) as error:
        raise UserError(str(error)) from None


@contextmanager
def loaded_script(
    path: Path, build_scene: Callable[[Callable[..., Any]], Any], as_program: bool
) -> Iterator[Scene | None]:
    """Execute a script; yields the scene that `build_scene` creates from its `build`, or None if it has none.

    Meanwhile, the script can import modules in its folder. Code under `if __name__ == "__main__"` is
    only executed if the script defines no build() and is run `as_program`.
    """
    source, folder = _read_source(path), str(path.parent.resolve())
    sys.path.insert(0, folder)
    try:
        name = "__main__" if as_program and not _defines_build(source) else "__scene__"
        with _its_own_errors(path):
            build = runpy.run_path(str(path), run_name=name).get("build")
            built = build_scene(build) if callable(build) else None
        yield _as_scene(path, built) if callable(build) else None
    finally:
        with suppress(ValueError):  # the script may have removed it
            sys.path.remove(folder)


def _read_source(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes(), str(path))
    except (SyntaxError, ValueError) as error:
        raise UserError(f"{path} is not a Python script: {error}") from None
    except (RecursionError, MemoryError):
        raise UserError(f"{path} is not a Python script: it is nested too deeply") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error}") from None


def _defines_build(source: ast.Module) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name == "build" for node in source.body)


@contextmanager
def _its_own_errors(path: Path) -> Iterator[None]:
    """Show an error of the script as Python would, from the script's first line on, and exit with status 1."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != str(path):
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        raise SystemExit(1) from None


def _as_scene(path: Path, built: Any) -> Scene:
    if isinstance(built, Scene):
        return built
    if isinstance(built, World):
        return Scene(built)
    raise UserError(
        f"build() of {path} must return an opendynamics.scenes.Scene or a World, not {type(built).__name__}"
    )
