"""SR1LiftupController: SR1 bends down to a box, presses it between its hands until it has a grip, lifts it, and throws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from opendynamics.robot.link import place_of
from opendynamics.robot.projects.controllers.sr1_walk_pattern import DAMPING, STIFFNESS
from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.io import RobotIO

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project

Array = npt.NDArray[np.float64]

NAME = "SR1LiftupController"

# Right and left: closing rotates the right one to positive angles and the left one to negative ones.
WRISTS, CLOSING = ("RARM_WRIST_R", "LARM_WRIST_R"), np.array([1.0, -1.0])


def _pose(hip: float, knee: float, ankle: float, shoulder: float, elbow: float, waist: float) -> Array:
    """Angles of all 29 joints by id, rad, from the six that bend the robot forward, degrees; the same on both sides."""
    leg = (0.0, hip, 0.0, knee, ankle, 0.0)
    arm = (shoulder, 0.0, 0.0, elbow, 0.0, 0.0, 0.0)
    return np.radians([*leg, *arm, *leg, *arm, waist, 0.0, 0.0])


STANDING = _pose(-15.0, 45.0, -30.0, 10.0, -90.0, 0.0)
BENT = _pose(-80.0, 148.0, -70.0, -47.0, -60.0, 50.0)
LIFTED = _pose(-15.0, 45.0, -30.0, -50.0, -60.0, 0.0)
SWUNG_BACK = _pose(-40.0, 80.0, -40.0, -50.0, -60.0, 10.0)
THROWN = _pose(-15.0, 45.0, -30.0, -60.0, -50.0, 0.0)

# Target efforts of the wrists, N m, and the angle by which they close further in each step, and at most, rad.
HOLDING, FASTER, FASTEST = 40.0, np.radians(0.001), np.radians(0.1)

# Angle by which the hands open to release, rad.
OPENING = 0.15


class Liftup(Controller):
    """The phases are "bend", "close", "lift", "throw" and "rest"; joints follow their poses by PD control."""

    phase: str

    def start(self, io: RobotIO) -> None:
        """Stand in the project's pose, and start to bend down."""
        model = io.robot.model
        self.ids = model.tree.joint_ids
        if sorted(self.ids) != list(range(len(STIFFNESS))) or not set(WRISTS) <= set(model.joints.names):
            raise ValueError(f"{NAME} drives SR1 with its {len(STIFFNESS)} joints, not {io.robot.name}")
        io.actuate(None, "effort")
        self.wrists = np.array([place_of(model.joints[name]) for name in WRISTS])
        self.target, self.closing, self.released = io.state.q.copy(), 0.0, np.zeros(0)
        self._move("bend", (0.0, self.target), (1.5, STANDING[self.ids]), (4.5, BENT[self.ids]))

    def control(self, io: RobotIO) -> None:
        """Efforts of the next step."""
        last = self.target
        if self.phase == "close":
            self.target = self._closed(io)
        if io.time > self.times[-1]:
            self._next(io)
        if self.phase != "close":
            self.target = self._pose_at(io.time)
        letting_go = self.phase == "throw" and io.time > self.times[1:].mean()
        if letting_go and not len(self.released):
            self.released = io.state.q[self.wrists] - CLOSING * OPENING
        if len(self.released):
            self.target[self.wrists] = self.released
        rate = (self.target - last) / io.h
        io.u = STIFFNESS[self.ids] * (self.target - io.state.q) + DAMPING * (rate - io.state.dq)
        if letting_go:
            io.u[self.wrists] = 0.0

    def _next(self, io: RobotIO) -> None:
        """Start the phase after a completed one."""
        if self.phase == "bend":
            self.phase = "close"
        elif self.phase == "close" and (abs(io.u[self.wrists]) > HOLDING).all():
            lifted = self._held(LIFTED)
            self._move("lift", (io.time, self.target), (io.time + 2.5, lifted), (io.time + 4.0, lifted))
        elif self.phase == "lift":
            back, thrown = self._held(SWUNG_BACK), self._held(THROWN)
            self._move("throw", (io.time, self.target), (io.time + 1.0, back), (io.time + 1.3, thrown))
            self.slopes[1] = 0.0  # at rest before the throw
        elif self.phase == "throw":
            self.phase = "rest"

    def _closed(self, io: RobotIO) -> Array:
        """The last pose with the hands slightly closer together."""
        target = self.target.copy()
        self.closing = min(self.closing + FASTER, FASTEST)
        target[self.wrists] += CLOSING * self.closing
        return target

    def _held(self, pose: Array) -> Array:
        """A pose with the current wrist angles."""
        result = pose[self.ids]
        result[self.wrists] = self.target[self.wrists]
        return result

    def _move(self, phase: str, *frames: tuple[float, Array]) -> None:
        """Start to move through three poses at times, s: at rest at the ends, with the mean rate at the middle one."""
        self.phase = phase
        self.times = np.array([time for time, _ in frames])
        self.poses = np.array([pose for _, pose in frames])
        self.slopes: Array = np.zeros_like(self.poses)
        self.slopes[1] = (self.poses[2] - self.poses[0]) / (self.times[2] - self.times[0])

    def _pose_at(self, time: float) -> Array:
        """Hermite's cubic between two frames; the last one after the end."""
        k = 0 if time < self.times[1] else 1
        span = self.times[k + 1] - self.times[k]
        s = min((time - self.times[k]) / span, 1.0)
        passed = s * s * (3.0 - 2.0 * s)
        result: Array = (1.0 - passed) * self.poses[k] + passed * self.poses[k + 1]
        result += span * s * (1.0 - s) * ((1.0 - s) * self.slopes[k] - s * self.slopes[k + 1])
        return result


def make(project: Project, place: str) -> Controller:
    """Create the controller."""
    return Liftup()
