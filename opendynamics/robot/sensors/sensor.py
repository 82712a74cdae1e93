"""Sensor: what all kinds of sensors have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from opendynamics.robot.kinematics.forward import cross
from opendynamics.robot.link import Device

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]


class Links(NamedTuple):
    """What the links of a robot do at a moment, in the world: origins, orientations, velocities, angular velocities."""

    positions: Array
    rotations: Array
    velocities: Array
    spins: Array

    def point(self, device: Device) -> Array:
        """Where a device is, m."""
        return np.asarray(self.positions[device.link] + self.rotations[device.link] @ device.translation)

    def velocity(self, device: Device) -> Array:
        """Velocity of the link's matter at a device, m/s."""
        arm = self.rotations[device.link] @ device.translation
        return np.asarray(self.velocities[device.link] + cross(self.spins[device.link], arm))

    def axes(self, device: Device) -> Array:
        """Axes of a device in the world as columns, shape (3, 3)."""
        return np.asarray(self.rotations[device.link] @ device.rotation)


class Sensor:
    """A device that measures. Its readings are zero until the robot senses for the first time.

    Args:
        robot: whose it is.
        device: of the model.
    """

    def __init__(self, robot: Robot, device: Device) -> None:
        self.robot, self.device, self.name = robot, device, device.name

    def measure(self, before: Links, after: Links, h: float) -> None:
        """Take the reading of a step of h s that led from `before` to `after`."""
        raise NotImplementedError

    @property
    def values(self) -> Array:
        """The reading as one array; a copy."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.device.kind} {self.name!r} of {self.robot.name!r}: {self.values.round(6).tolist()}>"
