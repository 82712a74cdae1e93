"""Compares kinematics and dynamics of robots with Pinocchio, where its wheel is installed (`pip install pin`).

``python -m benchmarks.robots [FILE.urdf]`` draws random states of a URDF with a free root (SR1 unless given) and prints, for
each quantity, the largest difference relative to its largest number, and the time of a call on either side. It ends with 1
if a difference is beyond 1e-9.

Pinocchio has the velocity of a free root in the root's axes: v = R v', w = R w', and the acceleration of its origin is
R (dv'/dt + w' x v'). Forces on it follow from the power.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics import robot

SR1 = Path(__file__).parents[1] / "tests" / "data" / "models" / "SR1" / "SR1.urdf"
MOST = 1e-9
GRAVITY = np.array([0.0, 0.0, -9.80665])


class Pair:
    """A model on either side, in one random state."""

    def __init__(self, pin: Any, path: Path, seed: int) -> None:
        self.pin = pin
        self.model = robot.load_robot(path, fixed_root=False)
        self.theirs = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
        self.theirs.gravity.linear = GRAVITY
        self.data = self.theirs.createData()
        self.rng = np.random.default_rng(seed)
        self._order()
        self._draw()

    def _order(self) -> None:
        """For each of their velocities beyond the root's, ours."""
        joints = {self.theirs.idx_vs[k] - 6: self.theirs.names[k] for k in range(2, self.theirs.njoints)}
        self.order = np.array([self.model.joints[joints[k]].index for k in range(len(joints))])

    def _draw(self) -> None:
        rng, state = self.rng, self.model.state()
        state.q = rng.uniform(-1, 1, len(state.q))
        state.velocity = rng.normal(size=self.model.tree.freedom)
        state.u = rng.normal(size=len(state.u))
        state.acceleration = rng.normal(size=self.model.tree.freedom)
        state.position, state.quaternion = rng.normal(size=3), rng.normal(size=4)
        self.state = state
        turn = robot.forward_kinematics(state).rotations[0]
        self.turn = np.eye(self.model.tree.freedom)
        self.turn[:3, :3] = self.turn[3:6, 3:6] = turn
        w, x, y, z = state.quaternion
        self.q = np.concatenate([state.position, (x, y, z, w), state.q[self.order]])
        self.v = self.to_theirs(state.velocity)
        self.a = self.acceleration_to_theirs(state.acceleration)

    def to_theirs(self, ours: Any) -> Any:
        """A velocity or force of ours in their order and axes, along the first axis."""
        turned = self.turn.T @ ours
        return np.concatenate([turned[:6], turned[6:][self.order]])

    def acceleration_to_theirs(self, ours: Any) -> Any:
        """An acceleration of ours as theirs has it: that of the root's origin lacks w' x v'."""
        result = self.to_theirs(ours)
        result[:3] -= np.cross(self.v[3:6], self.v[:3])
        return result

    def matrix_to_theirs(self, ours: Any) -> Any:
        """A matrix over velocities in their order and axes."""
        return self.to_theirs(self.to_theirs(ours).T).T


Case = tuple[str, Callable[[], Any], Callable[[], Any], Callable[[Any], Any]]


