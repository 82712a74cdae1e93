"""FollowMotion: a robot's joints follow a motion by displacements, or by efforts of PD control."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.robot.motion import Motion
from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.io import RobotIO


class FollowMotion(Controller):
    """Follows a motion from its first frame to its last, frame by frame.

    Args:
        motion: to follow.
        stiffness, damping: of PD control, N m/rad and N m s/rad, one number or one for each joint; without, joints are
            driven by displacements.
    """

    _shared = frozenset({"motion"})

    def __init__(self, motion: Motion, stiffness: Any = None, damping: Any = 0.0) -> None:
        self.motion, self.stiffness, self.damping = motion, stiffness, damping

    def start(self, io: RobotIO) -> None:
        """Choose the actuation."""
        io.actuate(None, "displacement" if self.stiffness is None else "effort")

    def control(self, io: RobotIO) -> Any:
        """The outputs for the next frame; False after the last one."""
        time = io.time
        q, dq = self.motion.at(io.robot.model, time)
        if self.stiffness is None:
            io.q_target = self.motion.at(io.robot.model, time + io.h)[0]
            io.dq_target = np.zeros(len(q))
        else:
            io.u = self.stiffness * (q - io.state.q) + self.damping * (dq - io.state.dq)
        return time < self.motion.seconds
