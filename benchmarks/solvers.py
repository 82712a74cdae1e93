"""Which solver when: time and accuracy of all solvers on the same scenes, in one interleaved run.

The worlds of a scene differ in nothing but `solver`, and are stepped in turn. After the time to settle, over two seconds:

    ms a step     processor time of `advance`, median and 95th percentile
    penetration   the deepest contact of any step, mm
    joint error   the furthest that any joint's anchors come apart, mm
    creep         the speed that 90 % of the bodies stay below on average, mm/s, in scenes that come to rest
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.run import machine
from opendynamics import scenes
from opendynamics.core.families import SOLVERS
from opendynamics.io import build_scene, read_bench_scene

WINDOW = 2.0  # s
BENCH_SCENES = Path(__file__).parent / "scenes"


@dataclass(frozen=True)
class Case:
    """A scene: how its world is made with a solver, its step, s, how long it takes to settle, s, and whether it rests then."""

    build: Callable[[str], od.World]
    h: float
    settle: float
    rests: bool = True


def registered(name: str, **options: Any) -> Callable[[str], od.World]:
    """A registered scene."""

    def build(solver: str) -> od.World:
        world = scenes.build(name, **options).world
        world.solver = solver
        return world

    return build


def recorded(name: str) -> Callable[[str], od.World]:
    """A recorded scene, in a world of opendynamics' own."""

    def build(solver: str) -> od.World:
        world = od.World(solver=solver)
        build_scene(world, read_bench_scene(BENCH_SCENES / f"{name}.txt.gz"))
        return world

    return build


def pile(count: int) -> Callable[[str], od.World]:
    """Boxes of half a metre that fall on each other."""

    def build(solver: str) -> od.World:
        world = od.World(gravity=(0, 0, -9.81), solver=solver)
        world.add_plane()
        random = np.random.default_rng(0)
        side = max(1, round((count / 4) ** 0.5))
        for k in range(count):
            layer, row, column = k // side**2, (k // side) % side, k % side
            world.add_body(
                od.Box(random.uniform(0.3, 0.6, 3)),
                position=(0.62 * column, 0.62 * row, 0.4 + 0.7 * layer),
                quaternion=od.rotation.quaternion_from_axis_angle((1, 2, 3), float(k)),
            )
        return world

    return build


def pyramid(base: int) -> Callable[[str], od.World]:
    """Cubes of a metre in one plane, as Box3D's large_pyramid (with a base of 100)."""

    def build(solver: str) -> od.World:
        world = od.World(gravity=(0, 0, -10), solver=solver, surface=od.Surface(mu=0.6))
        world.add_plane()
        for row in range(base):
            for column in range(base - row):
                at = (1.05 * column + 0.525 * row - 0.5 * base, 0, 0.5 + row)
                world.add_body(od.Box((1, 1, 1)), position=at, density=100)
        return world

    return build


def joint_grid(count: int) -> Callable[[str], od.World]:
    """A net of `count` x `count` spheres on ball joints, some of them held, as Box3D's joint_grid (with 100)."""

    def build(solver: str) -> od.World:
        world = od.World(gravity=(0, 0, -10), solver=solver)
        above: list[Any] = [None] * count
        for k in range(count):
            left = None
            for i in range(count):
                ball = world.add_body(
                    mass=1.0, position=(i, 0, -k), kinematic=k == 0 and count // 2 - 3 <= i <= count // 2 + 3
                )
                if k:
                    world.add_ball(ball, above[i], anchor=(i, 0, 0.5 - k))
                if left is not None:
                    world.add_ball(ball, left, anchor=(i - 0.5, 0, -k))
                left = above[i] = ball
        return world

    return build


CASES = {
    "chain of 20, swinging": Case(registered("chain", links=20), 1 / 200, 0.5, rests=False),
    "3 ragdolls on stairs": Case(registered("ragdolls"), 1 / 60, 6.0),
    "wall of 100 bricks": Case(recorded("wall10"), 1 / 60, 2.0),
    "pile of 1,000 boxes": Case(pile(1000), 1 / 60, 5.0),
    "pyramid of 210 boxes": Case(pyramid(20), 1 / 60, 4.0),
    "large_pyramid": Case(pyramid(100), 1 / 60, 1.0),
    "joint_grid": Case(joint_grid(100), 1 / 60, 0.5, rests=False),
}


# Minutes a step for the exact solver.
LARGE = ("large_pyramid", "joint_grid")


@dataclass
class Found:
    """The measured values; creep is NaN in scenes that do not come to rest."""

    median: float
    high: float
    penetration: float
    joint_error: float
    creep: float


class Run:
    """One world of a case."""

    def __init__(self, case: Case, solver: str) -> None:
        self.case = case
        self.world = case.build(solver)
        self.world.threads = 1
        self.world.advance(case.h, steps=round(case.settle / case.h))
        self.before = self.world.positions
        self.times: list[float] = []
        self.penetration = self.joint_error = 0.0

    def step(self) -> None:
        start = time.thread_time()
        self.world.advance(self.case.h)
        self.times.append(time.thread_time() - start)
        self.penetration = max(self.penetration, self.world.statistics.deepest)
        for joint in self.world.joints:
            if hasattr(joint, "anchor2"):
                self.joint_error = max(self.joint_error, math.dist(joint.anchor, joint.anchor2))

    def found(self) -> Found:
        moved = float(np.percentile(np.linalg.norm(self.world.positions - self.before, axis=1), 90)) / WINDOW
        return Found(
            1e3 * float(np.median(self.times)),
            1e3 * float(np.percentile(self.times, 95)),
            1e3 * self.penetration,
            1e3 * self.joint_error,
            1e3 * moved if self.case.rests else math.nan,
        )


def measure(case: Case, solvers: Sequence[str]) -> dict[str, Found]:
    """Measures each solver on a scene."""
    runs = {solver: Run(case, solver) for solver in solvers}
    for _ in range(round(WINDOW / case.h)):
        for run in runs.values():
            run.step()
    return {solver: run.found() for solver, run in runs.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("cases", nargs="*", help=f"parts of names of scenes: {', '.join(CASES)}")
    parser.add_argument("--solvers", nargs="*", default=SOLVERS.names, help="which solvers (default: all)")
    options = parser.parse_args(arguments)
    print(", ".join(machine().values()), "\n")
    print("| scene | solver | ms a step, median (95 %) | penetration, mm | joint error, mm | creep, mm/s |")
    print("|---|---|---|---|---|---|")
    for name, case in CASES.items():
        if options.cases and not any(part in name for part in options.cases):
            continue
        solvers = [solver for solver in options.solvers if solver != "exact" or name not in LARGE]
        for solver, found in measure(case, solvers).items():
            creep = "" if math.isnan(found.creep) else f"{found.creep:.2g}"
            error = f"{found.joint_error:.2g}" if found.joint_error else ""
            time_taken = f"{found.median:.2g} ({found.high:.2g})"
            print(f'| {name} | `"{solver}"` | {time_taken} | {found.penetration:.2g} | {error} | {creep} |', flush=True)


if __name__ == "__main__":
    main()
