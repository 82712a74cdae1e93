"""Work and precision: the time that each engine takes for a second of motion, against the error of the positions at its end.

At equal steps a cheaper method may be a worse one. So pendulums, whose motion is known as accurately as one likes, are followed
for a second by steps from 20 ms to 0.5 ms. The error is the largest distance of a body's centre from where it should be: velocity
Verlet with small steps, extrapolated, with which MuJoCo's Runge-Kutta method has to agree where it is installed. Two methods are
compared at the errors that both reach, with power laws between the steps. The first step, which allocates memory, is not timed.
Not comparable: MuJoCo solves in joint coordinates, for which these trees are the best case.

    python -m benchmarks.precision --json build/bench/precision.json --plot build/bench/precision.svg
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.mujoco_scene import MujocoPeer
from benchmarks.peers.ode_c import OdePeer
from benchmarks.peers.ours import OursPeer
from benchmarks.peers.pybullet_scene import PybulletPeer
from benchmarks.run import SCENES, machine, number, scene_of, spread
from opendynamics.io.bench_scene import BenchScene

Array = NDArray[np.float64]

STEPS = (0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)  # s
DURATION = 1.0  # s
FINEST = 1e-4  # s, steps of the reference
AGREEMENT = 1e-7  # m, within which both references agree: the smallest error that is shown

# Errors at which two methods are compared, evenly spaced on a logarithmic scale.
SAMPLES = 20


class VerletPeer(OursPeer):
    """This engine with velocity Verlet steps."""

    name = "opendynamics, Verlet"

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None:
        super().__init__(scene, space=space)
        self._world.integrator = "verlet"


class RungeKuttaPeer(MujocoPeer):
    """MuJoCo with Runge-Kutta steps of fourth order."""

    name = "MuJoCo, RK4"

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None:
        super().__init__(scene, space=space)
        self._model.opt.integrator = self._mujoco.mjtIntegrator.mjINT_RK4


class Method(NamedTuple):
    """An engine and how it steps; `label` is its name in tables."""

    label: str
    peer: Callable[[BenchScene], Any]
    available: Callable[[], tuple[bool, str]]
    stepper: str = "default"


VERLET = Method(VerletPeer.name, VerletPeer, OursPeer.available)
RUNGE_KUTTA = Method(RungeKuttaPeer.name, RungeKuttaPeer, MujocoPeer.available)
METHODS = (
    Method("opendynamics", OursPeer, OursPeer.available),
    VERLET,
    Method("ODE, dWorldStep", OdePeer, OdePeer.available, "step"),
    Method("ODE, QuickStep", OdePeer, OdePeer.available, "quick"),
    Method("MuJoCo", MujocoPeer, MujocoPeer.available),
    RUNGE_KUTTA,
    Method("PyBullet", PybulletPeer, PybulletPeer.available),
)


class Curve(NamedTuple):
    """A method's errors, m, and ms for a second of motion, one number a round, for each step size."""

    steps: list[float]
    errors: list[float]
    times: list[list[float]]


def run(method: Method, scene: BenchScene, h: float) -> tuple[Array, float]:
    """The positions after DURATION, shape (n, 3), m, and ms for each second of it."""
    peer = method.peer(replace(scene, timestep=h))
    try:
        peer.run(1, method.stepper)
        seconds = peer.run(round(DURATION / h) - 1, method.stepper)
        return peer.state()[:, :3], 1e3 * seconds / (DURATION - h)
    finally:
        peer.close()


def reference(scene: BenchScene) -> Array:
    """Positions after DURATION, shape (n, 3), m; RuntimeError if an independent method differs from them."""
    coarse, fine = (run(VERLET, scene, h)[0] for h in (FINEST, 0.5 * FINEST))
    found = (4.0 * fine - coarse) / 3.0  # without the error of second order
    if RUNGE_KUTTA.available()[0]:
        other = run(RUNGE_KUTTA, scene, FINEST)[0]
        if not error_of(found, other) <= AGREEMENT:
            raise RuntimeError(f"two references differ by {error_of(found, other):.3g} m")
    return found


def error_of(positions: Array, right: Array) -> float:
    """The largest distance between a body's positions in two states, m."""
    return float(np.linalg.norm(positions - right, axis=1).max())


