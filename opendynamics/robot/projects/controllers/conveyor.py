"""ConveyorController: the first track runs at 1 m/s."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.io import RobotIO

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project

NAME = "ConveyorController"

SPEED = 1.0  # m/s


class Conveyor(Controller):
    """Drives one track."""

    def start(self, io: RobotIO) -> None:
        """Require a track."""
        if not len(io.robot.model.tracks):
            raise ValueError(f"{NAME} runs a track, but {io.robot.name} has none")

    def control(self, io: RobotIO) -> Any:
        """Set the constant speed."""
        io.surface_velocities[0] = SPEED
        return True


def make(project: Project, place: str) -> Controller:
    """Create the controller."""
    return Conveyor()
