"""Extra joints between links of robots at their current poses: fixed, ball, hinge and piston."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.joints.joint import Joint as EngineJoint
from opendynamics.api.world import World
from opendynamics.robot.building.joints import EXTRA_JOINTS, add_extra_joint
from opendynamics.robot.kinematics.forward import Kinematics
from opendynamics.robot.robot import Robot

Array = npt.NDArray[np.float64]

# A robot, a link by name, index or itself, and optionally a point of it, m.
End: TypeAlias = tuple[Any, Any] | tuple[Any, Any, Any]


def connect(world: World, type: str, one: End, two: End, *, axis: Any, name: str) -> EngineJoint:
    """See `Simulator.connect`."""
    checks.choice("the type of an extra joint", type, EXTRA_JOINTS)
    (body1, anchor, turn), (body2, other, _) = _placed(one), _placed(two)
    if body1 is None and body2 is None:
        raise ValueError(f"an extra joint must hold something that can move, not {_said(one)} and {_said(two)}")
    if body1 is body2:
        raise ValueError(f"an extra joint must be between two bodies, but {_said(one)} and {_said(two)} are one")
    if len(two) > 2 and type != "fixed":
        gap = float(np.linalg.norm(anchor - other))
        if gap > 1e-3:
            raise ValueError(
                f"the ends of the {type} between {_said(one)} and {_said(two)} are {gap:.3g} m apart; place the robots so "
                "that they meet, or leave out the second point"
            )
    direction = turn @ np.array(checks.direction("the axis of the extra joint", axis))
    return add_extra_joint(world, type, body1, body2, anchor, direction, name or f"extra {type}")


def _placed(end: End) -> tuple[Body | None, Array, Array]:
    """Body, world point, and orientation of the link of an end."""
    robot, link = end[0], end[0].model.link(end[1])
    point = np.array(checks.vector(f"the point on {link.name}", end[2] if len(end) > 2 else (0.0, 0.0, 0.0)))
    if robot.model.is_static:
        kinematics = Kinematics(robot.start)
        position, turn = kinematics.positions[link.index], kinematics.rotations[link.index]
    else:
        links = robot.links()
        position, turn = links.positions[link.index], links.rotations[link.index]
    return robot.bodies.get(link.name), position + turn @ point, turn


def _said(end: End) -> str:
    robot: Robot = end[0]
    return f"{robot.model.link(end[1]).name} of {robot.name}"
