"""Building: the state that items need to add themselves to a simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from opendynamics.robot.robot import Robot
from opendynamics.robot.simulator.simulator import Simulator


@dataclass(frozen=True)
class Building:
    """A simulator under construction.

    Attributes:
        sim: the simulator.
        controllers: functions that create controllers, by names in the project; they take precedence over built-in ones.
        robots: those created so far, by the names of their items.
        robot: the robot above the current items; None if there is none.
    """

    sim: Simulator
    controllers: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    robots: dict[str, Robot] = field(default_factory=dict)
    robot: Robot | None = None

    def of(self, robot: Robot) -> Building:
        """The state for the items below a robot's."""
        return replace(self, robot=robot)
