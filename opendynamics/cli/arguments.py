"""Arguments that several commands have, and how their words become values."""

from __future__ import annotations

import argparse
import math

from opendynamics.scenes import Scene


def add_duration(parser: argparse.ArgumentParser) -> None:
    """`--steps` or `--seconds`."""
    duration = parser.add_mutually_exclusive_group()
    duration.add_argument("--steps", type=_count, metavar="N", help="run for N steps")
    duration.add_argument("--seconds", type=_duration, metavar="T", help="run for T simulated seconds")


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")


def chosen_steps(options: argparse.Namespace, scene: Scene) -> int:
    """How many steps of `scene` to do."""
    if options.steps is not None:
        return int(options.steps)
    if options.seconds is not None:
        return max(1, round(float(options.seconds) / scene.h))
    return scene.steps


def _count(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number of steps; write a whole number from 1 on")
    return int(word)


def _duration(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0.0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{word!r} is not a time; write seconds above 0, like 2.5")
    return seconds
