"""The cost of a step in a batch, relative to a world stepped on its own: ``python -m benchmarks.batch [--worlds N]``.

1,000 worlds of a chain of ten capsules that lies on the ground are stepped by one call of `od.Batch` on one thread. Before and
after each call one such world makes as many steps in one call, in the cache all the time, where 1,000 worlds (44 MB are
touched in a step) have to come from memory once a call; `each` are the same worlds stepped by `world.advance` one after
another. Printed are processor time and the medians of the ratios of neighbours, with the quarters around them; at last, whether
two threads give the same bits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.run import machine

H = 0.005  # s
SETTLING = 400  # steps
STEPS = (1, 10, 100)  # in a call
LYING = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)


def ragdoll() -> od.World:
    """Ten capsules in a chain, on the ground."""
    world = od.World(gravity=(0, 0, -9.81), solver="pgs")
    world.threads = 1
    world.add_plane()
    before = None
    for k in range(10):
        place = (0.3 * k, 0.0, 0.05)
        body = world.add_body(od.Capsule(0.05, 0.2), position=place, quaternion=LYING, density=1000)
        if before is not None:
            world.add_ball(before, body, anchor=(0.3 * k - 0.15, 0.0, 0.05))
        before = body
    return world


def seconds(function: Callable[[], Any]) -> float:
    """Processor time of a call, s."""
    start = time.process_time()
    function()
    return time.process_time() - start


def measure(batch: od.Batch, one: od.World, steps: int, rounds: int) -> str:
    """A line of the table."""
    count, rows = len(batch), []
    for _ in range(rounds):
        first = seconds(lambda: one.advance(H, count * steps))
        together = seconds(lambda: batch.advance(H, steps))
        second = seconds(lambda: one.advance(H, count * steps))
        each = seconds(lambda: [world.advance(H, steps) for world in batch.worlds])
        rows.append((together, 0.5 * (first + second), each))
        batch.advance(H)  # worlds that were stepped by themselves are prepared once more
    alike = np.array(rows) / (count * steps)
    ratios = alike[:, 0] / alike[:, 1]
    low, middle, high = np.percentile(ratios, [25, 50, 75])
    mine, alone, each = np.median(alike, axis=0) * 1e6
    share = np.median(alike[:, 0] / alike[:, 2])
    return f"| {steps} | {mine:.1f} | {alone:.1f} | {middle:.2f} ({low:.2f}-{high:.2f}) | {each:.1f} | {share:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    chosen = parser.parse_args()
    print(machine())
    worlds, twins, one = [ragdoll() for _ in range(chosen.worlds)], [ragdoll() for _ in range(chosen.worlds)], ragdoll()
    batch, two = od.Batch(worlds, threads=1), od.Batch(twins, threads=2)
    for stepped in (batch, two, one):
        stepped.advance(H, SETTLING)
    same = [world.state_hash() for world in worlds] == [world.state_hash() for world in twins]
    print(f"the same bits on two threads: {'yes' if same else 'NO'}")
    print("| steps a call | batch, µs a step | one world, µs | ratio | each by itself, µs | batch / each |")
    print("|---|---|---|---|---|---|")
    for steps in STEPS:
        print(measure(batch, one, steps, max(chosen.rounds // steps, 3) if steps > 1 else chosen.rounds), flush=True)


if __name__ == "__main__":
    main()
