"""Measures SimBenchmark's accuracy tests on this engine and prints them next to the values published for ODE.

``python -m benchmarks.accuracy`` takes about half a minute; names of tests choose some. Definitions and scenes are in
``benchmarks/simbench.py``. ODE's errors are those of the benchmark's authors (2018). Times depend on the machine and are
there to show what an accuracy costs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import simbench


@dataclass(frozen=True)
class Case:
    """A measurement, its unit, the value published for ODE, and the largest value this engine promises, if any."""

    name: str
    measure: Callable[[], float]
    unit: str
    published: float | None
    most: float | None = None


CASES = (
    Case("rolling-xy", lambda: simbench.rolling("xy"), "(m/s)²", 3.145, 1e-6),
    Case("rolling-y", lambda: simbench.rolling("y"), "(m/s)²", 7.7e-9, 1e-6),
    Case("rolling-xy-pyramid", lambda: simbench.rolling("xy", cone="pyramid"), "(m/s)²", 3.145),
    Case("momentum", simbench.momentum, "(kg m/s)²", 4.6e-26, 1e-24),
    Case("666", simbench.balls, "m²", 1.55e-4, 1.6e-4),
    Case("666-coarse", lambda: simbench.balls(h=1e-2), "m²", 0.0161),
    Case("bouncing", simbench.bouncing, "J²", 185.0),
    Case("bouncing-coarse", lambda: simbench.bouncing(h=1e-2), "J²", 1.88e4),
    Case("elastic-666", lambda: simbench.balls(elastic=True), "J²", 112.0),
    Case("elastic-666-coarse", lambda: simbench.balls(h=1e-2, elastic=True), "J²", 8.6e6),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return 1 if something is worse than promised."""
    known = {case.name: case for case in CASES}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these: " + ", ".join(known))
    chosen = parser.parse_args(arguments).tests
    unknown = sorted(set(chosen) - set(known))
    if unknown:
        parser.error(f"unknown tests: {', '.join(unknown)}; write some of: {', '.join(known)}")
    print(f"{'test':20s} {'error':>10s} {'ODE':>10s} {'at most':>8s}  {'unit':10s} {'s':>6s}")
    worse = []
    for case in [known[name] for name in chosen] or CASES:
        start = time.perf_counter()
        error = case.measure()
        seconds = time.perf_counter() - start
        published = "" if case.published is None else f"{case.published:.3g}"
        most = "" if case.most is None else f"{case.most:.2g}"
        print(f"{case.name:20s} {error:10.3g} {published:>10s} {most:>8s}  {case.unit:10s} {seconds:6.1f}", flush=True)
        if case.most is not None and not error <= case.most:
            worse.append(case.name)
    if worse:
        print(f"worse than promised: {', '.join(worse)}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
