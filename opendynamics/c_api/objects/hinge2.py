"""objects.h: hinge-2 joints."""

from __future__ import annotations

from typing import Any

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.hinge2 import Hinge2
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.common.parameters import dParamSuspensionCFM, dParamSuspensionERP
from opendynamics.c_api.ids import Array, Null, or_null, the, three
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param

_SUSPENSION = {dParamSuspensionERP: "suspension_erp", dParamSuspensionCFM: "suspension_cfm"}


def dJointCreateHinge2(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Hinge2(the(World, w), group=or_null(JointGroup, group))


def dJointSetHinge2Anchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(Hinge2, j).anchor = x, y, z


def dJointSetHinge2Axes(j: dJointID, axis1: Any, axis2: Any) -> None:
    """Both axes; null leaves one unchanged."""
    one, two = (None if isinstance(axis, int) and axis == 0 else three(axis) for axis in (axis1, axis2))
    the(Hinge2, j).set_axes(one, two)


def dJointSetHinge2Axis1(j: dJointID, x: float, y: float, z: float) -> None:
    the(Hinge2, j).axis1 = x, y, z


def dJointSetHinge2Axis2(j: dJointID, x: float, y: float, z: float) -> None:
    the(Hinge2, j).axis2 = x, y, z


def dJointGetHinge2Anchor(j: dJointID) -> Array:
    return the(Hinge2, j).anchor


def dJointGetHinge2Anchor2(j: dJointID) -> Array:
    return the(Hinge2, j).anchor2


def dJointGetHinge2Axis1(j: dJointID) -> Array:
    return the(Hinge2, j).axis1


def dJointGetHinge2Axis2(j: dJointID) -> Array:
    return the(Hinge2, j).axis2


def dJointGetHinge2Angle1(j: dJointID) -> float:
    """Angle, rad, between -pi and pi."""
    return the(Hinge2, j).angle1


def dJointGetHinge2Angle2(j: dJointID) -> float:
    """Angle, rad, between -pi and pi."""
    return the(Hinge2, j).angle2


def dJointGetHinge2Angle1Rate(j: dJointID) -> float:
    return the(Hinge2, j).angle1_rate


def dJointGetHinge2Angle2Rate(j: dJointID) -> float:
    return the(Hinge2, j).angle2_rate


def dJointAddHinge2Torques(joint: dJointID, torque1: float, torque2: float) -> None:
    """About the axes on the first body, and opposite on the second."""
    the(Hinge2, joint).add_torques(torque1, torque2)


def dJointSetHinge2Param(j: dJointID, parameter: int, value: float) -> None:
    """Those of stops and motors, dParamSuspensionERP and dParamSuspensionCFM."""
    if parameter in _SUSPENSION:
        set_param(parameter, value, _SUSPENSION, the(Hinge2, j))
    else:
        set_param(parameter, value, LIMIT_MOTOR, *the(Hinge2, j).limit_motors)


def dJointGetHinge2Param(j: dJointID, parameter: int) -> float:
    if parameter in _SUSPENSION:
        return get_param(parameter, _SUSPENSION, the(Hinge2, j))
    return get_param(parameter, LIMIT_MOTOR, *the(Hinge2, j).limit_motors)
