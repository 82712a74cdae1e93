"""Shows a scene in the browser until the user closes it: `view`, `demo --view` and `run --view`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import opendynamics
from opendynamics.cli.arguments import positive
from opendynamics.cli.errors import UserError
from opendynamics.cli.sources import Source, opened
from opendynamics.io.recording.playback import Playback
from opendynamics.scenes import SCENES, Scene
from opendynamics.viewer.live.address import LOOPBACK


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Address to serve at, and whether to open a browser."""
    group = parser.add_argument_group("live view")
    group.add_argument(
        "--host", default=LOOPBACK, help=f"address to listen on (default: {LOOPBACK}, this machine only)"
    )
    group.add_argument("--port", type=_port, help="port to listen on (default: a free one, which is printed)")
    group.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="open a browser, or do not (default: if there is a display)",
    )
    group.add_argument("--paused", action="store_true", help="stand still until Play is pressed")


def add_end(parser: argparse.ArgumentParser) -> None:
    """`--seconds`, of wall-clock time."""
    parser.add_argument("--seconds", type=positive("a time"), metavar="T", help="end by itself after T seconds")


def add_view(parser: argparse.ArgumentParser) -> None:
    """`--view`, and its options."""
    parser.add_argument("--view", action="store_true", help="show it live in the browser instead of summing it up")
    add_serving(parser)


def wanted_seconds(options: argparse.Namespace, scene: Scene) -> float | None:
    """Time after which the view ends, if `--steps` or `--seconds` are given."""
    if options.steps is not None:
        return float(options.steps) * scene.h
    return None if options.seconds is None else float(options.seconds)


def show(options: argparse.Namespace, source: Source, seconds: float | None) -> int:
    """Serve the live view of a scene until Ctrl-C, or for this time, s; returns the exit status."""
    from opendynamics.viewer.live.viewer import Viewer

    if getattr(options, "record", None) is not None:
        raise UserError("a live view has no end to record to: leave out --view, then look at the recording with `view`")

    rebuild: Callable[[], Scene] | None = None
    choices: dict[str, Callable[[], Scene]] = {}
    if not isinstance(source.scene, Playback):
        rebuild = partial(_built, options.scene, options.set)
        others = {name: partial(_built, word) for name, word in known_scenes().items() if name != source.name}
        choices = {source.name: rebuild, **others}
    try:
        viewer = Viewer(
            source.scene,
            host=options.host,
            port=options.port,
            play=not options.paused,
            rebuild=rebuild,
            choices=choices,
            open_browser=options.open,
            name=source.name,
        )
    except (ImportError, OSError, ValueError) as error:
        raise UserError(str(error.strerror or error) if isinstance(error, OSError) else str(error)) from error
    with viewer:
        if source.scene.note:
            print(source.scene.note)
        print("Ctrl-C ends the view." if seconds is None else f"The view ends after {seconds:g} s.", flush=True)
        viewer.wait(seconds)
    return 1 if viewer.error is not None else 0


def known_scenes() -> dict[str, str]:
    """All built-in scenes, and the examples of a clone of the repository: words for `opened`, by their names."""
    root = Path(opendynamics.__file__).parents[1]
    # Beside an installed package, a folder of this name is that of another project.
    examples = sorted((root / "examples").glob("*.py")) if (root / "pyproject.toml").is_file() else []
    found = (path for path in examples if "\ndef build(" in path.read_text(encoding="utf-8"))
    return {name: name for name in SCENES.names} | {f"examples/{path.name}": str(path) for path in found}


def _built(word: str, settings: Sequence[str] | None = None) -> Scene:
    """Build a scene while a view runs; ValueError if that fails."""
    try:
        with opened(word, settings or ()) as source:
            return source.scene
    except (UserError, SystemExit) as error:
        raise ValueError(
            f"{word} cannot be built again: {error}" if settings is not None else f"{word} cannot be built: {error}"
        ) from error


def _port(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 65535:
        raise argparse.ArgumentTypeError(f"{word!r} is not a port; write a number from 1 to 65535")
    return int(word)
