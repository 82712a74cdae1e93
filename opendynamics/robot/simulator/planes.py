"""2D mode: free roots stay in their initial planes y = constant, and rotate about y only.

An LMotor with stops at 0 along y and an AMotor with zero velocity about x and z hold the root in each step. The solver's
remaining error is removed afterwards: y is reset, and of the rotation since the start, the quaternion (w, x, y, z), only (w,
0, y, 0) is kept. Other links follow by their joints. Choreonoid rotates the whole world into the x-y plane instead, which
misplaces static shapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opendynamics.api import rotation
from opendynamics.api.body import Body
from opendynamics.api.member import Companion
from opendynamics.robot.robot import Robot

if TYPE_CHECKING:
    from opendynamics.api.world import World


class PlaneOfRoot(Companion):
    """Holds a body in its plane y = constant."""

    def __init__(self, body: Body) -> None:
        world = body.world
        self.body, self.y, self.start = body, float(body.position[1]), body.quaternion.copy()
        slide = world.add_lmotor(body, None, axes=((0.0, 1.0, 0.0),), name=f"the plane of {body.name}")
        slide.limit_motors[0].stops = (0.0, 0.0)
        turn = world.add_amotor(
            body, None, axes=((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), name=f"the plane of rotation of {body.name}"
        )
        turn.motor(0, 0.0)
        turn.motor(1, 0.0)
        self.joints = (slide, turn)

    def _saved_with(self) -> World:
        return self.body.world

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name used in messages."""
        return f"the plane of {self.body.name}"

    def project(self) -> None:
        """Remove the motion across the plane that remains after the step."""
        body = self.body
        if not body.enabled:
            return
        x, _, z = body.position
        conjugate = self.start * np.array((1.0, -1.0, -1.0, -1.0))
        w, _, turned, _ = rotation.multiply(body.quaternion, conjugate)
        body.position = (x, self.y, z)
        body.quaternion = rotation.multiply(np.array((w, 0.0, turned, 0.0)) / np.hypot(w, turned), self.start)
        velocity, spin = body.linear_velocity, body.angular_velocity
        body.linear_velocity, body.angular_velocity = (velocity[0], 0.0, velocity[2]), (0.0, spin[1], 0.0)

    def end(self) -> None:
        """Release the body."""
        for joint in self.joints:
            joint.destroy()


def hold_in_planes(robot: Robot) -> list[PlaneOfRoot]:
    """Planes for all free links of a robot."""
    free = [link for link in robot.model.links if link.joint.type == "free"]
    return [PlaneOfRoot(robot.bodies[link.name]) for link in free]
