"""ODE's loop from Python on the three faces and on PyODE: ``python -m benchmarks.loop [SCENE ...] [--turns N]``.

The same program (collide with a callback, a contact joint for each contact, QuickStep, empty the group) is run by PyODE
(`benchmarks/peers/pyode_loop.py`, by the Python that has it: /usr/bin/python3 with Debian's python3-pyode, or --pyode), by the
Pythonic face with its default settings, with these and the step by the default solver ("auto") in place of QuickStep, with
`like="ode"`, and with all contacts at once (`space.contacts`), by C names and by `opendynamics.pyode`. They take turns of some
steps each, and ratios are those of neighbouring turns: a busy machine slows all of them. Prints medians with the quarter and
three-quarter values; and of C names also what the joints of contacts take, beyond collision.

Not comparable: times are processor time of one thread, so ours cannot use a second core; the default QuickStep of the
Pythonic API does not use ODE's order of rows; and after some hundred steps the piles are no longer the same. Ratios of heap200
depend on the number of turns: its bodies hit each other in the first hundred steps, in which "auto" takes up to a millisecond for
islands that it solves exactly. On one machine its median was 2.2 for 8 turns and 1.3 for 20.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import opendynamics as od
from benchmarks.peers.pyode_loop import PyodeLoop
from benchmarks.run import SCENES, machine, scene_file
from opendynamics import c_api as c
from opendynamics import pyode
from opendynamics.io import build_scene, read_bench_scene
from opendynamics.io.bench_scene import BallItem, BenchScene, HingeItem, UniversalItem

NAMES = ("wall10", "heap200", "ragdoll20")
SETTLE, STEPS = 60, 10  # untimed steps, and steps a turn
PYODE = "/usr/bin/python3"
Turn = Callable[[int], tuple[float, int]]  # steps -> seconds, contacts


def scene_items(scene: BenchScene) -> dict[str, Any]:
    """A scene as plain lists, for a program that has no opendynamics."""
    joints: list[Any] = []
    for joint in scene.joints:
        ends = (joint.body1, joint.body2, joint.anchor)
        if isinstance(joint, BallItem):
            joints.append(("ball", *ends, (), ()))
        elif isinstance(joint, HingeItem):
            joints.append(("hinge", *ends, (joint.axis,), ((joint.low, joint.high),)))
        elif isinstance(joint, UniversalItem):
            stops = ((joint.low1, joint.high1), (joint.low2, joint.high2))
            joints.append(("universal", *ends, (joint.axis1, joint.axis2), stops))
    world = od.World()
    moments = [body.inertia.diagonal().tolist() for body in build_scene(world, scene)]
    bodies = [
        (body.kind, body.position, body.quaternion, body.mass, inertia, body.sizes)
        for body, inertia in zip(scene.bodies, moments, strict=True)
    ]
    return {
        "gravity": scene.gravity,
        "friction": scene.friction,
        "h": scene.timestep,
        "planes": [(plane.normal, plane.offset) for plane in scene.planes],
        "bodies": bodies,
        "joints": joints,
    }


class Loop:
    """A face's loop over a scene: `collide`, `step` and `empty` of it, made by a subclass's callback."""

    def __init__(self, scene: BenchScene, like: Any = "ode") -> None:
        self.h, self.friction, self.limit = scene.timestep, scene.friction, scene.max_contacts
        self.world = od.World(like=like)
        self.group = od.JointGroup()
        self.contacts = 0
        build_scene(self.world, scene)

    def step(self) -> None:
        """One step."""
        raise NotImplementedError

    def run(self, steps: int) -> tuple[float, int]:
        """Take steps; seconds of processor time and contacts."""
        self.contacts = 0
        start = time.thread_time()
        for _ in range(steps):
            self.step()
        return time.thread_time() - start, self.contacts


class PythonicLoop(Loop):
    """`od.collide`, `world.add_contact`; the step by `quick_step`, or by a solver."""

    def __init__(self, scene: BenchScene, like: Any, solver: str = "") -> None:
        super().__init__(scene, like)
        self.surface, self.solver = od.Surface(mu=self.friction), solver

    def near(self, a: od.Geom, b: od.Geom) -> None:
        """A contact joint for each contact."""
        body1, body2 = a.body, b.body
        if body1 is None and body2 is None:
            return
        if body1 is not None and body2 is not None and body1.is_connected_to(body2):
            return
        for contact in od.collide(a, b, max_contacts=self.limit):
            self.world.add_contact(contact, surface=self.surface, group=self.group)
            self.contacts += 1

    def step(self) -> None:
        """One step."""
        self.world.space.collide(self.near)
        if self.solver:
            self.world.step(self.h, solver=self.solver)
        else:
            self.world.quick_step(self.h)
        self.group.empty()


class BulkLoop(Loop):
    """`space.contacts`, `world.add_contacts`: the loop without a callback."""

    def __init__(self, scene: BenchScene) -> None:
        super().__init__(scene, "opendynamics")
        self.surface = od.Surface(mu=self.friction)

    def step(self) -> None:
        """One step."""
        contacts = self.world.space.contacts(max_contacts=self.limit)
        self.contacts += len(self.world.add_contacts(contacts, self.surface, group=self.group))
        self.world.quick_step(self.h)
        self.group.empty()


class CLoop(Loop):
    """dSpaceCollide, dCollide, dJointCreateContact, dJointAttach."""

    def near(self, alone: bool | None, o1: Any, o2: Any) -> None:
        """A contact joint for each contact; if the contacts are to be found `alone`, only for the first."""
        body1, body2 = c.dGeomGetBody(o1), c.dGeomGetBody(o2)
        if body1 is None and body2 is None:
            return
        if body1 is not None and body2 is not None and c.dAreConnected(body1, body2):
            return
        for found in c.dCollide(o1, o2, self.limit):
            self.contacts += 1
            if alone and self.contacts > 1:
                continue
            contact = c.dContact(geom=found)
            contact.surface.mode, contact.surface.mu = c.dContactApprox1, self.friction
            c.dJointAttach(c.dJointCreateContact(self.world, self.group, contact), body1, body2)

    def step(self) -> None:
        """One step."""
        c.dSpaceCollide(self.world.space, None, self.near)
        c.dWorldQuickStep(self.world, self.h)
        c.dJointGroupEmpty(self.group)

    def time_joints(self) -> float:
        """Microseconds per contact that the joints of a step take: dContact, its surface, dJointCreateContact, dJointAttach.

        The difference between two calls of dSpaceCollide in the same state, of which one makes a single joint: from the first on,
        dAreConnected knows that none of these joints is of the pair.
        """
        spent = []
        for alone in (True, False):
            self.contacts = 0
            start = time.thread_time()
            c.dSpaceCollide(self.world.space, alone, self.near)
            spent.append(time.thread_time() - start)
            if alone:
                c.dJointGroupEmpty(self.group)
        c.dWorldQuickStep(self.world, self.h)
        c.dJointGroupEmpty(self.group)
        return 1e6 * (spent[1] - spent[0]) / max(self.contacts - 1, 1)


class Peer:
    """PyODE in its own process."""

    def __init__(self, python: str, items: dict[str, Any]) -> None:
        program = Path(__file__).parent / "peers" / "pyode_loop.py"
        self.process = subprocess.Popen([python, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say(json.dumps(items))

    def say(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def run(self, steps: int) -> tuple[float, int]:
        """Take steps; seconds of processor time and contacts."""
        assert self.process.stdout is not None
        self.say(str(steps))
        seconds, contacts = self.process.stdout.readline().split()
        return float(seconds), int(contacts)

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def has_pyode(python: str) -> bool:
    """Whether a Python has PyODE."""
    try:
        return subprocess.run([python, "-c", "import ode"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def compare(name: str, turns: int, python: str) -> None:
    """Let the loops take turns on a scene, and print what came out."""
    scene = read_bench_scene(scene_file(SCENES, name))
    items = scene_items(scene)
    peer = Peer(python, items) if has_pyode(python) else None
    by_c_names = CLoop(scene)
    loops: dict[str, Turn] = {
        **({"PyODE": peer.run} if peer else {}),
        "Pythonic": PythonicLoop(scene, "opendynamics").run,
        "Pythonic, auto": PythonicLoop(scene, "opendynamics", "auto").run,
        "Pythonic, like ODE": PythonicLoop(scene, "ode").run,
        "Pythonic, at once": BulkLoop(scene).run,
        "C names": by_c_names.run,
        "opendynamics.pyode": PyodeLoop(pyode, items).run,
    }
    for run in loops.values():
        run(SETTLE)
    seconds: dict[str, list[float]] = {label: [] for label in loops}
    contacts = dict.fromkeys(loops, 0)
    for turn in range(turns):
        for label in loops if turn % 2 else reversed(loops):
            spent, count = loops[label](STEPS)
            seconds[label].append(spent)
            contacts[label] += count
    if peer is not None:
        peer.close()
    first = next(iter(loops))
    print(f"{name}, ratio to {first} of the same turn: median (quarter, three quarters)")
    for label, spent in seconds.items():
        ratios = [a / b for a, b in zip(spent, seconds[first], strict=True)]
        low, median, high = statistics.quantiles(ratios, n=4)
        step = 1e3 * statistics.median(spent) / STEPS
        count = contacts[label] / turns / STEPS
        print(f"  {label:20s} {median:6.2f} ({low:.2f}, {high:.2f})  {step:7.3f} ms a step, {count:.0f} contacts")
    low, median, high = statistics.quantiles((by_c_names.time_joints() for _ in range(turns * STEPS)), n=4)
    print(f"  the joints of C names {median:.2f} ({low:.2f}, {high:.2f}) us per contact")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loop", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scenes", nargs="*", default=NAMES, help=f"scenes; {', '.join(NAMES)} unless given")
    parser.add_argument("--turns", type=int, default=20, help=f"turns of {STEPS} steps each")
    parser.add_argument("--pyode", default=PYODE, help="the Python that has PyODE")
    options = parser.parse_args(arguments)
    print("; ".join(f"{key} {value}" for key, value in machine().items()))
    for name in options.scenes:
        compare(name, options.turns, options.pyode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
