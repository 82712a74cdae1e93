"""FollowMotion and HoldPose: a robot's joints follow a motion, or hold a pose, by PD control."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from opendynamics.api.suggestions import explain_calls
from opendynamics.robot.motion import Motion
from opendynamics.robot.pd import PDControl
from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.io import RobotIO


@explain_calls
class FollowMotion(Controller):
    """Follows a motion from its first frame to its last, frame by frame.

    Args:
        motion: the motion.
        stiffness, damping: of PD control, N m/rad and N m s/rad, one number or one for each joint; without them, joints are
            driven by displacements.
    """

    motion: Motion
    stiffness: Any
    damping: Any

    _shared = frozenset({"motion"})

    def __init__(self, motion: Motion, stiffness: Any = None, damping: Any = 0.0) -> None:
        if not isinstance(motion, Motion):
            raise TypeError(f"FollowMotion follows a Motion, such as load_motion(path) returns, not {motion!r}")
        self.motion, self.stiffness, self.damping = motion, stiffness, damping

    def start(self, io: RobotIO) -> None:
        """Choose the actuation."""
        io.actuate(None, "displacement" if self.stiffness is None else "effort")

    def control(self, io: RobotIO) -> Any:
        """Set the outputs for the next frame; returns False after the last one."""
        time = io.time
        q, dq = self.motion.at(io.robot.model, time)
        if self.stiffness is None:
            io.q_target = self.motion.at(io.robot.model, time + io.h)[0]
            io.dq_target = np.zeros(len(q))
        else:
            io.u = self.stiffness * (q - io.state.q) + self.damping * (dq - io.state.dq)
        return time < self.motion.seconds


@explain_calls
class HoldPose(Controller):
    """Holds a pose with PD control that is stable at any gain; see `PDControl`.

    Args:
        stiffness, damping: N m/rad and N m s/rad (N/m and N s/m): one number, one for each joint, or by joint name.
        pose: displacements, shape (n,), or by joint name; the others are those at the start.
    """

    stiffness: Any
    damping: Any
    pose: Any

    _transient: ClassVar[dict[str, Any]] = {"_control": type(None)}

    def __init__(self, stiffness: Any, damping: Any, pose: Any = None) -> None:
        self.stiffness, self.damping, self.pose = stiffness, damping, pose
        self._control: PDControl | None = None

    def start(self, io: RobotIO) -> None:
        """Complete the pose."""
        wanted = io.state.copy()
        if self.pose is not None:
            wanted.q = self.pose
        self.pose = wanted.q
        self._control = PDControl(io.robot, self.stiffness, self.damping, step=io.h)
        io.actuate(None, "effort")

    def control(self, io: RobotIO) -> Any:
        """Set the efforts for the next step."""
        if self._control is None:  # of a loaded world
            self._control = PDControl(io.robot, self.stiffness, self.damping, step=io.h)
        io.u = self._control.efforts(io.state, self.pose)
