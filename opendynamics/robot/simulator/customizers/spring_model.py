"""CustomizedSpringModel: a spring and a damper between its two parts, u = -kp q - kd dq."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot
    from opendynamics.robot.state import State

MODELS = ("CustomizedSpringModel",)

STIFFNESS, DAMPING = 2000.0, 5.0  # N/m, N s/m


def efforts(robot: Robot, state: State, h: float) -> Any:
    """Efforts of the spring, N."""
    return -STIFFNESS * state.q - DAMPING * state.dq
