"""What the live view costs: frames a second that a browser gets, and processor time of one frame, by number of bodies.

    python -m benchmarks.live_view [BODIES ...]

Boxes, spheres and capsules fly about without touching, at 60 steps a second. A client on the same machine takes all
messages of the server, as a browser would, and draws nothing. Needs the extra `view`.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import opendynamics as od
from opendynamics.viewer.live.viewer import Viewer
from tests.viewer.fake_browser import FakeBrowser, until

H, SECONDS, REPEATS = 1 / 60, 6.0, 30
BODIES = (200, 1000, 3000)


def swarm(bodies: int) -> od.World:
    """Bodies that fly on and turn, far from each other."""
    random = np.random.default_rng(1)
    world = od.World()
    for k in range(bodies):
        shape = (od.Box((0.2, 0.2, 0.2)), od.Sphere(0.1), od.Capsule(0.08, 0.1))[k % 3]
        shape.category_bits = shape.collide_bits = 0
        velocity, spin = random.normal(size=(2, 3))
        place = random.uniform(-20, 20, 3)
        world.add_body(shape, position=place, linear_velocity=velocity, angular_velocity=spin)
    return world


def measure(bodies: int) -> str:
    """A line of the table."""
    world = swarm(bodies)
    with Viewer(world, h=H, open_browser=False, quiet=True) as viewer:
        browser = FakeBrowser(viewer.url)
        until(lambda: browser.counts["batched_positions"] > 30, 120)
        handles = sum(len(batch.handles) for batch in viewer._session.batches.batches)
        start, frames, sent, used = time.perf_counter(), browser.counts["batched_positions"], browser.bytes, _used()
        time.sleep(SECONDS)
        passed = time.perf_counter() - start
        frames = (browser.counts["batched_positions"] - frames) / handles
        sent, used = browser.bytes - sent, _used() - used
        viewer.pause()
        step, draw = viewer.call(lambda: _timed(viewer))
        browser.close()
    whole = 1000.0 * used / frames
    return f"{bodies:6} {frames / passed:9.1f} {sent / passed / 1e6:6.2f} {step:9.2f} {draw:9.2f} {whole:9.2f}"


def _used() -> float:
    """s of all threads of this process, those of the client too."""
    return time.process_time()


def _timed(viewer: Viewer) -> tuple[float, float]:
    """ms of one step, and of preparing one frame, least of several, in the thread that has the world."""
    steps, draws = [], []
    for _ in range(REPEATS):
        start = time.thread_time()
        viewer.world.advance(H)
        middle = time.thread_time()
        viewer._session.draw()
        steps.append(middle - start)
        draws.append(time.thread_time() - middle)
    return 1000.0 * min(steps), 1000.0 * min(draws)


def main() -> None:
    """Print the table."""
    print("                             ms of the processor")
    print("bodies  frames/s   MB/s      step     frame  all, with the client's")
    for bodies in map(int, sys.argv[1:] or BODIES):
        print(measure(bodies), flush=True)


if __name__ == "__main__":
    main()
