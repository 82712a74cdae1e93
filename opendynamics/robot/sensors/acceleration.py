"""Accelerometer: specific force Rᵀ (a - g) at the sensor's own point, so that it shows +g upward at rest and 0 in free fall.

a is the change of the point's velocity over the step divided by its duration: mean acceleration of the step, lever arm and
centripetal term included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from opendynamics.robot.link import Device
from opendynamics.robot.sensors.sensor import Links, Sensor

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]

KIND = "AccelerationSensor"


class Reading(Sensor):
    """Attributes: acceleration: specific force, m/s², in the sensor's axes, shape (3,)."""

    def __init__(self, robot: Robot, device: Device) -> None:
        super().__init__(robot, device)
        self.acceleration: Array = np.zeros(3)

    def measure(self, before: Links, after: Links, h: float) -> None:
        """Take the reading."""
        change = (after.velocity(self.device) - before.velocity(self.device)) / h
        self.acceleration = after.axes(self.device).T @ (change - self.robot.world.gravity)

    @property
    def values(self) -> Array:
        """Specific force."""
        return self.acceleration.copy()
