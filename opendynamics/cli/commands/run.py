"""Run a scene: a Python script, a benchmark scene, a recorded scene, or a built-in one.

*.py              A script. If it defines build() that returns an opendynamics.scenes.Scene or a World, that is
                  run and summed up; otherwise the script has just been executed, and the options do not apply.
*.txt, *.txt.gz   A benchmark scene; its format is described in benchmarks/scenes/README.md.
*.cnoid           A project of Choreonoid: bodies, controllers and simulator as it says. --set step_mode=exact or any other
                  setting changes it; --set simulator=NAME share=FOLDER choose one of its simulators and what ${SHARE} is.
*.body, *.urdf    A robot alone; `opendynamics view` shows it with a slider for each joint.
*.json, *.json.gz A scene recorded from ODE. It is played to its end and compared: largest deviation at steps 10,
                  50, 100, 200 and overall.
*.dif, *.dif.gz   A world that ODE's or our dWorldExportDIF wrote.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from opendynamics.api.describing import count
from opendynamics.api.files import FileError
from opendynamics.cli.arguments import add_duration, add_json, not_negative
from opendynamics.cli.errors import Interrupted, UserError
from opendynamics.cli.recorder import add_record, play_recorded
from opendynamics.cli.recordings import Comparison, allowed_deviations, compare
from opendynamics.cli.report import print_json, print_rows, print_summary
from opendynamics.cli.scene_files import file_kind, load_recorded_scene
from opendynamics.cli.sources import NoSceneError, add_scene, as_file, opened
from opendynamics.cli.viewing import add_view, show, wanted_seconds

EXAMPLES = """\
examples:
  opendynamics run examples/car.py --seconds 5
  opendynamics run benchmarks/scenes/chain50.txt.gz --json
  opendynamics run my_scene.py --seconds 20 --record run.odr --every 2
  opendynamics run my_scene.py --view
  opendynamics run SR1Walk.cnoid --set step_mode=exact --record walk.odr
  opendynamics run tests/data/trajectories/hinge_chain.json.gz
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_scene(parser)
    parser.add_argument(
        "--tolerance",
        type=not_negative("a tolerance", "1e-9"),
        metavar="X",
        help="deviation allowed at every checked step of a recorded scene",
    )
    add_duration(parser)
    add_record(parser)
    add_json(parser)
    add_view(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    path = as_file(options.scene)
    if path is not None and file_kind(path) == "recorded" and not options.view:
        return _compare(options, path)
    if options.tolerance is not None:
        raise UserError(f"--tolerance is for recorded scenes, which {options.scene} is not")
    try:
        with opened(options.scene, options.set, execute=not options.view and options.record is None) as source:
            if options.view:
                return show(options, source, wanted_seconds(options, source.scene))
            summary, well = play_recorded(options, source)
    except NoSceneError as error:
        if options.view:
            raise
        if options.record is not None:
            raise UserError(f"{error}; there, let the script record itself, by od.Recorder(world, ...)") from None
        _warn_of_unused(options)
        return 0
    print_summary(summary, options.json)
    if summary.interrupted:
        raise Interrupted
    return 0 if well else 1


def _warn_of_unused(options: argparse.Namespace) -> None:
    """One line about the options that a script without build() cannot follow."""
    given = {
        "--steps": options.steps is not None,
        "--seconds": options.seconds is not None,
        "--set": options.set,
        "--json": options.json,
        "--every": options.every != 1,
        "--with": options.more,
        "--overwrite": options.overwrite,
        "--profile": options.profile,
    }
    unused = ", ".join(name for name, value in given.items() if value)
    if unused:
        print(f"opendynamics: {options.scene} defines no build() and was executed without {unused}", file=sys.stderr)


def _compare(options: argparse.Namespace, path: Path) -> int:
    if options.steps is not None or options.seconds is not None or options.set or options.record is not None:
        raise UserError(
            f"{path} is a recorded scene, which is played to its end and compared: leave out --steps, --seconds, --set "
            "and --record"
        )
    recorded = load_recorded_scene(path)
    try:
        comparison = compare(recorded, allowed_deviations(recorded, path, options.tolerance))
    except FileError as error:
        raise UserError(f"{path} cannot be played: {error}") from error
    if options.json:
        print_json(asdict(comparison))
    else:
        _print(comparison)
    return 0 if comparison.agrees else 1


def _print(found: Comparison) -> None:
    rows = [
        (
            "world",
            f"{count(found.bodies, 'body')}, {count(found.joints, 'joint')}, {count(found.steps, 'step')} of {found.stepper}",
        )
    ]
    for step, deviation in found.deviations.items():
        rows.append((f"step {step}", f"{deviation:.1e} from the recording, {found.allowed[step]:.1e} is allowed"))
    rows.append(("overall", f"{found.overall:.1e}, at step {found.overall_step}"))
    rows.append(("verdict", "agrees" if found.agrees else "does NOT agree"))
    print_rows(found.scene, rows)
