"""How the exact step's time and memory grow with a chain of ball joints, and the soft step's with piles of 100 boxes each.

``python -m benchmarks.scaling [--plot FILE]`` prints a table and the exponents p of time ~ n^p and memory ~ n^p, found
by least squares over the chains of 100 links and more, and draws both. ODE factorises a dense matrix: it is measured up
to ``--longest-ode`` links. ``--piles 1000`` prints the table of piles instead, up to so many of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.box3d import H, pyramid_positions
from benchmarks.chains import chain
from benchmarks.peers.ode_c import OdePeer
from benchmarks.peers.ours import OursPeer
from benchmarks.run import machine, number, spread
from opendynamics.api.reading import memory_of

LINKS = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
SECONDS = 0.3  # that one measurement should take


@dataclass
class Point:
    """One length: milliseconds a step, one number a round, and bytes of all tables."""

    links: int
    ours: list[float]
    ode: list[float]
    memory: int


def steps_for(peer: Any) -> int:
    """How many steps fill a measurement."""
    peer.run(1)
    return max(1, int(SECONDS / max(peer.run(2) / 2, 1e-9)))


def measure(links: int, repeat: int, with_ode: bool) -> Point:
    """Both engines in turns, on one world each."""
    scene = chain(links)
    ours = OursPeer(scene)
    ode = OdePeer(scene) if with_ode else None
    our_steps = steps_for(ours)
    ode_steps = steps_for(ode) if ode else 0
    point = Point(links, [], [], 0)
    for _ in range(repeat):
        point.ours.append(1000.0 * ours.run(our_steps) / our_steps)
        if ode:
            point.ode.append(1000.0 * ode.run(ode_steps) / ode_steps)
    point.memory = ours.memory()
    if not np.isfinite(ours.positions()).all():
        raise FloatingPointError(f"the chain of {links} links came out not finite")
    ours.close()
    if ode:
        ode.close()
    return point


def exponent(links: Sequence[int], values: Sequence[float]) -> float:
    """p of values ~ links^p, by least squares of the logarithms."""
    return float(np.polyfit(np.log(links), np.log(values), 1)[0])


def draw(points: Sequence[Point], path: Path) -> None:
    """Time and memory over the length, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    links = [point.links for point in points]
    left.loglog(links, [median(point.ours) for point in points], "o-", label="opendynamics")
    ode = [point for point in points if point.ode]
    if ode:
        left.loglog([p.links for p in ode], [median(p.ode) for p in ode], "s--", label="ODE in C")
    left.set(xlabel="ball joints", ylabel="ms a step", title="Exact step")
    left.legend()
    right.loglog(links, [point.memory / 2**20 for point in points], "o-")
    right.set(xlabel="ball joints", ylabel="MiB of tables", title="Memory")
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(path)


def piles_of_boxes(piles: int) -> od.World:
    """Pyramids of 14 unit cubes at the base, without their topmost five, on a square grid; no body may sleep."""
    world = od.World(gravity=(0, 0, -10), solver="soft")
    world.auto_disable = False
    world.threads = 1
    world.add_plane(normal=(0, 0, 1))
    one, side = pyramid_positions(14)[:100], int(np.ceil(np.sqrt(piles)))
    world.add_bodies(
        od.Box((1, 1, 1)),
        np.vstack([one + np.array([16.0 * (k % side), 4.0 * (k // side), 0.0]) for k in range(piles)]),
        density=100,
    )
    return world


def print_piles(most: int, repeat: int) -> None:
    """Processor time and memory of 10, 100 ... piles."""
    print(f"{'bodies':>8}{'contacts':>10}{'ms a step':>24}{'us a body':>12}{'B a body':>10}")
    for piles in (10**k for k in range(1, 6) if 10**k <= most):
        world = piles_of_boxes(piles)
        world.advance(H, steps=2)
        times = []
        for _ in range(repeat):
            start = process_time()
            world.advance(H, steps=10)
            times.append(100.0 * (process_time() - start))
        bodies, contacts = len(world.bodies), world.statistics.contacts
        print(
            f"{bodies:>8}{contacts:>10}{spread(times):>24}{number(1000 * median(times) / bodies):>12}"
            f"{number(memory_of(world) / bodies):>10}",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, draws."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5, help="rounds a length (default 5)")
    parser.add_argument("--longest", type=int, default=LINKS[-1], help="links of the longest chain")
    parser.add_argument("--longest-ode", type=int, default=300, help="longest chain that ODE steps, too")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw a picture (needs matplotlib)")
    parser.add_argument("--piles", type=int, metavar="N", help="measure up to so many piles instead of chains")
    options = parser.parse_args(arguments)
    for name, fact in machine().items():
        print(f"{name + ':':<14}{fact}")
    if options.piles:
        print_piles(options.piles, options.repeat)
        return 0
    has_ode = OdePeer.available()[0]
    print(
        f"\n{'links':>7}{'opendynamics, ms/step':>30}{'ODE C, ms/step':>30}{'us a link':>12}{'MiB':>8}{'bytes a link':>14}"
    )
    points = []
    for links in LINKS:
        if links > options.longest:
            break
        point = measure(links, options.repeat, has_ode and links <= options.longest_ode)
        points.append(point)
        print(
            f"{links:>7}{spread(point.ours):>30}{spread(point.ode):>30}{number(1000 * median(point.ours) / links):>12}"
            f"{number(point.memory / 2**20):>8}{number(point.memory / links):>14}",
            flush=True,
        )
    long = [point for point in points if point.links >= 100]
    if len(long) > 1:
        lengths = [point.links for point in long]
        print(f"time   ~ n^{exponent(lengths, [median(point.ours) for point in long]):.2f}")
        print(f"memory ~ n^{exponent(lengths, [point.memory for point in long]):.2f}")
    if options.plot:
        draw(points, options.plot)
        print(f"drawn: {options.plot}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
