"""Rate gyro: angular velocity of the link in the sensor's axes, at the end of the step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.robot.link import Device
from opendynamics.robot.sensors.sensor import Sensed, Sensor

Array = npt.NDArray[np.float64]

KIND = "RateGyroSensor"


def turning(step: Sensed, device: Device) -> Array:
    """Reading of a rate gyro, rad/s, in the axes of the device."""
    return np.asarray(step.after.axes(device).T @ step.after.spins[device.link])


class Reading(Sensor):
    """Reading of a rate gyro.

    Attributes:
        angular_velocity: rad/s, in the sensor's axes, shape (3,).
    """

    def measure(self, step: Sensed) -> Array:
        """Angular velocity."""
        return turning(step, self.device)

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, rad/s."""
        return self.values
