"""Force-torque sensor: the wrench that its link, with all beyond it, applies to the parent through the joint.

The sensor cuts its link on the joint's side: force and torque of the joint's constraints, limits and motor, and the effort
that drove it. The torque is about the sensor's own origin, both are in its axes. A foot on the ground so shows +z, a hand
that hangs -m g. Poses are those before the step, at which the engine solved for the forces:

    F = -f1,   T = -(t1 + u a) + (c - p) x F,

with the feedback f1, t1 of the joint on the child's body about its centre of mass c, the effort u about the axis a, and the
sensor at p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from opendynamics.robot.kinematics.forward import cross
from opendynamics.robot.link import Device
from opendynamics.robot.sensors.sensor import Links, Sensor

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]

KIND = "ForceSensor"


class Reading(Sensor):
    """Attributes: force: N, torque: N m about the sensor's origin; in the sensor's axes, shape (3,) each.

    On a root or a free link, which no joint holds, both stay zero.
    """

    def __init__(self, robot: Robot, device: Device) -> None:
        super().__init__(robot, device)
        self.force: Array = np.zeros(3)
        self.torque: Array = np.zeros(3)

    def measure(self, before: Links, after: Links, h: float) -> None:
        """Take the reading."""
        device, robot = self.device, self.robot
        link = robot.model.links[device.link]
        joint = robot.joints.get(link.joint.name)
        if joint is None or link.joint.type == "free":
            return
        feedback = joint.feedback
        force, torque = -feedback.force1, -feedback.torque1
        turn = before.rotations[device.link]
        center = before.positions[device.link] + turn @ robot.center_of(link)
        if link.joint.index is not None:
            driven = turn @ link.joint.axis * robot.driven[link.joint.index]
            if link.joint.type == "revolute":
                torque = torque - driven
            else:
                # It acts at the link's origin.
                force = force - driven
                torque = torque - cross(before.positions[device.link] - center, driven)
        axes = before.axes(device)
        self.force = axes.T @ force
        self.torque = axes.T @ (torque + cross(center - before.point(device), force))

    @property
    def values(self) -> Array:
        """Force, then torque."""
        return np.concatenate([self.force, self.torque])
