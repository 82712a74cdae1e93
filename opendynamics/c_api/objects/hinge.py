"""objects.h: hinges."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreateHinge(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Hinge(the(World, w), group=or_null(JointGroup, group))


def dJointSetHingeAnchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(Hinge, j).anchor = x, y, z


def dJointSetHingeAnchorDelta(j: dJointID, x: float, y: float, z: float, ax: float, ay: float, az: float) -> None:
    """The anchor; on the static world it is (ax, ay, az) further."""
    the(Hinge, j).set_anchor_delta((x, y, z), (ax, ay, az))


def dJointSetHingeAxis(j: dJointID, x: float, y: float, z: float) -> None:
    the(Hinge, j).axis = x, y, z


def dJointSetHingeAxisOffset(j: dJointID, x: float, y: float, z: float, angle: float) -> None:
    """The axis, set so that the current angle is `angle`."""
    the(Hinge, j).set_axis_offset((x, y, z), angle)


def dJointGetHingeAnchor(j: dJointID) -> Array:
    return the(Hinge, j).anchor


def dJointGetHingeAnchor2(j: dJointID) -> Array:
    return the(Hinge, j).anchor2


def dJointGetHingeAxis(j: dJointID) -> Array:
    return the(Hinge, j).axis


def dJointGetHingeAngle(j: dJointID) -> float:
    """Angle, rad, between -pi and pi."""
    return the(Hinge, j).angle


def dJointGetHingeAngleRate(j: dJointID) -> float:
    return the(Hinge, j).angle_rate


def dJointAddHingeTorque(j: dJointID, torque: float) -> None:
    """About the axis on the first body, and opposite on the second."""
    the(Hinge, j).add_torque(torque)


def dJointSetHingeParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, the(Hinge, j).limit_motor)


def dJointGetHingeParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, the(Hinge, j).limit_motor)
