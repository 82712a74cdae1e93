"""objects.h: universal joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.universal import Universal
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreateUniversal(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Universal(the(World, w), group=or_null(JointGroup, group))


def dJointSetUniversalAnchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(Universal, j).anchor = x, y, z


def dJointSetUniversalAxis1(j: dJointID, x: float, y: float, z: float) -> None:
    the(Universal, j).axis1 = x, y, z


def dJointSetUniversalAxis1Offset(j: dJointID, x: float, y: float, z: float, offset1: float, offset2: float) -> None:
    """Axis 1, set so that the current angles are these."""
    the(Universal, j).set_axis1_offset((x, y, z), offset1, offset2)


def dJointSetUniversalAxis2(j: dJointID, x: float, y: float, z: float) -> None:
    the(Universal, j).axis2 = x, y, z


def dJointSetUniversalAxis2Offset(j: dJointID, x: float, y: float, z: float, offset1: float, offset2: float) -> None:
    """Axis 2, set so that the current angles are these."""
    the(Universal, j).set_axis2_offset((x, y, z), offset1, offset2)


def dJointGetUniversalAnchor(j: dJointID) -> Array:
    return the(Universal, j).anchor


def dJointGetUniversalAnchor2(j: dJointID) -> Array:
    return the(Universal, j).anchor2


def dJointGetUniversalAxis1(j: dJointID) -> Array:
    return the(Universal, j).axis1


def dJointGetUniversalAxis2(j: dJointID) -> Array:
    return the(Universal, j).axis2


def dJointGetUniversalAngles(j: dJointID) -> tuple[float, float]:
    """Both angles, rad, between -pi and pi."""
    return the(Universal, j).angles


def dJointGetUniversalAngle1(j: dJointID) -> float:
    return the(Universal, j).angle1


def dJointGetUniversalAngle2(j: dJointID) -> float:
    return the(Universal, j).angle2


def dJointGetUniversalAngle1Rate(j: dJointID) -> float:
    return the(Universal, j).angle1_rate


def dJointGetUniversalAngle2Rate(j: dJointID) -> float:
    return the(Universal, j).angle2_rate


def dJointAddUniversalTorques(joint: dJointID, torque1: float, torque2: float) -> None:
    """About the axes on the first body, and opposite on the second."""
    the(Universal, joint).add_torques(torque1, torque2)


def dJointSetUniversalParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, *the(Universal, j).limit_motors)


def dJointGetUniversalParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, *the(Universal, j).limit_motors)
