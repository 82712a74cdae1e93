"""Times the benchmark scenes on every engine that is here, and prints ratios and errors.

For each case the engines take turns (A B A B ...), each time on a freshly built world, so that a busy machine slows all of
them; a repetition is one call that runs all its steps in compiled code. Reads the scene files of ``benchmarks/scenes``;
writes a table and, on request, a JSON file.

A case with contacts starts from a settled state: one engine settles the scene once with its cheapest
stepper, and every repetition of every engine starts from the bodies' state it reached.

Steppers: "step" is the exact step, "quick" 20 iterations of QuickStep, and "default" what each engine does by itself (ODE,
which leaves the choice to the program: QuickStep). Beside the time stand the errors of the state that the last repetition ended
in, measured alike for all (``benchmarks/errors.py``): a fast step that lets bodies sink in is not the same step. An engine
that cannot run a scene says why; one whose first step takes longer than PATIENCE is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from benchmarks.chains import chain
from benchmarks.errors import Errors, errors_of
from benchmarks.peers import Peer
from benchmarks.peers.mujoco_scene import MujocoPeer
from benchmarks.peers.ode_c import OdePeer
from benchmarks.peers.ours import OursPeer
from benchmarks.peers.pybullet_scene import PybulletPeer
from benchmarks.start_up import measure_start_up
from opendynamics.io.bench_scene import BenchScene, read_bench_scene

# Ratios are the first over each of the others.
PEERS: tuple[type[Peer], ...] = (OursPeer, OdePeer, MujocoPeer, PybulletPeer)
SCENES = Path(__file__).parent / "scenes"
STEPPERS = ("step", "quick", "default")
PATIENCE = 1.0  # s for a step

UNFAIR = """What is unfair: ODE's near callback is compiled, as a C program's is, but not a Python program's. MuJoCo's
contacts are soft by design, and its joints are coordinates, which cannot part. PyBullet is called once a step. Each
engine makes contacts of its own, and takes its default number of iterations. All have one thread."""


@dataclass(frozen=True)
class Case:
    """One line of the table: ``settle`` untimed steps once, then ``steps`` timed ones a repetition.

    ``slow`` cases run only with ``--slow`` or when their scene is named, and ``most`` times at most. ``alone``: only the
    first engine; another would take minutes a step, or fail.
    """

    scene: str
    stepper: str
    settle: int
    steps: int
    slow: bool = False
    most: int = 100
    alone: bool = False


CASES = (
    Case("pendulum2", "step", 0, 50_000),
    Case("chain10", "step", 0, 10_000),
    Case("chain50", "step", 0, 1_000),
    Case("chain200", "step", 0, 20),
    Case("chain1000", "step", 0, 1, slow=True, most=2),
    Case("chain1000", "step", 0, 200, alone=True),
    Case("chain10000", "step", 0, 100, alone=True),
    Case("ragdoll20", "step", 0, 600, most=3),
    Case("wall10", "step", 100, 2, slow=True, most=2),
    Case("wall10", "step", 100, 20, alone=True),
    Case("wall10_exact", "step", 0, 20, alone=True),
    Case("wall20", "step", 100, 10, alone=True),
    Case("heap200", "step", 300, 2, slow=True, most=2),
    Case("heap200", "step", 300, 20, alone=True),
    Case("heap1000", "step", 300, 10, alone=True),
    Case("terrain_hfield", "step", 100, 100),
    Case("terrain_trimesh", "step", 100, 100),
    Case("pendulum2", "quick", 0, 20_000),
    Case("chain10", "quick", 0, 5_000),
    Case("chain50", "quick", 0, 2_000),
    Case("chain200", "quick", 0, 500),
    Case("chain1000", "quick", 0, 100),
    Case("wall10", "quick", 100, 200),
    Case("wall20", "quick", 100, 100),
    Case("heap200", "quick", 300, 300),
    Case("heap1000", "quick", 300, 100),
    Case("heap4000", "quick", 300, 30, slow=True, most=3),
    Case("ragdoll20", "quick", 0, 600),
    Case("terrain_hfield", "quick", 100, 200),
    Case("terrain_trimesh", "quick", 100, 200),
    Case("pendulum2", "default", 0, 20_000),
    Case("chain50", "default", 0, 500),
    Case("wall10", "default", 100, 100),
    Case("wall20", "default", 100, 50),
    Case("heap200", "default", 300, 100),
    Case("heap1000", "default", 300, 50),
    Case("heap4000", "default", 300, 20, slow=True, most=3),
    Case("ragdoll20", "default", 0, 300),
    Case("terrain_hfield", "default", 100, 200),
    Case("terrain_trimesh", "default", 100, 200),
)


@dataclass
class Result:
    """The result of one case: milliseconds per step of each engine, one number per round."""

    case: Case
    times: dict[str, list[float]] = field(default_factory=dict)
    contacts: dict[str, float] = field(default_factory=dict)  # a step, where the engine counts them
    errors: dict[str, Errors] = field(default_factory=dict)  # of the state that the last repetition ended in
    failures: dict[str, str] = field(default_factory=dict)

    def ratios(self, first: str, other: str) -> list[float]:
        """``first`` over ``other``, round by round, so that a slow spell cancels."""
        pairs = zip(self.times.get(first, []), self.times.get(other, []), strict=False)
        return [a / b for a, b in pairs]


def scene_file(folder: Path, name: str) -> Path:
    """The file of a scene in ``folder``, packed or not; ``FileNotFoundError`` says where it was sought."""
    for ending in (".txt", ".txt.gz"):
        path = folder / (name + ending)
        if path.is_file():
            return path
    raise FileNotFoundError(f"there is no {name}.txt or {name}.txt.gz in {folder}; name a folder with --scene-dir")


def scene_of(name: str, folder: Path) -> BenchScene:
    """A scene by its file, or the long chain that has none."""
    if name == "chain10000":
        return chain(10_000)
    return read_bench_scene(scene_file(folder, name))


def settle(peers: Sequence[type[Peer]], scene: BenchScene, steps: int, space: str) -> NDArray[np.float64] | None:
    """The bodies' state after ``steps`` steps of the cheapest stepper here; None for the file's own state.

    Engines that cannot build the scene are passed over; if none can, the last one's error is raised.
    """
    if steps == 0:
        return None
    problem: Exception = RuntimeError("no engine")
    for peer_class in sorted(peers, key=lambda peer: "quick" not in peer.steppers):
        try:
            peer = peer_class(scene, space=space)
            peer.run(steps, "quick" if "quick" in peer.steppers else peer.steppers[0])
            state = peer.state()
            peer.close()
            return state
        except Exception as error:  # see measure()
            problem = error
    raise problem


class Repetition(NamedTuple):
    """The result of one repetition: milliseconds per step, contacts per step if the engine counts them, the final state."""

    ms: float
    contacts: float | None
    state: NDArray[np.float64]


def repetition(
    peer_class: type[Peer],
    scene: BenchScene,
    state: NDArray[np.float64] | None,
    steps: int,
    stepper: str,
    space: str,
) -> Repetition:
    """Some steps on a fresh world."""
    peer = peer_class(scene, space=space)
    try:
        if state is not None:
            peer.set_state(state)
        seconds = peer.run(steps, stepper)
        end = peer.state()
        if not np.isfinite(end).all():
            raise FloatingPointError("the state of a body is not finite after the run")
        contacts = getattr(peer, "contacts_per_step", None)
    finally:
        peer.close()
    return Repetition(1000.0 * seconds / steps, contacts, end)


def measure(case: Case, scene: BenchScene, peers: Sequence[type[Peer]], repeat: int, space: str) -> Result:
    """Runs one case on all engines, in turns. An engine that fails leaves the case and says why."""
    result = Result(case)
    able = [peer for peer in peers if case.stepper in peer.steppers][: 1 if case.alone else None]
    try:
        state = settle(peers, scene, case.settle, space)
    except Exception as error:
        result.failures["every engine"] = f"{type(error).__name__}: {error}"
        return result

    def leave_out(peer: type[Peer], reason: str) -> None:
        result.failures[peer.name] = reason
        result.times.pop(peer.name, None)
        able.remove(peer)

    def attempt(peer: type[Peer], steps: int) -> Repetition | None:
        try:
            return repetition(peer, scene, state, steps, case.stepper, space)
        except Exception as error:  # what one engine cannot do must not end the run of the others
            leave_out(peer, f"{type(error).__name__}: {error}")
            return None

    for peer in list(able):
        if peer.warm_up_steps:
            first = attempt(peer, peer.warm_up_steps)
            if first and peer is not peers[0] and first.ms > 1000.0 * PATIENCE:
                leave_out(peer, f"a step takes {number(first.ms)} ms")
    for _ in range(min(repeat, case.most)):
        for peer in list(able):
            measured = attempt(peer, case.steps)
            if measured is not None:
                result.times.setdefault(peer.name, []).append(measured.ms)
                result.errors[peer.name] = errors_of(scene, measured.state)
                if measured.contacts is not None:
                    result.contacts[peer.name] = measured.contacts
    return result


def machine() -> dict[str, str]:
    """The conditions of the measurement: processor, system, versions, load of the machine."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line.split(":", 1)[1] for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].strip() if names else processor
    facts = {
        "processor": f"{processor}, {os.cpu_count()} logical cores",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numba": f"{numba.__version__}, NumPy {np.__version__}",
    }
    if hasattr(os, "getloadavg"):
        facts["load"] = f"{os.getloadavg()[0]:.2f} processes running, averaged over the last minute"
    return facts


