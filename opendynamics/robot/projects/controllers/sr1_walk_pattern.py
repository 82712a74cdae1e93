"""SR1WalkPatternController: SR1 follows a walking pattern by PD control, or by displacements if an option requests it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.following import FollowMotion
from opendynamics.robot.simulator.io import RobotIO

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project

NAME = "SR1WalkPatternController"

EFFORT_PATTERN, POSITION_PATTERN = (f"${{SHARE}}/motion/SR1/SR1WalkPattern{number}.seq" for number in (1, 2))

# N m/rad by joint id: legs and waist are stiffer than arms; damping of all, N m s/rad.
STIFFNESS = np.repeat((8000.0, 3000.0, 8000.0, 3000.0, 8000.0), (6, 7, 6, 7, 3))
DAMPING = 100.0


class WalkPattern(Controller):
    """Selects pattern and actuation by the options: none, "position" or "velocity"."""

    def __init__(self, project: Project, place: str) -> None:
        self._project: Project | None = project  # until the pattern is loaded
        self._place = place

    def start(self, io: RobotIO) -> None:
        """Load the pattern."""
        stiff = not {"position", "velocity"} & set(io.options)
        assert self._project is not None
        motion = self._project.motion(EFFORT_PATTERN if stiff else POSITION_PATTERN, self._place)
        ids = io.robot.model.tree.joint_ids
        if (ids < 0).any() or (ids >= len(STIFFNESS)).any():
            raise ValueError(
                f"{NAME} drives joints with the ids 0 to {len(STIFFNESS) - 1}, as SR1's are, not {io.robot.name}"
            )
        if abs(motion.frame_rate * io.h - 1.0) > 1e-6:
            self._project.findings.note(
                self._place,
                f"the pattern of {NAME} has {motion.frame_rate:g} frames a second, but the simulator {1.0 / io.h:g} steps: "
                "what is between frames is interpolated",
            )
        self._project = None
        self.following = FollowMotion(motion, STIFFNESS[ids], DAMPING) if stiff else FollowMotion(motion)
        self.following.begin(io)

    def control(self, io: RobotIO) -> Any:
        """Follow."""
        return self.following.control(io)


def make(project: Project, place: str) -> Controller:
    """Create the controller."""
    return WalkPattern(project, place)
