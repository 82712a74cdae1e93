"""Single calls from Python, µs: ``python -m benchmarks.calls [--turns N] [--pyode PYTHON]``.

The cost of each call to a program that drives a world itself: a step of a world with little in it, adding bodies and joints,
adding a force, reading an angle or a position. Every call is repeated on objects created afresh for each round; the calls
take turns, and the median of the rounds' means is printed with the lowest and the highest. Where PyODE is installed
(/usr/bin/python3 with Debian's python3-pyode, or --pyode), its equivalent call is listed too.

Not comparable: times are processor time of one thread; PyODE neither checks arguments nor returns NumPy arrays.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import opendynamics as od
from benchmarks.loop import PYODE, has_pyode
from benchmarks.run import machine

CALLS = 300  # of each a turn
H = 0.01


class Timed(NamedTuple):
    """A call: its name in the table, and a function that makes the timed function from a fresh world with one hinge."""

    label: str
    prepare: Callable[[od.World, Any], Callable[[], object]]


def _step(world: od.World, _: Any) -> Callable[[], object]:
    return lambda: world.step(H)


def _advance(world: od.World, _: Any) -> Callable[[], object]:
    return lambda: world.advance(H)


def _add_body(world: od.World, _: Any) -> Callable[[], object]:
    return lambda: world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 1), density=500)


def _add_bare_body(world: od.World, _: Any) -> Callable[[], object]:
    return lambda: world.add_body(mass=1.0)


def _add_ball(world: od.World, hinge: Any) -> Callable[[], object]:
    one, other = hinge.bodies
    return lambda: world.add_ball(one, other, anchor=(0, 0, 1))


def _add_force(_: od.World, hinge: Any) -> Callable[[], object]:
    body = hinge.bodies[0]
    return lambda: body.add_force((0, 0, 1))


def _angle(_: od.World, hinge: Any) -> Callable[[], object]:
    return lambda: hinge.angle


def _position(_: od.World, hinge: Any) -> Callable[[], object]:
    body = hinge.bodies[0]
    return lambda: body.position


def _energy(world: od.World, _: Any) -> Callable[[], object]:
    return lambda: world.kinetic_energy


TIMED = (
    Timed("step(h), 2 bodies and a hinge", _step),
    Timed("advance(h), the same", _advance),
    Timed("add_body(Box)", _add_body),
    Timed("add_body(mass)", _add_bare_body),
    Timed("add_ball", _add_ball),
    Timed("add_force", _add_force),
    Timed("hinge.angle", _angle),
    Timed("body.position", _position),
    Timed("world.kinetic_energy", _energy),
)


def small_world() -> tuple[od.World, Any]:
    """Two bodies on a hinge, stepped once."""
    world = od.World(gravity=(0, 0, -9.81))
    world.threads = 1
    one = world.add_body(mass=1.0, position=(0, 0, 1))
    other = world.add_body(mass=1.0, position=(0.5, 0, 1))
    hinge = world.add_hinge(one, other, anchor=(0.25, 0, 1), axis=(0, 1, 0))
    world.step(H)
    world.advance(H)
    return world, hinge


def seconds_a_call(call: Callable[[], object], count: int = CALLS) -> float:
    """Processor time of a call, s, the mean of `count`."""
    repeat = range(count)
    start = time.thread_time()
    for _ in repeat:
        call()
    return (time.thread_time() - start) / count


def measure(turns: int) -> dict[str, list[float]]:
    """Seconds a call by label, one number a turn."""
    seconds: dict[str, list[float]] = {timed.label: [] for timed in TIMED}
    for _ in range(turns):
        for timed in TIMED:
            call = timed.prepare(*small_world())
            seconds_a_call(call)  # the first calls are checked more closely, and load what they need
            seconds[timed.label].append(seconds_a_call(call))
    return seconds


def measure_pyode(python: str, turns: int) -> dict[str, float]:
    """The same of PyODE, s, by label; nothing where it is not installed."""
    if not has_pyode(python):
        return {}
    program = Path(__file__).parent / "peers" / "pyode_calls.py"
    done = subprocess.run([python, program, str(turns), str(CALLS)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calls", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=15, help=f"turns of {CALLS} calls each")
    parser.add_argument("--pyode", default=PYODE, help="the Python that has PyODE")
    options = parser.parse_args(arguments)
    print("; ".join(f"{key} {value}" for key, value in machine().items()))
    peer = measure_pyode(options.pyode, options.turns)
    print("| call | µs: median (lowest–highest) | PyODE |")
    print("|---|---|---|")
    for label, seconds in measure(options.turns).items():
        low, middle, high = (1e6 * value for value in (min(seconds), statistics.median(seconds), max(seconds)))
        other = f"{1e6 * peer[label]:.2f}" if label in peer else "–"
        print(f"| {label} | {middle:.2f} ({low:.2f}–{high:.2f}) | {other} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
