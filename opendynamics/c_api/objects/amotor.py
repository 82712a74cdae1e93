"""objects.h: angular motors."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.amotor import AMotor
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param

dAMotorUser, dAMotorEuler = 0, 1

_MODES = ("user", "euler")
_MOST = 3  # axes


def dJointCreateAMotor(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return AMotor(the(World, w), group=or_null(JointGroup, group))


def dJointSetAMotorMode(j: dJointID, mode: int) -> None:
    """dAMotorUser or dAMotorEuler."""
    the(AMotor, j).mode = _MODES[checks.count("the mode of an angular motor", mode, most=dAMotorEuler)]


def dJointGetAMotorMode(j: dJointID) -> int:
    return _MODES.index(the(AMotor, j).mode)


def dJointSetAMotorNumAxes(j: dJointID, num: int) -> None:
    """0 to 3; in Euler mode there are always 3, as in ODE."""
    count = checks.count("the number of axes of an angular motor", num, most=_MOST)
    if dJointGetAMotorMode(j) != dAMotorEuler:
        the(AMotor, j).num_axes = count


def dJointGetAMotorNumAxes(j: dJointID) -> int:
    return the(AMotor, j).num_axes


def dJointSetAMotorAxis(j: dJointID, anum: int, rel: int, x: float, y: float, z: float) -> None:
    """Axis 0, 1 or 2, given in the world frame, fixed to the world (`rel` 0) or to body 1 or 2.

    In Euler mode axis 1 follows from the others, and setting it (`rel` 0) has no effect, as in ODE.
    """
    if dJointGetAMotorMode(j) == dAMotorEuler and (anum, rel) == (1, 0):
        checks.direction("an axis of an angular motor", (x, y, z))
    else:
        the(AMotor, j).set_axis(anum, rel, (x, y, z))


def dJointGetAMotorAxis(j: dJointID, anum: int) -> Array:
    return the(AMotor, j).get_axis(anum)


def dJointGetAMotorAxisRel(j: dJointID, anum: int) -> int:
    return the(AMotor, j).get_relative_to(anum)


def dJointSetAMotorAngle(j: dJointID, anum: int, angle: float) -> None:
    """Set the angle, which stops in user mode need."""
    the(AMotor, j).set_angle(anum, angle)


def dJointGetAMotorAngle(j: dJointID, anum: int) -> float:
    """rad; in Euler mode at the beginning of the last step."""
    return the(AMotor, j).get_angle(anum)


def dJointGetAMotorAngleRate(j: dJointID, anum: int) -> float:
    return the(AMotor, j).get_rate(anum)


def dJointAddAMotorTorques(j: dJointID, torque1: float, torque2: float, torque3: float) -> None:
    """About the axes on the first body, and opposite on the second."""
    the(AMotor, j).add_torques(torque1, torque2, torque3)


def dJointSetAMotorParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, *the(AMotor, j).limit_motors)


def dJointGetAMotorParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, *the(AMotor, j).limit_motors)
