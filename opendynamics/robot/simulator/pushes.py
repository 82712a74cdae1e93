"""Push: an external force on a link of a robot, for some time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.member import Companion
from opendynamics.robot.link import Link
from opendynamics.robot.robot import Robot

if TYPE_CHECKING:
    from opendynamics.api.world import World


class Push(Companion):
    """A force and a torque on a link.

    Attributes:
        robot, link: the link it acts on.
        force: N, in the world frame; may be changed.
        point: point of application, in the link's frame, m.
        torque: N m, in the world frame.
        last: number of its last step.
    """

    _shared = frozenset({"link"})

    def __init__(self, robot: Robot, link: Link, force: Any, point: Any, torque: Any, last: float) -> None:
        if link.name not in robot.bodies:
            raise ValueError(f"{link.name} of {robot.name} cannot be pushed: nothing of {robot.name} can move")
        self.robot, self.link, self.last = robot, link, last
        self.force = np.array(checks.vector(f"the force on {link.name}", force))
        self.point = np.array(checks.vector(f"the point on {link.name}", point))
        self.torque = np.array(checks.vector(f"the torque on {link.name}", torque))

    def _saved_with(self) -> World:
        return self.robot.world

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name used in messages."""
        return f"the push on {self.link.name} of {self.robot.name}"

    def apply(self) -> None:
        """Add force and torque for the next step."""
        body, links, k = self.robot.bodies[self.link.name], self.robot.links(), self.link.index
        body.add_force(self.force, at=links.positions[k] + links.rotations[k] @ self.point)
        if self.torque.any():
            body.add_torque(self.torque)

    def end(self) -> None:
        """Stop the push."""
        self.last = 0
