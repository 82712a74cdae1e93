"""The cost of recording, in bytes and in time: ``python -m benchmarks.recording [--steps N]``.

Two equal worlds of 1,000 bodies take turns in one process, some steps each; one of them is recorded. Ratios are those of
neighbouring turns. In `heap` the bodies fall into a heap and settle without going to sleep; in `storm` they fly and spin
about in a box, weightless and without friction, and never come to rest. Both are stepped by QuickStep, which is the harder
case: the less a step costs, the more a recording of it weighs.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import opendynamics as od
from benchmarks.run import machine
from opendynamics.io import build_scene, read_bench_scene

SCENES = Path(__file__).parent / "scenes"
H = 0.01  # s


def heap() -> od.World:
    """1,000 bodies fall into a heap."""
    world = od.World(solver="pgs", name="heap")
    build_scene(world, read_bench_scene(SCENES / "heap1000.txt.gz"))
    return world


def storm() -> od.World:
    """1,000 boxes and balls at some metres and radians a second, that bounce off each other and off the walls."""
    world = od.World(surface=od.Surface(mu=0.0, bounce=1.0), solver="pgs", name="storm")
    random = np.random.default_rng(1)
    half = 5.0
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        world.add_plane(axis, -half)
    grid = np.stack(np.meshgrid(*[np.linspace(-half, half, 12)[1:-1]] * 3), axis=-1).reshape(-1, 3)
    for k, place in enumerate(grid):
        shape = od.Box((0.4, 0.3, 0.2)) if k % 2 else od.Sphere(0.2)
        moving = {"linear_velocity": 3.0 * random.normal(size=3), "angular_velocity": 5.0 * random.normal(size=3)}
        world.add_body(shape, position=place, quaternion=random.normal(size=4), density=500, **moving)
    return world


def compare(make: Callable[[], od.World], steps: int, portion: int, path: Path) -> None:
    """Let the two worlds take turns, and print what came out."""
    plain, recorded = make(), make()
    for world in (plain, recorded):
        world.advance(H)
    times: dict[str, list[float]] = {"plain": [], "recorded": []}
    spent = dict.fromkeys(times, 0.0)
    with od.Recorder(recorded, path) as recorder:
        for turn in range(steps // portion):
            order = [("plain", plain), ("recorded", recorded)]
            for name, world in order if turn % 2 else reversed(order):
                start, cpu = time.perf_counter(), time.process_time()
                world.advance(H, steps=portion)
                times[name].append(time.perf_counter() - start)
                spent[name] += time.process_time() - cpu
        frames = recorder.frames
    assert np.array_equal(plain.positions, recorded.positions)
    size, bodies = path.stat().st_size, len(plain.bodies)
    # Both worlds do the same steps in neighbouring turns, whatever else the machine does.
    ratios = np.array(times["recorded"]) / np.array(times["plain"])
    low, middle, high = np.percentile(ratios, [25, 50, 75])
    print(
        f"{plain.name}: {size / 1e6:.1f} MB for {frames} frames of {bodies} bodies, {size / frames / bodies:.2f} bytes for each; "
        f"{1000.0 * np.median(times['plain']) / portion:.2f} ms a step; recorded {middle:.3f} ({low:.3f}–{high:.3f}) times as "
        f"long, with {spent['recorded'] / spent['plain']:.3f} times the processor time",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recording", description=__doc__.splitlines()[0])
    parser.add_argument("--scene", choices=["heap", "storm"], action="append", help="both unless given")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--portion", type=int, default=10, metavar="N", help="steps of a turn")
    options = parser.parse_args(arguments)
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.scene or ["heap", "storm"]:
            compare({"heap": heap, "storm": storm}[name], options.steps, options.portion, Path(folder) / f"{name}.odr")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
