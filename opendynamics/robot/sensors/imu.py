"""IMU: accelerometer and rate gyro in one device."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.robot.sensors.acceleration import specific_force
from opendynamics.robot.sensors.rate_gyro import turning
from opendynamics.robot.sensors.sensor import Sensed, Sensor

Array = npt.NDArray[np.float64]

KIND = "IMU"


class Reading(Sensor):
    """Reading of an IMU, in the sensor's axes.

    Attributes:
        acceleration: specific force, m/s², shape (3,).
        angular_velocity: rad/s, shape (3,).
    """

    WIDTH = 6

    def measure(self, step: Sensed) -> Array:
        """Specific force, then angular velocity."""
        return np.concatenate([specific_force(step, self.device), turning(step, self.device)])

    @property
    def acceleration(self) -> Array:
        """Specific force, m/s²."""
        return self.values[:3]

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, rad/s."""
        return self.values[3:]
