"""The cost of a step in a batch, relative to a world stepped on its own: ``python -m benchmarks.batch [--worlds N]``.

1,000 worlds of a chain of ten capsules that lies on the ground are stepped by one call of `od.Batch` on one thread. Before and
after each call, one such world makes as many steps: by 1,000 calls of `world.advance`, each of as many steps as the batch's
call, and by a single call. It stays in the cache, while 1,000 worlds (37 MB are touched in a step) have to come from memory
once a call. `each` are the 1,000 worlds stepped by `world.advance`, one after another. Printed are processor time and the
medians of the ratios of neighbours, with their quartiles; and first, whether two threads give the same bits.
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
        by_calls = seconds(lambda: [one.advance(H, steps) for _ in range(count)])
        each = seconds(lambda: [world.advance(H, steps) for world in batch.worlds])
        rows.append((together, by_calls, 0.5 * (first + second), each))
        batch.advance(H)  # worlds that were stepped by themselves are prepared once more
    times = np.array(rows) / (count * steps)
    words = [f"{steps}", f"{np.median(times[:, 0]) * 1e6:.1f}"]
    for peer in times[:, 1:].T:
        low, middle, high = np.percentile(times[:, 0] / peer, [25, 50, 75])
        words += [f"{np.median(peer) * 1e6:.1f}", f"{middle:.2f} ({low:.2f}–{high:.2f})"]
    return f"| {' | '.join(words)} |"


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
    print("| steps per call | batch | one, by calls | ratio | one, in one call | ratio | each | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for steps in STEPS:
        print(measure(batch, one, steps, max(chosen.rounds // steps, 3) if steps > 1 else chosen.rounds), flush=True)


if __name__ == "__main__":
    main()
