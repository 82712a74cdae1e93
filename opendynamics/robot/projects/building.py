"""Building: what items need to add themselves to a simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from opendynamics.robot.robot import Robot
from opendynamics.robot.simulator.simulator import Simulator


@dataclass(frozen=True)
class Building:
    """A simulator that is being filled.

    Attributes:
        sim: the simulator.
        controllers: functions that make controllers, by names in the project; they come before those that are known.
        robots: those made so far, by the names of their items.
        robot: the one that the items at hand are below; None if there is none.
    """

    sim: Simulator
    controllers: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    robots: dict[str, Robot] = field(default_factory=dict)
    robot: Robot | None = None

    def of(self, robot: Robot) -> Building:
        """For the items below a robot's."""
        return replace(self, robot=robot)
