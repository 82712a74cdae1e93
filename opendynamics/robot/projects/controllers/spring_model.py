"""SpringModelController: a spring and a damper at the joint UPPER, without delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.robot.link import place_of
from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.customizers.spring_model import DAMPING, STIFFNESS
from opendynamics.robot.simulator.io import RobotIO

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project

NAME = "SpringModelController"


class Spring(Controller):
    """u = -kp q - kd dq."""

    def start(self, io: RobotIO) -> None:
        """Drive the joint by efforts, without delay."""
        io.actuate("UPPER", "effort")
        io.delayed = False
        self.place = place_of(io.robot.model.joints["UPPER"])

    def control(self, io: RobotIO) -> Any:
        """Set the effort."""
        io.u[self.place] = -STIFFNESS * io.state.q[self.place] - DAMPING * io.state.dq[self.place]
        return True


def make(project: Project, place: str) -> Controller:
    """Create the controller."""
    return Spring()
