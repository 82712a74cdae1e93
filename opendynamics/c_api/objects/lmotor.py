"""objects.h: linear motors."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.lmotor import LMotor
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreateLMotor(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return LMotor(the(World, w), group=or_null(JointGroup, group))


def dJointSetLMotorNumAxes(j: dJointID, num: int) -> None:
    the(LMotor, j).num_axes = num


def dJointGetLMotorNumAxes(j: dJointID) -> int:
    return the(LMotor, j).num_axes


def dJointSetLMotorAxis(j: dJointID, anum: int, rel: int, x: float, y: float, z: float) -> None:
    """Axis 0, 1 or 2, given in the world frame, fixed to the world (`rel` 0) or to body 1 or 2."""
    the(LMotor, j).set_axis(anum, rel, (x, y, z))


def dJointGetLMotorAxis(j: dJointID, anum: int) -> Array:
    """In the world frame, in which it is set."""
    return the(LMotor, j).get_axis(anum)


def dJointSetLMotorParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, *the(LMotor, j).limit_motors)


def dJointGetLMotorParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, *the(LMotor, j).limit_motors)
