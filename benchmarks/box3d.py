"""Box3D's benchmark scenes: cost of a step, accuracy and memory of the solvers, at any size.

large_pyramid   a pyramid of unit cubes, 100 at its base
joint_grid      a square grid of spheres, 100 a side, with ball joints between neighbours, held by seven of the first row
many_pyramids   196 pyramids of 55 cubes each

Steps of 1/60 s; "soft" takes 4 sub-steps in each, as Box3D does; no body may sleep. Not comparable: Box3D's own figures were
taken with one thread on another machine (AMD EPYC, Zen 5), so only ratios taken on one machine say which is faster. Solvers
take turns, each on a world of its own; times are medians with the smallest and largest.

    python -m benchmarks.box3d --json build/bench/box3d.json --plot build/bench/box3d.svg
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import opendynamics as od
from benchmarks.run import machine, spread

H = 1.0 / 60.0
SOLVERS = ("soft", "pgs", "auto")


class Scene(NamedTuple):
    """A scene: how it is built at a size, its size in Box3D, and Box3D's ms a step (EPYC, Zen 5)."""

    build: Callable[[od.World, int], None]
    size: int
    box3d: float


def pyramid_positions(base: int) -> NDArray[np.float64]:
    """Centres of unit cubes, row upon row."""
    rows = [(k - 0.5 * (base - row - 1), 0.0, 0.5 + row) for row in range(base) for k in range(base - row)]
    return np.array(rows)


def large_pyramid(world: od.World, base: int) -> None:
    """One pyramid on the ground."""
    world.add_plane(normal=(0, 0, 1))
    world.add_bodies(od.Box((1, 1, 1)), pyramid_positions(base), density=100)


def many_pyramids(world: od.World, side: int) -> None:
    """Pyramids of base 10 on a square grid."""
    world.add_plane(normal=(0, 0, 1))
    one = pyramid_positions(10)
    places = [one + np.array([14.0 * x, 4.0 * y, 0.0]) for x in range(side) for y in range(side)]
    world.add_bodies(od.Box((1, 1, 1)), np.vstack(places), density=100)


def joint_grid(world: od.World, side: int) -> None:
    """Spheres that hang from seven of their first row, which are kinematic; they leave each other alone."""
    places = np.array([(float(x), 0.0, -float(y)) for y in range(side) for x in range(side)])
    geom = od.Sphere(0.4)
    geom.collide_bits = 0
    bodies = world.add_bodies(geom, places, density=1.0)
    for k, body in enumerate(bodies):
        x, y = k % side, k // side
        body.kinematic = y == 0 and abs(x - side // 2) <= 3
        if y:
            world.add_ball(bodies[k - side], body, anchor=tuple(places[k] + (0.0, 0.0, 0.5)))
        if x:
            world.add_ball(bodies[k - 1], body, anchor=tuple(places[k] - (0.5, 0.0, 0.0)))


SCENES = {
    "large_pyramid": Scene(large_pyramid, 100, 12.3),
    "joint_grid": Scene(joint_grid, 100, 13.1),
    "many_pyramids": Scene(many_pyramids, 14, 35.6),
}


def build(name: str, size: int, solver: str, threads: int = 1) -> od.World:
    """A world with a scene."""
    world = od.World(gravity=(0, 0, -10), solver=solver)
    world.threads = threads
    world.auto_disable = False
    if solver == "soft":
        world.soft_substeps = 4
    SCENES[name].build(world, size)
    return world


def joint_error(world: od.World) -> float:
    """The largest distance between the two anchors of a joint, m."""
    gaps = [np.linalg.norm(np.subtract(joint.anchor, joint.anchor2)) for joint in world.joints]
    return float(max(gaps, default=0.0))


def measure(
    name: str, size: int, steps: int, repeat: int, solvers: Sequence[str] = SOLVERS, threads: Sequence[int] = (1,)
) -> list[dict[str, Any]]:
    """One row for each solver and number of threads."""
    variants = list(product(solvers, threads))
    times: dict[tuple[str, int], list[float]] = {variant: [] for variant in variants}
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for _ in range(repeat):
        for solver, count in variants:
            tracemalloc.start()
            start = perf_counter()
            world = build(name, size, solver, count)
            creation = perf_counter() - start
            world.advance(H, steps=2)
            memory = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
            start = perf_counter()
            world.advance(H, steps=steps)
            times[solver, count].append(1e3 * (perf_counter() - start) / steps)
            found = world.statistics
            rows[solver, count] = {
                "scene": name,
                "size": size,
                "solver": solver,
                "threads": count,
                "bodies": len(world.bodies),
                "joints": len(world.joints),
                "contacts": found.contacts,
                "penetration_mm": 1e3 * found.deepest,
                "joint_error_mm": 1e3 * joint_error(world),
                "residual": found.residual,
                "kinetic_energy": world.kinetic_energy,
                "us_to_create_a_body": 1e6 * creation / len(world.bodies),
                "bytes_a_body": memory / len(world.bodies),
            }
    return [rows[variant] | {"ms": times[variant]} for variant in variants]


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    scene = SCENES[row["scene"]]
    box3d = f"{scene.box3d:10.1f}" if row["size"] == scene.size else f"{'':>10}"
    return (
        f"{row['scene']:<15}{row['size']:>5} {row['solver']:<6}{row['threads']:>8}{row['bodies']:>8}{row['contacts']:>9}"
        f"{spread(row['ms']):>24}"
        f"{box3d}{row['penetration_mm']:>10.3g}{row['joint_error_mm']:>10.3g}{row['bytes_a_body']:>9.0f}"
    )


def plot(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Cost against size, for each scene and solver."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for key in dict.fromkeys((row["scene"], row["solver"], f"{row['threads']} threads") for row in rows):
        own = [row for row in rows if (row["scene"], row["solver"], f"{row['threads']} threads") == key]
        axes.loglog(
            [row["bodies"] for row in own], [statistics.median(row["ms"]) for row in own], "o-", label=", ".join(key)
        )
    axes.set(xlabel="bodies", ylabel="ms a step")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    pyplot.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the requested files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.box3d", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=["soft"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1])
    parser.add_argument("--shares", nargs="+", type=float, default=[0.25, 0.5, 1.0], help="of Box3D's size")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--plot", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    print(f"{'scene':<15}{'size':>5} {'solver':<6}{'threads':>8}{'bodies':>8}{'contacts':>9}{'ms a step':>24}", end="")
    print(f"{'Box3D, ms':>10}{'depth, mm':>10}{'joint, mm':>10}{'B a body':>9}", flush=True)
    rows = []
    for name in options.scenes:
        for share in options.shares:
            size = max(2, round(SCENES[name].size * share))
            for row in measure(name, size, options.steps, options.repeat, options.solvers, options.threads):
                rows.append(row)
                print(line(row), flush=True)
    print("Box3D's times: one thread of an AMD EPYC (Zen 5), another machine than this; compare ratios taken on one.")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n")
    if options.plot:
        plot(rows, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
