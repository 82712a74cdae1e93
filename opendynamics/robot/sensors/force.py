"""Force-torque sensor: the wrench that its link, with all links beyond it, applies to the parent through the joint.

The sensor cuts its link on the joint's side: force and torque of the joint's constraints, limits and motor, and the driven
effort. The torque is about the sensor's own origin, both are in its axes. Thus a foot on the ground shows +z, a hanging hand
-m g. Poses are those before the step, at which the engine solved for the forces:

    F = -f1,   T = -(t1 + u a) + (c - p) x F,

with the feedback f1, t1 of the joint on the child's body about its centre of mass c, the effort u about the axis a, and the
sensor at p.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.robot.kinematics.forward import cross
from opendynamics.robot.sensors.sensor import Sensed, Sensor

Array = npt.NDArray[np.float64]

KIND = "ForceSensor"


class Reading(Sensor):
    """Reading of a force-torque sensor, in the sensor's axes; zero on a root or a free link, which no joint holds.

    Attributes:
        force: N, shape (3,).
        torque: about the sensor's origin, N m, shape (3,).
    """

    WIDTH = 6

    def measure(self, step: Sensed) -> Array:
        """Force, then torque."""
        device, model, solved = self.device, self.robot.model, step.solved
        if device.link not in step.feedback:
            return np.zeros(6)
        link = model.links[device.link]
        force, torque = -step.feedback[device.link][:3], -step.feedback[device.link][3:]
        turn = solved.rotations[device.link]
        center = solved.positions[device.link] + turn @ self.robot.center_of(link)
        if link.joint.index is not None:
            driven = turn @ link.joint.axis * step.driven[link.joint.index]
            if link.joint.type == "revolute":
                torque = torque - driven
            else:
                # It acts at the link's origin.
                force = force - driven
                torque = torque - cross(solved.positions[device.link] - center, driven)
        axes = solved.axes(device)
        moment = torque + cross(center - solved.point(device), force)
        return np.concatenate([axes.T @ force, axes.T @ moment])

    @property
    def force(self) -> Array:
        """Force, N."""
        return self.values[:3]

    @property
    def torque(self) -> Array:
        """Torque about the sensor's origin, N m."""
        return self.values[3:]
