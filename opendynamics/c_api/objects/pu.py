"""objects.h: prismatic and universal joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.pu import PU
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreatePU(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return PU(the(World, w), group=or_null(JointGroup, group))


def dJointSetPUAnchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(PU, j).anchor = x, y, z


def dJointSetPUAnchorDelta(j: dJointID, x: float, y: float, z: float, dx: float, dy: float, dz: float) -> None:
    """The anchor; the position is 0 when the slider's body is (dx, dy, dz) further."""
    the(PU, j).set_anchor_delta((x, y, z), (dx, dy, dz))


def dJointSetPUAnchorOffset(j: dJointID, x: float, y: float, z: float, dx: float, dy: float, dz: float) -> None:
    """The anchor; the current position becomes the component of (dx, dy, dz) along the slider."""
    the(PU, j).set_anchor_offset((x, y, z), (dx, dy, dz))


def dJointSetPUAxis1(j: dJointID, x: float, y: float, z: float) -> None:
    the(PU, j).axis1 = x, y, z


def dJointSetPUAxis2(j: dJointID, x: float, y: float, z: float) -> None:
    the(PU, j).axis2 = x, y, z


def dJointSetPUAxis3(j: dJointID, x: float, y: float, z: float) -> None:
    """The slider's axis."""
    the(PU, j).prismatic_axis = x, y, z


def dJointSetPUAxisP(id: dJointID, x: float, y: float, z: float) -> None:
    """The slider's axis."""
    the(PU, id).prismatic_axis = x, y, z


def dJointGetPUAnchor(j: dJointID) -> Array:
    return the(PU, j).anchor


def dJointGetPUAxis1(j: dJointID) -> Array:
    return the(PU, j).axis1


def dJointGetPUAxis2(j: dJointID) -> Array:
    return the(PU, j).axis2


def dJointGetPUAxis3(j: dJointID) -> Array:
    return the(PU, j).prismatic_axis


def dJointGetPUAxisP(id: dJointID) -> Array:
    return the(PU, id).prismatic_axis


def dJointGetPUPosition(j: dJointID) -> float:
    """Position, m."""
    return the(PU, j).position


def dJointGetPUPositionRate(j: dJointID) -> float:
    return the(PU, j).position_rate


def dJointGetPUAngles(j: dJointID) -> tuple[float, float]:
    """Both angles, rad, between -pi and pi."""
    return the(PU, j).angles


def dJointGetPUAngle1(j: dJointID) -> float:
    return the(PU, j).angle1


def dJointGetPUAngle1Rate(j: dJointID) -> float:
    return the(PU, j).angle1_rate


def dJointGetPUAngle2(j: dJointID) -> float:
    return the(PU, j).angle2


def dJointGetPUAngle2Rate(j: dJointID) -> float:
    return the(PU, j).angle2_rate


def dJointAddPUTorque(j: dJointID, torque: float) -> None:
    """About axis 1 on the first body, and opposite on the second. (ODE declares this function but does not implement it.)"""
    the(PU, j).add_torques(torque, 0.0)


def dJointSetPUParam(j: dJointID, parameter: int, value: float) -> None:
    """The third group is the slider's."""
    set_param(parameter, value, LIMIT_MOTOR, *the(PU, j).limit_motors)


def dJointGetPUParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, *the(PU, j).limit_motors)
