"""PD control: efforts u = kp (q* - q) + kd (dq* - dq) that bring joints to displacements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.robot.robot import Robot
from opendynamics.robot.state import State

Array = npt.NDArray[np.float64]


class PDControl:
    """Drives the joints of a robot to displacements.

    Args:
        robot: whose joints.
        stiffness: kp, N m/rad or N/m: one number, one for each joint, or by joint name (others are then not driven).
        damping: kd, N m s/rad or N s/m, in the same way.
    """

    def __init__(self, robot: Robot, stiffness: Any, damping: Any) -> None:
        self.robot = robot
        self.stiffness = self._gains("stiffness", stiffness)
        self.damping = self._gains("damping", damping)

    def _gains(self, what: str, given: Any) -> Array:
        model = self.robot.model
        if isinstance(given, Mapping):
            gains = model.vector(given)
        else:
            gains = checks.array(f"the {what} of {self.robot.name}", given)
            if gains.shape not in ((), (len(model.joints),)):
                raise ValueError(
                    f"the {what} of {self.robot.name} must be one number or {len(model.joints)}, not of shape {gains.shape}"
                )
            gains = np.broadcast_to(gains, len(model.joints)).copy()
        if (gains < 0.0).any():
            raise ValueError(f"the {what} of {self.robot.name} must be at least 0, not {gains.min()}")
        return gains

    def drive(self, q: Any, dq: Any = None) -> State:
        """Add the efforts for the next step; returns the state that they are for.

        Args:
            q: displacements to go to, in the order of the model's joints, shape (n,).
            dq: velocities to have there; at rest unless given.
        """
        links = self.robot.links()
        state = self.robot.read(links)
        wanted = checks.array(f"the displacements for {self.robot.name}", q)
        rates = np.zeros(len(state.q)) if dq is None else checks.array(f"the velocities for {self.robot.name}", dq)
        for array in (wanted, rates):
            if array.shape != state.q.shape:
                raise ValueError(
                    f"{self.robot.name} needs {len(state.q)} displacements and velocities, not {array.shape}"
                )
        self.robot.drive(self.stiffness * (wanted - state.q) + self.damping * (rates - state.dq), links)
        return state