def measure(scene: BenchScene, repeat: int, methods: Sequence[Method] = METHODS) -> dict[str, Curve]:
    """The curves of all methods that can run here, which take turns."""
    curves: dict[str, Curve] = {}
    ends: dict[tuple[str, float], Array] = {}
    for _ in range(repeat + 1):  # the first round loads what is missing
        for method in methods:
            if not method.available()[0]:
                continue
            times = curves.setdefault(method.label, Curve(list(STEPS), [], [[] for _ in STEPS])).times
            try:
                for k, h in enumerate(STEPS):
                    ends[method.label, h], taken = run(method, scene, h)
                    times[k].append(taken)
            except ValueError:  # it cannot build the scene
                del curves[method.label]
    right = reference(scene)
    for label, curve in curves.items():
        curve.errors.extend(max(error_of(ends[label, h], right), AGREEMENT) for h in STEPS)
        for times in curve.times:
            del times[0]
    return curves


def cost_at(curve: Curve, errors: Array) -> Array:
    """ms for a second of motion with errors of at most `errors`, m, by power laws between the steps."""
    costs = np.array([median(times) for times in curve.times])
    order = np.argsort(curve.errors)
    cheapest = np.minimum.accumulate(costs[order])  # a smaller error may be the cheaper one, too
    return np.asarray(np.exp(np.interp(np.log(errors), np.log(np.array(curve.errors)[order]), np.log(cheapest))))


def ratio_at_equal_error(curve: Curve, other: Curve) -> list[float]:
    """Time of a method relative to another one's at errors that both reach, from the smallest on; empty: there are none."""
    smallest, largest = max(min(curve.errors), min(other.errors)), min(max(curve.errors), max(other.errors))
    if not smallest < largest:
        return []
    errors = np.geomspace(smallest, largest, SAMPLES)
    return list(cost_at(curve, errors) / cost_at(other, errors))


def show(name: str, curves: dict[str, Curve]) -> None:
    """Print the curves of a scene, and the ratios."""
    print(f"\n{name}: error after {DURATION:g} s, mm, and ms for a second of motion")
    print(f"{'':<22}" + "".join(f"{f'h = {1e3 * h:g} ms':>20}" for h in STEPS))
    for label, curve in curves.items():
        pairs = (
            f"{number(1e3 * error)}, {number(median(times))}"
            for error, times in zip(curve.errors, curve.times, strict=True)
        )
        print(f"{label:<22}" + "".join(f"{pair:>20}" for pair in pairs))
    own = [label for label in curves if label.startswith("opendynamics")]
    for label in own:
        for other in (each for each in curves if each not in own):
            ratios = ratio_at_equal_error(curves[label], curves[other])
            text = spread(ratios) if ratios else "no error that both reach"
            print(f"{label + ' / ' + other + ', at equal error':<58}{text}")


def draw(found: dict[str, dict[str, Curve]], path: Path) -> None:
    """Error against time, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, places = pyplot.subplots(
        1, len(found), figsize=(4.5 * len(found), 3.8), layout="constrained", squeeze=False
    )
    colours = {method.label: f"C{k}" for k, method in enumerate(METHODS)}
    for axes, (name, curves) in zip(places[0], found.items(), strict=True):
        for label, curve in curves.items():
            style = "o-" if label.startswith("opendynamics") else "s--"
            times, errors = [median(each) for each in curve.times], [1e3 * error for error in curve.errors]
            axes.loglog(times, errors, style, color=colours[label], markersize=4, label=label)
        axes.set(title=name, xlabel="ms for a second of motion", ylabel="error, mm")
        axes.grid(alpha=0.3)
    places[0][-1].legend(fontsize=7)
    figure.savefig(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, writes and draws."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.precision", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", nargs="+", default=["pendulum2", "chain10"], help="scenes without contacts")
    parser.add_argument("--repeat", type=int, default=7, help="rounds (default 7)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw a picture (needs matplotlib)")
    options = parser.parse_args(arguments)
    for name, fact in machine().items():
        print(f"{name + ':':<14}{fact}")
    found = {}
    for name in options.scenes:
        found[name] = measure(scene_of(name, SCENES), options.repeat)
        show(name, found[name])
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        content = {name: {label: curve._asdict() for label, curve in curves.items()} for name, curves in found.items()}
        options.json.write_text(json.dumps({"machine": machine(), "scenes": content}, indent=1))
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        draw(found, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
