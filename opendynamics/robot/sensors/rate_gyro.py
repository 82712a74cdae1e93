"""Rate gyro: angular velocity of the link in the sensor's axes, at the end of the step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from opendynamics.robot.link import Device
from opendynamics.robot.sensors.sensor import Links, Sensor

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]

KIND = "RateGyroSensor"


class Reading(Sensor):
    """Attributes: angular_velocity: rad/s, in the sensor's axes, shape (3,)."""

    def __init__(self, robot: Robot, device: Device) -> None:
        super().__init__(robot, device)
        self.angular_velocity: Array = np.zeros(3)

    def measure(self, before: Links, after: Links, h: float) -> None:
        """Take the reading."""
        self.angular_velocity = after.axes(self.device).T @ after.spins[self.device.link]

    @property
    def values(self) -> Array:
        """Angular velocity."""
        return self.angular_velocity.copy()
