"""RobotIO: inputs and outputs of controllers.

A joint is actuated in one of four modes. With the step h, the displacement q and the limits of the joint for effort and velocity:

    effort         u acts on the joint
    velocity       the joint's motor brings it to dq_target
    displacement   the motor's velocity is dq_target + (q_target - q) / h
    none           nothing acts

A track has a surface velocity, m/s, instead (`api/belts.py`). Outputs act from the step in which they are written, or with
`delayed` from the next one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.member import Companion
from opendynamics.api.suggestions import explain_calls, refusal
from opendynamics.robot.link import Joint, place_of
from opendynamics.robot.sensors.sensor import Links
from opendynamics.robot.state import State

if TYPE_CHECKING:
    from opendynamics.api.world import World
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]

ACTUATIONS = ("none", "effort", "velocity", "displacement")
_EFFORT, _VELOCITY, _DISPLACEMENT = 1, 2, 3

# Names in model files.
_FROM_FILES = {
    "": "effort",
    "joint_effort": "effort",
    "joint_torque": "effort",
    "joint_force": "effort",
    "joint_velocity": "velocity",
    "joint_displacement": "displacement",
    "joint_angle": "displacement",
}


@explain_calls
class RobotIO(Companion):
    """Input and output of a robot's controllers.

    Attributes:
        robot: the robot, with its sensors.
        time: time at the beginning of the step, s.
        h: step size, s.
        options: strings for controllers.
        delayed: whether outputs act one step later.
        u: efforts, N m and N, in the order of `model.joints`, shape (n,).
        q_target, dq_target: target displacements and velocities of the joints, shape (n,).
        surface_velocities: of the tracks, m/s, in the order of `model.tracks`.
    """

    robot: Robot
    time: float
    h: float
    options: tuple[str, ...]
    delayed: bool
    u: Array
    q_target: Array
    dq_target: Array
    surface_velocities: Array

    _transient: ClassVar[dict[str, Any]] = {"_state": type(None), "_links": type(None)}

    def __init__(
        self,
        robot: Robot,
        h: float,
        options: Iterable[str] = (),
        *,
        delayed: bool = False,
        track_depth: float = math.inf,
    ) -> None:
        model = robot.model
        self.robot, self.h, self.time = robot, h, 0.0
        self.options, self.delayed = tuple(options), checks.flag("delayed", delayed)
        self._track_depth = track_depth
        self._state: State | None = None
        self._links: Links | None = None
        self._modes = np.array([_from_file(joint) for joint in model.joints], np.int64)
        self.u, self.dq_target = np.zeros(len(model.joints)), np.zeros(len(model.joints))
        self.q_target = self.state.q.copy()
        self.surface_velocities = np.zeros(len(model.tracks))
        self._note_modes()
        self._output: tuple[Array, ...] = tuple(
            array.copy() for array in (self.u, self.q_target, self.dq_target, self.surface_velocities)
        )
        self._idle = not (len(model.joints) or len(model.tracks))  # there is nothing to drive
        self._driving = np.zeros(len(model.joints), bool)
        self._running = self.surface_velocities.copy()

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            if not name.startswith("_") and name not in RobotIO.__annotations__:
                raise refusal(self, name, None)  # other attributes of a controller would drive nothing
            super().__setattr__(name, value)

    def _saved_with(self) -> World:
        return self.robot.world

    def _reinstated(self) -> None:
        self._state = self._links = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name used in messages."""
        return f"the input and output of {self.robot.name}"

    def __repr__(self) -> str:
        return f"<RobotIO of {self.robot.name!r} at {self.time:g} s>"

    # -- configuration by controllers -------------------------------------------------------------------------------

    def actuate(self, joints: str | Iterable[str] | None, mode: str) -> None:
        """Choose how joints are driven.

        Args:
            joints: names, or None for all.
            mode: "none", "effort", "velocity" or "displacement".

        Raises:
            KeyError: there is no such movable joint.
            ValueError: there is no such mode, or the joint is a track, which has a surface velocity instead.
        """
        if mode not in ACTUATIONS:
            raise ValueError(f"joints of {self.robot.name} are driven by {', '.join(ACTUATIONS)}, not by {mode!r}")
        model = self.robot.model
        names = model.joints.names if joints is None else [joints] if isinstance(joints, str) else list(joints)
        for name in names:
            if name in model.tracks.names:
                raise ValueError(
                    f"{name} of {self.robot.name} is a track: set its surface_velocities, not its actuation"
                )
        places = [place_of(model.joints[name]) for name in names]
        modes = self._modes.copy()
        modes[places] = ACTUATIONS.index(mode)
        self._modes = modes
        self._note_modes()

    def _note_modes(self) -> None:
        """Joints without efforts, those without velocities, and whether any motor is needed."""
        self._no_effort, self._no_velocity = self._modes != _EFFORT, self._modes < _VELOCITY
        self._by_motor = ~self._no_velocity
        self._motors = bool(self._by_motor.any())

    @property
    def state(self) -> State:
        """The robot at the beginning of the step."""
        if self._state is None:
            self._state = self.robot.read(self._links)
        return self._state

    def actuation(self, joint: str) -> str:
        """The actuation mode of a joint."""
        return ACTUATIONS[self._modes[place_of(self.robot.model.joints[joint])]]

    @property
    def applied(self) -> Array:
        """Efforts that act in the current step, N m and N, shape (n,)."""
        return np.where(self._no_effort, 0.0, self._output[0])

    # -- calls of the simulator -------------------------------------------------------------------------------------

    def output(self) -> None:
        """Apply the controllers' outputs from the next step on; ValueError if a joint cannot do it."""
        if self._idle:
            return
        model, found = self.robot.model, []
        for what, value, count in (
            *((f, getattr(self, f), len(model.joints)) for f in ("u", "q_target", "dq_target")),
            ("surface_velocities", self.surface_velocities, len(model.tracks)),
        ):
            array = checks.array(f"{what} of {self.robot.name}", value)
            if array.shape != (count,):
                raise ValueError(f"{what} of {self.robot.name} must have the shape {(count,)}, not {array.shape}")
            found.append(array.copy())
        self._require_mode(found[0], self._no_effort, "u", "an effort", "effort")
        self._require_mode(found[2], self._no_velocity, "dq_target", "a velocity", "velocity")
        self._output = tuple(found)

    def _require_mode(self, values: Array, unable: Any, what: str, noun: str, mode: str) -> None:
        if values[unable].any():
            wrong = np.flatnonzero((values != 0.0) & unable)
            joint = self.robot.model.joints[int(wrong[0])].name
            raise ValueError(
                f"{what} asks {joint} of {self.robot.name} for {noun}, but its actuation is {self.actuation(joint)}; "
                f"call io.actuate({joint!r}, {mode!r}) first"
            )

    def begin_step(self, time: float) -> None:
        """Called at the beginning of a step: read the robot's state, if needed; turns of joints are counted here."""
        self.time, self._state, self._links = time, None, None
        if len(self._modes):
            self._links = self.robot.links()
            self._state = self.robot.read(self._links)

    def apply(self) -> None:
        """Drive the joints and tracks for the coming step."""
        u, q_target, dq_target, speeds = self._output
        if u.any():
            self.robot.drive(np.where(self._no_effort, 0.0, u), self._links)
        if self._motors or self._driving.any():
            self._run_motors(q_target, dq_target)
        if len(speeds) and not np.array_equal(speeds, self._running):
            self._run_tracks(speeds)

    def _run_motors(self, q_target: Array, dq_target: Array) -> None:
        for place in np.flatnonzero(self._by_motor | self._driving):
            joint = self.robot.model.joints[int(place)]
            motor: Any = self.robot.joints[joint.name]
            if not self._by_motor[place]:
                motor.motor(0.0, 0.0)
                continue
            velocity = dq_target[place]
            if self._modes[place] == _DISPLACEMENT:
                velocity += (q_target[place] - self.state.q[place]) / self.h
            motor.motor(min(max(velocity, joint.min_velocity), joint.max_velocity), joint.max_effort)
        self._driving = self._by_motor.copy()

    def _run_tracks(self, speeds: Array) -> None:
        for joint, speed in zip(self.robot.model.tracks, speeds, strict=True):
            self.robot.run_track(joint, float(speed), self._track_depth)
        self._running = speeds.copy()


def _from_file(joint: Joint) -> int:
    return ACTUATIONS.index(_FROM_FILES.get(joint.actuation.lower(), "effort"))