def cases(pair: Pair, link: str) -> list[Case]:
    """Quantities: name, ours, theirs, and ours as theirs has it."""
    pin, state, theirs, data = pair.pin, pair.state, pair.theirs, pair.data
    frame = theirs.getFrameId(link, pin.FrameType.BODY)
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def pose() -> Any:
        pin.framesForwardKinematics(theirs, data, pair.q)
        placed = data.oMf[frame]
        return np.column_stack([placed.rotation, placed.translation])

    def our_pose() -> Any:
        kinematics = robot.forward_kinematics(state)
        k = pair.model.links[link].index
        return np.column_stack([kinematics.rotations[k], kinematics.positions[k]])

    def mass_matrix() -> Any:
        return np.asarray(pin.crba(theirs, data, pair.q))

    found = solved(pair, link)
    bias = robot.mass_matrix(state)[:, :3] @ state_shift(pair)
    return [
        ("pose of a link", our_pose, pose, lambda x: x),
        (
            "centre of mass",
            lambda: robot.center_of_mass(state),
            lambda: pin.centerOfMass(theirs, data, pair.q),
            lambda x: x,
        ),
        (
            "Jacobian of a link",
            lambda: robot.jacobian(state, link),
            lambda: pin.computeFrameJacobian(theirs, data, pair.q, frame, world),
            lambda x: pair.to_theirs(x.T).T,
        ),
        (
            "Jacobian of the centre",
            lambda: robot.center_of_mass_jacobian(state),
            lambda: pin.jacobianCenterOfMass(theirs, data, pair.q),
            lambda x: pair.to_theirs(x.T).T,
        ),
        ("mass matrix", lambda: robot.mass_matrix(state, rotors=False), mass_matrix, pair.matrix_to_theirs),
        (
            "bias forces",
            lambda: robot.bias_forces(state, gravity=GRAVITY),
            lambda: pin.nonLinearEffects(theirs, data, pair.q, pair.v),
            lambda x: pair.to_theirs(x + bias),
        ),
        (
            "inverse dynamics",
            lambda: robot.inverse_dynamics(state, gravity=GRAVITY, rotors=False),
            lambda: pin.rnea(theirs, data, pair.q, pair.v, pair.a),
            pair.to_theirs,
        ),
        ("mass", lambda: pair.model.mass, lambda: pin.computeTotalMass(theirs), lambda x: x),
        (
            "gravity forces",
            lambda: robot.gravity_forces(state, gravity=GRAVITY),
            lambda: pin.computeGeneralizedGravity(theirs, data, pair.q),
            pair.to_theirs,
        ),
        (
            "forward dynamics",
            lambda: robot.forward_dynamics(state, gravity=GRAVITY, rotors=False),
            lambda: pin.aba(theirs, data, pair.q, pair.v, pair.to_theirs(np.r_[np.zeros(6), state.u])),
            pair.acceleration_to_theirs,
        ),
        ("inverse kinematics", lambda: solved(pair, link), lambda: reached(pair, frame, found), at_target),
    ]


def solved(pair: Pair, link: str) -> Any:
    """Displacements that bring a link back to where it is, from others near by."""
    kinematics, k = robot.forward_kinematics(pair.state), pair.model.links[link].index
    start = pair.state.copy()
    start.q = start.q + 0.1
    target = robot.Target(link, kinematics.positions[k], kinematics.rotations[k])
    solution = robot.inverse_kinematics(start, target, tolerance=1e-12, limits=False)
    return np.column_stack([kinematics.rotations[k], kinematics.positions[k]]), solution.state.q


def reached(pair: Pair, frame: Any, solution: Any) -> Any:
    """Where Pinocchio has the link for these displacements."""
    pair.pin.framesForwardKinematics(pair.theirs, pair.data, np.concatenate([pair.q[:7], solution[1][pair.order]]))
    placed = pair.data.oMf[frame]
    return np.column_stack([placed.rotation, placed.translation])


def at_target(solution: Any) -> Any:
    """Where the link was to be."""
    return solution[0]


def state_shift(pair: Pair) -> Any:
    """w x v of the root: its acceleration where Pinocchio's numbers say zero."""
    return np.cross(pair.state.angular_velocity, pair.state.linear_velocity)


def seconds(function: Callable[[], Any], repeats: int = 50) -> float:
    """Median time of a call, s."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robots", description=str(__doc__).partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=SR1)
    parser.add_argument("--states", type=int, default=10, help="random states that are compared")
    options = parser.parse_args(arguments)
    try:
        import pinocchio as pin
    except ImportError:
        print("Pinocchio is not installed: pip install pin")
        return 0
    worst: dict[str, float] = {}
    times: dict[str, tuple[float, float]] = {}
    for seed in range(options.states):
        pair = Pair(pin, options.file, seed)
        link = pair.model.links[-1].name
        for name, ours, theirs, convert in cases(pair, link):
            expected = np.array(theirs())
            difference = np.abs(convert(ours()) - expected).max() / np.abs(expected).max()
            worst[name] = max(worst.get(name, 0.0), float(difference))
            if seed == 0:
                times[name] = seconds(ours), seconds(theirs)
    print(f"{'':24}{'difference':>12}{'ours, µs':>12}{'Pinocchio, µs':>16}")
    for name, difference in worst.items():
        mine, other = times[name]
        print(f"{name:24}{difference:12.1e}{1e6 * mine:12.0f}{1e6 * other:16.1f}")
    return int(max(worst.values()) > MOST)


if __name__ == "__main__":
    sys.exit(main())
