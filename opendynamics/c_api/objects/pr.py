"""objects.h: prismatic and rotoide joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.pr import PR
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreatePR(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return PR(the(World, w), group=or_null(JointGroup, group))


def dJointSetPRAnchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(PR, j).anchor = x, y, z


def dJointSetPRAxis1(j: dJointID, x: float, y: float, z: float) -> None:
    """The slider's axis."""
    the(PR, j).axis1 = x, y, z


def dJointSetPRAxis2(j: dJointID, x: float, y: float, z: float) -> None:
    """The hinge's axis."""
    the(PR, j).axis2 = x, y, z


def dJointGetPRAnchor(j: dJointID) -> Array:
    return the(PR, j).anchor


def dJointGetPRAxis1(j: dJointID) -> Array:
    return the(PR, j).axis1


def dJointGetPRAxis2(j: dJointID) -> Array:
    return the(PR, j).axis2


def dJointGetPRPosition(j: dJointID) -> float:
    """Position, m."""
    return the(PR, j).position


def dJointGetPRPositionRate(j: dJointID) -> float:
    return the(PR, j).position_rate


def dJointGetPRAngle(j: dJointID) -> float:
    """Angle, rad, between -pi and pi."""
    return the(PR, j).angle


def dJointGetPRAngleRate(j: dJointID) -> float:
    return the(PR, j).angle_rate


def dJointAddPRTorque(j: dJointID, torque: float) -> None:
    """About the hinge's axis on the first body, and opposite on the second."""
    the(PR, j).add_torque(torque)


def dJointSetPRParam(j: dJointID, parameter: int, value: float) -> None:
    """The first group is the slider's, the second the hinge's."""
    set_param(parameter, value, LIMIT_MOTOR, *the(PR, j).limit_motors)


def dJointGetPRParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, *the(PR, j).limit_motors)
