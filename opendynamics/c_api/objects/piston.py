"""objects.h: pistons."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.piston import Piston
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreatePiston(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Piston(the(World, w), group=or_null(JointGroup, group))


def dJointSetPistonAnchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(Piston, j).anchor = x, y, z


def dJointSetPistonAnchorOffset(j: dJointID, x: float, y: float, z: float, dx: float, dy: float, dz: float) -> None:
    """The anchor; the current position becomes the component of (dx, dy, dz) along the axis."""
    the(Piston, j).set_anchor_offset((x, y, z), (dx, dy, dz))


def dJointSetPistonAxis(j: dJointID, x: float, y: float, z: float) -> None:
    the(Piston, j).axis = x, y, z


def dJointSetPistonAxisDelta(j: dJointID, x: float, y: float, z: float, ax: float, ay: float, az: float) -> None:
    """The axis; the current position becomes the component of (ax, ay, az) along it."""
    the(Piston, j).set_axis_delta((x, y, z), (ax, ay, az))


def dJointGetPistonAnchor(j: dJointID) -> Array:
    return the(Piston, j).anchor


def dJointGetPistonAnchor2(j: dJointID) -> Array:
    return the(Piston, j).anchor2


def dJointGetPistonAxis(j: dJointID) -> Array:
    return the(Piston, j).axis


def dJointGetPistonPosition(j: dJointID) -> float:
    """Position, m."""
    return the(Piston, j).position


def dJointGetPistonPositionRate(j: dJointID) -> float:
    return the(Piston, j).position_rate


def dJointGetPistonAngle(j: dJointID) -> float:
    """Angle, rad, between -pi and pi."""
    return the(Piston, j).angle


def dJointGetPistonAngleRate(j: dJointID) -> float:
    return the(Piston, j).angle_rate


def dJointAddPistonForce(joint: dJointID, force: float) -> None:
    """Along the axis on the first body, and opposite on the second."""
    the(Piston, joint).add_force(force)


def dJointSetPistonParam(j: dJointID, parameter: int, value: float) -> None:
    """The first group is along the axis, the second about it."""
    set_param(parameter, value, LIMIT_MOTOR, *the(Piston, j).limit_motors)


def dJointGetPistonParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, *the(Piston, j).limit_motors)