def number(value: float) -> str:
    """Three significant digits, never an exponent; 0 below a ten-thousandth."""
    return f"{value:.0f}" if value >= 1000.0 else f"{value:.3g}" if value >= 1e-4 else "0"


def spread(values: Sequence[float]) -> str:
    """Median and, in brackets, smallest and largest."""
    if not values:
        return "-"
    return f"{number(statistics.median(values))} ({number(min(values))}-{number(max(values))})"


HEADING = (
    f"{'scene':<16}{'stepper':<9}{'engine':<14}{'ms a step':>24}{'ours / its':>22}"
    f"{'contacts':>10}{'depth, mm':>11}{'joint, mm':>11}"
)


def table_lines(result: Result, peers: Sequence[type[Peer]]) -> str:
    """A line for each engine that ran the case, and one for each that could not."""
    case, lines = result.case, []
    for peer in peers:
        name = peer.name
        if name in result.times:
            ratios = spread(result.ratios(peers[0].name, name)) if peer is not peers[0] else ""
            contacts = number(result.contacts[name]) if result.contacts.get(name) else ""
            errors = result.errors[name]
            lines.append(
                f"{case.scene:<16}{case.stepper:<9}{name:<14}{spread(result.times[name]):>24}{ratios:>22}{contacts:>10}"
                f"{number(1e3 * errors.depth):>11}{number(1e3 * errors.joint):>11}"
            )
    return "\n".join([*lines, *(f"    {name} cannot: {reason}" for name, reason in result.failures.items())])


