"""objects.h: plane joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.plane2d import Plane2D
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, set_param


def dJointCreatePlane2D(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Plane2D(the(World, w), group=or_null(JointGroup, group))


def dJointSetPlane2DXParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, the(Plane2D, j).x_motor)


def dJointSetPlane2DYParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, the(Plane2D, j).y_motor)


def dJointSetPlane2DAngleParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, the(Plane2D, j).angle_motor)
