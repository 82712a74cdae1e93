"""The SCENE argument: the name of a built-in scene, or a file.

Reads SCENE and the words of `--set`; returns a Source. All errors in them are UserErrors.

A kind of file has one entry in `scene_files.KINDS` and one in OPENERS. A recording is a Playback, a Scene whose `play` shows
one frame after another.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opendynamics import scenes
from opendynamics.cli.errors import UserError
from opendynamics.cli.nearest import did_you_mean, one_of
from opendynamics.cli.robots import model_scene, project_builder
from opendynamics.cli.scene_files import file_kind, load_bench, load_dif, load_odr, loaded_script
from opendynamics.io.recording.playback import Playback
from opendynamics.scenes import SCENES, Scene

KINDS_TEXT = "the name of a built-in scene (`opendynamics demo --list`), or a file: a Python script with build()"


@dataclass(frozen=True)
class Source:
    """A scene, ready to run, and its name."""

    name: str
    scene: Scene


class NoSceneError(UserError):
    """A script was executed, but defines no build()."""


def add_scene(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """SCENE and `--set`."""
    text = f"{KINDS_TEXT}, a benchmark scene, a recording (.odr) or a world that ODE exported (.dif)"
    text += f" (default: {default})" if default else ""
    parser.add_argument("scene", metavar="SCENE", nargs="?" if default else None, default=default, help=text)
    parser.add_argument(
        "--set", metavar="WHAT=VALUE", nargs="+", action="extend", default=[], help="arguments of the scene's build()"
    )


@contextmanager
def opened(word: str, set_words: Iterable[str] = (), *, execute: bool = False) -> Iterator[Source]:
    """The scene for `word` and the words of `--set`. Meanwhile, a script can import modules in its folder.

    With `execute`, a script without build() is executed as by Python itself. In either case that is a NoSceneError.
    """
    words = list(set_words)
    path = as_file(word)
    if path is None:
        require_registered(word)
        yield Source(word, build_with(SCENES[word].build, f"the scene {word}", words))
        return
    with OPENERS[file_kind(path)](path, words, execute) as scene:
        yield Source(file_title(path), scene)


def as_file(word: str) -> Path | None:
    """The path `word`; None if it is the name of a built-in scene."""
    if word in SCENES.names:
        return None
    path = Path(word)
    named_like_one = path.suffix or os.sep in word or "/" in word
    return path if named_like_one or os.path.exists(word) else None


def file_title(path: Path) -> str:
    """The name of the scene in a file."""
    return path.name.removesuffix(".gz").rsplit(".", 1)[0]


def require_registered(name: str) -> None:
    """UserError unless there is a built-in scene of this name."""
    if name not in SCENES.names:
        raise UserError(f"there is no scene {name!r}; {one_of(name, SCENES.names)}; or give the path of a file")


# -- settings --------------------------------------------------------------------------------------------------------


def settings(build: Callable[..., Any]) -> dict[str, Any]:
    """The settings of the scene that `build` builds, and their defaults."""
    named = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    return {key: found.default for key, found in inspect.signature(build).parameters.items() if found.kind in named}


def setting_words(choices: dict[str, Any]) -> list[str]:
    """The settings as words for `--set`; those without a default as WHAT=."""
    return [f"{key}={'' if value is inspect.Parameter.empty else _word(value)}" for key, value in choices.items()]


def build_with(build: Callable[..., Any], label: str, words: list[str]) -> Any:
    """Call `build` with the keyword arguments given by the `words` of `--set`."""
    choices = settings(build)
    chosen: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals and key in choices:
            raise UserError(f"--set {word} has no value: write --set {key}=VALUE")
        if key not in choices:
            could = "write --set and one of: " + ", ".join(setting_words(choices)) if choices else "nothing can be set"
            raise UserError(f"{label} has no setting {key!r}; {did_you_mean(key, choices)}{could}")
        chosen[key] = _value(value)
    missing = [key for key, default in choices.items() if default is inspect.Parameter.empty and key not in chosen]
    if missing:
        with_what = " ".join(words) or "nothing set"
        raise UserError(
            f"{label} cannot be built with {with_what}: it needs {', '.join(missing)}; write --set {missing[0]}=VALUE"
        )
    if not chosen:
        return build()
    try:
        return build(**chosen)
    except (ValueError, TypeError, ArithmeticError, IndexError) as error:
        raise UserError(f"{label} cannot be built with {' '.join(words)}: {error}") from error


def list_scenes() -> list[dict[str, Any]]:
    """Name, description and options of every built-in scene."""
    return [
        {"name": name, "description": scenes.describe(name), "options": settings(SCENES[name].build)}
        for name in SCENES.names
    ]


def _word(value: Any) -> str:
    return str(value).replace(" ", "")


def _value(word: str) -> Any:
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return word


# -- files -----------------------------------------------------------------------------------------------------------


def _refuse_settings(path: Path, what: str, words: list[str]) -> None:
    """UserError if there are words of `--set`, for a file without settings."""
    if words:
        raise UserError(f"{path}, {what}, has no settings: leave out --set {' '.join(words)}")


@contextmanager
def _script(path: Path, words: list[str], execute: bool) -> Iterator[Scene]:
    def build_scene(build: Callable[..., Any]) -> Any:
        return build_with(build, f"the scene of {path}", words)

    with loaded_script(path, build_scene, execute) as scene:
        if scene is None:
            raise NoSceneError(
                f"{path} defines no build(); write a function build() that returns an opendynamics.scenes.Scene or a "
                "World, or execute the script with `opendynamics run`"
            )
        yield scene


@contextmanager
def _bench(path: Path, words: list[str], execute: bool) -> Iterator[Scene]:
    _refuse_settings(path, "a benchmark scene", words)
    yield load_bench(path)


@contextmanager
def _dif(path: Path, words: list[str], execute: bool) -> Iterator[Scene]:
    _refuse_settings(path, "an exported world", words)
    yield load_dif(path)


def _recorded(path: Path, words: list[str], execute: bool) -> AbstractContextManager[Scene]:
    raise UserError(
        f"{path} was recorded from ODE to compare with and has no shapes; `opendynamics run {path}` compares"
    )


@contextmanager
def _odr(path: Path, words: list[str], execute: bool) -> Iterator[Scene]:
    _refuse_settings(path, "a recording", words)
    scene = load_odr(path)
    with scene.recording:
        yield scene


@contextmanager
def _project(path: Path, words: list[str], execute: bool) -> Iterator[Scene]:
    yield build_with(project_builder(path), f"the project {path}", words)


@contextmanager
def _model(path: Path, words: list[str], execute: bool) -> Iterator[Scene]:
    _refuse_settings(path, "a model", words)
    yield model_scene(path)


def require_playable(source: Source) -> None:
    """UserError if the scene is a recording, which cannot be simulated."""
    if isinstance(source.scene, Playback):
        path = source.scene.recording.path
        raise UserError(
            f"{path} is a recording, which cannot be simulated; look at it with `opendynamics view`, "
            "`render`, `plot` or `info`, or `export` it"
        )


OPENERS: dict[str, Callable[[Path, list[str], bool], AbstractContextManager[Scene]]] = {
    "script": _script,
    "bench": _bench,
    "recorded": _recorded,
    "recording": _odr,
    "dif": _dif,
    "project": _project,
    "model": _model,
}
