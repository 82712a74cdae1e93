"""Sensor: base of all kinds of sensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from opendynamics.robot.kinematics.forward import cross
from opendynamics.robot.link import Device

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]


class Links(NamedTuple):
    """Motion of a robot's links at a moment, in the world frame: origins, orientations, velocities, angular velocities."""

    positions: Array
    rotations: Array
    velocities: Array
    spins: Array

    def point(self, device: Device) -> Array:
        """Position of a device, m."""
        return np.asarray(self.positions[device.link] + self.rotations[device.link] @ device.translation)

    def velocity(self, device: Device) -> Array:
        """Velocity of the link at a device, m/s."""
        arm = self.rotations[device.link] @ device.translation
        return np.asarray(self.velocities[device.link] + cross(self.spins[device.link], arm))

    def axes(self, device: Device) -> Array:
        """Axes of a device in the world frame as columns, shape (3, 3)."""
        return np.asarray(self.rotations[device.link] @ device.rotation)


class Sensed(NamedTuple):
    """Data from which sensors take their readings: one step, or several, of h s together.

    Args:
        before, after: motion of the links at the beginning and end.
        solved: motion for which the engine solved for the forces of the last step.
        h: s.
        driven: efforts of the joints, N m and N, shape (n,).
        feedback: force and torque, N and N m, shape (6,), of the joints on links with force sensors, about their centres of
            mass, by link.
        gravity: m/s², shape (3,).
    """

    before: Links
    after: Links
    solved: Links
    h: float
    driven: Array
    feedback: Mapping[int, Array]
    gravity: Array


class Sensor:
    """A device with readings, which are zero until the robot senses for the first time.

    The reading of a step is computed on first access. A kind of sensor defines its `WIDTH` and `measure`.

    Args:
        robot: its robot.
        device: its device in the model.
    """

    WIDTH = 3  # number of values of a reading

    def __init__(self, robot: Robot, device: Device) -> None:
        self.robot, self.device, self.name = robot, device, device.name
        self._step: Sensed | None = None
        self._reading: Array = np.zeros(self.WIDTH)

    def measure(self, step: Sensed) -> Array:
        """The reading of a step."""
        raise NotImplementedError

    @property
    def values(self) -> Array:
        """The reading as one array; a copy."""
        step = self.robot.sensed
        if step is not self._step:
            self._reading = np.zeros(self.WIDTH) if step is None else self.measure(step)
            self._step = step
        return self._reading.copy()

    def __repr__(self) -> str:
        return f"<{self.device.kind} {self.name!r} of {self.robot.name!r}: {self.values.round(6).tolist()}>"
