"""The accuracy of QuickStep and its cost: error against time, for both of its orders.

Each set of settings is run for some steps from a settled state. In every step, the exact stepper and QuickStep with very many
iterations do the same step from the same state; the error is the distance of the bodies' velocities,

    sqrt(Σ m |Δv|² + Δω·I Δω) / sqrt(Σ m |g h|²),

in parts of what gravity does in a step, as root mean square over the steps. The exact stepper bounds friction by the
normal forces that there would be without it, QuickStep by those that there are: however many iterations, a difference
between the two remains where something slides. Times are of finding the forces alone, the shortest of the steps; ODE's
are of its whole dWorldQuickStep, without the collision, and compared with all of ours but the collision.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import opendynamics as od
from benchmarks.peers.ode_c import OdePeer
from benchmarks.run import SCENES, machine, scene_file
from opendynamics.api import reading
from opendynamics.core.arrays.bodies import INERTIAS, POSES
from opendynamics.io import build_scene
from opendynamics.io.bench_scene import BenchScene, read_bench_scene

CASES = {"wall10": 100, "heap200": 300, "chain50": 100, "chain200": 100, "ragdoll20": 300}  # steps to settle
LIMIT = 1000  # iterations that serve as infinitely many
STATE = ("positions", "quaternions", "linear_velocities", "angular_velocities")


@dataclass(frozen=True)
class Settings:
    """Settings of a step: the order of constraints, iterations per step, starting values, over-relaxation."""

    order: str
    iterations: int
    warm_start: float = 0.8
    relaxation: float = 1.0


@dataclass
class Found:
    """Errors against the exact step and against very many iterations; microseconds of the solver, and without collision."""

    exact: float
    limit: float
    solve: float
    step: float
    rows: float


def make(scene: BenchScene, settings: Settings | None) -> od.World:
    """A world with the scene; without settings, one for exact steps."""
    world = od.World()
    build_scene(world, scene)
    if settings is not None:
        world.solver, world.quickstep_order = "pgs", settings.order
        world.quickstep_direct = False  # nothing is handed to other solvers
        world.quickstep_iterations = settings.iterations
        world.quickstep_relaxation = world.quickstep_block_relaxation = settings.relaxation
        world.quickstep_warm_start = settings.warm_start
    return world


def copy_state(source: od.World, target: od.World) -> None:
    """Both worlds hold the same scene."""
    for name in STATE:
        setattr(target, name, getattr(source, name))


def velocities(world: od.World) -> NDArray[np.float64]:
    """Of all bodies, linear and angular, shape (n, 6), weighted by the root of mass and inertia."""
    rows = list(reading.bodies_by_row(world))
    inertias = reading.table_of(world, INERTIAS)[rows]
    spin = np.einsum(
        "bij,bj->bi",
        reading.table_of(world, POSES)["rotation"][rows].reshape(-1, 3, 3).mT,
        world.angular_velocities,
    )
    root = np.linalg.cholesky(inertias["inertia"].reshape(-1, 3, 3))
    return np.hstack(
        [np.sqrt(inertias["mass"])[:, None] * world.linear_velocities, np.einsum("bji,bj->bi", root, spin)]
    )


def measure(scene: BenchScene, settled: od.World, settings: Settings, steps: int) -> Found:
    """Run with one set of settings; the first quarter of the steps, in which forces warm up, counts for nothing."""
    h = scene.timestep
    world, exact, limit = make(scene, settings), make(scene, None), make(scene, Settings("blocks", LIMIT, 0.0, 1.0))
    copy_state(settled, world)
    unit = h * float(np.linalg.norm(world.gravity)) * np.sqrt(sum(body.mass for body in world.bodies))
    errors, times, rows = [], [], []
    for step in range(steps):
        for other in (exact, limit):
            copy_state(world, other)
            other.advance(h)
        seconds = world.time_stages(h)
        times.append((seconds["solve"], seconds["constrain"] + seconds["solve"] + seconds["move"]))
        rows.append(world.statistics.rows)
        if 4 * step >= steps:
            mine = velocities(world)
            errors.append([np.linalg.norm(mine - velocities(other)) / unit for other in (exact, limit)])
    wrong = np.sqrt(np.mean(np.square(errors), axis=0))
    fast = 1e6 * np.min(times, axis=0)
    return Found(float(wrong[0]), float(wrong[1]), float(fast[0]), float(fast[1]), float(np.mean(rows)))


def ode_step(scene: BenchScene, settled: od.World, iterations: int, steps: int) -> float:
    """Microseconds of ODE's dWorldQuickStep with contact joints, from the same state."""
    state = np.hstack([settled.positions, settled.quaternions, settled.linear_velocities, settled.angular_velocities])
    best = {}
    for stepper in ("quick", "none"):
        times = []
        for _ in range(5):
            peer = OdePeer(scene)
            peer.set_state(state)
            peer.set_iterations(iterations)
            times += [peer.run(1, stepper) for _ in range(steps)]
            peer.close()
        best[stepper] = min(times)
    return 1e6 * (best["quick"] - best["none"])


def report(name: str, variants: Sequence[Settings], steps: int) -> None:
    """Print the table of one scene."""
    scene = read_bench_scene(scene_file(SCENES, name))
    settled = make(scene, None)
    settled.advance(scene.timestep, steps=CASES[name])
    has_ode = OdePeer.available()[0]
    print(f"\n{name}: {len(settled.bodies)} bodies, {settled.statistics.rows} rows")
    print(f"{'order':<8}{'iterations':>7}{'warm':>6}{'error':>10}{'to limit':>10}{'us':>8}{'ns/row':>8}{'/ ODE':>8}")
    for settings in variants:
        found = measure(scene, settled, settings, steps)
        ratio = f"{found.step / ode_step(scene, settled, settings.iterations, 20):.2f}" if has_ode else "-"
        print(
            f"{settings.order:<8}{settings.iterations:>7}{settings.warm_start:>6.2f}{found.exact:>10.2g}"
            f"{found.limit:>10.2g}{found.solve:>8.0f}{1e3 * found.solve / found.rows / settings.iterations:>8.1f}{ratio:>8}",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quickstep_quality", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--iterations", type=int, nargs="+", default=[5, 10, 20, 40])
    parser.add_argument("--warm", type=float, nargs="+", default=[0.0, 0.8], help="parts of the last step's forces")
    options = parser.parse_args(arguments)
    variants = [Settings("ode", n, 0.0, 1.3) for n in options.iterations]
    variants += [Settings("blocks", n, s, 1.0) for s in options.warm for n in options.iterations]
    for name, fact in machine().items():
        print(f"{name + ':':<14}{fact}")
    for name in options.scenes:
        report(name, variants, options.steps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
