"""From nothing to a ball that has made its first step, in separate processes: ``python -m benchmarks.start_up``.

Prints seconds of processor time with warm kernels: until `import opendynamics` has ended, until its names have been looked up
(which imports what they need; NumPy's part of it is measured separately), until the world is made, and after the first step.
With `--against FOLDER`, another checkout takes turns with this one, and the ratio of each pair of runs is printed too.
Modules are loaded from .pyc files, as they are after an installation.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]

# A whole first program, as a user would write it: what `make bench` calls start-up.
FIRST_PROGRAM = """
import time
start = time.perf_counter()
import opendynamics as od
world = od.World(gravity=(0, 0, -9.81))
world.add_plane(normal=(0, 0, 1))
ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
world.advance(1 / 60)
assert ball.position[2] < 2
print("seconds", time.perf_counter() - start)
"""

PARTS = ("NumPy", "import opendynamics", "World, Sphere", "world, plane, ball", "first step", "all of it")

# The same, with the processor time after each part.
IN_PARTS = """
import time
times = [time.process_time()]
import numpy
times.append(time.process_time())
import opendynamics as od
times.append(time.process_time())
od.World, od.Sphere
times.append(time.process_time())
world = od.World(gravity=(0, 0, -9.81))
world.add_plane(normal=(0, 0, 1))
ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
times.append(time.process_time())
world.advance(1 / 60)
times.append(time.process_time())
assert ball.position[2] < 2
print(*times)
"""


def _environment(folder: str) -> dict[str, str]:
    """Fresh processes with their own kernel cache and .pyc files."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "OPENDYNAMICS_CACHE_DIR": f"{folder}/kernels", "PYTHONPYCACHEPREFIX": f"{folder}/modules"}


def _run(program: str, environment: dict[str, str]) -> str:
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the first program failed: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def measure_start_up(repeat: int) -> dict[str, list[float]]:
    """Seconds until a ball has made its first step, in fresh processes with their own kernel cache.

    "cold": the cache is empty (once); "warm": it is not; "... process": the same from the start of
    the interpreter to its end. Raises ``RuntimeError`` with the program's words if it fails.
    """
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="opendynamics-bench-", ignore_cleanup_errors=True) as folder:
        for run in range(repeat + 1):
            start = time.perf_counter()
            shown = _run(FIRST_PROGRAM, _environment(folder))
            whole = time.perf_counter() - start
            kind = "warm" if run else "cold"
            seconds.setdefault(kind, []).append(float(shown.split()[-1]))
            seconds.setdefault(f"{kind} process", []).append(whole)
    return seconds


def measure_parts(checkouts: Sequence[Path], turns: int) -> list[list[list[float]]]:
    """Seconds of processor time of each of PARTS, turn by turn, for each checkout; kernels are warm."""
    seconds: list[list[list[float]]] = [[] for _ in checkouts]
    with tempfile.TemporaryDirectory(prefix="opendynamics-bench-", ignore_cleanup_errors=True) as folder:
        # The kernels of the user's own cache serve, unless they are missing.
        environment = _environment(folder) | {"OPENDYNAMICS_CACHE_DIR": os.environ.get("OPENDYNAMICS_CACHE_DIR", "")}
        for turn in range(turns + 1):
            for found, checkout in zip(seconds, checkouts, strict=True):
                times = [float(part) for part in _run(IN_PARTS, environment | {"PYTHONPATH": str(checkout)}).split()]
                if turn:  # the first has made kernels and .pyc files
                    found.append([b - a for a, b in pairwise(times)] + [times[-1] - times[0]])
    return seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    from benchmarks.run import machine  # which imports this module

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.start_up", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--against", type=Path, help="another checkout, which takes turns with this one")
    options = parser.parse_args(arguments)
    checkouts = [ROOT, *([options.against] if options.against else [])]
    seconds = measure_parts(checkouts, options.turns)
    print("; ".join(f"{key} {value}" for key, value in machine().items()))
    for k, part in enumerate(PARTS):
        ours, *others = ([turn[k] for turn in found] for found in seconds)
        line = f"{part:20s} {statistics.median(ours):.3f} s ({min(ours):.3f}-{max(ours):.3f})"
        for other in others:
            ratio = statistics.median(a / b for a, b in zip(ours, other, strict=True) if b)
            line += f"; {options.against}: {statistics.median(other):.3f} s, ratio {ratio:.2f}"
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
