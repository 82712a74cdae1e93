"""Plot what happened in a recording, or in a scene that is run for it.

Words for --what: energy, momentum, angular_momentum, contacts, contacts.depth, solver.rows, stages, body:NAME.position.z,
body:NAME.speed, joint:NAME.angle, joint:NAME.rate, joint:NAME.force, channel:NAME; --list shows all that exist. Curves of the
same kind share a panel. Ctrl-C ends a scene early and plots the data so far.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opendynamics.api.describing import count
from opendynamics.api.progress import progress
from opendynamics.cli.arguments import add_duration, add_json, chosen_steps, positive
from opendynamics.cli.errors import Interrupted, UserError
from opendynamics.cli.playing import play
from opendynamics.cli.report import print_json
from opendynamics.cli.sources import Source, add_scene, opened
from opendynamics.io.recording.playback import Playback
from opendynamics.io.recording.recorder import Recorder
from opendynamics.io.recording.recording import Recording
from opendynamics.viewer.pictures.files import checked_path
from opendynamics.viewer.plots import Curve
from opendynamics.viewer.plotting import DEFAULT, as_text, draw, figure_class, find, plain, plot_words

EXAMPLES = """\
examples:
  opendynamics plot car --what energy,contacts --png car.png
  opendynamics demo car --record car.odr --with velocities forces
  opendynamics plot car.odr --list
  opendynamics plot car.odr --what joint:left\\ steering.angle,body:chassis.speed --png drive.png
  opendynamics plot car.odr --what energy.total --json
"""

SUFFIXES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp")
MAX_DPI = 1200  # the picture is drawn in memory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_scene(parser)
    parser.add_argument(
        "--what",
        metavar="WORD,...",
        nargs="+",
        action="extend",
        default=[],
        help=f"what to plot (default: {','.join(DEFAULT)})",
    )
    parser.add_argument("--list", action="store_true", help="list the words for --what that there are")
    parser.add_argument(
        "--png", type=Path, metavar="FILE", help="picture to write; also *.svg, *.pdf (default: SCENE.png)"
    )
    parser.add_argument("--dpi", type=_resolution, default=120.0, metavar="N", help="pixels an inch (default: 120)")
    add_duration(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    words = [word.strip() for given in options.what for word in given.split(",") if word.strip()] or list(DEFAULT)
    with opened(options.scene, options.set) as source:
        path = options.png or Path(f"{source.name}.png")
        if not options.list and not options.json:
            _check_file(path)
        with _recording_of(source, options) as recording:
            _print_plotted(recording, words, source.name, path, options)
    return 0


def _check_file(path: Path) -> None:
    """Whether a plot can be drawn and written, before anything is run for it."""
    try:
        figure_class()
        checked_path(path, SUFFIXES, "a plot")
    except (ValueError, ImportError, OSError) as error:
        raise UserError(str(error)) from None


def _print_plotted(recording: Recording, words: list[str], name: str, path: Path, options: argparse.Namespace) -> None:
    try:
        if options.list:
            _list_words(plot_words(recording), options.json)
            return
        curves = _curves(recording, words)
        if options.json:
            numbers = {curve.label: curve.values.tolist() for curve in curves}
            print_json({"times": recording.times.tolist(), **numbers})
            return
        draw([plain(curve) for curve in curves], recording.times, title=as_text(name)).savefig(path, dpi=options.dpi)
        print(f"{path}: {', '.join(words)}, {count(len(recording), 'frame')}")
    except (ValueError, ImportError, OSError) as error:
        raise UserError(str(error)) from None


def _resolution(word: str) -> float:
    found = positive("a resolution")(word)
    if found > MAX_DPI:
        raise argparse.ArgumentTypeError(f"{word!r} is too fine a resolution; write at most {MAX_DPI}")
    return found


def _curves(recording: Recording, words: list[str]) -> list[Curve]:
    curves = []
    with progress(len(words), "reading") as update:
        for k, word in enumerate(words):
            update(k, word)
            curves += find(recording, word)
    return curves


@contextmanager
def _recording_of(source: Source, options: argparse.Namespace) -> Iterator[Recording]:
    """The recording; of a scene that is not one, recorded now."""
    scene = source.scene
    if isinstance(scene, Playback):
        if options.steps is not None or options.seconds is not None:
            raise UserError(
                f"{scene.recording.path} is a recording, which is as long as it is: leave out --steps, --seconds"
            )
        yield scene.recording
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{source.name}.odr"
        with Recorder(scene.world, path, velocities=True, joint_forces=True):
            done = play(source.name, scene, chosen_steps(options, scene))
        if done.interrupted and not done.steps:
            raise KeyboardInterrupt
        with Recording(path) as recording:
            yield recording
    if done.interrupted:  # the data so far was plotted
        raise Interrupted


def _list_words(words: list[str], as_json: bool) -> None:
    if as_json:
        print_json(words)
    else:
        print("\n".join(words))
