"""Time the built-in scenes on this machine.

Each is run several times from its start; compilation is not included. The table has the median of the runs, and the
spread from the fastest to the slowest: if it is large, the machine was busy with other work. `make bench` in a clone compares
with other engines.
"""

from __future__ import annotations

import argparse
import os
import platform
from dataclasses import asdict
from functools import partial
from importlib.metadata import version

import opendynamics
from opendynamics.api.progress import Update, progress
from opendynamics.cli.arguments import add_json, count
from opendynamics.cli.benchmarking import STEPS, Timing, time_scene
from opendynamics.cli.errors import Interrupted
from opendynamics.cli.machine import processor
from opendynamics.cli.report import number, print_json
from opendynamics.cli.sources import require_registered
from opendynamics.scenes import SCENES

EXAMPLES = """\
examples:
  opendynamics bench
  opendynamics bench wall pit --runs 11
  opendynamics bench car --steps 1000 --json
"""

BUSY = 0.25  # spread


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("scenes", metavar="SCENE", nargs="*", help="built-in scenes (default: all)")
    parser.add_argument(
        "--steps", type=count, metavar="N", help=f"steps of a run (default: the scene's, at most {STEPS})"
    )
    parser.add_argument("--runs", type=count, default=5, metavar="N", help="runs of each scene (default: 5)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    names = options.scenes or list(SCENES.names)
    for name in names:
        require_registered(name)
    timings: list[Timing] = []
    try:
        with progress(len(names) * options.runs, "timing") as update:
            for k, name in enumerate(names):
                shown = partial(_show, update, name, k * options.runs)
                timings.append(time_scene(name, options.steps, options.runs, shown))
    except KeyboardInterrupt:
        raise Interrupted from None
    finally:  # Ctrl-C keeps the results so far
        if options.json:
            print_json(_machine() | {"scenes": [asdict(timing) for timing in timings]})
        else:
            _print(timings)
            if len(timings) < len(names):
                print(f"\nEnded after {len(timings)} of {len(names)} scenes.")
    return 0


def _show(update: Update, name: str, before: int, done: int) -> None:
    update(before + done, name)


def _machine() -> dict[str, object]:
    return {
        "version": opendynamics.__version__,
        "python": platform.python_version(),
        "numba": version("numba"),
        "processor": processor(),
        "cores": os.cpu_count(),
    }


def _print(timings: list[Timing]) -> None:
    machine = _machine()
    print(f"opendynamics {machine['version']} on {machine['processor']}, {machine['cores']} logical cores\n")
    rows = [("scene", "bodies", "contacts", "ms a step", "spread", "times real time")]
    rows += [
        (t.scene, str(t.bodies), str(t.contacts), number(t.ms), f"{100 * t.spread:.0f} %", number(t.speed))
        for t in timings
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for name, *cells in rows:
        words = [name.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))]
        print("  ".join(words))
    if any(timing.spread > BUSY for timing in timings):
        print("\nThe spread is large: the machine was busy. Close what else runs, or ask for more --runs.")
