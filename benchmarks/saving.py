"""The cost of saving and restoring: ``python -m benchmarks.saving [--rounds N]``.

In each scene, saving, restoring and a step take turns in one process. Prints the medians with their quartiles, and the median
ratio of saving plus restoring to a step. `changed` makes and destroys a body before each save, so that the list of members
must be rebuilt; `file` is to bytes and back to a new world.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.recording import heap
from benchmarks.run import machine
from opendynamics import scenes

H = 0.01  # s


def timed(function: Callable[[], Any]) -> float:
    """Seconds that a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def spread(seconds: Sequence[float]) -> str:
    """Median and quarters, ms."""
    low, middle, high = np.percentile(seconds, [25, 50, 75]) * 1e3
    return f"{middle:.3f} ({low:.3f}-{high:.3f})"


def measure(name: str, world: od.World, h: float, rounds: int) -> None:
    """Print one line of the table."""
    columns: dict[str, list[float]] = {
        word: [] for word in ("save", "restore", "step", "ratio", "changed", "file", "load")
    }
    for _ in range(rounds):
        snapshot = world.save()
        step = timed(lambda: world.advance(h))
        save = timed(world.save)
        restore = timed(lambda snapshot=snapshot: world.restore(snapshot))
        for word, seconds in (("save", save), ("restore", restore), ("step", step), ("ratio", (save + restore) / step)):
            columns[word].append(seconds)
    for _ in range(max(rounds // 50, 3)):
        world.add_body().destroy()
        columns["changed"].append(timed(world.save))
        snapshot = world.save()
        columns["file"].append(timed(snapshot.to_bytes))
        data = snapshot.to_bytes()
        columns["load"].append(timed(lambda data=data: od.World.load(od.Snapshot.from_bytes(data))))
    cells = [spread(values) for word, values in columns.items() if word != "ratio"]
    cells.insert(3, f"{np.median(columns['ratio']):.3f}")
    print(f"| {name} | {snapshot.nbytes / 1e6:.2f} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    rounds = parser.parse_args().rounds
    print(machine())
    print("| scene | MB | save, ms | restore, ms | step, ms | both / step | changed, ms | to bytes, ms | load, ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    world = heap()
    world.advance(H, steps=400)
    measure("heap: 1,000 bodies in a pile", world, H, rounds)
    for name in ("ragdolls", "wall", "pendulum", "falling_ball"):
        scene = scenes.build(name)
        scene.world.solver = "pgs"
        scene.run(30)
        measure(name, scene.world, scene.h, rounds)


if __name__ == "__main__":
    main()
