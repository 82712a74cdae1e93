"""The cost of the live view: frames per second in a browser, and processor time of one frame, by number of bodies.

    python -m benchmarks.live_view [--browser] [BODIES ...]

Boxes, spheres and capsules fly about without touching, at 60 steps a second. A client on the same machine takes all
messages of the server, as a browser would, and draws nothing. With `--browser` it is Chromium instead, which draws by
software (no graphics card, 900 x 600 pixels): times between frames of its page. Needs the extra `view`, and for the browser
Debian's packages chromium and chromium-driver and the extra `dev`.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import opendynamics as od
from opendynamics.viewer.live.viewer import Viewer
from tests.viewer.fake_browser import FakeBrowser, until

H, SECONDS, REPEATS = 1 / 60, 6.0, 30
BROWSER_SECONDS, MIN_FRAMES, PATIENCE = 10.0, 10, 90.0
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


# Script run by the page: the times at which it draws, ms.
NOTE_FRAMES = """
window.frameTimes = [];
const note = time => { window.frameTimes.push(time); requestAnimationFrame(note); };
requestAnimationFrame(note);
"""


def measure_browser(bodies: int) -> str:
    """A line of the browser's table."""
    from selenium.common.exceptions import TimeoutException

    from tests.viewer.chromium import Chromium

    with Viewer(swarm(bodies), h=H, open_browser=False, quiet=True) as viewer:
        page = Chromium()
        try:
            page.open(viewer.url)
            until(lambda: "time" in page.text.lower(), 120)
            time.sleep(SECONDS)  # shaders are compiled, shadows laid
            page.driver.set_script_timeout(PATIENCE)
            page.driver.execute_script(NOTE_FRAMES)
            before, used = viewer.world.time, _used()
            start, times = time.perf_counter(), []
            while len(times) < MIN_FRAMES and time.perf_counter() - start < PATIENCE:
                time.sleep(BROWSER_SECONDS)
                times = page.driver.execute_script("return window.frameTimes")
            passed = time.perf_counter() - start
            simulated, used = viewer.world.time - before, _used() - used
        except TimeoutException:
            return f"{bodies:6} the page did not answer within {PATIENCE:.0f} s"
        finally:
            page.quit()
    gaps = np.diff(times)
    middle, worst = np.median(gaps), np.quantile(gaps, 0.95)
    return f"{bodies:6} {len(gaps):8} {middle:10.0f} {worst:10.0f} {simulated / passed:10.2f} {used / passed:10.2f}"


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
    bodies_wanted = [int(word) for word in sys.argv[1:] if word != "--browser"] or BODIES
    if "--browser" in sys.argv:
        print("         frames   ms, median     ms, 95 %  real time  processors of the server")
        for bodies in bodies_wanted:
            print(measure_browser(bodies), flush=True)
        return
    print("                             ms of the processor")
    print("bodies  frames/s   MB/s      step     frame  all, with the client's")
    for bodies in bodies_wanted:
        print(measure(bodies), flush=True)


if __name__ == "__main__":
    main()