def as_json(
    facts: dict[str, str],
    results: Sequence[Result],
    peers: Sequence[type[Peer]],
    start_up: dict[str, list[float]],
) -> dict[str, Any]:
    """Everything measured, raw: milliseconds a step in the order of the rounds, start-up in seconds."""
    return {
        "machine": facts,
        "cases": [
            {
                "scene": result.case.scene,
                "stepper": result.case.stepper,
                "settle": result.case.settle,
                "steps": result.case.steps,
                "ms_per_step": result.times,
                "contacts_per_step": result.contacts,
                "errors": {name: errors._asdict() for name, errors in result.errors.items()},
                "ratios": {peer.name: result.ratios(peers[0].name, peer.name) for peer in peers[1:]},
                "failures": result.failures,
            }
            for result in results
        ],
        "start_up_s": start_up,
    }


def choose(names: Sequence[str], slow: bool, peers: Sequence[type[Peer]]) -> list[Case]:
    """The cases to run: those of the named scenes, or all quick enough ones that the first engine can do."""
    if names:
        return [case for case in CASES if case.scene in names]
    return [case for case in CASES if (slow or not case.slow) and case.stepper in peers[0].steppers]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    known = list(dict.fromkeys(case.scene for case in CASES))
    parser.add_argument("--scenes", nargs="+", metavar="NAME", default=[], help="only these: " + ", ".join(known))
    parser.add_argument("--stepper", choices=STEPPERS, help="only the cases of this stepper")
    parser.add_argument("--repeat", type=int, default=5, help="rounds a case (default 5)")
    parser.add_argument("--slow", action="store_true", help="also the cases that take seconds a step")
    parser.add_argument("--space", choices=("hash", "sap"), default="hash", help="ODE's broadphase")
    parser.add_argument("--scene-dir", type=Path, default=SCENES, help="where the scene files are")
    parser.add_argument("--no-start-up", action="store_true", help="leave out start-up and cold compilation")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw figures")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.scenes) - set(known))
    if unknown:
        parser.error(f"unknown scenes: {', '.join(unknown)}; write some of: {', '.join(known)}")
    if options.repeat < 1:
        parser.error(f"--repeat {options.repeat} measures nothing; write 1 or more")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmarks; the process's exit status: 0, or 1 if there was nothing to run."""
    options = parse(arguments)
    facts = machine()
    peers: list[type[Peer]] = []
    for peer in PEERS:
        here, text = peer.available()
        facts[peer.name] = text if here else f"left out, {text}"
        if here:
            peers.append(peer)
    for name, fact in facts.items():
        print(f"{name + ':':<14}{fact}")
    if not peers:
        print("no engine to measure")
        return 1

    cases = choose(options.scenes, options.slow, peers)
    cases = [case for case in cases if options.stepper in (None, case.stepper)]
    results = []
    print(f"\n{HEADING}", flush=True)
    for case in cases:
        try:
            scene = scene_of(case.scene, options.scene_dir)
        except FileNotFoundError as error:
            print(f"{case.scene:<16}{case.stepper:<9}{error}")
            continue
        results.append(measure(case, scene, peers, options.repeat, options.space))
        print(table_lines(results[-1], peers), flush=True)
    print("Median (smallest-largest) of the rounds; ratios are taken round by round, below 1 is faster.")
    print(UNFAIR)

    start_up = {} if options.no_start_up or OursPeer not in peers else measure_start_up(options.repeat)
    print("" if start_up else "\nno start-up times: left out, or the engine is not here")
    for kind, seconds in start_up.items():
        print(f"start-up, {kind:<14}{spread(seconds):>24} s")
    if options.json:
        options.json.write_text(json.dumps(as_json(facts, results, peers, start_up), indent=1) + "\n")
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
