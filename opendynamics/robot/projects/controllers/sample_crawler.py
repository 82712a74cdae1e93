"""SampleCrawlerController: forward, a turn to the right, forward, a turn to the left, every six seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.io import RobotIO

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project

NAME = "SampleCrawlerController"

TRACKS = ("CRAWLER_TRACK_L", "CRAWLER_TRACK_R")

# End of each phase, s, and the speeds of left and right track, m/s.
PHASES = ((2.0, 1.5, 1.5), (3.0, 1.0, -1.0), (5.0, 1.5, 1.5), (6.0, -1.0, 1.0))


class Crawler(Controller):
    """Drives two tracks."""

    def start(self, io: RobotIO) -> None:
        """Find the tracks."""
        names = io.robot.model.tracks.names
        missing = [name for name in TRACKS if name not in names]
        if missing:
            raise ValueError(f"{NAME} drives {' and '.join(TRACKS)}, but {io.robot.name} has no {missing[0]}")
        self.places = [names.index(name) for name in TRACKS]

    def control(self, io: RobotIO) -> Any:
        """Set the speeds of the phase."""
        time = io.time % PHASES[-1][0]
        speeds = io.surface_velocities.copy()
        speeds[self.places] = np.array(next(phase for phase in PHASES if time < phase[0])[1:])
        io.surface_velocities = speeds
        return True


def make(project: Project, place: str) -> Controller:
    """Create the controller."""
    return Crawler()
