"""Times scenes: the time of a step on this machine, and its variation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from opendynamics import scenes
from opendynamics.cli.playing import prepare
from opendynamics.core import step as stages
from opendynamics.core.compile.cache import running_time
from opendynamics.scenes import Scene

# Maximum number of steps from a scene's start, unless given.
STEPS = 200

# A run is repeated until it took this long, s, so that its time can be measured; but at most this often.
LONG_ENOUGH, MAX_BEGINNINGS = 0.1, 20


@dataclass(frozen=True)
class Timing:
    """The timing of a scene.

    Attributes:
        bodies, contacts: at the end of a run.
        steps: in each run, from the scene's beginning.
        h: step size, s.
        ms_per_step: of each run, in their order, ms.
        ms: their median.
        speed: relative to real time.
        spread: from the fastest to the slowest run, relative to the median.
    """

    scene: str
    bodies: int
    contacts: int
    steps: int
    h: float
    ms_per_step: tuple[float, ...]
    ms: float
    speed: float
    spread: float


def time_scene(name: str, steps: int | None, runs: int, update: Callable[[int], None]) -> Timing:
    """Run a registered scene several times from its start; `update` receives the number of completed runs."""
    scene = scenes.build(name)
    count = min(scene.steps, STEPS) if steps is None else steps
    _play(scene, min(count, STEPS))  # everything needed is loaded now
    times = []
    for run in range(runs):
        update(run)
        seconds, beginnings = 0.0, 0
        while beginnings == 0 or (seconds < LONG_ENOUGH and beginnings < MAX_BEGINNINGS):
            scene = scenes.build(name)
            seconds += _play(scene, count)
            beginnings += 1
        times.append(1000.0 * seconds / (beginnings * count))
    middle = median(times)
    return Timing(
        scene=name,
        bodies=len(scene.world.bodies),
        contacts=scene.world.statistics.contacts,
        steps=count,
        h=scene.h,
        ms_per_step=tuple(times),
        ms=middle,
        speed=1000.0 * scene.h / middle,
        spread=(max(times) - min(times)) / middle,
    )


def _play(scene: Scene, steps: int) -> float:
    """Time of this number of steps, s."""
    prepare(scene.world, stages.advance)
    start = running_time()
    scene.run(steps)
    return running_time() - start
