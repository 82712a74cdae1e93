"""Run a scene that comes along, and sum it up."""

from __future__ import annotations

import argparse
import ast
import difflib
import inspect
from typing import Any

from opendynamics import scenes
from opendynamics.cli.arguments import add_duration, add_json, chosen_steps
from opendynamics.cli.errors import UserError
from opendynamics.cli.playing import play
from opendynamics.cli.report import print_json, print_summary
from opendynamics.scenes import SCENES, Scene

DEFAULT = "wall"

EXAMPLES = """\
examples:
  opendynamics demo --list
  opendynamics demo wall --set rows=4 columns=8 ball=True
  opendynamics demo car --seconds 5 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("scene", metavar="NAME", nargs="?", default=DEFAULT, help=f"scene to run (default: {DEFAULT})")
    parser.add_argument("--list", action="store_true", help="list the scenes, with what can be set of each")
    parser.add_argument("--set", metavar="WHAT=VALUE", nargs="+", action="extend", default=[], help="vary the scene")
    add_duration(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.list:
        _list_scenes(options.json)
        return 0
    _require_scene(options.scene)
    scene = _build(options.scene, options.set)
    summary = play(options.scene, scene, chosen_steps(options, scene))
    print_summary(summary, options.json)
    return 1 if summary.faults else 0


def _list_scenes(as_json: bool) -> None:
    if as_json:
        print_json([{"name": n, "description": scenes.describe(n), "options": _settings(n)} for n in SCENES.names])
        return
    width = max(map(len, SCENES.names))
    for name in SCENES.names:
        print(f"{name:<{width}}  {scenes.describe(name)}")
        words = [f"{key}={_word(value)}" for key, value in _settings(name).items()]
        if words:
            print(f"{'':<{width}}  --set {' '.join(words)}")


def _word(value: Any) -> str:
    return str(value).replace(" ", "")


def _settings(name: str) -> dict[str, Any]:
    """What can be set of a scene, and what it is otherwise."""
    return {key: found.default for key, found in inspect.signature(SCENES[name].build).parameters.items()}


def _require_scene(name: str) -> None:
    if name not in SCENES.names:
        close = difflib.get_close_matches(name, SCENES.names, 1)
        guess = f"did you mean {close[0]}? " if close else ""
        raise UserError(f"there is no scene {name!r}; {guess}There are: {', '.join(SCENES.names)}")


def _build(name: str, words: list[str]) -> Scene:
    settings = _settings(name)
    chosen: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in settings:
            raise UserError(f"{word!r} sets nothing of the scene {name}; write --set and one of: " + _choices(settings))
        chosen[key] = _value(value)
    try:
        return scenes.build(name, **chosen)
    except (ValueError, TypeError, ArithmeticError, IndexError) as error:
        if not chosen:
            raise
        raise UserError(f"the scene {name} cannot be built with {' '.join(words)}: {error}") from error


def _choices(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key}={_word(value)}" for key, value in settings.items())


def _value(word: str) -> Any:
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return word
