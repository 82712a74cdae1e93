"""Accelerometer: specific force Rᵀ (a - g) at the sensor's own point: +g upward at rest and 0 in free fall.

a is the change of the point's velocity over the step divided by its duration: the mean acceleration of the step, including
lever arm and centripetal term.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.robot.link import Device
from opendynamics.robot.sensors.sensor import Sensed, Sensor

Array = npt.NDArray[np.float64]

KIND = "AccelerationSensor"


def specific_force(step: Sensed, device: Device) -> Array:
    """Reading of an accelerometer, m/s², in the axes of the device."""
    change = (step.after.velocity(device) - step.before.velocity(device)) / step.h
    return np.asarray(step.after.axes(device).T @ (change - step.gravity))


class Reading(Sensor):
    """Reading of an accelerometer.

    Attributes:
        acceleration: specific force, m/s², in the sensor's axes, shape (3,).
    """

    def measure(self, step: Sensed) -> Array:
        """Specific force."""
        return specific_force(step, self.device)

    @property
    def acceleration(self) -> Array:
        """Specific force, m/s²."""
        return self.values
