"""Arguments that several commands share, and their conversion to values."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from opendynamics.api import checks
from opendynamics.cli.errors import UserError
from opendynamics.scenes import Scene

MAX_STEPS = checks.MOST


def add_duration(parser: argparse.ArgumentParser) -> None:
    """`--steps` or `--seconds`."""
    duration = parser.add_mutually_exclusive_group()
    duration.add_argument("--steps", type=count, metavar="N", help="run for N steps")
    duration.add_argument("--seconds", type=positive("a time"), metavar="T", help="run for T simulated seconds")


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")


def chosen_steps(options: argparse.Namespace, scene: Scene) -> int:
    """Number of steps of `scene` to run."""
    if options.steps is not None:
        return int(options.steps)
    if options.seconds is not None:
        return max(1, step_at(float(options.seconds), scene.h, "--seconds"))
    return scene.steps


def step_at(time: float, h: float, option: str) -> int:
    """Number of steps of `h` s until a time, s; UserError, with the option that gave the time, above MAX_STEPS."""
    steps = time / h
    if steps > MAX_STEPS:
        raise UserError(
            f"{option} {time:g} takes {steps:.3g} steps of {h:g} s, but at most {MAX_STEPS} are made: lower it"
        )
    return round(steps)


def count(word: str) -> int:
    """An integer from 1 to MAX_STEPS."""
    if not word.isdecimal() or not 1 <= int(word) <= MAX_STEPS:
        raise argparse.ArgumentTypeError(
            f"{word!r} is not a number of steps; write a whole number from 1 to {MAX_STEPS}"
        )
    return int(word)


def positive(what: str) -> Callable[[str], float]:
    """An argument type: finite numbers above 0, called `what` in messages."""
    return _number(what, lambda given: 0.0 < given < math.inf, "a number above 0, like 2.5")


def not_negative(what: str, example: str) -> Callable[[str], float]:
    """An argument type: finite numbers from 0 on."""
    return _number(what, lambda given: 0.0 <= given < math.inf, f"a number from 0 on, like {example}")


def _number(what: str, fits: Callable[[float], bool], remedy: str) -> Callable[[str], float]:
    def value(word: str) -> float:
        try:
            given = float(word)
        except ValueError:
            given = math.nan
        if not fits(given):
            raise argparse.ArgumentTypeError(f"{word!r} is not {what}; write {remedy}")
        return given

    return value
