"""Real-time factor of SR1Walk.cnoid on one core: simulated time by processor time, with each solver, in turn.

``python -m benchmarks.walking [--seconds 2] [--rounds 5]`` prints the best and the median of the rounds, and how the
time of a step is divided between the engine (`world.advance`) and the code around it: controller, actuation,
read-back, sensors.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from opendynamics.robot import ModelWarning, Simulator
from tests.robot.project_files import load, unpacked

MODES = ("exact", "iterative")
WARM_STEPS = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.walking", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="simulated, in each round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        projects = unpacked(Path(folder))
        sims = {mode: load(projects, "SR1Walk.cnoid").build(step_mode=mode) for mode in MODES}
    for sim in sims.values():
        sim.world.threads = 1
        sim.run(WARM_STEPS * sim.h)
    rounds: dict[str, list[tuple[float, float]]] = {mode: [] for mode in MODES}
    for _ in range(options.rounds):
        for mode, sim in sims.items():
            rounds[mode].append(timed(sim, options.seconds / options.rounds))
    for mode, found in rounds.items():
        factors = [whole for whole, _ in found]
        shares = [engine for _, engine in found]
        print(
            f"{mode:10} {max(factors):5.1f} times real time at best, {median(factors):5.1f} in the median; "
            f"{100 * median(shares):.0f} % of a step is world.advance"
        )
    return 0


def timed(sim: Simulator, seconds: float) -> tuple[float, float]:
    """Real-time factor of a stretch of the walk, and the fraction of its time that `world.advance` takes."""
    engine = 0
    begin = time.process_time_ns()
    steps = round(seconds / sim.h)
    for _ in range(steps):
        sim.prepare()
        start = time.process_time_ns()
        sim.world.advance(sim.h)
        engine += time.process_time_ns() - start
    whole = time.process_time_ns() - begin
    return 1e9 * steps * sim.h / whole, engine / whole


if __name__ == "__main__":
    raise SystemExit(main())
