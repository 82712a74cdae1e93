"""IMU: accelerometer and rate gyro in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from opendynamics.robot.link import Device
from opendynamics.robot.sensors import acceleration, rate_gyro
from opendynamics.robot.sensors.sensor import Links, Sensor

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]

KIND = "IMU"


class Reading(Sensor):
    """Attributes: acceleration: specific force, m/s²; angular_velocity: rad/s; in the sensor's axes, shape (3,) each."""

    def __init__(self, robot: Robot, device: Device) -> None:
        super().__init__(robot, device)
        self._linear, self._angular = acceleration.Reading(robot, device), rate_gyro.Reading(robot, device)

    def measure(self, before: Links, after: Links, h: float) -> None:
        """Take the reading."""
        self._linear.measure(before, after, h)
        self._angular.measure(before, after, h)

    @property
    def acceleration(self) -> Array:
        """Specific force, m/s²."""
        return self._linear.acceleration

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, rad/s."""
        return self._angular.angular_velocity

    @property
    def values(self) -> Array:
        """Specific force, then angular velocity."""
        return np.concatenate([self._linear.values, self._angular.values])
